// The window: the pre-tokens at the beginning of a text that a feed holds, as film/windows.py cuts it.

/** @import {Live, LiveVariant} from "../live_types.js" */

import { SPLITS } from "../text/pre_tokens.js";
import { bytesOfText, characterCount } from "../text/word_symbols.js";

/**
 * The first characters of one pre-token; all of them unless it is a long one that the window's end cuts.
 * @typedef {object} Slice
 * @property {string} preToken
 * @property {boolean} isWhole
 * @property {number} symbols  initial symbols in the slice, an end-of-word marker left out
 */

/**
 * @typedef {object} TextWindow
 * @property {Slice[]} slices  the different ones, in order of appearance
 * @property {number[]} reading  the number of each, in reading order
 * @property {number[]} breaks  positions in `reading` of those that begin a line, if no pre-token holds the line end
 * @property {number} end
 * @property {number} total
 */

/**
 * Return the pre-tokens that begin in the first `size` characters of the documents.
 * @param {Live} live
 * @param {LiveVariant} variant
 * @param {string[]} documents
 * @param {number} size
 * @param {number} long  a longer pre-token is cut at the window's end
 * @returns {TextWindow}
 */
export function cutTextWindow(live, variant, documents, size, long = live.limits.long) {
  const total = documents.reduce((sum, document) => sum + characterCount(document), 0);
  const end = Math.min(size, total);
  /** @type {TextWindow} */
  const window = { slices: [], reading: [], breaks: [], end, total };
  /** @type {Map<string, number>} */
  const numbers = new Map();
  let before = 0; // characters in the documents before this one
  documents.forEach((document, number) => {
    if (before >= end) return;
    let beginsLine = number > 0;
    let past = 0; // the UTF-16 unit after the last pre-token
    let reached = before; // the same in characters of all documents
    for (const [preToken, at] of SPLITS[variant.split](live, variant)(document)) {
      const gap = document.slice(past, Math.max(past, at));
      const start = reached + characterCount(gap);
      // A space that was put in front of the text has no position in it.
      if (start >= end) break;
      const length = characterCount(preToken);
      past = at + preToken.length;
      reached = start + length - (at < 0 ? 1 : 0);
      beginsLine ||= gap.includes("\n");
      if (beginsLine) window.breaks.push(window.reading.length);
      beginsLine = false;
      const inside = length > long ? length - Math.max(0, reached - end) : length;
      if (length <= long) window.end = Math.max(window.end, reached);
      addSlice(window, numbers, variant, preToken, inside < length ? inside : -1);
    }
    before += characterCount(document);
  });
  return window;
}

/**
 * @param {TextWindow} window
 * @param {Map<string, number>} numbers
 * @param {LiveVariant} variant
 * @param {string} preToken
 * @param {number} inside  its first characters that the window holds; -1 for all
 */
function addSlice({ slices, reading }, numbers, variant, preToken, inside) {
  const known = inside < 0 ? numbers.get(preToken) : undefined;
  reading.push(known ?? slices.length);
  if (known !== undefined) return;
  if (inside < 0) numbers.set(preToken, slices.length);
  const part = inside < 0 ? preToken : Array.from(preToken).slice(0, inside).join("");
  const symbols = variant.unit === "bytes" ? bytesOfText(part).length : characterCount(part);
  slices.push({ preToken, isWhole: inside < 0, symbols });
}
