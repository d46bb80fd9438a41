// Numbers: unpack the columns that film/packing.py packs, and write numbers for the screen.

/** @import {Packed} from "./feed_types.js" */

/** @typedef {Uint8Array | Uint16Array | Uint32Array} Numbers */

const NUMBERS = new Intl.NumberFormat("en");

/** Write a number with commas: 1234567 is "1,234,567". @param {number} value */
export function formatNumber(value) {
  return NUMBERS.format(value);
}

/**
 * Write a count with its noun: "1 token", "1,200 tokens".
 * @param {number} count
 * @param {string} noun  in the singular; its plural must end in "s"
 */
export function formatCount(count, noun) {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Return the sum of numbers. @param {Iterable<number>} numbers */
export function sumOf(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/**
 * Decode a packed column. An empty or missing one has no numbers.
 *
 *     unpackNumbers("2:AQAsAQ==")  ->  Uint16Array [1, 300]
 *
 * @param {Packed | null} [packed]
 * @returns {Numbers}
 */
export function unpackNumbers(packed) {
  if (!packed) return new Uint32Array(0);
  const bytes = Uint8Array.from(atob(packed.slice(2)), (letter) => letter.charCodeAt(0));
  if (packed[0] === "1") return bytes;
  return packed[0] === "2" ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}

// The names of merges for people, who count from 1. In ids, feeds, files and links a rank counts from 0.

/** Return the number of a merge: rank 999 is "1,000". @param {number} rank */
export function mergeNumber(rank) {
  return formatNumber(rank + 1);
}

/** Return the name of a merge: rank 0 is "merge 1". `bpe/text/display.py` writes the same. @param {number} rank */
export function mergeName(rank) {
  return `merge ${mergeNumber(rank)}`;
}
