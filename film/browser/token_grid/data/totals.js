// The numbers of the whole corpus after a step: tokens and vocabulary.

/** @import {Model} from "./feed.js" */

/** @type {WeakMap<Model, Float64Array>} */
const TOTALS = new WeakMap();

/**
 * Return the number of tokens in the corpus after `step` merges, each word as often as it occurs; null if the feed does
 * not tell.
 * @param {Model} model
 * @param {number} step
 */
export function tokensNow(model, step) {
  const { feed, steps, last, stage } = model;
  if (!feed.training) return null;
  let totals = TOTALS.get(model);
  if (!totals) {
    totals = new Float64Array(last + 1);
    totals[0] = feed.tokens;
    for (let rank = 0; rank < last; rank++) {
      if (stage?.after === rank) totals[rank] = stage.tokens; // its longer words may be cut elsewhere
      totals[rank + 1] = totals[rank] - steps.replaced[rank];
    }
    if (stage?.after === last) totals[last] = stage.tokens;
    TOTALS.set(model, totals);
  }
  return totals[step];
}

/**
 * Return the size of the vocabulary after `step` merges; null for an encoding, and for the replay of a list,
 * whose vocabulary is complete from the start.
 * @param {Model} model
 * @param {number} step
 */
export function vocabularyNow({ feed, replay }, step) {
  if (replay) return replay.vocabulary[step];
  return feed.training && !feed.replay ? feed.steps.first + step : null;
}
