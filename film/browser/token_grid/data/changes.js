// The changes by a step: how often the tokens of a merge occur.

/** @import {Model} from "./feed.js" */

import { countNow } from "./feed.js";

/**
 * How often a token occurs before and after a step; null if the feed does not tell.
 * @typedef {{id: number, by: number, before: number | null, after: number | null}} Change
 */

/**
 * Return the changes of the token that a step makes and of those it merges.
 * @param {Model} model
 * @param {number} step
 * @returns {Change[]}
 */
export function tokenChanges(model, step) {
  const { left, right, ids, replaced } = model.steps;
  const gained = new Map([[ids[step], replaced[step]]]);
  if (!model.taken) {
    for (const id of [left[step], right[step]]) gained.set(id, (gained.get(id) ?? 0) - replaced[step]);
  }
  return [...gained].map(([id, by]) => {
    const before = countNow(model, id, step);
    return { id, by, before, after: before === null ? null : before + by };
  });
}
