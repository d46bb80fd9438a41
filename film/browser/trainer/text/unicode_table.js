// Python's classes of characters. A browser may know another version of Unicode, and would then split, and show, other
// tokens than `bpe.train`: so the page brings Python's own table along and never asks the browser.

/** @import {LiveCharacters} from "../live_types.js" */

/** @typedef {{starts: number[], names: string[][]}} CharacterTable  where each run of one class starts, and its names */

/** @type {WeakMap<LiveCharacters, CharacterTable>} */
const TABLES = new WeakMap();

/**
 * Return the table that Python wrote. It is read once.
 * @param {LiveCharacters} characters
 */
export function characterTable(characters) {
  const table = TABLES.get(characters) ?? readTable(characters);
  TABLES.set(characters, table);
  return table;
}

/**
 * @param {LiveCharacters} characters
 * @returns {CharacterTable}
 */
function readTable({ runs, classes }) {
  const names = classes.map((line) => line.split(" ").filter(Boolean));
  /** @type {CharacterTable} */
  const table = { starts: [], names: [] };
  let start = 0;
  for (const [, length, letter] of runs.matchAll(/([0-9a-z]*)([A-Z])/g)) {
    table.starts.push(start);
    table.names.push(names[letter.charCodeAt(0) - 65]);
    start += length ? parseInt(length, 36) : 1;
  }
  return table;
}

/**
 * Return the names of a character's classes.
 * @param {CharacterTable} table
 * @param {number} codePoint
 */
export function classesOfCharacter({ starts, names }, codePoint) {
  let low = 0;
  for (let high = starts.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= codePoint) low = middle;
    else high = middle;
  }
  return names[low];
}

/**
 * Return the characters of a class as ranges for a regular expression: "\u{41}-\u{5a}\u{61}-\u{7a}".
 * @param {CharacterTable} table
 * @param {string} name
 */
export function rangesOfClass({ starts, names }, name) {
  let text = "";
  let from = -1;
  for (let run = 0; run <= starts.length; run++) {
    const inside = names[run]?.includes(name);
    if (inside && from < 0) from = starts[run];
    if (inside || from < 0) continue;
    text += `${codePointEscape(from)}-${codePointEscape((starts[run] ?? 0x110000) - 1)}`;
    from = -1;
  }
  return text;
}

/** @param {number} codePoint */
function codePointEscape(codePoint) {
  return `\\u{${codePoint.toString(16)}}`;
}
