// The sentences of the headline.

/** @import {Model} from "./feed.js" */
/** @import {LastMove} from "./types.js" */

import { readable, shortened } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { tokenOf } from "./feed.js";
import { isolated } from "./spelling.js";

/**
 * Return the sentence that no step is left.
 * @param {Model} model
 */
export function endText({ training, last }) {
  if (!last) return "Nothing to merge";
  if (!training) return `Encoded in ${formatCount(last, "step")}`;
  return last === 1 ? "The one merge is done" : `All ${formatNumber(last)} merges done`;
}

/**
 * Return who decided a tie.
 * @param {Model} model
 * @param {number} step
 */
export function pickedBy({ picked, rule }, step) {
  return picked.includes(step) ? "Taken by hand:" : `${rule} takes`;
}

/**
 * Return a pair as text within a sentence.
 * @param {Model} model
 * @param {[number, number]} pair
 */
export function pairText(model, pair) {
  const [left, right] = pair.map((id) => {
    return isolated(readable(shortened(tokenOf(model, id).label), model.feed.marker_text));
  });
  return `${left} + ${right}`;
}

/**
 * Return the changes by a step: "merge 1 done: 9 tokens fewer".
 * @param {Model} model
 * @param {LastMove} move
 */
export function changeText({ training, taken, steps }, { rank, forwards }) {
  const done = `${training ? "merge" : "step"} ${formatNumber(rank)} ${forwards ? "done" : "undone"}`;
  if (taken) return done;
  return `${done}: ${formatCount(steps.replaced[rank], "token")} ${forwards ? "fewer" : "more"}`;
}

/**
 * Return how often a pair occurs: "9 times", or both its count and its replacements if overlaps make them differ.
 * @param {Model} model
 * @param {number} step
 */
export function countText({ steps, training }, step) {
  const { count, replaced } = steps;
  if (count[step] === replaced[step] || !training) return formatCount(replaced[step], "time");
  return `counted ${formatNumber(count[step])}, replaces ${formatNumber(replaced[step])}`;
}

/**
 * Return the name of a step.
 * @param {Model} model
 * @param {number} step
 */
export function ordinal({ steps, last, training }, step) {
  const name = `${formatNumber(step)} of ${formatNumber(last)}`;
  if (training) return `merge ${name}`;
  return steps.ranks ? `rule of rank ${formatNumber(steps.ranks[step])} · step ${name}` : `step ${name}`;
}
