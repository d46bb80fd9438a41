// Numbers: unpack the columns that film/packing.py packs, and write numbers for the screen.

/** @import {Column} from "./feed_types.js" */

/** @typedef {Uint8Array | Uint16Array | Uint32Array} Numbers */

const NUMBERS = new Intl.NumberFormat("en");

const SIXTEEN_DIGITS = 1e15; // a number with more digits is nobody's to read, and wider than the page
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Write a number with commas: 1234567 is "1,234,567". From 16 digits on, write the nearest power of ten: "about 10²³²".
 * JSON.parse makes Infinity of what is larger than any number here.
 * @param {number} value
 */
export function formatNumber(value) {
  if (value < SIXTEEN_DIGITS) return NUMBERS.format(value);
  if (value > Number.MAX_VALUE) return "more than 10³⁰⁸";
  return `about 10${[...String(Math.round(Math.log10(value)))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("")}`;
}

/**
 * Write a count with its noun: "1 token", "1,200 tokens".
 * @param {number} count
 * @param {string} noun  in the singular; its plural must end in "s"
 */
export function formatCount(count, noun) {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Return a text with values in its gaps: "got {number}" with {number: 3} is "got 3". Other braces stay.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}

/** Return the sum of numbers. @param {Iterable<number>} numbers */
export function sumOf(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

const BASE = 91;
const FIRST_DIGIT = 35; // "#": the digits are all letters from it to "~", but for "\\"
const NO_DIGIT = 92;

/**
 * Return the numbers of a column. An empty or missing one has none.
 *
 *     unpackNumbers("2:#$&>")  ->  Uint16Array [1, 300]
 *
 * @param {Column | null} [column]
 * @returns {Numbers}
 */
export function unpackNumbers(column) {
  if (!column) return new Uint32Array(0);
  if (typeof column !== "string") return Uint32Array.from(column);
  const width = Number(column[0]);
  const size = (column.length - 2) / width;
  const numbers = width === 1 ? new Uint8Array(size) : new (width === 2 ? Uint16Array : Uint32Array)(size);
  for (let index = 0, at = 2; index < size; index++) {
    let number = 0;
    for (const end = at + width; at < end; at++) {
      const code = column.charCodeAt(at);
      number = number * BASE + code - FIRST_DIGIT - Number(code > NO_DIGIT);
    }
    numbers[index] = number;
  }
  return numbers;
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
