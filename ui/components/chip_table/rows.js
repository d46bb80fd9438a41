// The order of a table's rows, and the widths of its columns.

/** @import {ChipLabel} from "../../../film/browser/shared/feed/feed_types.js" */
/** @import {Cell, TableData} from "./main.js" */

import { chipLength, labelText } from "../../../film/browser/shared/tokens/chip.js";

const LETTER = 8; // px of a letter, and a little more
const CHIP_LETTER = 9.1; // the same in the code font
const CHIP = 20; // px that a chip needs beside its letters
const LEAST_WIDTH = 64; // px of a column
const MOST_WIDTH = 420;

/**
 * Return the positions of the rows, sorted by a column. Empty cells come last; equal ones stay as they come.
 * @param {Pick<TableData, "rows" | "tokens">} data
 * @param {number} column  -1 for the order in which they come
 * @param {boolean} falls  whether the largest comes first
 */
export function orderOf({ rows, tokens }, column, falls) {
  const positions = rows.map((_, at) => at);
  if (column < 0) return positions;
  const keys = rows.map((row) => keyOf(row[column], tokens.labels));
  return positions.toSorted((one, other) => {
    const [low, high] = [keys[one], keys[other]];
    if (low === null || high === null) return Number(low === null) - Number(high === null) || one - other;
    const order = typeof low === "number" && typeof high === "number" ? low - high : compare(low, high);
    return (falls ? -order : order) || one - other;
  });
}

/**
 * @param {Cell} cell
 * @param {ChipLabel[]} labels
 */
function keyOf(cell, labels) {
  if (!Array.isArray(cell)) return cell;
  return cell.length ? cell.map((position) => labelText(labels[position])).join("") : null;
}

/**
 * @param {string | number} one
 * @param {string | number} other
 */
function compare(one, other) {
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

/**
 * Return the width of each column in px, for its widest cell.
 * @param {Pick<TableData, "columns" | "rows" | "tokens">} data
 */
export function widthsOf({ columns, rows, tokens: { labels } }) {
  const lengths = labels.map(chipLength);
  const widthOf = (/** @type {Cell} */ cell) => {
    if (!Array.isArray(cell)) return LETTER * [...String(cell ?? "")].length;
    return cell.reduce((sum, position) => sum + CHIP + CHIP_LETTER * lengths[position], 0);
  };
  return columns.map(([title], at) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at])), LETTER * (title.length + 2));
    return Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, widest + 24)));
  });
}
