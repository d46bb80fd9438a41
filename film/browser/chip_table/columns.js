// The columns of a table: how wide they are, how they write their numbers, and the order of the rows by one of them.

/** @import {ChipLabel} from "../shared/feed_types.js" */

import { chipLength, labelText } from "../shared/chip.js";
import { sumOf } from "../shared/numbers.js";

/** @typedef {"text" | "number" | "figure" | "tokens" | "prose"} Kind */
/** Writes a number. @typedef {(number: number) => string} Format */
/** A text, a number, the positions of tokens, or nothing. @typedef {string | number | number[] | null} Cell */

/**
 * What Python sends.
 * @typedef {object} TableData
 * @property {[title: string, kind: Kind, meaning: string, decimals: number | null, unit: string, group?: string][]} columns
 * @property {Cell[][]} rows
 * @property {number[]} pale  positions of rows
 * @property {ChipLabel[]} tokens
 * @property {string} label
 * @property {number} height  px, at most
 * @property {boolean} chooses  whether a row can be chosen
 * @property {number[]} [marked]  positions of the rows that a text beside the table is about
 * @property {Below[][]} [below]  what stands below the cells of each row, in a table whose cells take the lines that they need
 */
/** A line below the cells of a row: its class, its text, and a link at its end. @typedef {{kind: string, text: string, link?: [title: string, address: string]}} Below */

const TEXT_LETTER = 7.2; // px of a letter, and a little more
const WIDE_LETTERS = 8; // px more, since in a short word all letters may be wide
const HEAD_LETTER = 6.6; // the same in a title, which is smaller
const DIGIT = 7; // the same in a figure, with its points and brackets
const CHIP_LETTER = 9.1; // the same in the code font
const BESIDE_LETTERS = 20; // px that a chip needs beside its letters
const BESIDE_CONTENT = 16; // px on both sides of a cell's content, as in the style sheet
const CLOSER = 10; // px that a cell gives up of them where columns would be out of sight
const LEAST_WIDTH = 48; // px of a column
const MOST_WIDTH = 420;
const SHORTENED = 120; // px; where there is little room, a text or a row of tokens that is longer ends in “…”
const PROSE = 200; // px of a column of prose at least
const LONG_TITLE = 12; // letters; a longer title may take two lines

/**
 * Return the positions of the rows, sorted by a column. Empty cells come last; equal ones stay as they come.
 * @param {Pick<TableData, "columns" | "rows" | "tokens">} data
 * @param {number} column  -1 for the order in which they come
 * @param {boolean} falls  whether the largest comes first
 */
export function orderOf({ columns, rows, tokens }, column, falls) {
  const positions = rows.map((_, at) => at);
  if (column < 0) return positions;
  const keys = rows.map((row) => keyOf(row[column], tokens, columns[column][1]));
  return positions.toSorted((one, other) => {
    const [low, high] = [keys[one], keys[other]];
    if (low === null || high === null) return Number(low === null) - Number(high === null) || one - other;
    const order = typeof low === "number" && typeof high === "number" ? low - high : compare(low, high);
    return (falls ? -order : order) || one - other;
  });
}

/** @param {Cell} cell @param {ChipLabel[]} tokens @param {Kind} kind */
function keyOf(cell, tokens, kind) {
  if (kind === "figure" && typeof cell === "string") {
    return cell ? Number.parseFloat(cell.replaceAll(",", "").replace("−", "-")) : null;
  }
  if (!Array.isArray(cell)) return cell;
  return cell.length ? cell.map((position) => labelText(tokens[position])).join("") : null;
}

/** @param {string | number} one @param {string | number} other */
function compare(one, other) {
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

/**
 * Return the width of each column in px, for its widest cell.
 * @param {Pick<TableData, "columns" | "rows" | "tokens">} data
 */
export function widthsOf({ columns, rows, tokens }) {
  const lengths = tokens.map(chipLength);
  const formats = formatsOf({ columns, rows });
  const widthOf = (/** @type {Cell} */ cell, /** @type {number} */ at) => {
    const letter = columns[at][1] === "figure" ? DIGIT : TEXT_LETTER;
    if (!Array.isArray(cell)) return letter * [...cellText(cell, formats[at])].length + WIDE_LETTERS;
    return cell.reduce((sum, position) => sum + BESIDE_LETTERS + CHIP_LETTER * lengths[position], 0);
  };
  return columns.map(([title, kind], at) => {
    const letters = HEAD_LETTER * (titleLetters(title) + 1);
    if (kind === "prose") return Math.max(PROSE, letters);
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at], at)), letters);
    return Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, widest + BESIDE_CONTENT)));
  });
}

/**
 * Return the widths that fit into the room, as far as the columns of texts and tokens can be shortened, and whether the
 * cells stand closer, which comes first.
 * @param {number[]} widths  px
 * @param {Kind[]} kinds
 * @param {number} room  px
 */
export function fitting(widths, kinds, room) {
  const isClose = sumOf(widths) > room;
  const most = isClose ? widths.map((width) => width - CLOSER) : widths;
  return { widths: shortenedTo(most, kinds, room), isClose };
}

/** @param {number[]} widths @param {Kind[]} kinds @param {number} room */
function shortenedTo(widths, kinds, room) {
  const spare = widths.map((width, at) =>
    kinds[at] === "text" || kinds[at] === "tokens" ? Math.max(0, width - SHORTENED) : 0,
  );
  const all = sumOf(spare);
  const excess = sumOf(widths) - room;
  if (excess <= 0 || all === 0) return widths;
  const share = Math.min(1, excess / all);
  return widths.map((width, at) => Math.floor(width - share * spare[at]));
}

/**
 * Return how many letters a title is wide: a long one takes two lines.
 * @param {string} title
 */
function titleLetters(title) {
  if (title.length <= LONG_TITLE) return title.length;
  const longest = Math.max(...title.split(" ").map((word) => word.length));
  return Math.max(longest, Math.ceil(title.length / 2) + 2);
}

const MOST_DECIMALS = 3; // of a column that does not say how many it has

/**
 * Return how each column writes its numbers: all of a column with as many decimals as one of them needs.
 * @param {Pick<TableData, "columns" | "rows">} data
 * @returns {Format[]}
 */
export function formatsOf({ columns, rows }) {
  return columns.map(([, , , decimals, unit], at) => {
    const needed = (/** @type {Cell} */ cell) =>
      typeof cell === "number" ? (String(Number(cell.toFixed(MOST_DECIMALS))).split(".")[1]?.length ?? 0) : 0;
    const digits = decimals ?? rows.reduce((most, row) => Math.max(most, needed(row[at])), 0);
    const format = new Intl.NumberFormat("en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return (number) => format.format(number).replace("-", "−") + unit;
  });
}

/**
 * Return a cell without tokens as text.
 * @param {string | number | null} cell
 * @param {Format} format
 */
export function cellText(cell, format) {
  return typeof cell === "number" ? format(cell) : (cell ?? "");
}
