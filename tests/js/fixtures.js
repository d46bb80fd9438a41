// What the engine says, as tests/js/fixtures.py writes it; tests/js/test_js.py names the file.

/** @import {Feed, Characters} from "../../film/browser/shared/feed_types.js" */
/** @import {PairTable} from "../../film/browser/player/pair_counts.js" */
/** @import {Cells} from "../../film/browser/player/segmentation.js" */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cellsOf, eachToken } from "../../film/browser/player/segmentation.js";
import { hexText } from "../../film/browser/player/spelling.js";

/** @typedef {{name: string, feed: Feed, segmentations: string[]}} Recording */
/** @typedef {Recording & {tables: PairTable[], tokens: number[], vocabulary: number[]}} Training */
/** @typedef {{variant: string, marker: string, marker_text: string, characters: Characters, labels: [symbol: string, label: string, onChip: string | string[], inSentence: string][], shortened: [whole: string | string[], short: string | string[]][]}} Labels */
/** @typedef {{feed: Feed, directions: number[]}} Directions */

const folder = process.env.FIXTURES ?? "";
if (!folder)
  throw new Error("FIXTURES must name the folder that `python -m tests.js.fixtures FOLDER` has filled");

/** @typedef {{trainings: Training[], windows: Training[], cut_elsewhere: Training[], encodings: Recording[], labels: Labels[], directions: Directions[], merge_names: [number, string][], cells: [string, string][], before_formulas: [number[], number[]]}} Fixtures */

/** @type {Map<string, any>} */
const read = new Map();

/**
 * Return what a file of the folder holds. A test reads only what it needs: all of it takes longer than most tests.
 * @param {string} name
 */
function part(name) {
  if (!read.has(name)) read.set(name, JSON.parse(readFileSync(join(folder, `${name}.json`), "utf-8")));
  return read.get(name);
}

/** Return trainings whose tables are read when a test asks for them. @param {string} name @returns {Training[]} */
function trainings(name) {
  return part(name).map((/** @type {Training} */ one, /** @type {number} */ at) =>
    Object.defineProperty(one, "tables", { get: () => part(`${name}.tables`)[at], configurable: true }),
  );
}

/** @type {Fixtures} */
export const fixtures = {
  get trainings() {
    return trainings("trainings");
  },
  get windows() {
    return trainings("windows");
  },
  get cut_elsewhere() {
    return trainings("cut_elsewhere");
  },
  get encodings() {
    return part("encodings");
  },
  get labels() {
    return part("labels");
  },
  get directions() {
    return part("directions");
  },
  get merge_names() {
    return part("merge_names");
  },
  get cells() {
    return part("cells");
  },
  get before_formulas() {
    return part("before_formulas");
  },
};

/**
 * Return the bytes of every token after `step` steps, as the fixtures have them.
 * @param {Cells} cells
 * @param {number} step
 */
export function tokensOf(cells, step) {
  const { symbols } = cells.model;
  /** @type {string[]} */
  const tokens = [];
  eachToken(cells, step, 0, cells.size, (start, end) => {
    const bytes = Array.from(cells.symbol.slice(start, end), (at) => symbols[at].bytes);
    tokens.push(hexText(bytes.flat()));
  });
  return tokens;
}

/** Return the cells in reading order. @param {import("../../film/browser/player/feed.js").Model} model */
export function readingCells(model) {
  const { text, words } = cellsOf(model);
  return text.size ? text : words;
}
