// "Your text in 30 seconds": a training played fast that slows down where something happens, and five numbers at its end.

/** @import {Model} from "../data/feed.js" */
/** @import {Speed} from "../timing/speeds.js" */
/** @import {Scene} from "../types.js" */

import { shortened } from "../../shared/tokens/chip.js";
import { mergeNumber } from "../../shared/tokens/merge_names.js";
import { formatCount, formatNumber } from "../../shared/feed/numbers.js";
import { isReplayed, tokenOf } from "../data/feed.js";
import { tokensNow } from "../data/totals.js";
import { pairText } from "../headline/wording.js";

const STORY_SECONDS = 30; // at most
const BEATS_SECONDS = 1.4; // seconds that the beats of a merge take at 1×
const SLOW = 0.5; // factor of a scene
const READABLE = 22; // that a viewer reads in a second
const MOST_OF_IT = 0.75; // share of a story that its scenes take
// Factors between which a story without many merges shows their beats.
const LEAST_FACTOR = 0.8;
const MOST_FACTOR = 4;

/**
 * Return the scenes of a training: its first tie, its largest tie and its longest token, by step. Of several largest
 * ones the first.
 * @param {Model} model
 * @returns {Scene[]}
 */
export function scenesOf(model) {
  const { tied, ids } = model.steps;
  const ties = Array.from(tied, (count, step) => (isReplayed(model, step) ? 0 : count));
  const first = ties.findIndex((count) => count > 1);
  const largest = ties.reduce((best, count, step) => (count > (ties[best] ?? 1) ? step : best), -1);
  const lengths = Array.from(ids, (id) => tokenOf(model, id).length);
  const longest = lengths.reduce((best, length, step) => (length > (lengths[best] ?? 0) ? step : best), -1);
  /** @type {Map<number, string[]>} */
  const texts = new Map();
  const add = (/** @type {number} */ step, /** @type {string} */ text) => {
    if (step >= 0) texts.set(step, [...(texts.get(step) ?? []), text]);
  };
  if (first === largest) add(first, `the first tie, and the largest: ${sizeOfTie(model, first)}`);
  else {
    add(first, `the first tie: ${sizeOfTie(model, first)}`);
    add(largest, `the largest tie: ${sizeOfTie(model, largest)}`);
  }
  if (longest >= 0) add(longest, `the longest token: ${pairText(model, [ids[longest]])}`);
  return [...texts]
    .toSorted(([one], [other]) => one - other)
    .map(([step, parts]) => ({ step, text: `Merge ${mergeNumber(step)}: ${parts.join("; ")}.` }));
}

/**
 * @param {Model} model
 * @param {number} step
 */
function sizeOfTie({ steps: { tied, count } }, step) {
  if (step < 0) return "";
  return `${formatCount(tied[step], "pair")} occur ${formatCount(count[step], "time")}`;
}

/**
 * Return the speed of a story at each step: slow at its scenes, elsewhere so fast that it ends in time. A story of few
 * merges shows the beats of each.
 * @param {number} last  number of merges
 * @param {Scene[]} scenes
 * @returns {(step: number) => Speed}
 */
export function tempoOf(last, scenes) {
  const reading = scenes.map(({ text }) => Math.max(BEATS_SECONDS / SLOW, text.length / READABLE));
  const all = reading.reduce((sum, seconds) => sum + seconds, 0);
  const share = all ? Math.min(1, (MOST_OF_IT * STORY_SECONDS) / all) : 1;
  const slow = new Map(scenes.map(({ step }, at) => [step, BEATS_SECONDS / (reading[at] * share)]));
  const rate = (last - slow.size) / (STORY_SECONDS - all * share); // merges a second
  const factor = Math.max(LEAST_FACTOR, rate * BEATS_SECONDS);
  const between = factor > MOST_FACTOR ? { label: "", rate } : { label: "", factor };
  return (step) => {
    const slower = slow.get(step);
    return slower ? { label: "", factor: slower } : between;
  };
}

/**
 * Return the five numbers of the last card, as [name, value].
 * @param {Model} model
 * @returns {[string, string][]}
 */
export function storyNumbers(model) {
  const { last, steps, feed } = model;
  const [before, after] = [tokensNow(model, 0) ?? 0, tokensNow(model, last) ?? 0];
  const ties = steps.tied.filter((tied, step) => tied > 1 && !isReplayed(model, step)).length;
  const tokens = Array.from(steps.ids, (id) => tokenOf(model, id));
  const longest = tokens.reduce((best, token) => (token.length > best.length ? token : best), tokens[0]);
  const unit = feed.unit === "bytes" ? "byte" : "character";
  return [
    ["Tokens before", formatNumber(before)],
    ["Tokens after", formatNumber(after)],
    ["Merges", formatNumber(last)],
    ["Merges that broke a tie", formatNumber(ties)],
    ["Longest token", `${shortened(longest.label)} (${formatCount(longest.length, unit)})`],
  ];
}

/**
 * Return the scene that a step belongs to, before or just after its merge.
 * @param {Scene[]} scenes
 * @param {number} step
 * @param {string | undefined} beat
 */
export function sceneAt(scenes, step, beat) {
  const rank = beat === "fuse" || beat === "settle" ? step - 1 : step;
  return scenes.find((scene) => scene.step === rank) ?? null;
}
