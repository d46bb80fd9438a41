// Tallies: the questions of each talk, with the hands that were counted for their answers, as a text that the browser keeps
// and as a file. No server receives them.

/** @import {Asked, Ballot} from "../../../film/browser/shared/ballot.js" */

import { MOST_HANDS, handsRaised } from "../../../film/browser/shared/ballot.js";

/** A question with its hands. @typedef {Omit<Ballot, "answers"> & {answers: {label: string, right: boolean}[]}} Tally */
/** The questions of one talk, the first one first. @typedef {{title: string, began: number, tallies: Tally[]}} TalkTallies */

const VERSION = 1;
const GOES_ON = 4 * 3_600_000; // ms after its last question, in which a talk of the same title goes on
const MOST = { talks: 30, tallies: 200, answers: 26, letters: 600, text: 1_000_000 };

/**
 * Return the talks of a stored text that can be read, at most the newest ones, and whether some of it could not be read.
 * @param {string | null} text
 * @returns {{talks: TalkTallies[], isBroken: boolean}}
 */
export function readTallies(text) {
  if (!text) return { talks: [], isBroken: false };
  const stored = storedTalks(text);
  let isBroken = stored === null;
  /** @type {TalkTallies[]} */
  const talks = [];
  for (const talk of stored ?? []) {
    const tallies = isTalk(talk) ? talk.tallies.filter(isTally) : [];
    if (!tallies.length || tallies.length < talk.tallies.length) isBroken = true;
    if (tallies.length) talks.push({ ...talk, tallies: tallies.slice(-MOST.tallies) });
  }
  return { talks: talks.slice(-MOST.talks), isBroken };
}

/** Return what a stored text holds in place of talks; null if it is no list of ours. @param {string} text @returns {any[] | null} */
function storedTalks(text) {
  try {
    const { version, talks } = Object(JSON.parse(text));
    return version === VERSION && Array.isArray(talks) ? talks : null;
  } catch {
    return null;
  }
}

/** Return talks as a text to store: without the oldest ones, or the oldest questions of the last one, if the text is too long. @param {TalkTallies[]} talks @returns {string} */
export function writtenTallies(talks) {
  const text = JSON.stringify({ version: VERSION, talks });
  if (text.length <= MOST.text) return text;
  const [{ tallies, ...oldest }, ...newer] = talks;
  const rest = tallies.slice(Math.ceil(tallies.length / 10));
  return writtenTallies(newer.length ? newer : [{ ...oldest, tallies: rest }]);
}

/**
 * Return the talk that a question belongs to now; undefined if it is the first one of its talk.
 * @param {TalkTallies[]} talks
 * @param {string} title
 * @param {number} now  in ms
 */
function talkNow(talks, title, now) {
  const talk = talks.findLast((one) => one.title === title);
  const last = talk?.tallies.at(-1)?.at ?? talk?.began ?? 0;
  return now - last < GOES_ON ? talk : undefined;
}

/**
 * Return the talks with a ballot in them, or without it if no hands were counted.
 * @param {TalkTallies[]} talks
 * @param {string} title  of the talk
 * @param {Ballot} ballot
 * @returns {TalkTallies[]}
 */
export function withBallot(talks, title, ballot) {
  const { id, name, where, asks, at, hands, open } = ballot;
  const answers = ballot.answers.map(({ label, right }) => ({ label: cut(label), right }));
  const named = { name: cut(name), where: cut(where), asks: cut(asks) };
  const tally = { id, ...named, at, hands: [...hands], open, answers };
  const rows = handsRaised(ballot) ? [tally] : [];
  const holder =
    talks.find(({ tallies }) => tallies.some((one) => one.id === id)) ?? talkNow(talks, title, at);
  if (!holder)
    return rows.length
      ? [...talks, { title: cut(title), began: at, tallies: rows }].slice(-MOST.talks)
      : talks;
  const others = holder.tallies.filter((one) => one.id !== id);
  const tallies = [...others, ...rows].toSorted((one, other) => one.at - other.at).slice(-MOST.tallies);
  return talks
    .map((talk) => (talk === holder ? { ...talk, tallies } : talk))
    .filter((talk) => talk.tallies.length);
}

/**
 * Return the tally of a question that was asked before in this talk, the last one; null without one.
 * @param {TalkTallies[]} talks
 * @param {string} title
 * @param {Asked} asked
 * @param {number} now  in ms
 */
export function tallyOf(talks, title, { name, answers }, now) {
  const isSame = (/** @type {Tally} */ tally) =>
    tally.name === cut(name) &&
    tally.answers.map(({ label }) => label).join("\n") === answers.map(({ label }) => cut(label)).join("\n");
  return talkNow(talks, title, now)?.tallies.findLast(isSame) ?? null;
}

const COLUMNS = ["talk", "asked at", "number", "where", "question", "answer", "right", "hands"];

/** Return a talk as a CSV file, a row for each answer. @param {TalkTallies} talk */
export function tallyFile({ title, tallies }) {
  const rows = tallies.flatMap(({ where, asks, at, answers, hands, open }, number) =>
    answers.map(({ label, right }, answer) => {
      const known = open ? "" : right ? "yes" : "no";
      return [title, new Date(at).toISOString(), number + 1, where, asks, label, known, hands[answer]];
    }),
  );
  return `\ufeff${[COLUMNS, ...rows].map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

// As `in_cell` of bpe/text/display.py writes them: a spreadsheet must not take a text for a formula.
// oxlint-disable-next-line no-control-regex -- \x1c to \x1f and \x85 are white space in Python
const FORMULA_START = /^'*([\s\0\x1c-\x1f\x85]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;
// oxlint-disable-next-line no-control-regex -- the same
const CELL_START = /(?<=[;|\t\r\n])(?=(?:[^\S\t\r\n]|["'\0\x1c-\x1f\x85])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** @param {string | number} value */
function cellOf(value) {
  if (typeof value === "number") return String(value);
  const text = `${FORMULA_START.test(value) ? "'" : ""}${value.replace(CELL_START, "'")}`;
  return `"${text.replaceAll('"', '""')}"`;
}

/** @param {string} text */
function cut(text) {
  return text.slice(0, MOST.letters);
}

/**
 * @template Item
 * @param {unknown} value
 * @param {number} most
 * @param {(item: unknown) => boolean} isItem
 * @returns {value is Item[]}
 */
function isList(value, most, isItem) {
  return Array.isArray(value) && value.length <= most && value.every(isItem);
}

/** Return whether a value is a talk, without checking its tallies. @param {unknown} value */
function isTalk(value) {
  const { title, began, tallies } = Object(value);
  return isText(title) && isTime(began) && Array.isArray(tallies);
}

/** @param {unknown} value @returns {value is Tally} */
function isTally(value) {
  const { id, name, where, asks, at, hands, open, answers } = Object(value);
  const isCount = (/** @type {unknown} */ count) =>
    typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MOST_HANDS;
  return (
    [id, name, where, asks].every(isText) &&
    isTime(at) &&
    typeof open === "boolean" &&
    isList(answers, MOST.answers, isAnswer) &&
    isList(hands, MOST.answers, isCount) &&
    hands.length === answers.length
  );
}

/** @param {unknown} value */
function isAnswer(value) {
  const { label, right } = Object(value);
  return isText(label) && typeof right === "boolean";
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string" && value.length <= MOST.letters;
}

/** @param {unknown} value */
function isTime(value) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 8.64e15;
}
