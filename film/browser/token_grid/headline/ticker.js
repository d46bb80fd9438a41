// The headline of a fast film: the last tokens made, the newest one large, and the falling number of tokens.

/** @import {Model} from "../data/feed.js" */
/** @import {Grid} from "../types.js" */

import { make } from "../../shared/dom.js";
import { formatCount } from "../../shared/numbers.js";
import { tokensNow } from "../data/totals.js";

const MOST_SHOWN = 5; // tokens

/**
 * Return the ids of the last tokens made or taken before a step, the newest first.
 * @param {Model} model
 * @param {number} step
 */
export function lastTokens({ steps }, step) {
  return Array.from(steps.ids.slice(Math.max(0, step - MOST_SHOWN), step)).toReversed();
}

/**
 * Return the elements of the last tokens.
 * @param {Grid} grid
 */
export function tickerTokens({ model, step, chipFor }) {
  return lastTokens(model, step).map((id, at) => make("span", at ? "earlier" : "newest", {}, chipFor(id)));
}

/**
 * Return the number of tokens as a text; "" if the feed does not tell.
 * @param {Grid} grid
 */
export function tickerCount({ model, step }) {
  const tokens = tokensNow(model, step);
  return tokens === null ? "" : formatCount(tokens, "token");
}
