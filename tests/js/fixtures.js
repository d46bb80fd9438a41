// What the engine says, as tests/js/fixtures.py writes it; tests/js/test_js.py names the file.

/** @import {Feed, PairTable, Characters} from "../../film/browser/shared/feed_types.js" */
/** @import {Cells} from "../../film/browser/token_grid/segmentation.js" */

import { readFileSync } from "node:fs";
import { cellsOf, eachToken } from "../../film/browser/token_grid/segmentation.js";
import { hexText } from "../../film/browser/token_grid/spelling.js";

/** @typedef {{name: string, feed: Feed, segmentations: string[]}} Recording */
/** @typedef {Recording & {tables: PairTable[], tokens: number[], vocabulary: number[]}} Training */
/** @typedef {{variant: string, marker: string, marker_text: string, characters: Characters, labels: [string, string][]}} Labels */
/** @typedef {{feed: Feed, directions: number[]}} Directions */

const file = process.env.FIXTURES;
if (!file) throw new Error("FIXTURES must name what `python -m tests.js.fixtures OUT.json` has written");

/** @typedef {{trainings: Training[], windows: Training[], cut_elsewhere: Training[], encodings: Recording[], labels: Labels[], directions: Directions[], merge_names: [number, string][], checksums: [string, string][]}} Fixtures */

/** @type {Fixtures} */
export const fixtures = JSON.parse(readFileSync(file, "utf-8"));

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

/**
 * Return the cells in reading order.
 * @param {import("../../film/browser/token_grid/feed.js").Model} model
 */
export function readingCells(model) {
  const { text, words } = cellsOf(model);
  return text.size ? text : words;
}
