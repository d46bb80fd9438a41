// From cells to bands: computes the width of each column, and where to break the rows so that they fit the page.

/** @import {ChipLabel} from "../shared/feed/feed_types.js" */

import { chipText, isPartOfCharacter } from "../shared/tokens/chip.js";

/** A cell as Python sends it. @typedef {[start: number, end: number, label: ChipLabel, about: string, kind: string, id: number, marked: number]} SentCell */

/**
 * A cell over columns [start, end).
 * @typedef {object} Cell
 * @property {number} start
 * @property {number} end
 * @property {ChipLabel} label
 * @property {string} about  what the cell is
 * @property {string} kind  a slug of the legend, "token" or "grapheme"
 * @property {number} id  the number to colour a token by; -1 for none
 * @property {boolean} marked  whether another row has other cells here
 */

/** The columns from `first` on, with their widths in px. @typedef {{first: number, last: number, widths: number[]}} Columns */

/** @type {Record<string, number>} */
const LETTER = { grapheme: 15, token: 9.2, unknown: 9.2, gap: 9.2, lost: 9.2, added: 9.2 }; // px per letter
const SMALL_LETTER = 8;
const PADDING = 17;
const NARROWEST_BAND = 27;
const WIDE_FROM = 0x2e7f; // last code point before those that are two letters wide
const MORE_ROOM = 60; // px by which bands of equal length may differ

/**
 * @param {SentCell} cell
 * @returns {Cell}
 */
export function readCell([start, end, label, about, kind, id, marked]) {
  return { start, end, label, about, kind, id, marked: Boolean(marked) };
}

/**
 * Return whether a cell is a token of bytes that make no whole character.
 * @param {Cell} cell
 */
export function isPart({ kind, label }) {
  return kind === "token" && isPartOfCharacter(label);
}

/** @param {Cell} cell */
function neededWidth(cell) {
  let letters = 0;
  for (const letter of chipText(cell.label)) letters += (letter.codePointAt(0) ?? 0) > WIDE_FROM ? 2 : 1;
  return letters * (LETTER[cell.kind] ?? SMALL_LETTER) + PADDING;
}

/**
 * Compute the width of each column.
 * @param {Cell[][]} rows
 * @returns {Columns}
 */
export function measureColumns(rows) {
  const cells = rows.flat();
  const first = Math.min(0, ...cells.map(({ start }) => start));
  const last = Math.max(first, ...cells.map(({ end }) => end));
  /** @type {number[]} */
  const widths = Array.from({ length: last - first }, () => NARROWEST_BAND);
  // Narrow cells first: a wide one then adds only the width that its columns lack.
  for (const cell of cells.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const from = cell.start - first;
    const to = cell.end - first;
    const lacks = neededWidth(cell) - sum(widths.slice(from, to));
    if (lacks > 0) for (let at = from; at < to; at++) widths[at] += lacks / (to - from);
  }
  return { first, last, widths };
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Return, for each column, whether a band may end before it: no row may have a cell on both sides.
 * @param {Cell[][]} rows
 * @param {Columns} columns
 */
function breakable(rows, { first, last }) {
  /** @type {boolean[]} */
  const free = Array.from({ length: last - first + 1 }, () => true);
  for (const { start, end } of rows.flat()) for (let at = start + 1; at < end; at++) free[at - first] = false;
  return free;
}

/**
 * Break rows into bands that fit.
 * @param {Cell[][]} rows
 * @param {number} room  in px
 * @returns {{bands: [from: number, to: number][], columns: Columns}}  the columns of each band
 */
export function bandsOf(rows, room) {
  const columns = measureColumns(rows);
  const { widths, first } = columns;
  const free = breakable(rows, columns);
  const bands = fillBands(columns, free, room);
  // Make the bands about equally long, so that no short one is left over.
  const [from, to] = bands.at(-1) ?? [0, 0];
  if (bands.length > 1 && sum(widths.slice(from - first, to - first)) < room / 3) {
    const evened = fillBands(columns, free, Math.min(room, sum(widths) / bands.length + MORE_ROOM));
    if (evened.length === bands.length) return { bands: evened, columns };
  }
  return { bands, columns };
}

/**
 * @param {Columns} columns
 * @param {boolean[]} free
 * @param {number} room
 */
function fillBands({ first, last, widths }, free, room) {
  /** @type {[number, number][]} */
  const bands = [];
  let from = first;
  while (from < last) {
    let width = 0;
    let to = from;
    let best = from;
    while (to < last && (width + widths[to - first] <= room || to === from)) {
      width += widths[to - first];
      to += 1;
      if (free[to - first]) best = to;
    }
    if (to < last && best > from) to = best;
    bands.push([from, to]);
    from = to;
  }
  return bands;
}
