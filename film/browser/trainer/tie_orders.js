// Orders of tied pairs. A rule says what it compares, one term after another: `order` of bpe/settings/tie_breaking.py.

/** @import {LiveRule} from "./live_types.js" */
/** @import {CorpusLayout, PairIndex} from "./corpus.js" */
/** @import {SymbolReader} from "./text.js" */

import { firstPairPosition, lastPairPosition } from "./corpus.js";
import { sha256 } from "./sha256.js";
import { tieTerm } from "../shared/tie_terms.js";

/**
 * What a rule may read.
 * @typedef {object} Candidates
 * @property {PairIndex} index
 * @property {CorpusLayout} layout
 * @property {string[]} symbols  by internal id; grows
 * @property {number} alphabetSize
 * @property {SymbolReader} reader
 */

/** The order in which a draw numbers the tied pairs. */
const DRAWN = ["left", "right"];

/** The values by which a pair is compared, the pair itself last. @typedef {(number | string)[]} Key */

/**
 * Return how an order compares two pairs.
 * @param {Candidates} candidates
 * @param {string[]} order
 * @returns {{keyOf: (pair: number) => Key, compare: (one: Key, other: Key) => number}}
 */
function keysInOrder(candidates, order) {
  const { index } = candidates;
  const tied = tiedTokens(candidates);
  const terms = order.map(tieTerm);
  const signs = [...order.map((name) => (name.startsWith("-") ? -1 : 1)), 1];
  return {
    keyOf: (pair) => [...terms.map((term) => term(tied, index.left[pair], index.right[pair], pair)), pair],
    compare(one, other) {
      for (let at = 0; at < signs.length; at++) {
        if (one[at] !== other[at]) return one[at] < other[at] ? -signs[at] : signs[at];
      }
      return 0;
    },
  };
}

/** @param {Candidates} candidates @returns {import("../shared/tie_terms.js").TiedTokens} */
function tiedTokens({ index, layout, symbols, alphabetSize, reader }) {
  return {
    symbol: (token) => symbols[token],
    spelled: (token) => reader.spelled(symbols[token]),
    length: (token) => reader.length(symbols[token]),
    name: (token) => (token < alphabetSize ? symbols[token] : `merge_${257 + token - alphabetSize}`),
    firstPosition: (pair) => firstPairPosition(index, layout, pair),
    lastPosition: (pair) => lastPairPosition(index, layout, pair),
  };
}

/**
 * Return the tied pairs of a rule that orders them: a heap with the least on top. A pair's key only gets worse, since its
 * first occurrence moves right and its last one left. So the entry on top is corrected until it is right.
 * @param {Candidates} candidates
 * @param {Set<number>} tied  changes while the training goes on
 * @param {LiveRule} rule
 */
function orderedTies(candidates, tied, rule) {
  const { keyOf, compare } = keysInOrder(candidates, rule.order);
  /** @type {Key[]} */
  let heap = [];

  /** @param {Key} key */
  function push(key) {
    let at = heap.push(key) - 1;
    for (let above = (at - 1) >> 1; at && compare(key, heap[above]) < 0; above = (at - 1) >> 1) {
      heap[at] = heap[above];
      heap[(at = above)] = key;
    }
  }

  /** Put a key on top and let it sink to its place. @param {Key} key */
  function sink(key) {
    for (let at = 0; ;) {
      let below = 2 * at + 1;
      if (below + 1 < heap.length && compare(heap[below + 1], heap[below]) < 0) below++;
      if (below >= heap.length || compare(key, heap[below]) <= 0) {
        heap[at] = key;
        return;
      }
      heap[at] = heap[below];
      at = below;
    }
  }

  return {
    open() {
      heap = [];
      for (const pair of tied) push(keyOf(pair));
    },
    /** @param {number} pair */
    add: (pair) => push(keyOf(pair)),
    drop() {},
    best() {
      for (;;) {
        const top = heap[0];
        const pair = Number(top[top.length - 1]);
        if (tied.has(pair)) {
          const now = keyOf(pair);
          if (!compare(now, top)) return pair;
          sink(now);
        } else {
          const last = /** @type {Key} */ (heap.pop());
          if (heap.length) sink(last);
        }
      }
    },
  };
}

/**
 * Return the tied pairs of a draw: sorted, and SHA-256 of seed and rank draws one.
 * @param {Candidates} candidates
 * @param {Set<number>} tied
 * @param {number} seed
 */
function drawnTies(candidates, tied, seed) {
  const { keyOf, compare } = keysInOrder(candidates, DRAWN);
  /** @type {Key[]} */
  let sorted = [];

  /** Return how many of the keys are less. @param {Key} key */
  function numberBelow(key) {
    let low = 0;
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >> 1;
      if (compare(sorted[middle], key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    open() {
      sorted = Array.from(tied, (pair) => keyOf(pair)).toSorted(compare);
    },
    /** @param {number} pair */
    add(pair) {
      const key = keyOf(pair);
      sorted.splice(numberBelow(key), 0, key);
    },
    /** @param {number} pair */
    drop(pair) {
      sorted.splice(numberBelow(keyOf(pair)), 1);
    },
    /** @param {number} rank */
    best(rank) {
      let chosen = 0;
      for (const byte of sha256(`${seed}:${rank}`)) chosen = (chosen * 256 + byte) % sorted.length;
      return Number(sorted[chosen][DRAWN.length]);
    },
  };
}

/**
 * Return a rule's queue of the tied pairs.
 * @param {Candidates} candidates
 * @param {Set<number>} tied
 * @param {LiveRule} rule
 * @param {number} seed
 */
export function tieQueue(candidates, tied, rule, seed) {
  return rule.order.length ? orderedTies(candidates, tied, rule) : drawnTies(candidates, tied, seed);
}

/** @typedef {ReturnType<typeof tieQueue>} TieQueue */
