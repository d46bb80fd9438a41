// What the headline says, in words.

/** @import {Model} from "./feed.js" */
/** @import {LastMove} from "./types.js" */

import { readable, shortened } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { tokenOf } from "./feed.js";
import { isolated } from "./spelling.js";

/**
 * Say that no step is left.
 * @param {Model} model
 */
export function endText({ training, last }) {
  if (!last) return "Nothing to merge";
  if (!training) return `Encoded in ${formatCount(last, "step")}`;
  return last === 1 ? "The one merge is done" : `All ${formatNumber(last)} merges done`;
}

/**
 * Say who decided a tie.
 * @param {Model} model
 * @param {number} step
 */
export function pickedBy({ picked, rule }, step) {
  return picked.includes(step) ? "Taken by hand:" : `${rule} takes`;
}

/**
 * Write a pair within a sentence.
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
 * Say what a step changed: "merge 1 done: 9 tokens fewer".
 * @param {Model} model
 * @param {LastMove} move
 */
export function changeText({ training, taken, steps }, { rank, forwards }) {
  const done = `${training ? "merge" : "step"} ${formatNumber(rank)} ${forwards ? "done" : "undone"}`;
  if (taken) return done;
  return `${done}: ${formatCount(steps.replaced[rank], "token")} ${forwards ? "fewer" : "more"}`;
}

/**
 * Say how often a pair occurs: "9 times", or what was counted and what could be replaced where overlaps make them differ.
 * @param {Model} model
 * @param {number} step
 */
export function countText({ steps, training }, step) {
  const { count, replaced } = steps;
  if (count[step] === replaced[step] || !training) return formatCount(replaced[step], "time");
  return `counted ${formatNumber(count[step])}, replaces ${formatNumber(replaced[step])}`;
}

/**
 * Say which step it is.
 * @param {Model} model
 * @param {number} step
 */
export function ordinal({ steps, last, training }, step) {
  const name = `${formatNumber(step)} of ${formatNumber(last)}`;
  if (training) return `merge ${name}`;
  return steps.ranks ? `rule of rank ${formatNumber(steps.ranks[step])} · step ${name}` : `step ${name}`;
}
