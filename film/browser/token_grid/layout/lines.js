// The line of each cell. Lines are assigned once, from the widths before any merge, and a word keeps its line at every
// step, so cells move only sideways. Only a word of chips that is longer than a line is wrapped again.

/** @import {Layout} from "./layout.js" */

import { eachToken } from "../data/segmentation.js";

/**
 * Return the width of a cell while it is a token of its own.
 * @param {Layout} layout
 * @param {number} cell
 */
function aloneWidth({ textWidth, drawsChips, metrics }, cell) {
  return textWidth[cell] + 2 * (drawsChips ? metrics.pad : metrics.cellPad);
}

/**
 * @param {Layout} layout
 * @param {number} item
 */
function wordWidth(layout, item) {
  const { firstCell } = layout.cells;
  let width = 0;
  for (let cell = firstCell[item]; cell < firstCell[item + 1]; cell++) {
    width += aloneWidth(layout, cell) + layout.metrics.gap;
  }
  return width;
}

/**
 * Assign running text to lines: words in reading order, real line breaks, long words broken between cells.
 * @param {Layout} layout
 */
export function dealText(layout) {
  const { cells, width, line, lineStart, metrics } = layout;
  const { symbols, breaks } = cells.model;
  let x = 0;
  let paragraph = 0;
  const begin = (/** @type {number} */ cell) => {
    lineStart.push(cell);
    layout.paragraph.push(paragraph);
    x = 0;
  };
  if (cells.size) begin(0);
  for (let item = 0; item < cells.words.length; item++) {
    const from = cells.firstCell[item];
    if (breaks.has(item)) paragraph = item;
    if (item && breaks.has(item) && lineStart[lineStart.length - 1] !== from) begin(from);
    if (x && x + wordWidth(layout, item) > width) begin(from);
    for (let cell = from; cell < cells.firstCell[item + 1]; cell++) {
      const wide = aloneWidth(layout, cell);
      if (x && x + wide > width) begin(cell);
      line[cell] = lineStart.length - 1;
      x += wide + metrics.gap;
      if (symbols[cells.symbol[cell]].kind !== "newline" || cell + 1 >= cells.size) continue;
      paragraph = cells.item[cell + 1];
      begin(cell + 1);
    }
    x += metrics.wall;
  }
}

/**
 * Return the width that the widest word needs, with its count.
 * @param {Layout} layout
 */
export function widestWord(layout) {
  const widths = [...layout.cells.words.keys()].map((item) => wordWidth(layout, item));
  return Math.ceil(layout.labelWidth + Math.max(0, ...widths) + layout.metrics.wall);
}

/** Words in one column, if they need not be close together */
export const FEW = 6;

/**
 * Assign distinct words to lines: each with its count before it, in as many columns as fit.
 * @param {Layout} layout
 * @param {number} few  so many words at most are in one column
 */
export function dealWords(layout, few) {
  const { cells, width, line, lineStart, left, metrics, labelWidth } = layout;
  const { words, firstCell } = cells;
  const widths = words.map((_, item) => labelWidth + wordWidth(layout, item) + metrics.wall);
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length * 0.9)] ?? width;
  const columns = words.length <= few ? 1 : Math.max(1, Math.floor(width / usual));
  const slot = width / columns;
  let column = columns;
  for (let item = 0; item < words.length; item++) {
    const slots = Math.min(columns, Math.ceil(widths[item] / slot));
    if (column + slots > columns) {
      lineStart.push(firstCell[item]);
      column = 0;
    }
    left[item] = column * slot;
    column += slots;
    let x = left[item] + labelWidth;
    for (let cell = firstCell[item]; cell < firstCell[item + 1]; cell++) {
      const wide = aloneWidth(layout, cell);
      if (x > left[item] + labelWidth && x + wide > width) {
        lineStart.push(cell);
        column = columns;
        x = labelWidth;
      }
      line[cell] = lineStart.length - 1;
      x += wide + metrics.gap;
    }
  }
}

/**
 * Return whether an item takes more than one line.
 * @param {Layout} layout
 * @param {number} item
 */
export function isBroken({ cells, line }, item) {
  return line[cells.firstCell[item]] !== line[cells.firstCell[item + 1] - 1];
}

/**
 * Return the items that take more than one line, each with its last line.
 * @param {Layout} layout
 */
export function brokenItems(layout) {
  const { words, firstCell } = layout.cells;
  const items = [...words.keys()].filter((item) => isBroken(layout, item));
  return items.map((item) => ({ item, lastLine: layout.line[firstCell[item + 1] - 1] }));
}

/**
 * Wrap the words that are longer than a line again within their lines, as after `step` steps.
 * @param {Layout} layout
 * @param {number} step
 */
export function reflow(layout, step) {
  for (const { item, lastLine } of layout.longItems) reflowItem(layout, step, item, lastLine);
  if (layout.longItems.length) findLineStarts(layout);
}

/**
 * @param {Layout} layout
 * @param {number} step
 * @param {number} item
 * @param {number} lastLine  the last one that the word has; cells that do not fit overflow it
 */
function reflowItem(layout, step, item, lastLine) {
  const { cells, line, width, metrics, textWidth } = layout;
  const from = cells.firstCell[item];
  const indent = cells.distinct ? layout.labelWidth : 0;
  let x = (cells.distinct ? layout.left[item] : 0) + indent;
  let at = line[from];
  const nextLine = () => {
    if (at === lastLine) return;
    at += 1;
    x = indent;
  };
  eachToken(cells, step, from, cells.firstCell[item + 1], (start, end) => {
    let wide = 2 * metrics.pad;
    for (let cell = start; cell < end; cell++) wide += textWidth[cell];
    if (x + wide > width && x > indent && indent + wide <= width) nextLine();
    for (let cell = start; cell < end; cell++) {
      const own = textWidth[cell] + (cell === start ? metrics.pad : 0) + (cell === end - 1 ? metrics.pad : 0);
      if (x > indent && x + own > width) nextLine();
      line[cell] = at;
      x += own;
    }
    x += metrics.gap;
    for (let cell = start; cell < end; cell++) {
      const { kind } = cells.model.symbols[cells.symbol[cell]];
      if (!cells.distinct && x !== indent && kind === "newline") nextLine();
    }
  });
}

/**
 * Find where lines begin; an empty line begins at the next cell.
 * @param {Layout} layout
 */
function findLineStarts({ lineStart, line, cells }) {
  let cell = 0;
  for (let at = 0; at < lineStart.length; at++) {
    while (cell < cells.size && line[cell] < at) cell += 1;
    lineStart[at] = cell;
  }
}
