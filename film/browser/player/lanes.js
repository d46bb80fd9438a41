// Lanes of one group that show the same text: finds the tokens of a lane that differ in another lane.

/** @import {Model} from "./feed.js" */
/** @import {Cells} from "./segmentation.js" */
/** @import {Group, Lane as LaneOfGroup} from "../shared/groups.js" */

import { lanesInOrder } from "../shared/groups.js";
import { cellsOf, endOf, startOf } from "./segmentation.js";
import { characterLength, decodeBytes } from "./spelling.js";

// Lanes of different variants split the same text into different cells, so they are compared by letters: the bytes in
// reading order without markers and white space. A token then covers letters [from, to), whatever its cells.

// oxlint-disable-next-line no-control-regex -- control characters are white space to Python
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u; // as Python's str.split

/**
 * The letters of a model's cells in reading order.
 * @typedef {object} Letters
 * @property {Cells} cells
 * @property {Uint8Array} bytes
 * @property {Uint32Array} at  letters before each cell
 * @property {number} start  letters of the window before the first cell
 * @property {WeakMap<Model, boolean>} same  whether another model holds the same letters
 * @property {{step: number, flags: Uint8Array}} begins  letters that begin a token after `step` steps
 */

/** @type {WeakMap<Model, Letters>} */
const LETTERS = new WeakMap();

/**
 * Return the letters of a model. The first call makes them.
 * @param {Model} model
 * @param {number} start  letters of its window before the first cell
 */
function lettersOf(model, start) {
  let letters = LETTERS.get(model);
  if (!letters) LETTERS.set(model, (letters = readLetters(model, start)));
  return letters;
}

/** @param {Model} model @param {number} start @returns {Letters} */
function readLetters(model, start) {
  const cells = readingCells(model);
  /** @type {number[]} */
  const bytes = [];
  /** @type {number[]} */
  const owners = [];
  for (let cell = 0; cell < cells.size; cell++) {
    for (const byte of model.symbols[cells.symbol[cell]].bytes) {
      if (byte === model.spelling.markerByte) continue;
      bytes.push(byte);
      owners.push(cell);
    }
  }
  const letters = [];
  const at = new Uint32Array(cells.size + 1);
  for (let from = 0; from < bytes.length;) {
    const length = characterLength(bytes, from);
    const to = from + (length || 1);
    const space = length && SPACES.test(decodeBytes(bytes.slice(from, to)));
    for (; from < to; from++) {
      if (space) continue;
      letters.push(bytes[from]);
      at[owners[from] + 1] += 1;
    }
  }
  for (let cell = 0; cell < cells.size; cell++) at[cell + 1] += at[cell];
  const begins = { step: -1, flags: new Uint8Array(0) };
  return { cells, at, bytes: Uint8Array.from(letters), start, same: new WeakMap(), begins };
}

/** Return the cells of the text, or of the words if there is none. @param {Model} model */
export function readingCells(model) {
  const { text, words } = cellsOf(model);
  return model.text.length ? text : words;
}

/**
 * Return the letters of two trainings; null if their windows do not begin at the same
 * character, or if one of them is an encoding, whose letters are not located.
 * @param {Model} model
 * @param {Model} other
 */
function bothLetters(model, other) {
  if (!model.feed.training || !other.feed.training) return null;
  if (model.feed.text.start !== other.feed.text.start) return null;
  return [lettersOf(model, model.feed.text.letters), lettersOf(other, other.feed.text.letters)];
}

/**
 * Return whether two models hold the same letters wherever both hold any.
 * @param {Model} model
 * @param {Model} other
 */
function sameLetters(model, other) {
  const both = bothLetters(model, other);
  if (!both) return false;
  const [mine, theirs] = both;
  let same = mine.same.get(other);
  if (same === undefined) {
    const from = Math.max(mine.start, theirs.start);
    const to = Math.min(mine.start + mine.bytes.length, theirs.start + theirs.bytes.length);
    same = from < to;
    for (let at = from; same && at < to; at++) {
      same = mine.bytes[at - mine.start] === theirs.bytes[at - theirs.start];
    }
    mine.same.set(other, same);
  }
  return same;
}

/**
 * Return for each letter, and for the end, whether a token begins there after `step` steps.
 * @param {Letters} letters
 * @param {number} step
 */
function beginsAt(letters, step) {
  if (letters.begins.step === step) return letters.begins.flags;
  const { cells, at } = letters;
  const flags = new Uint8Array(letters.bytes.length + 1);
  flags[0] = flags[letters.bytes.length] = 1;
  for (let cell = 0; cell < cells.size; cell++) if (cells.close[cell] >= step) flags[at[cell + 1]] = 1;
  letters.begins = { step, flags };
  return flags;
}

/** @type {WeakMap<Model, Map<number, number>>} */
const FIRST_ITEMS = new WeakMap();

/** Return the first position of each word in the running text. @param {Model} model */
function firstItems(model) {
  let items = FIRST_ITEMS.get(model);
  if (!items) {
    items = new Map();
    for (let item = model.text.length - 1; item >= 0; item--) items.set(model.text[item], item);
    FIRST_ITEMS.set(model, items);
  }
  return items;
}

/**
 * Return the letters [from, to) of cells [start, end); those of a distinct word are at its first position.
 * @param {Letters} letters
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 */
function lettersAt({ at, cells: reading }, cells, start, end) {
  let shift = 0;
  if (cells !== reading) {
    const item = cells.item[start];
    const first = firstItems(cells.model).get(cells.words[item]) ?? 0;
    shift = reading.firstCell[first] - cells.firstCell[item];
  }
  return [at[start + shift], at[end + shift]];
}

/**
 * Return whether another lane, at its step, splits the letters of the token of cells [start, end) differently.
 * A token without letters never differs.
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 * @param {Model} other
 * @param {number} step
 */
function lettersDiffer(cells, start, end, other, step) {
  const both = bothLetters(cells.model, other);
  if (!both) return false;
  const [mine, theirs] = both;
  const shift = mine.start - theirs.start;
  const [from, to] = lettersAt(mine, cells, start, end).map((letter) => letter + shift);
  if (from === to || from < 0 || to > theirs.bytes.length) return false;
  const flags = beginsAt(theirs, step);
  if (!flags[from] || !flags[to]) return true;
  for (let letter = from + 1; letter < to; letter++) if (flags[letter]) return true;
  return false;
}

/** A model, and the number of steps that have been made in it. @typedef {{model: Model, step: number}} Lane */

/** @param {Model} model @param {Model} other */
function sameCells(model, other) {
  return model.feed.cells === other.feed.cells;
}

/**
 * Return the lanes whose tokens can be compared with those of a lane.
 * @template {Lane} AnyLane
 * @param {Lane} lane
 * @param {Iterable<AnyLane>} lanes  of its group
 */
export function rivalsOf(lane, lanes) {
  return [...lanes].filter((other) => {
    if (/** @type {Lane} */ (other) === lane) return false;
    return sameCells(lane.model, other.model) || sameLetters(lane.model, other.model);
  });
}

/**
 * Return whether some rival, at its own step, splits the token of cells [start, end) or its letters differently.
 * @param {Lane[]} rivals
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 */
export function differsFrom(rivals, cells, start, end) {
  return rivals.some(({ model, step }) => {
    if (!sameCells(cells.model, model)) return lettersDiffer(cells, start, end, model, step);
    const twin = cellsOf(model)[cells.distinct ? "words" : "text"];
    return startOf(twin, step, start) !== start || endOf(twin, step, start) !== end;
  });
}

/**
 * Return the step of a lane when the playhead of its group is at `step`. A lane may be some steps ahead of the others.
 * @param {Pick<LaneOfGroup, "lane" | "last">} lane
 * @param {number} step
 */
export function stepOfLane({ lane, last }, step) {
  return Math.max(0, Math.min(step + (lane?.ahead ?? 0), last));
}

/**
 * Return whether a grid is the first lane of its group, which reports for all.
 * @param {LaneOfGroup & {group: Group}} grid
 */
export function leadsGroup(grid) {
  return lanesInOrder(grid.group.lanes)[0] === grid;
}
