// The parts of Compare as one component. The data names the part to draw.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {MakeChip} from "../../../film/browser/chip_table/tokens.js" */
/** @import {PartData} from "./tokens.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { chipMaker } from "../../../film/browser/chip_table/tokens.js";
import { mergeName, formatNumber } from "../../../film/browser/shared/numbers.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { adoptSheet, sheetText } from "../../../film/browser/shared/sheet.js";
import { GRID_SHEET } from "../../../film/browser/stage/grid_sheet.js";

const PARTS_SHEET = sheetText("./parts.css");

// What the answer is about: the words that lanes split differently, one row per lane, and the answer's figure as a bar,
// with what random tie-breaks explain below it.

/** What a strip shows: a sentence, a label and a figure beside it, and from where to where it reaches. @typedef {{text: string, label: string, figure: string, from: number, to: number}} Range */

/**
 * The answer's figure and what it is compared with, as shares.
 * @typedef {object} Bar
 * @property {Range} value  from 0
 * @property {Range | null} chance  of random tie-breaks, once they are drawn
 */

/** @typedef {{word: string, times: string, rows: number[][]}} DisputedWord */
/** @typedef {PartData & {words: DisputedWord[], bar: Bar | null}} DisputedData */

const MOST_ON_PHONE = 3; // lanes whose words are drawn on a phone: more would push the lanes off the screen
const ROOM = 1.08; // the scale goes so much further than what it shows
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]; // between two numbers of the axis
const MOST_NUMBERS_OF_AXIS = 5;

/** @param {HTMLElement} root @param {DisputedData} data @param {Theme} theme */
function drawDisputedWords(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const parts = [];
  const many = data.titles.length > MOST_ON_PHONE;
  if (data.words.length) parts.push(wordsElement(data, chip));
  if (data.bar) parts.push(barElement(data.bar));
  root.replaceChildren(
    make("div", many ? "disputed many" : "disputed", { "data-testid": "disputed" }, ...parts),
  );
  root.style.setProperty("--lanes", String(data.titles.length));
}

/**
 * Make a column for each word, after one with the names of the lanes. Columns that do not fit are left out.
 * @param {DisputedData} data
 * @param {MakeChip} chip
 */
function wordsElement({ titles, words }, chip) {
  const names = make(
    "div",
    "stack disputed-word of-lanes",
    { "aria-hidden": "true" },
    make("span", "of"),
    ...titles.map((title) => make("span", "lane-name", { title }, title)),
  );
  const columns = words.map(({ word, times, rows }) => {
    const spoken = rows.map((positions, lane) => {
      const pieces = make("span", "pieces", {}, ...positions.map(chip));
      return make("span", "split", {}, make("span", "unseen", {}, `${titles[lane]}: `), pieces);
    });
    return make(
      "li",
      "stack disputed-word",
      {},
      make("span", "of", {}, make("b", "", {}, word), ` ${times}`),
      ...spoken,
    );
  });
  const list = make("ul", "disputed-words", { "aria-label": "Words that are split differently" }, ...columns);
  return make("div", "by-lane", {}, names, list);
}

/**
 * Make two strips on one axis of percent: what these lanes differ by, and what random tie-breaks explain.
 * @param {Bar} bar
 */
function barElement({ value, chance }) {
  const end = ROOM * Math.max(value.to, chance?.to ?? 0);
  const percent = (/** @type {number} */ share) => `${((100 * share) / end).toFixed(2)}%`;
  const shape = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {number} */ to) => {
    const element = make("span", `gauge-range ${kind}`);
    element.style.insetInlineStart = percent(from);
    element.style.width = percent(to - from);
    return element;
  };
  const strip = (/** @type {string} */ kind, /** @type {Range} */ { label, figure, from, to }) => [
    make("span", "gauge-label", {}, `${label} `, make("b", "", {}, figure)),
    make("span", "gauge-track", {}, shape(kind, from, to)),
  ];
  const every = STEPS.find((step) => end / step <= MOST_NUMBERS_OF_AXIS) ?? 1;
  const numbers = Array.from({ length: Math.floor(end / every) + 1 }, (_, at) => {
    const number = make("span", "gauge-number", {}, `${Number((100 * at * every).toFixed(1))}`);
    number.style.insetInlineStart = percent(at * every);
    return number;
  });
  numbers[numbers.length - 1].append("%");
  const picture = make(
    "div",
    "aside gauge-picture",
    { "aria-hidden": "true" },
    ...strip("value", value),
    ...(chance ? strip("chance", chance) : []),
    make("span", "gauge-axis", {}, ...numbers),
  );
  const sentences = make("span", "unseen", {}, `${value.text}${chance ? `; ${chance.text}` : ""}.`);
  return make("div", "gauge", { "data-testid": "verdict-bar" }, picture, sentences);
}

// The tokens that only one lane learned, and those that all learned.

/**
 * Tokens that the same lanes learned.
 * @typedef {object} TokenGroup
 * @property {string} title
 * @property {number} size
 * @property {number[]} tokens  the first of them
 * @property {(number | null)[][]} ranks  for each of them the merge by which each lane learned it
 * @property {number[]} pale  which of them are stepping stones
 */

const MOST_COLUMNS = 3;
const STEPPING_STONE = "\nA stepping stone: no longer in use after the last merge.";

/** @param {HTMLElement} root @param {PartData & {groups: TokenGroup[]}} data @param {Theme} theme */
function drawLearnedTokens(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const cards = data.groups.map(({ title, size, tokens, ranks, pale }) => {
    const items = tokens.map((position, at) => {
      const isPale = pale.includes(at);
      const about = `${ranksText(data.titles, ranks[at])}${isPale ? STEPPING_STONE : ""}`;
      return make("li", isPale ? "pale" : "", { title: about }, chip(position));
    });
    const heading = make("h3", "", {}, title, make("span", "size", {}, formatNumber(size)));
    const attributes = { "aria-label": title, "data-testid": "fate", "data-size": size };
    const card = make("section", "card learned-by", attributes, heading);
    card.append(items.length ? make("ul", "row chips", {}, ...items) : make("p", "aside", {}, "none"));
    const more = `and ${formatNumber(size - tokens.length)} more, in the table of tokens`;
    if (size > tokens.length) card.append(make("p", "aside", {}, more));
    return card;
  });
  const style = `--columns: ${Math.min(MOST_COLUMNS, cards.length)}`;
  root.replaceChildren(make("div", "learned-tokens", { style }, ...cards));
}

/** @param {string[]} titles @param {(number | null)[]} ranks */
function ranksText(titles, ranks) {
  const words = ranks.map((rank) => (rank === null ? "never" : mergeName(rank)));
  return words.map((text, lane) => `${titles[lane]}: ${text}`).join("\n");
}

// Words under every lane, one row per lane, aligned word by word. Words with different tokens are framed.

/** @typedef {PartData & {words: {word: string, rows: number[][], differs: boolean}[]}} WordsData */

const LANE_LETTERS = "ABCDEFGH"; // names of the lanes

/** @param {HTMLElement} root @param {WordsData} data @param {Theme} theme */
function drawWords(root, { titles, tokens, words }, theme) {
  const chip = chipMaker(tokens, theme);
  const entries = titles.map((title, lane) => {
    return make("span", "entry", {}, make("b", "by", {}, LANE_LETTERS[lane]), title);
  });
  const items = words.map(({ word, rows, differs }) => {
    const lines = rows.map((positions, lane) => {
      const letter = make("b", "by", { "aria-label": titles[lane] }, LANE_LETTERS[lane]);
      return make("span", "row line", {}, letter, ...positions.map(chip));
    });
    const label = `${word}: ${differs ? "split differently" : "split the same way"}`;
    const attributes = { "aria-label": label, "data-differs": differs || null };
    return make("li", `stack word ${differs ? "x" : ""}`, attributes, ...lines);
  });
  const list = make("ul", "row words", { "data-testid": "cuts" }, ...items);
  root.replaceChildren(make("p", "aside row legend", {}, ...entries), list);
}

/** Draws a part. If it returns a function, that removes the part. @typedef {(root: HTMLElement, data: any, theme: Theme) => void | (() => void)} Draw */

/** Each takes the data of its own part, so the types differ. @type {Record<string, Draw>} */
const PARTS = {
  disputed: drawDisputedWords,
  fates: drawLearnedTokens,
  cuts: drawWords,
};

/** @param {Component<{part: string}>} component @returns {Controller<{part: string}>} */
function createPart(component) {
  const root = rootOf(component, ".parts");
  let lastText = ""; // theme and data, as text
  /** @type {void | (() => void)} */
  let end;

  /** @type {Controller<{part: string}>["update"]} */
  function update({ data }) {
    for (const sheet of [GRID_SHEET, PARTS_SHEET]) adoptSheet(root, sheet);
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    end?.();
    lastText = text;
    root.dataset.theme = theme;
    end = PARTS[data.part](root, data, theme);
  }
  return { update, remove: () => end?.() };
}

export default mount(createPart);
