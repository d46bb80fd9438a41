// The names of merges for people, who count from 1. In ids, feeds, files and links a rank counts from 0.

import { formatNumber } from "../feed/numbers.js";

/**
 * Return the number of a merge: rank 999 is "1,000".
 * @param {number} rank
 */
export function mergeNumber(rank) {
  return formatNumber(rank + 1);
}

/**
 * Return the name of a merge: rank 0 is "merge 1". `bpe/text/display.py` writes the same.
 * @param {number} rank
 */
export function mergeName(rank) {
  return `merge ${mergeNumber(rank)}`;
}
