// The count queue: pairs filed by their count, as bpe/training/count_queue.py has them. Counts only fall, so an entry may be
// out of date; it is compared with the count now when its bucket becomes the highest.

/** @import {TieQueue} from "./tie_orders.js" */

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

  /**
   * @param {number} pair
   * @param {number} at
   */
  function file(pair, at) {
    const bucket = buckets.get(at);
    if (bucket) bucket.push(pair);
    else buckets.set(at, [pair]);
    if (at > top) top = at;
  }

  count.forEach((value, pair) => file(pair, value));

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
          else if (count[pair] && count[pair] < top) file(pair, count[pair]);
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
      if (count[pair] !== top) file(pair, count[pair]);
      else {
        tied.add(pair);
        if (isOpen) ties.add(pair);
      }
    },

    /** Remove a pair that was merged, or whose count has changed. @param {number} pair */
    remove(pair) {
      if (!tied.delete(pair)) return;
      if (isOpen) ties.drop(pair);
      if (count[pair]) file(pair, count[pair]);
    },
  };
}
