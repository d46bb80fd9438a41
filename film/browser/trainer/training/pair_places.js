// The pair index: for every pair its count and its positions, as bpe/training/pair_index.py has them, but without pruning: a
// film's texts are short. A pair gains occurrences only in the step that creates it, so its list of positions only shrinks.

/** @import {CorpusLayout} from "./corpus_layout.js" */

import { countApart } from "./symbol_runs.js";

/**
 * Pairs have numbers, in the order in which they are created.
 * @typedef {object} PairIndex
 * @property {number} stride  a pair's key is its left symbol times this, plus the right one
 * @property {Map<number, number>} numbers  key -> number
 * @property {number[]} left
 * @property {number[]} right
 * @property {number[]} count  exact at every step
 * @property {number[][]} positions  where the right symbol starts, ascending; some may be out of date
 * @property {number[]} stale  how many at the front are known to be
 */

/**
 * Count the pairs of a layout.
 * @param {CorpusLayout} layout
 * @param {number} stride
 * @param {boolean} overlaps
 */
export function indexPairs(layout, stride, overlaps) {
  /** @type {PairIndex} */
  const index = { stride, numbers: new Map(), left: [], right: [], count: [], positions: [], stale: [] };
  const { startingAt, endingAt, frequencyAt } = layout;
  for (let position = 1; position < startingAt.length; position++) {
    const left = endingAt[position];
    const right = startingAt[position];
    if (left < 0 || right < 0) continue;
    const known = index.numbers.get(left * stride + right);
    const pair = known ?? addPair(index, left, right, 0, []);
    index.positions[pair].push(position);
    index.count[pair] += frequencyAt[position];
  }
  if (overlaps) return index;
  for (const [pair, positions] of index.positions.entries()) {
    if (index.left[pair] === index.right[pair])
      index.count[pair] = countApart(layout, index.left[pair], positions);
  }
  return index;
}

/**
 * Add a pair and return its number.
 * @param {PairIndex} index
 * @param {number} left
 * @param {number} right
 * @param {number} count
 * @param {number[]} positions
 */
export function addPair(index, left, right, count, positions) {
  const pair = index.count.length;
  index.numbers.set(left * index.stride + right, pair);
  index.left.push(left);
  index.right.push(right);
  index.count.push(count);
  index.positions.push(positions);
  index.stale.push(0);
  return pair;
}

/**
 * Remove what is known of a pair that no longer occurs.
 * @param {PairIndex} index
 * @param {number} pair
 */
export function removePair(index, pair) {
  index.numbers.delete(index.left[pair] * index.stride + index.right[pair]);
  index.count[pair] = 0;
  index.positions[pair] = [];
}

/**
 * Return the leftmost position at which a pair starts.
 * @param {PairIndex} index
 * @param {CorpusLayout} layout
 * @param {number} pair
 */
export function firstPairPosition(index, layout, pair) {
  const positions = index.positions[pair];
  let at = index.stale[pair];
  while (!isPairThere(index, layout, pair, positions[at])) at++;
  index.stale[pair] = at;
  return positions[at] - layout.length[index.left[pair]];
}

/**
 * Return the rightmost position at which a pair starts.
 * @param {PairIndex} index
 * @param {CorpusLayout} layout
 * @param {number} pair
 */
export function lastPairPosition(index, layout, pair) {
  const positions = index.positions[pair];
  while (!isPairThere(index, layout, pair, positions[positions.length - 1])) positions.pop();
  return positions[positions.length - 1] - layout.length[index.left[pair]];
}

/**
 * @param {PairIndex} index
 * @param {CorpusLayout} layout
 * @param {number} pair
 * @param {number} position
 */
function isPairThere({ left, right }, { startingAt, endingAt }, pair, position) {
  return startingAt[position] === right[pair] && endingAt[position] === left[pair];
}
