// Brackets below tied pairs, each with the count in a small pill. Pairs that share a token or touch are on different
// rows, so that e + s, s + t and t + </w> can be told apart.

/** @import {Box, Layout} from "../layout/layout.js" */
/** @import {Marked} from "./marking.js" */

import { formatNumber } from "../../shared/numbers.js";
import { boxesOf } from "../layout/layout.js";
import { eachPair, hasBrackets } from "./marking.js";
import { pairName } from "../data/pair_counts.js";

const BRACKET_ROWS = 3;
const OUTLINE_ROOM = 3.5; // px from a box to its brackets: the room of the winner's outline
/** Opacity of the pairs that lose, from the moment that one is selected. */
export const FADED = 0.4;

/**
 * One bracket, in px on the stage.
 * @typedef {object} Bracket
 * @property {{x: number, y: number, w: number}[]} lines  its horizontal parts: one, or one for each line of a broken pair
 * @property {number} tick  height of its ends
 * @property {{x: number, y: number, w: number, h: number}} pill
 * @property {boolean} wins
 */

/**
 * Return the row of each span: those that overlap or touch have different rows, of which three are enough for pairs.
 * @param {[from: number, to: number][]} spans  of two neighbouring tokens each, in reading order
 */
export function bracketRows(spans) {
  /** @type {number[]} */
  const reached = [];
  return spans.map(([from, to]) => {
    const free = reached.findIndex((end) => end < from);
    const row = free < 0 ? reached.length : free;
    reached[row] = to;
    return row;
  });
}

/**
 * Return the tied pairs in cells [from, to) as [start, end], and whether each is the pair that is merged next.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function tiedSpans(grid, layout, from, to) {
  const { model, step, tied, visibleMarks } = grid;
  const { left, right } = model.steps;
  const winner = visibleMarks.winner && step < model.last ? pairName(left[step], right[step]) : "";
  /** @type {{span: [number, number], wins: boolean}[]} */
  const spans = [];
  eachPair(grid, layout, from, to, (pair, start, end) => {
    if (tied.has(pair)) spans.push({ span: [start, end], wins: pair === winner });
  });
  return spans;
}

/**
 * Return the text of the pills: how often each tied pair occurs. All occur equally often.
 * @param {Marked} grid
 */
export function pillText({ model, step }) {
  return formatNumber(model.steps.count[step] ?? 0);
}

/**
 * Return the brackets of cells [from, to); none without a tie, or where they do not fit.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} pillWidth
 * @returns {Bracket[]}
 */
export function bracketsIn(grid, layout, from, to, pillWidth) {
  if (!grid.visibleMarks.tied || grid.tied.size < 2 || !hasBrackets(grid, layout, from, to)) return [];
  const spans = tiedSpans(grid, layout, from, to);
  const rows = bracketRows(spans.map(({ span }) => span));
  return spans.map(({ span, wins }, at) => bracketOf(layout, span, rows[at], wins, pillWidth));
}

/**
 * @param {Layout} layout
 * @param {[number, number]} span
 * @param {number} row
 * @param {boolean} wins
 * @param {number} pillWidth
 * @returns {Bracket}
 */
function bracketOf(layout, [start, end], row, wins, pillWidth) {
  const { pill } = layout.metrics;
  const gap = pill / BRACKET_ROWS;
  const boxes = boxesOf(layout, start, end);
  const foot = (/** @type {Box} */ { y, h }) => y + h;
  const lines = boxes.map((box) => ({
    x: box.x + 2.5,
    y: foot(box) + OUTLINE_ROOM + (row + 0.8) * gap,
    w: box.w - 5,
  }));
  const [first] = boxes;
  const x = first.x + (first.w - pillWidth) / 2;
  return {
    lines,
    tick: gap * 0.8,
    pill: { x, y: foot(first) + OUTLINE_ROOM, w: pillWidth, h: pill - 1 },
    wins,
  };
}
