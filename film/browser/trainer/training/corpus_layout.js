// The layout of a corpus: its distinct words side by side, as bpe/training/word_layout.py has them. A wall is before, between
// and after the words. Every token is stored at both of its ends, so a merge writes three numbers.

export const WALL = -1;
const INSIDE = -2;

/**
 * @typedef {object} CorpusLayout
 * @property {Int32Array} startingAt  symbol that starts at each position, WALL or INSIDE
 * @property {Int32Array} endingAt  symbol that ends just before each position, or WALL; out of date inside a token
 * @property {Int32Array} frequencyAt  of the word at each position
 * @property {Int32Array} closedBy  1 + the merge that closed the boundary before each position, or 0
 * @property {number[]} length  how many positions each symbol spans, by id
 */

/** Neighbouring symbol or WALL -> positions between the token and it. @typedef {Map<number, number[]>} Neighbours */

/**
 * Lay out words, given as internal ids.
 * @param {number[][]} words
 * @param {number[]} frequencies
 * @param {number} symbols  number of different symbols
 * @returns {CorpusLayout}
 */
export function layOutCorpus(words, frequencies, symbols) {
  let size = 1;
  for (const word of words) size += word.length + 1;
  const startingAt = new Int32Array(size).fill(WALL);
  const frequencyAt = new Int32Array(size);
  let position = 1;
  words.forEach((word, number) => {
    startingAt.set(word, position);
    frequencyAt.fill(frequencies[number], position, position + word.length);
    position += word.length + 1;
  });
  const endingAt = new Int32Array(size).fill(WALL, 0, 1);
  endingAt.set(startingAt.subarray(0, size - 1), 1);
  const length = Array.from({ length: symbols }, () => 1);
  return { startingAt, endingAt, frequencyAt, closedBy: new Int32Array(size), length };
}

/**
 * Replace a pair at each of the positions where it still is, from left to right. Return the neighbours before and after the
 * new tokens, and how often the pair was replaced.
 * @param {CorpusLayout} layout
 * @param {number[]} positions  where the pair's right symbol starts
 * @param {number} left
 * @param {number} right
 * @param {number} merged  the symbol that the merge makes
 * @param {number} step  1 + the merge's rank
 */
export function replacePair(layout, positions, left, right, merged, step) {
  const { startingAt, endingAt, frequencyAt, closedBy, length } = layout;
  /** @type {Neighbours} */
  const before = new Map();
  /** @type {Neighbours} */
  const after = new Map();
  let replaced = 0;
  for (const position of positions) {
    if (startingAt[position] !== right || endingAt[position] !== left) continue;
    const start = position - length[left];
    const end = position + length[right];
    startingAt[position] = INSIDE;
    startingAt[start] = endingAt[end] = merged;
    closedBy[position] = step;
    replaced += frequencyAt[position];
    file(before, endingAt[start], start);
    file(after, startingAt[end], end);
  }
  length[merged] = length[left] + length[right];
  before.delete(WALL);
  after.delete(WALL);
  return { before, after, replaced };
}

/**
 * @param {Neighbours} neighbours
 * @param {number} symbol
 * @param {number} position
 */
function file(neighbours, symbol, position) {
  const positions = neighbours.get(symbol);
  if (positions) positions.push(position);
  else neighbours.set(symbol, [position]);
}

/**
 * Return the sum of the frequencies of the words at some positions.
 * @param {CorpusLayout} layout
 * @param {number[]} positions
 */
export function totalFrequency({ frequencyAt }, positions) {
  let total = 0;
  for (const position of positions) total += frequencyAt[position];
  return total;
}
