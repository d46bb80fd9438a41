// Encoding: the merges of a training, applied to new words in the order in which they were learned. For learned merges this
// is what the encoder with the lowest rank first does: a merge makes no pair that an earlier one could merge.

/** @import {Training} from "./training.js" */

import { layOutCorpus, replacePair } from "./corpus_layout.js";
import { addPair, indexPairs } from "./pair_places.js";

/**
 * One merge that applies, in all words at once.
 * @typedef {object} EncodingStep
 * @property {number} rank
 * @property {number} count  how often it applies, in words as often as they occur
 */

/**
 * Encode words with the first merges of a training.
 * @param {Training} training
 * @param {number} merges
 * @param {number[][]} words  initial symbols as internal ids; an unknown one has an id from alphabet + merges on
 * @param {number[]} frequencies
 */
export function encodeWords({ log, alphabetSize }, merges, words, frequencies) {
  let size = alphabetSize + merges;
  for (const word of words) for (const id of word) size = Math.max(size, id + 1);
  const layout = layOutCorpus(words, frequencies, size);
  const index = indexPairs(layout, size, true);
  /** @type {EncodingStep[]} */
  const steps = [];
  for (let rank = 0; rank < merges; rank++) {
    const [left, right, merged] = [log.left[rank], log.right[rank], alphabetSize + rank];
    const pair = index.numbers.get(left * size + right);
    if (pair === undefined) continue;
    const positions = index.positions[pair];
    const { before, after, replaced } = replacePair(layout, positions, left, right, merged, steps.length + 1);
    if (replaced) steps.push({ rank, count: replaced });
    for (const [other, ends] of after) addPair(index, merged, other, 0, ends);
    for (const [other, starts] of before) addPair(index, other, merged, 0, starts);
  }
  return { steps, closedBy: layout.closedBy };
}
