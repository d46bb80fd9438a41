// The layout of a corpus: its distinct words side by side, as bpe/training/word_layout.py has them. A wall is before, between
// and after the words. Every token is stored at both of its ends, so a merge writes three numbers.

/** @import {TieQueue} from "./tie_orders.js" */

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

/** @param {Neighbours} neighbours @param {number} symbol @param {number} position */
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

// Runs of one symbol, counted without overlap, as bpe/training/word_layout.py does it: aaaa holds the pair (a, a) twice. Only a
// doubled pair, that of a symbol with itself, can overlap itself.

/**
 * Return the count of a doubled pair at some positions, which ascend, without overlap.
 * @param {CorpusLayout} layout
 * @param {number} symbol
 * @param {number[]} positions
 */
export function countApart({ length, frequencyAt }, symbol, positions) {
  let count = 0;
  let overlapping = -1; // where a pair would overlap the last one counted
  for (const position of positions) {
    if (position === overlapping) continue;
    count += frequencyAt[position];
    overlapping = position + length[symbol];
  }
  return count;
}

/**
 * Return how much a doubled pair loses when a merge takes the first symbol of its runs, or the last one. The rest of
 * a run begins, or ends, at the position. If the rest is odd, the run had one occurrence more.
 * @param {CorpusLayout} layout
 * @param {number} symbol
 * @param {number[]} positions
 * @param {boolean} atStart
 */
export function lostApart({ startingAt, endingAt, frequencyAt, length }, symbol, positions, atStart) {
  const symbols = atStart ? startingAt : endingAt;
  const step = atStart ? length[symbol] : -length[symbol];
  let lost = 0;
  for (const position of positions) {
    let end = position;
    while (symbols[end] === symbol) end += step;
    if (((end - position) / step) % 2) lost += frequencyAt[position];
  }
  return lost;
}

// The pair index: for every pair its count and its positions, as bpe/training/pair_index.py has them, but without pruning: a
// film's texts are short. A pair gains occurrences only in the step that creates it, so its list of positions only shrinks.

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

/** Count the pairs of a layout. @param {CorpusLayout} layout @param {number} stride @param {boolean} overlaps */
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

/** Remove what is known of a pair that no longer occurs. @param {PairIndex} index @param {number} pair */
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

/** @param {PairIndex} index @param {CorpusLayout} layout @param {number} pair @param {number} position */
function isPairThere({ left, right }, { startingAt, endingAt }, pair, position) {
  return startingAt[position] === right[pair] && endingAt[position] === left[pair];
}

// The count queue: pairs filed by their count, as bpe/training/count_queue.py has them. Counts only fall, so an entry may be
// out of date; it is compared with the count now when its bucket becomes the highest.

/**
 * @param {number[]} count  of each pair, exact at every step
 * @param {(tied: Set<number>) => TieQueue} rule
 */
export function createCountQueue(count, rule) {
  /** @type {Map<number, number[]>} */
  const buckets = new Map();
  /** The pairs of the highest count. @type {Set<number>} */
  const tied = new Set();
  const ties = rule(tied);
  let isOpen = false; // whether the rule's queue holds the pairs tied now
  let top = 0;

  /** @param {number} pair @param {number} at */
  function enqueue(pair, at) {
    const bucket = buckets.get(at);
    if (bucket) bucket.push(pair);
    else buckets.set(at, [pair]);
    if (at > top) top = at;
  }

  count.forEach((value, pair) => enqueue(pair, value));

  return {
    tied,
    topCount: () => top,

    /** Go down to the highest count that a pair has. Return whether there is one. */
    advance() {
      while (!tied.size && buckets.size) {
        const filed = buckets.get(top);
        if (!filed) {
          top--;
          continue;
        }
        buckets.delete(top);
        isOpen = false;
        for (const pair of filed) {
          if (count[pair] === top) tied.add(pair);
          else if (count[pair] && count[pair] < top) enqueue(pair, count[pair]);
        }
      }
      return tied.size > 0;
    },

    /** Return the tied pair that the rule chooses. @param {number} rank */
    best(rank) {
      if (tied.size === 1) return /** @type {number} */ (tied.values().next().value);
      if (!isOpen) ties.open();
      isOpen = true;
      return ties.best(rank);
    },

    /** Add a new pair. @param {number} pair */
    add(pair) {
      if (count[pair] !== top) enqueue(pair, count[pair]);
      else {
        tied.add(pair);
        if (isOpen) ties.add(pair);
      }
    },

    /** Remove a pair that was merged, or whose count has changed. @param {number} pair */
    remove(pair) {
      if (!tied.delete(pair)) return;
      if (isOpen) ties.drop(pair);
      if (count[pair]) enqueue(pair, count[pair]);
    },
  };
}
