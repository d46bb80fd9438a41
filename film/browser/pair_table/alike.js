// Whether two tables show the same: then the newer one is not drawn, and rows of equal count stay where they are.

/** @import {PairRow} from "../shared/feed/feed_types.js" */

/**
 * Return whether two tables agree on all pairs except the least frequent ones, of which each shows only some.
 * @param {PairRow[]} some
 * @param {PairRow[]} others
 */
export function isAlike(some, others) {
  if (some.length !== others.length) return false;
  const least = Math.max(some.at(-1)?.count ?? 0, others.at(-1)?.count ?? 0);
  const asText = (/** @type {PairRow[]} */ rows) => {
    const above = rows.filter(({ count }) => count > least);
    return above
      .map(({ ids, count, change, tied, chosen }) => `${ids} ${count} ${change} ${tied} ${chosen}`)
      .toSorted();
  };
  return asText(some).join() === asText(others).join();
}
