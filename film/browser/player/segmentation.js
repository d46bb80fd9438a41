// Cells: one per initial symbol, in drawing order. The boundary after each cell closes at one step, so the segmentation
// at any step can be read directly, without a replay: a token is a run of cells whose inner boundaries closed before
// that step.

/** @import {Model} from "./feed.js" */

import { tokenOf, NEVER } from "./feed.js";
import { characterLength, decodeBytes, hexText } from "./spelling.js";

/**
 * A row of cells: the running text, or each distinct word once. Its items are the words in order.
 * @typedef {object} Cells
 * @property {Model} model
 * @property {boolean} distinct  whether each word occurs once, with its frequency
 * @property {number[]} words  the number of each item's word
 * @property {number} size  number of cells
 * @property {Uint32Array} symbol  initial symbol of each cell
 * @property {Int32Array} close  closing step of the boundary after each cell
 * @property {Uint8Array} ends  1 where a word of the first of two stages ends and its item goes on; else 0
 * @property {Uint32Array} item  the item that each cell belongs to
 * @property {Uint32Array} firstCell  of each item; one more at the end
 * @property {StepIndex} closings
 * @property {Uint8Array} charCells  cells of the character whose first byte a cell is, in variants of bytes; else 0
 */

/**
 * For each step the boundaries that close at it, as one flat list.
 * @typedef {{starts: Uint32Array, boundaries: Uint32Array}} StepIndex
 */

/** @type {WeakMap<Model, {words: Cells, text: Cells, counted: Cells}>} */
const CELLS = new WeakMap();

/**
 * Return a model's cells: of its window's distinct words, of its running text, and of the words in which pairs are
 * counted, which may be more than the window's. The first call makes them.
 * @param {Model} model
 */
export function cellsOf(model) {
  let cells = CELLS.get(model);
  if (!cells) {
    const all = [...model.words.frequency.keys()];
    const counted = makeCells(model, all, true);
    const words = model.further ? makeCells(model, all.slice(0, -model.further), true) : counted;
    cells = { words, text: makeCells(model, Array.from(model.text), false), counted };
    CELLS.set(model, cells);
  }
  return cells;
}

/** @param {Model} model @param {number[]} words @param {boolean} distinct @returns {Cells} */
function makeCells(model, words, distinct) {
  const { starts, symbol, close } = model.words;
  let size = 0;
  for (const word of words) size += starts[word + 1] - starts[word];
  const cells = {
    model,
    distinct,
    words,
    size,
    symbol: new Uint32Array(size),
    close: new Int32Array(size),
    ends: new Uint8Array(size),
    item: new Uint32Array(size),
    firstCell: new Uint32Array(words.length + 1),
  };
  let cell = 0;
  words.forEach((word, item) => {
    cells.firstCell[item] = cell;
    for (let at = starts[word]; at < starts[word + 1]; at++, cell++) {
      cells.symbol[cell] = symbol[at];
      cells.close[cell] = at + 1 < starts[word + 1] ? close[at] : NEVER;
      cells.ends[cell] = model.stage?.ends[at] ?? 0;
      cells.item[cell] = item;
    }
  });
  cells.firstCell[words.length] = size;
  return { ...cells, closings: indexBySteps(cells.close, model.last), charCells: characterCells(cells) };
}

/** @param {Int32Array} close @param {number} last @returns {StepIndex} */
function indexBySteps(close, last) {
  const starts = new Uint32Array(last + 2);
  for (const step of close) if (step < last) starts[step + 1] += 1;
  for (let step = 0; step <= last; step++) starts[step + 1] += starts[step];
  const fill = starts.slice();
  const boundaries = new Uint32Array(starts[last]);
  close.forEach((step, cell) => {
    if (step < last) boundaries[fill[step]++] = cell;
  });
  return { starts, boundaries };
}

/** @param {Pick<Cells, "model" | "size" | "symbol" | "item" | "firstCell">} cells */
function characterCells({ model, size, symbol, item, firstCell }) {
  const counts = new Uint8Array(size);
  if (model.feed.unit !== "bytes") return counts;
  const bytes = Uint8Array.from(symbol, (at) => model.symbols[at].bytes[0]);
  for (let cell = 0; cell < size;) {
    const length = characterLength(bytes, cell, firstCell[item[cell] + 1]);
    if (length) counts[cell] = length;
    cell += length || 1;
  }
  return counts;
}

/** Return the boundaries that close at a step. @param {Cells} cells @param {number} step */
export function boundariesOf({ closings, model }, step) {
  const { starts, boundaries } = closings;
  if (step < 0 || step >= model.last) return boundaries.subarray(0, 0);
  return boundaries.subarray(starts[step], starts[step + 1]);
}

/** Return the number of tokens after `step` steps. @param {Cells} cells @param {number} step */
export function tokensAt({ size, closings, model }, step) {
  return size - closings.starts[Math.min(step, model.last)];
}

/**
 * Return the first cell of the token that holds a cell, after `step` steps.
 * @param {Cells} cells
 * @param {number} step
 * @param {number} cell
 */
export function startOf({ close }, step, cell) {
  while (cell > 0 && close[cell - 1] < step) cell -= 1;
  return cell;
}

/**
 * Return the cell behind the token that holds a cell, after `step` steps.
 * @param {Cells} cells
 * @param {number} step
 * @param {number} cell
 */
export function endOf({ close }, step, cell) {
  while (close[cell] < step) cell += 1;
  return cell + 1;
}

/**
 * Return the id of the token of cells [start, end): the last boundary that closed in it names the step that made it.
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 */
export function idAt({ model, symbol, close }, start, end) {
  if (end - start === 1) return model.symbols[symbol[start]].id;
  if (model.names) return model.names[hexText(bytesIn(model, symbol, start, end))] ?? -1;
  let latest = -1;
  for (let cell = start; cell < end - 1; cell++) if (close[cell] > latest) latest = close[cell];
  return model.steps.ids[latest];
}

/** @param {Model} model @param {Uint32Array} symbol @param {number} start @param {number} end */
function bytesIn(model, symbol, start, end) {
  const bytes = [];
  for (let cell = start; cell < end; cell++) bytes.push(...model.symbols[symbol[cell]].bytes);
  return bytes;
}

/**
 * Call `visit(start, end)` for every token that touches cells [from, to), after `step` steps.
 * @param {Cells} cells
 * @param {number} step
 * @param {number} from
 * @param {number} to
 * @param {(start: number, end: number) => void} visit
 */
export function eachToken(cells, step, from, to, visit) {
  let start = from < cells.size ? startOf(cells, step, from) : to;
  while (start < to) {
    const end = endOf(cells, step, start);
    visit(start, end);
    start = end;
  }
}

/**
 * Return the tokens that a step makes, as [start, end] after it. A token with several closed boundaries is listed once.
 * @param {Cells} cells
 * @param {number} step
 */
export function tokensMade(cells, step) {
  return tokensAcross(cells, boundariesOf(cells, step), step + 1);
}

/**
 * Return the tokens at the step `newer` that are not yet tokens at the step `older`, as [start, end], in order.
 * @param {Cells} cells
 * @param {number} older
 * @param {number} newer
 */
export function tokensMadeBetween(cells, older, newer) {
  const { starts, boundaries } = cells.closings;
  const [from, to] = [older, newer].map((step) => starts[Math.min(step, cells.model.last)]);
  return tokensAcross(cells, boundaries.subarray(from, to).toSorted(), newer);
}

/**
 * Return the tokens after `step` steps that hold boundaries, each once.
 * @param {Cells} cells
 * @param {Uint32Array} boundaries  closed ones, in order
 * @param {number} step
 */
function tokensAcross(cells, boundaries, step) {
  /** @type {[number, number][]} */
  const tokens = [];
  let after = -1;
  for (const boundary of boundaries) {
    if (boundary < after) continue;
    const end = endOf(cells, step, boundary);
    tokens.push([startOf(cells, step, boundary), end]);
    after = end - 1;
  }
  return tokens;
}

/**
 * Join the tokens after `step` steps back to text, from their own bytes, as `Variant.decode` does.
 * @param {Cells} cells
 * @param {number} step
 */
export function joinedText(cells, step) {
  const { model, symbol } = cells;
  const { markerByte } = model.spelling;
  /** @type {number[]} */
  const bytes = [];
  eachToken(cells, step, 0, cells.size, (start, end) => {
    const inCells = bytesIn(model, symbol, start, end);
    const token = end - start > 1 ? tokenOf(model, idAt(cells, start, end)).bytes : inCells;
    // The window's edge may cut a token. Then only its cells inside the window count.
    for (const byte of token.length === inCells.length ? token : inCells) bytes.push(byte);
  });
  const text = decodeBytes(markerByte < 0 ? bytes : bytes.map((byte) => (byte === markerByte ? 32 : byte)));
  if (model.feed.marker === "ff") return text.replace(/ $/, "");
  return model.feed.marker === "fe" ? text.replace(/^ /, "") : text;
}
