// Right-to-left words: each keeps its own direction; a paragraph has that of its first word. Digits and Latin letters
// within such a word run from left to right (as UAX #9 has it), unless a merge joins one end of them to a neighbour
// before they are whole: a token must stay in one piece.

/** @import {Layout} from "./layout.js" */
/** @import {Cells} from "../player/segmentation.js" */

import { NEVER } from "../player/feed.js";
import { RIGHT_TO_LEFT, decodeBytes } from "../player/spelling.js";

// Letters, once RIGHT_TO_LEFT has been ruled out, and the letters that flags are made of.
const LEFT_TO_RIGHT = /[\p{L}\u{1F1E6}-\u{1F1FF}]/u;
const DECIDES = 64; // bytes of a word that are looked at

/**
 * For each cell the run of left-to-right cells [from, to) that it belongs to; to is 0 outside of any.
 * @typedef {{from: Int32Array, to: Int32Array}} Runs
 */

/**
 * Return each item's direction by its first strong character: 1 for right to left, -1 for left to right.
 * @param {Cells} cells
 * @returns {Int8Array | null}  null if everything runs from left to right
 */
export function directionsOf(cells) {
  const directions = new Int8Array(cells.words.length);
  /** @type {Map<number, number>} */
  const known = new Map();
  cells.words.forEach((word, item) => {
    const direction = known.get(word) ?? itemDirection(cells, item);
    known.set(word, direction);
    directions[item] = direction;
  });
  if (!directions.includes(1)) return null;
  for (let item = 1; item < directions.length; item++) directions[item] ||= directions[item - 1];
  return directions;
}

/** @param {Cells} cells @param {number} item */
function itemDirection({ model, symbol, firstCell }, item) {
  const bytes = [];
  for (let cell = firstCell[item]; cell < firstCell[item + 1] && bytes.length < DECIDES; cell++) {
    bytes.push(...model.symbols[symbol[cell]].bytes);
  }
  for (const letter of decodeBytes(bytes)) {
    if (RIGHT_TO_LEFT.test(letter)) return 1;
    if (LEFT_TO_RIGHT.test(letter)) return -1;
  }
  return 0;
}

/**
 * Return the cells of right-to-left words that run from left to right.
 * @param {Cells} cells
 * @param {Int8Array | null} direction
 * @returns {Runs | null}  null if there is none
 */
export function leftToRightRuns(cells, direction) {
  if (!direction) return null;
  const runs = { from: new Int32Array(cells.size), to: new Int32Array(cells.size) };
  let any = false;
  for (let item = 0; item < cells.words.length; item++) {
    if (direction[item] !== 1) continue;
    for (const [from, to] of leftToRight(cells, cells.firstCell[item], cells.firstCell[item + 1])) {
      if (!standsWhole(cells, from, to)) continue;
      runs.from.fill(from, from, to);
      runs.to.fill(to, from, to);
      any = true;
    }
  }
  return any ? runs : null;
}

/**
 * Return runs of cells [from, to): letters with everything between them and digits after them; digits with their
 * points.
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 */
function leftToRight(cells, start, end) {
  /** @type {{from: number, to: number, letters: boolean}[]} */
  const runs = [];
  /** @type {typeof runs[0] | null} */
  let run = null;
  for (let cell = start; cell < end;) {
    const next = cell + (cells.charCells[cell] || 1);
    const text = textOf(cells, cell, next);
    const letter = LEFT_TO_RIGHT.test(text) && !RIGHT_TO_LEFT.test(text);
    if (letter || /\p{Nd}/u.test(text)) {
      const gap = run ? textOf(cells, run.to, cell) : "";
      if (run && (run.letters || gap === "" || (!letter && /^[.,:/]$/.test(gap)))) run.to = next;
      else runs.push((run = { from: cell, to: next, letters: false }));
      run.letters ||= letter;
    } else if (RIGHT_TO_LEFT.test(text)) run = null;
    cell = next;
  }
  return runs.map(({ from, to }) => [from, to]).filter(([from, to]) => to - from > 1);
}

/** @param {Cells} cells @param {number} from @param {number} to */
function textOf({ model, symbol }, from, to) {
  const bytes = [];
  for (let cell = from; cell < to; cell++) bytes.push(...model.symbols[symbol[cell]].bytes);
  return decodeBytes(bytes.filter((byte) => byte !== model.spelling.markerByte));
}

/**
 * Return whether no token ever holds a part of the run together with a neighbour.
 * @param {Cells} cells
 * @param {number} from
 * @param {number} to
 */
function standsWhole({ close, item }, from, to) {
  let inside = -1;
  for (let cell = from; cell < to - 1; cell++) inside = Math.max(inside, close[cell]);
  const before = from && item[from - 1] === item[from] ? close[from - 1] : NEVER;
  return Math.min(before, close[to - 1]) >= inside;
}

/**
 * Mirror the right-to-left items of a line of cells [from, to), which was arranged from left to right.
 * A paragraph that begins with such an item starts at the right edge.
 * @param {Layout} layout
 * @param {number} line
 * @param {number} from
 * @param {number} to
 * @param {number} end  x behind the line's last cell
 */
export function mirrorLine(layout, line, from, to, end) {
  const { cells, x, w, direction, width, paragraph, ltrRuns } = layout;
  if (!direction) return;
  const rightward = !cells.distinct && direction[paragraph[line]] === 1;
  for (let start = from; start < to;) {
    const item = cells.item[start];
    let stop = start + 1;
    while (stop < to && direction[cells.item[stop]] === direction[item]) {
      if (cells.distinct && cells.item[stop] !== item) break;
      stop += 1;
    }
    const sum = x[start] + x[stop - 1] + w[stop - 1];
    if ((direction[item] === 1) !== rightward) mirror(layout, start, stop, sum);
    start = stop;
  }
  if (rightward) mirror(layout, from, to, Math.max(end, width));
  if (ltrRuns) mirrorRuns(layout, ltrRuns, from, to);
}

/**
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} sum  of the left and the right edge to mirror between
 */
function mirror({ x, w }, from, to, sum) {
  for (let cell = from; cell < to; cell++) x[cell] = sum - x[cell] - w[cell];
}

/** @param {Layout} layout @param {Runs} runs @param {number} from @param {number} to */
function mirrorRuns(layout, runs, from, to) {
  const { x, w } = layout;
  for (let cell = from; cell < to;) {
    const end = Math.min(to, runs.to[cell] || cell + 1);
    if (runs.to[cell]) {
      const low = Math.min(x[cell], x[end - 1]);
      mirror(layout, cell, end, low + Math.max(x[cell] + w[cell], x[end - 1] + w[end - 1]));
    }
    cell = end;
  }
}

/**
 * Return whether a token ends at the visual left and right side of a cell after `step` steps.
 * @param {Pick<Layout, "cells" | "direction" | "ltrRuns">} layout
 * @param {number} cell
 * @param {number} step
 * @returns {[boolean, boolean]}
 */
export function sidesOf({ cells, direction, ltrRuns }, cell, step) {
  const before = (/** @type {number} */ at) => at === 0 || cells.close[at - 1] >= step;
  const after = (/** @type {number} */ at) => cells.close[at] >= step;
  if (direction?.[cells.item[cell]] !== 1) return [before(cell), after(cell)];
  if (!ltrRuns?.to[cell]) return [after(cell), before(cell)];
  const [from, to] = [ltrRuns.from[cell], ltrRuns.to[cell]];
  return [cell === from ? after(to - 1) : before(cell), cell === to - 1 ? before(from) : after(cell)];
}
