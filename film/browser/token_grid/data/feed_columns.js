// The columns of a feed, decoded: steps, words, ties and colours.

/** @import {Packed, Replay, Stage, Steps, Ties, TrainingFeed, Words} from "../../shared/feed_types.js" */
/** @import {Numbers} from "../../shared/numbers.js" */
/** @import {ModelReplay, ModelStage, ModelSteps, ModelWords} from "./feed.js" */

import { unpackNumbers } from "../../shared/numbers.js";

/** The closing step of a boundary that no step closes. */
export const NEVER = 0x7fffffff;

/** @param {Numbers} lengths */
function startsOf(lengths) {
  const starts = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) starts[at + 1] = starts[at] + lengths[at];
  return starts;
}

/** @param {Steps} steps */
function readPairs(steps) {
  const [left, right, count] = [steps.left, steps.right, steps.count].map(unpackNumbers);
  return { left, right, count };
}

/**
 * @param {TrainingFeed} feed
 * @returns {ModelSteps}
 */
export function readMerges({ steps, replay }) {
  const { left, right, count } = readPairs(steps);
  const replaced = Uint32Array.from(count);
  const differs = unpackNumbers(steps.differs);
  unpackNumbers(steps.replaced).forEach((value, at) => (replaced[differs[at]] = value));
  const ids = replay ? unpackNumbers(replay.ids) : Uint32Array.from(left, (_, rank) => steps.first + rank);
  return { left, right, count, replaced, tied: unpackNumbers(steps.tied), ids, ranks: null };
}

/**
 * @param {import("../../shared/feed_types.js").EncodingSteps} steps
 * @returns {ModelSteps}
 */
export function readEncoding(steps) {
  const { left, right, count } = readPairs(steps);
  const tied = new Uint8Array(left.length).fill(1);
  const ranks = steps.ranks ? unpackNumbers(steps.ranks) : null;
  return { left, right, count, replaced: count, tied, ids: unpackNumbers(steps.ids), ranks };
}

/**
 * @param {Words} words
 * @returns {ModelWords}
 */
export function readWords(words) {
  return {
    starts: startsOf(unpackNumbers(words.lengths)),
    symbol: unpackNumbers(words.symbols),
    close: Int32Array.from(unpackNumbers(words.closes), (step) => (step ? step - 1 : NEVER)),
    frequency: unpackNumbers(words.frequencies),
  };
}

/**
 * @param {Replay} replay
 * @returns {ModelReplay}
 */
export function readReplay({ steps, ranks, merges, best, highest, vocabulary }) {
  const ids = unpackNumbers(best);
  const counts = unpackNumbers(highest);
  return {
    steps,
    ranks: unpackNumbers(ranks),
    merges,
    best: Array.from(counts, (_, step) => [ids[2 * step], ids[2 * step + 1]]),
    highest: counts,
    vocabulary: unpackNumbers(vocabulary),
  };
}

/**
 * @param {Stage} stage
 * @returns {ModelStage}
 */
export function readStage({ after, superwords, tokens, ids, counts, ends }) {
  const occurrences = unpackNumbers(counts);
  const changed = Array.from(unpackNumbers(ids), (id, at) => /** @type {const} */ ([id, occurrences[at]]));
  return { after, superwords, tokens, counts: new Map(changed), ends: unpackNumbers(ends) };
}

/**
 * @param {Packed} shades
 * @param {Packed} [shaded]
 * @returns {Map<number, number>}
 */
export function readShades(shades, shaded) {
  const ids = shaded ? unpackNumbers(shaded) : null;
  return new Map(Array.from(unpackNumbers(shades), (shade, at) => [ids ? ids[at] : at, shade]));
}

/** @param {Ties | null} ties */
export function readTies(ties) {
  if (!ties) return { starts: new Uint32Array(1), ids: new Uint32Array(0) };
  return { starts: startsOf(unpackNumbers(ties.sizes)), ids: unpackNumbers(ties.ids) };
}
