// What the answer is about: the words that lanes split differently, one row per lane, and the answer's figure as a bar,
// with the interval of other held-out texts and, behind it, what two random tie-breaks differ by.

/** @import {Theme} from "../../../film/browser/shared/tokens/colour.js" */
/** @import {MakeChip, PartData} from "./tokens.js" */

import { make } from "../../../film/browser/shared/page/dom.js";
import { chipMaker } from "./tokens.js";

/** One line of the bar's legend: what it stands for, and from where to where it reaches. @typedef {{text: string, from: number, to: number}} Range */

/**
 * The answer's figure and what it is compared with, as shares.
 * @typedef {object} Bar
 * @property {Range} value  from 0
 * @property {Range} interval
 * @property {Range | null} chance  of random tie-breaks
 * @property {Range} limit  from where on it matters
 */

/** @typedef {{word: string, times: string, rows: number[][]}} DisputedWord */
/** @typedef {PartData & {words: DisputedWord[], bar: Bar | null}} DisputedData */

const MOST_ON_PHONE = 3; // lanes whose words are drawn on a phone: more would push the lanes off the screen
const ROOM = 1.08; // the bar's scale goes so much further than what it shows
const KINDS = /** @type {const} */ (["value", "interval", "chance", "limit"]);

/**
 * @param {HTMLElement} root
 * @param {DisputedData} data
 * @param {Theme} theme
 */
export function drawDisputedWords(root, data, theme) {
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
    "disputed-word of-lanes",
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
      "disputed-word",
      {},
      make("span", "of", {}, make("b", "", {}, word), ` ${times}`),
      ...spoken,
    );
  });
  const list = make("ul", "disputed-words", { "aria-label": "Words that are split differently" }, ...columns);
  return make("div", "by-lane", {}, names, list);
}

/** @param {Bar} bar */
function barElement(bar) {
  const ranges = KINDS.flatMap((kind) => {
    const range = bar[kind];
    return range ? [{ kind, range }] : [];
  });
  const end = ROOM * Math.max(...ranges.map(({ range }) => range.to));
  const percent = (/** @type {number} */ share) => `${((100 * share) / end).toFixed(2)}%`;
  const shapes = ranges.map(({ kind, range: { from, to } }) => {
    const shape = make("span", `gauge-range ${kind}`);
    shape.style.insetInlineStart = percent(Math.max(0, from));
    shape.style.width = percent(to - Math.max(0, from));
    return shape;
  });
  const legend = ranges.map(({ kind, range }) => {
    return make("li", "entry", {}, make("span", `gauge-sign ${kind}`, { "aria-hidden": "true" }), range.text);
  });
  const track = make("div", "gauge-track", { "aria-hidden": "true" }, ...shapes);
  return make(
    "div",
    "gauge",
    { "data-testid": "verdict-bar" },
    track,
    make("ul", "gauge-key", {}, ...legend),
  );
}
