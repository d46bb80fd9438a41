// The sentence below the pair table: how many pairs there are, or which counts these are.

/** @import {PairTable} from "../shared/feed/feed_types.js" */

import { formatCount, formatNumber } from "../shared/feed/numbers.js";

const LATE = 700; // ms after which a table is old while the grid plays fast

/**
 * Return the sentence below a table.
 * @param {Pick<PairTable, "step" | "rows" | "total">} table  the table that is drawn
 * @param {boolean} stays  whether the table stays as it is while the grid plays on
 * @param {string | undefined} beat  of the grid
 */
export function noteOf({ step, rows, total }, stays, beat) {
  if (stays) return `Counts after ${formatCount(step, "merge")}. The table follows when the grid stops.`;
  if (beat === "guess") return "In alphabetical order: which pair is the most frequent?";
  if (!rows.length) return "No pairs are left: every word is one token.";
  if (total > rows.length) return `the ${rows.length} most frequent of ${formatNumber(total)} pairs`;
  return formatCount(rows.length, "pair");
}

/**
 * Return whether the table stays as it is while the grid plays on: it plays fast, and its feed lacks words of the text,
 * so it cannot count their pairs.
 * @param {number} step  of the grid
 * @param {number} tableStep  the step that the table shows
 * @param {string | undefined} beat  of the grid
 * @param {number} since  ms since the grid last counted the pairs
 */
export function staysBehind(step, tableStep, beat, since) {
  return beat === "fast" && step !== tableStep && since >= LATE;
}
