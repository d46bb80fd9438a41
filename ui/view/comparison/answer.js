// The answer in the presenter view. It comes after the last merge: one line above the lanes, and then the words that they
// split differently, large enough for a hall: a row for each lane, a column for each word.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {GridGroup} from "../../../film/browser/token_grid/types.js" */

import { chipLength } from "../../../film/browser/shared/chip.js";
import { make } from "../../../film/browser/shared/dom.js";
import { hear } from "../../../film/browser/shared/groups.js";
import { chipMaker } from "../../../film/browser/chip_table/tokens.js";

/**
 * What Python sends about the words.
 * @typedef {object} SplitWords
 * @property {string} heading  how many words are split differently
 * @property {string[]} titles  of the lanes
 * @property {ChipLabel[]} tokens
 * @property {{word: string, of: string, rows: number[][]}[]} words  `of` says where a word comes from; a row for each lane
 */

const PADDING = 1.5; // em that the ends of a chip and the gap after it take, at most
const LETTER = 0.62; // em of a letter of the code font

/** Return the width in em of the longest row. @param {SplitWords} split */
function emsOf({ tokens, words }) {
  const lanes = words[0]?.rows.length ?? 0;
  const widths = Array.from({ length: lanes }, (_, lane) => {
    const positions = words.flatMap(({ rows }) => rows[lane]);
    return positions.reduce((sum, at) => sum + PADDING + LETTER * chipLength(tokens[at]), 0);
  });
  return Math.max(1, ...widths) + words.length;
}

/** Make the element that shows the words. @param {SplitWords} split @param {Theme} theme */
function splitWordsElement(split, theme) {
  const { heading, titles, tokens, words } = split;
  const chip = chipMaker(tokens, theme);
  const name = (/** @type {string} */ title) => make("span", "name", { role: "rowheader" }, title);
  const head = words.map(({ word, of }) => {
    return make("span", "name", { role: "columnheader" }, word, " ", make("span", "of", {}, of));
  });
  const lanes = titles.map((title, lane) => {
    const pieces = words.map(({ rows }) => {
      return make("span", "pieces", { role: "cell" }, ...rows[lane].map(chip));
    });
    return make("div", "contents", { role: "row" }, name(title), ...pieces);
  });
  const first = make("div", "contents", { role: "row" }, make("span", "", { role: "cell" }), ...head);
  const rows = make("div", "rows", { role: "table", "aria-label": heading }, first, ...lanes);
  rows.style.setProperty("--words", String(Math.max(1, words.length)));
  rows.style.setProperty("--rows", String(titles.length));
  rows.style.setProperty("--ems", emsOf(split).toFixed(1));
  const content = words.length ? [rows] : [];
  const attributes = { "data-testid": "split-words", "aria-label": "Words that are split differently" };
  return make(
    "section",
    "stack split-words",
    { ...attributes, hidden: true },
    make("h2", "", {}, heading),
    ...content,
  );
}

/**
 * What Python tells once it has measured.
 * @typedef {object} AnswerData
 * @property {string} answer  in one line
 * @property {SplitWords} ending
 */

/**
 * Make what shows the answer on the stage of a group. Without an answer it shows none.
 * @param {GridGroup} group
 * @param {AbortSignal} signal
 */
export function createAnswer(group, signal) {
  let drawn = ""; // theme and data, as text

  /** @param {AnswerData | undefined} data @param {Theme} theme */
  function draw(data, theme) {
    const { stage } = group;
    const text = JSON.stringify([theme, data]);
    if (!stage || text === drawn) return;
    drawn = text;
    stage.setEnding(data ? splitWordsElement(data.ending, theme) : null);
    if (!data) return stage.head.replaceChildren();
    const { answer } = data;
    stage.head.style.setProperty("--letters", String(answer.length));
    const line = make("p", "verdict", { "data-testid": "stage-verdict", title: answer }, answer);
    stage.head.replaceChildren(line, button());
    reveal();
    if (group.presenting) for (const lane of group.lanes) lane.relayout(); // they have other room now
  }

  /** Show the answer once the last merge is done: before, it would give away what is to be guessed. */
  function reveal() {
    const { playhead, stage } = group;
    const isOver = playhead !== null && playhead.step >= playhead.last();
    stage?.head.querySelector(".verdict")?.classList.toggle("ahead", !isOver);
  }

  function button() {
    const click = () => void group.stage?.showEnding();
    const attributes = { type: "button", "data-testid": "show-split-words", click };
    return make("button", "", attributes, make("kbd", "", {}, "W"), "words split differently");
  }

  hear("step", group.name, signal, reveal);
  return { draw };
}
