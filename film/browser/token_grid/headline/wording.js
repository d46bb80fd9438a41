// The sentences of the headline.

/** @import {Model} from "../data/feed.js" */
/** @import {LastMove} from "../types.js" */

import { labelText, readable, shortened } from "../../shared/chip.js";
import { mergeName, mergeNumber, formatCount, formatNumber } from "../../shared/numbers.js";
import { isReplayed, isSecond, tokenOf } from "../data/feed.js";
import { chipLabelOf, isolated } from "../data/spelling.js";

/**
 * Return what a step is called.
 * @param {Pick<Model, "training">} model
 */
export function unitOf({ training }) {
  return training ? "merge" : "step";
}

/**
 * Return the sentence that no step is left.
 * @param {Model} model
 */
export function endText({ training, last }) {
  if (!last) return "No merges yet";
  if (!training) return `Encoded in ${formatCount(last, "step")}`;
  return last === 1 ? "The one merge is done" : `All ${formatNumber(last)} merges done`;
}

/**
 * Return who decided a tie. Who watches a film has picked nothing, so this never says "you".
 * @param {Model} model
 * @param {number} step
 */
function pickedBy({ picked, rule }, step) {
  return picked.includes(step) ? "Picked by hand:" : `“${rule}” picks`;
}

/**
 * Return how many pairs tied for a step, and at which count.
 * @param {Model} model
 * @param {number} step
 */
export function tieText({ steps }, step) {
  return `${formatNumber(steps.tied[step])} pairs tied at ${formatNumber(steps.count[step])}.`;
}

/**
 * Return which of the tied pairs is merged, and who decided it; "" if nobody is known to.
 * @param {Model} model
 * @param {number} step
 */
export function choiceText(model, step) {
  const { left, right } = model.steps;
  return model.rule ? `${pickedBy(model, step)} ${pairText(model, [left[step], right[step]])}.` : "";
}

/**
 * Return the same in fewer words and with the pair first, for a narrow lane that cuts the end of the line.
 * @param {Model} model
 * @param {number} step
 */
export function shortChoiceText(model, step) {
  if (!model.rule || model.picked.includes(step)) return choiceText(model, step);
  const { left, right } = model.steps;
  return `${pairText(model, [left[step], right[step]])} wins by “${model.rule}”.`;
}

/**
 * Return a pair as text within a sentence.
 * @param {Model} model
 * @param {number[]} pair  ids of its tokens
 */
export function pairText(model, pair) {
  return pair.map((id) => tokenText(model, id)).join(" + ");
}

/**
 * Return the tokens of a word as text within a sentence.
 * @param {Model} model
 * @param {number[]} ids
 */
export function tokensText(model, ids) {
  return ids.map((id) => tokenText(model, id)).join(" ");
}

/**
 * Return a token as its chip writes it, bytes as their digits.
 * @param {Model} model
 * @param {number} id
 */
function tokenText(model, id) {
  const label = shortened(chipLabelOf(tokenOf(model, id).bytes, model.spelling));
  return isolated(labelText(readable(label, model.feed.marker_text)));
}

/**
 * Return the name of a step, from 1, at the beginning of a sentence.
 * @param {Pick<Model, "training">} model
 * @param {number} step
 */
export function stepName({ training }, step) {
  return `${training ? "Merge" : "Step"} ${mergeNumber(step)}`;
}

/**
 * Return the changes by a step: "Merge 1: 9 fewer tokens".
 * @param {Model} model
 * @param {LastMove} move
 */
export function changeText({ training, taken, steps }, { rank, forwards }) {
  const name = stepName({ training }, rank);
  if (taken) return `${name} ${forwards ? "done" : "undone"}`;
  const fewer = formatCount(steps.replaced[rank], "fewer token");
  return forwards
    ? `${name}: ${fewer}`
    : `${name} undone: ${formatCount(steps.replaced[rank], "token")} back`;
}

/**
 * Return how often a pair occurs: "9 times", or both its count and its replacements if overlaps make them differ.
 * @param {Model} model
 * @param {number} step
 */
export function countText({ steps, training }, step) {
  const { count, replaced } = steps;
  if (count[step] === replaced[step] || !training) return formatCount(replaced[step], "time");
  return `counted ${formatCount(count[step], "time")}, but only ${formatNumber(replaced[step])} can be merged`;
}

/**
 * Return the name of a step among all steps.
 * @param {Model} model
 * @param {number} step
 */
function stepOfAll({ last, training }, step) {
  return `${stepName({ training }, step)} of ${formatNumber(last)}`;
}

/**
 * Return the number of a step among all steps. For an encoding or a replay, also name the merge that it applies.
 * @param {Model} model
 * @param {number} step
 */
export function ordinal(model, step) {
  const { replay, steps } = model;
  const { ranks } = steps;
  const name = stepOfAll(model, step);
  if (replay && isReplayed(model, step)) return `${name} · ${mergeName(replay.ranks[step])} of the tokenizer`;
  if (isSecond(model, step)) return `${name} · ${stageName(model)}`;
  return ranks ? `${name} · applies ${mergeName(ranks[step])}` : name;
}

/**
 * Return a short name of the second stage; "" without one.
 * @param {Pick<Model, "stage">} model
 */
export function stageName({ stage }) {
  if (!stage) return "";
  return stage.superwords ? "superwords" : "learned here";
}

/**
 * Return the text above a grid that hides the next step: a question. In a lesson that asks something else, it only says
 * at which step the grid is.
 * @param {Model} model
 * @param {number} step
 * @param {boolean} asks
 */
export function guessText(model, step, asks) {
  const name = stepOfAll(model, step);
  if (!asks) return `Before ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return `${name} · which ${model.taken ? "token" : "pair"} comes next?`;
}

/**
 * Return which step is next and how often its pair occurs.
 * @param {Model} model
 * @param {number} step
 */
export function nextText(model, step) {
  const times = countText(model, step);
  return !model.training && times === "1 time"
    ? `${ordinal(model, step)} once`
    : `${ordinal(model, step)} · ${times}`;
}
