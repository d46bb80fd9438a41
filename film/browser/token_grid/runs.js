// The text inside a token, as runs of cells. A run is one cell, or several that can only be drawn together: the
// bytes of one character, or characters that join in their script. An invisible character is drawn as its abbreviation in
// a dashed box.

/** @import {Cells} from "../player/segmentation.js" */

import { characterName, decodeBytes, glyphOf, hexOf, partsOf } from "../player/spelling.js";

/**
 * The text drawn over cells [from, to).
 * @typedef {object} Run
 * @property {number} from
 * @property {number} to
 * @property {string} text
 * @property {"char" | "space" | "byte" | "marker" | "invisible"} kind
 * @property {boolean} [joining]  whether it joins its neighbours
 * @property {string} [lone]  text if it joins nothing and would be invisible
 */

/** Marks, which are drawn on a circle when alone. */
const MARK = /\p{M}/u;

// Characters that change shape or position with their neighbours: drawn together when one token holds them.
const SCRIPTS = (
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu " +
  "Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer"
).split(" ");
const JOINERS = "\\u200c\\u200d\\u{1F1E6}-\\u{1F1FF}\\u{1F3FB}-\\u{1F3FF}"; // and halves of flags, and skin tones
const WHITE = /[ \t-\r\x85]/; // white space of plain text, which has glyphs
const OF_SCRIPTS = SCRIPTS.map((name) => `\\p{Script=${name}}`).join("");
const JOINING = new RegExp(`[\\p{M}${OF_SCRIPTS}${JOINERS}]`, "u");

/**
 * Return the runs of the token of cells [start, end).
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 * @param {boolean} glyphs  whether white space is shown
 */
export function runsOf(cells, start, end, glyphs) {
  /** @type {Run[]} */
  const runs = [];
  for (let cell = start; cell < end;) {
    const length = cells.charCells[cell];
    const whole = length > 1 && cell + length <= end;
    const run = whole ? characterRun(cells, cell, length, glyphs) : oneCell(cells, cell, length, glyphs);
    const before = runs[runs.length - 1];
    if (before && joins(before, run)) {
      before.to = run.to;
      before.text += run.text;
    } else runs.push(run);
    cell = run.to;
  }
  return runs.map(named);
}

/**
 * Return the text of a cell while it is a token of its own. Its width is reserved for this.
 * @param {Cells} cells
 * @param {number} cell
 */
export function cellRun(cells, cell) {
  const run = named(oneCell(cells, cell, cells.charCells[cell], true));
  return { ...run, text: withCircle(run) };
}

/** Return the text of a lone mark: the mark on a circle. @param {Run} run */
export function withCircle({ kind, joining, text }) {
  return kind === "char" && joining && MARK.test(text) ? `◌${text}` : text;
}

/** Return a run with the abbreviation of a joiner that has nothing to join. @param {Run} run @returns {Run} */
function named(run) {
  return run.lone && [...run.text].length === 1 ? { ...run, text: run.lone, kind: "invisible" } : run;
}

/** @param {Run} before @param {Run} run */
function joins(before, run) {
  return before.kind === "char" && run.kind === "char" && (run.joining || before.joining);
}

/** @param {Cells} cells @param {number} cell @param {number} length @param {boolean} glyphs */
function characterRun({ model, symbol }, cell, length, glyphs) {
  const bytes = [];
  for (let at = cell; at < cell + length; at++) bytes.push(model.symbols[symbol[at]].bytes[0]);
  return runOf(model.spelling, decodeBytes(bytes), cell, cell + length, glyphs);
}

/** @param {Cells} cells @param {number} cell @param {number} length @param {boolean} glyphs @returns {Run} */
function oneCell({ model, symbol: symbols }, cell, length, glyphs) {
  const symbol = model.symbols[symbols[cell]];
  const range = { from: cell, to: cell + 1 };
  if (symbol.kind === "byte" || (model.feed.unit === "bytes" && length !== 1)) {
    return { ...range, text: hexOf(symbol.bytes[0]), kind: "byte" };
  }
  const parts = partsOf(symbol.bytes, model.spelling);
  const letters = parts.filter(({ kind }) => kind !== "marker"); // a marker is drawn as a tab beside them
  if (!letters.length) return { ...range, text: "", kind: "marker" };
  if (letters.length === 1 && letters[0].kind === "char") {
    return runOf(model.spelling, letters[0].text, cell, cell + 1, glyphs);
  }
  const outer = parts.length - letters.length === 1 && [parts[0], parts[parts.length - 1]].some(isMarker);
  const text = outer ? letters.map((part) => part.text).join("") : symbol.label;
  return { ...range, text, kind: "char" };
}

/** @param {import("../player/spelling.js").Part} part */
function isMarker({ kind }) {
  return kind === "marker";
}

/**
 * @param {import("../player/spelling.js").Spelling} spelling
 * @param {string} text  one character
 * @param {number} from
 * @param {number} to
 * @param {boolean} glyphs
 * @returns {Run}
 */
function runOf(spelling, text, from, to, glyphs) {
  const short = characterName(text, spelling);
  const joining = JOINING.test(text);
  if (spelling.hidden.has(text) && !WHITE.test(text)) return { from, to, text: short, kind: "invisible" };
  if (/^\s$/u.test(text)) return { from, to, text: glyphs ? glyphOf(text, spelling) : "", kind: "space" };
  if (!joining) return { from, to, text: glyphOf(text, spelling), kind: "char", joining };
  const lone = /\p{Cf}/u.test(text) || spelling.selectors.has(text);
  return { from, to, text, kind: "char", joining, ...(lone ? { lone: short } : {}) };
}
