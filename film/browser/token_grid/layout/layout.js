// The positions of cells. Words keep their lines; letters close up as their tokens fuse, so that compression is seen.

/** @import {Metrics} from "./metrics.js" */
/** @import {Cells} from "../data/segmentation.js" */
/** @import {Runs} from "./directions.js" */

import { formatNumber } from "../../shared/numbers.js";
import { directionsOf, leftToRightRuns, mirrorLine, sidesOf } from "./directions.js";
import { FEW, brokenItems, dealText, dealWords, reflow } from "./lines.js";
import { measureText, widthOf } from "./metrics.js";
import { cellRun } from "./runs.js";

/**
 * Cells laid out in lines; lengths in px.
 * @typedef {object} Layout
 * @property {Cells} cells
 * @property {Metrics} metrics
 * @property {number} width
 * @property {boolean} drawsChips
 * @property {Float32Array} x  left edge of each cell
 * @property {Float32Array} w  width of each cell
 * @property {Int32Array} line  of each cell
 * @property {Float32Array} textWidth  of what each cell shows alone
 * @property {Float32Array} left  where each distinct word begins
 * @property {number} labelWidth  room for the frequency before each distinct word
 * @property {number[]} lineStart  first cell of each line
 * @property {number[]} paragraph  for each line the item that its paragraph began with
 * @property {number} top  where the layout begins on the stage
 * @property {number} height
 * @property {{item: number, lastLine: number}[]} longItems  drawn as chips: words of more than one line
 * @property {Int8Array | null} direction  see directionsOf
 * @property {Runs | null} ltrRuns  see leftToRightRuns
 */

/** A rectangle with the cells [from, to) in it. @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * Lay out cells.
 * @param {Cells} cells
 * @param {Metrics} metrics
 * @param {number} width  in px
 * @param {boolean} drawsChips
 * @param {number} [few]  so many distinct words at most are in one column
 * @returns {Layout}
 */
export function layOutCells(cells, metrics, width, drawsChips, few = FEW) {
  const { size } = cells;
  const direction = directionsOf(cells);
  /** @type {Layout} */
  const layout = {
    cells,
    metrics,
    width,
    drawsChips,
    x: new Float32Array(size),
    w: new Float32Array(size),
    line: new Int32Array(size),
    textWidth: textWidths(cells, metrics),
    left: new Float32Array(cells.words.length),
    labelWidth: cells.distinct ? frequencyWidth(cells, metrics) : 0,
    lineStart: [],
    paragraph: [],
    top: 0,
    height: 0,
    longItems: [],
    direction,
    ltrRuns: leftToRightRuns(cells, direction),
  };
  if (cells.distinct) dealWords(layout, few);
  else dealText(layout);
  if (drawsChips) layout.longItems = brokenItems(layout);
  layout.height = layout.lineStart.length * metrics.pitch;
  if (!drawsChips) arrange(layout, 0);
  return layout;
}

/**
 * @param {Cells} cells
 * @param {Metrics} metrics
 */
function textWidths(cells, metrics) {
  /** @type {Map<number, number>} */
  const known = new Map();
  const widths = new Float32Array(cells.size);
  for (let cell = 0; cell < cells.size; cell++) {
    const key = cells.symbol[cell] * 8 + cells.charCells[cell];
    const width = known.get(key) ?? widthOf(metrics, cellRun(cells, cell));
    known.set(key, width);
    widths[cell] = width;
  }
  return widths;
}

/**
 * Return the label of a word's frequency, drawn before the word.
 * @param {number} count
 */
export function frequencyText(count) {
  return `${formatNumber(count)} ×`;
}

/**
 * @param {Cells} cells
 * @param {Metrics} metrics
 */
function frequencyWidth({ words, model }, metrics) {
  let most = 0;
  for (const word of words) most = Math.max(most, model.words.frequency[word]);
  return Math.ceil(measureText(metrics.letter, frequencyText(most)) * 0.92) + 12;
}

/**
 * Return the cell after the last one of a line.
 * @param {Layout} layout
 * @param {number} line
 */
export function lineEnd({ lineStart, cells }, line) {
  return lineStart[line + 1] ?? cells.size;
}

/**
 * Move the cells to their positions after `step` steps.
 * @param {Layout} layout
 * @param {number} step
 */
export function arrange(layout, step) {
  reflow(layout, step);
  arrangeLines(layout, step, 0, layout.lineStart.length);
}

/**
 * Move the cells of the lines [first, last) to their positions after `step` steps.
 * @param {Layout} layout
 * @param {number} step
 * @param {number} first
 * @param {number} last
 */
export function arrangeLines(layout, step, first, last) {
  for (let line = first; line < last; line++) {
    arrangeLine(layout, step, line, layout.lineStart[line], lineEnd(layout, line));
  }
}

/**
 * @param {Layout} layout
 * @param {number} step
 * @param {number} line
 * @param {number} from
 * @param {number} to
 */
function arrangeLine(layout, step, line, from, to) {
  const { cells, x, w, metrics, drawsChips, textWidth } = layout;
  if (from >= to) return;
  const pad = drawsChips ? metrics.pad : metrics.cellPad;
  let at = 0;
  for (let cell = from; cell < to; cell++) {
    const item = cells.item[cell];
    const begins = cell === cells.firstCell[item];
    if (cells.distinct) {
      if (begins || cell === from) at = (begins ? layout.left[item] : 0) + layout.labelWidth;
    } else if (begins && cell > from) at += metrics.wall;
    const [low, high] = sidesOf(layout, cell, step);
    x[cell] = at;
    w[cell] = textWidth[cell] + (low ? pad : 0) + (high ? pad : 0);
    at += w[cell] + (cells.close[cell] >= step ? metrics.gap : 0);
  }
  mirrorLine(layout, line, from, to, at);
}

/**
 * Find the walls between the words of a line of cells [from, to), as they are seen from left to right: words of two
 * directions do not stand as they are read.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @returns {Map<number, number>}  first cell of each word that begins on the line, after its first word -> x
 */
export function wallsOf({ cells, x, w, direction }, from, to) {
  /** @type {{item: number, low: number, high: number}[]} */
  const extents = [];
  const firstCells = [];
  for (let cell = from; cell < to; cell++) {
    const last = extents[extents.length - 1];
    if (last && last.item === cells.item[cell]) {
      last.low = Math.min(last.low, x[cell]);
      last.high = Math.max(last.high, x[cell] + w[cell]);
      continue;
    }
    if (last) firstCells.push(cell);
    extents.push({ item: cells.item[cell], low: x[cell], high: x[cell] + w[cell] });
  }
  if (direction) extents.sort((a, b) => a.low - b.low);
  return new Map(firstCells.map((cell, at) => [cell, (extents[at].high + extents[at + 1].low) / 2]));
}

/**
 * Find the ends of words of the first of two stages in a line of cells [from, to), as long as that stage lasts.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} step
 * @returns {Map<number, number>}  first cell after each end -> x
 */
export function endsOf({ cells, x, w }, from, to, step) {
  /** @type {Map<number, number>} */
  const ends = new Map();
  if (step >= (cells.model.stage?.after ?? 0)) return ends;
  for (let cell = from + 1; cell < to; cell++) {
    if (!cells.ends[cell - 1] || cells.close[cell - 1] < step) continue;
    const [low, high] = x[cell - 1] < x[cell] ? [cell - 1, cell] : [cell, cell - 1];
    ends.set(cell, (x[low] + w[low] + x[high]) / 2);
  }
  return ends;
}

/**
 * Return the left and right end of cells of one line. In words of one direction these are the ends of the outer cells.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function extentOf({ x, w, ltrRuns }, from, to) {
  let low = Math.min(x[from], x[to - 1]);
  let high = Math.max(x[from] + w[from], x[to - 1] + w[to - 1]);
  if (!ltrRuns) return [low, high];
  for (let cell = from; cell < to; cell++) {
    low = Math.min(low, x[cell]);
    high = Math.max(high, x[cell] + w[cell]);
  }
  return [low, high];
}

/**
 * Return the boxes of cells [start, end), one for each of their lines; y from the stage's top.
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 */
export function boxesOf(layout, start, end) {
  const { line, metrics, top } = layout;
  /** @type {Box[]} */
  const boxes = [];
  for (let cell = start; cell < end;) {
    let to = cell + 1;
    while (to < end && line[to] === line[cell]) to += 1;
    const [low, high] = extentOf(layout, cell, to);
    const y = top + line[cell] * metrics.pitch + metrics.drop;
    boxes.push({ x: low, y, w: high - low, h: metrics.height });
    cell = to;
  }
  return boxes;
}
