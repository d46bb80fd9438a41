// The merge loop: choose, merge and count, as bpe/training/merge_loop.py does, without counting the whole corpus again.

/** @import {Live, LiveRule, Recipe} from "../live_types.js" */
/** @import {CorpusLayout, Neighbours} from "./corpus_layout.js" */
/** @import {SymbolReader} from "../text/word_symbols.js" */

import { replacePair, totalFrequency } from "./corpus_layout.js";
import { createCountQueue } from "./pair_queue.js";
import { addPair, firstPairPosition, indexPairs, removePair } from "./pair_places.js";
import { countApart, lostApart } from "./symbol_runs.js";
import { tieQueue } from "./tie_orders.js";
import { fillSentence, TrainerError } from "../trainer_error.js";
import { hexOfSymbol } from "../text/word_symbols.js";

/**
 * The merges, one item each in every list.
 * @typedef {object} MergeLog
 * @property {number[]} left  internal ids
 * @property {number[]} right
 * @property {number[]} count
 * @property {number[]} tied
 * @property {number[]} replaced
 * @property {[number, number][][]} ties  the pairs that tied at the first steps, by first occurrence
 */

/** @returns {MergeLog} */
export function emptyLog() {
  return { left: [], right: [], count: [], tied: [], replaced: [], ties: [] };
}

/**
 * What a training changes while it goes on.
 * @typedef {object} TrainingState
 * @property {Live} live
 * @property {Recipe} recipe
 * @property {LiveRule} rule
 * @property {SymbolReader} reader
 * @property {string[]} symbols  by internal id
 * @property {number} alphabetSize
 * @property {CorpusLayout} layout
 * @property {MergeLog} log
 */

/**
 * Learn at most `most` merges, yield after each, and return why it stopped: a key of `live.endings`.
 * @param {TrainingState} state
 * @param {number} most
 * @returns {Generator<void, string>}
 */
export function* mergeSteps(state, most) {
  const { recipe, layout, symbols, log } = state;
  const overlaps = recipe.overlaps !== "skip";
  // No more merges than boundaries can close.
  const stride = symbols.length + Math.min(most, layout.startingAt.length) + 1;
  const index = indexPairs(layout, stride, overlaps);
  const candidates = { index, layout, symbols, alphabetSize: state.alphabetSize, reader: state.reader };
  const queue = createCountQueue(index.count, (tied) =>
    tieQueue(candidates, tied, state.rule, recipe.seed ?? 0),
  );
  const { tied_steps: mostTiedSteps, ties: mostTies } = state.live.limits;
  const minimum = recipe.min_count ?? 1;
  const end = log.left.length + most;
  let named = log.ties.reduce((sum, pairs) => sum + pairs.length, 0);

  /** Return the tied pairs by first occurrence. */
  function byFirstOccurrence() {
    const placed = Array.from(queue.tied, (pair) => ({ pair, at: firstPairPosition(index, layout, pair) }));
    return placed.toSorted((one, other) => one.at - other.at).map(({ pair }) => pair);
  }

  for (let rank = log.left.length; rank < end; rank++) {
    if (!queue.advance()) return "no pairs";
    const count = queue.topCount();
    if (count < minimum) return "min_count";
    const pick = recipe.picks?.[rank];
    // Of the first steps a feed names the pairs that tied, until there are too many of them.
    named += queue.tied.size;
    const isNamed = rank < mostTiedSteps && named <= mostTies && log.ties.length === rank;
    const ordered = isNamed || pick !== undefined ? byFirstOccurrence() : [];
    const pair = pick === undefined ? queue.best(rank) : picked(state, index, ordered, rank, pick);
    const [left, right] = [index.left[pair], index.right[pair]];
    if (isNamed) log.ties.push(ordered.map((one) => [index.left[one], index.right[one]]));
    log.left.push(left);
    log.right.push(right);
    log.count.push(count);
    log.tied.push(queue.tied.size);
    const positions = index.positions[pair];
    const merged = symbols.push(symbols[left] + symbols[right]) - 1;
    removePair(index, pair);
    queue.remove(pair);
    const { before, after, replaced } = replacePair(layout, positions, left, right, merged, rank + 1);
    log.replaced.push(replaced);
    for (const change of changes(layout, overlaps, left, right, merged, before, after)) {
      const old = index.numbers.get(change.oldLeft * stride + change.oldRight);
      if (old !== undefined) {
        // undefined: in a run of the pair, this is the merged pair itself.
        index.count[old] -= change.lost;
        if (change.lost) queue.remove(old);
        if (!index.count[old]) removePair(index, old);
      }
      queue.add(addPair(index, change.newLeft, change.newRight, change.gained, change.positions));
    }
    yield;
  }
  return most === recipe.merges ? "merges" : "vocab_size";
}

/**
 * @typedef {object} PairChange
 * @property {number} oldLeft
 * @property {number} oldRight
 * @property {number} newLeft
 * @property {number} newRight
 * @property {number[]} positions  of the new pair
 * @property {number} lost  by the old pair
 * @property {number} gained  by the new one
 */

/**
 * Return what a merge changes: (b, c) in "a b c d" turns the pair (a, b) into (a, bc), and (c, d) into (bc, d). Those after
 * come first: in a run of the pair they make (new, left), and those before turn it into (new, new).
 * @param {CorpusLayout} layout
 * @param {boolean} overlaps
 * @param {number} left
 * @param {number} right
 * @param {number} merged
 * @param {Neighbours} before
 * @param {Neighbours} after
 * @returns {PairChange[]}
 */
function changes(layout, overlaps, left, right, merged, before, after) {
  /** @type {PairChange[]} */
  const all = [];
  for (const [other, positions] of after) {
    const moved = totalFrequency(layout, positions);
    const lost = overlaps || other !== right ? moved : lostApart(layout, other, positions, true);
    all.push({
      oldLeft: right,
      oldRight: other,
      newLeft: merged,
      newRight: other,
      positions,
      lost,
      gained: moved,
    });
  }
  for (const [other, positions] of before) {
    const moved = totalFrequency(layout, positions);
    const lost = overlaps || other !== left ? moved : lostApart(layout, other, positions, false);
    const gained = overlaps || other !== merged ? moved : countApart(layout, merged, positions);
    all.push({ oldLeft: other, oldRight: left, newLeft: other, newRight: merged, positions, lost, gained });
  }
  return all;
}

/**
 * Return the pair that was picked by hand.
 * @param {TrainingState} state
 * @param {import("./pair_places.js").PairIndex} index
 * @param {number[]} ordered  the tied pairs by first occurrence
 * @param {number} rank
 * @param {number | string[]} pick
 */
function picked({ live, symbols }, index, ordered, rank, pick) {
  /** @param {number} pair */
  const spelled = (pair) => [symbols[index.left[pair]], symbols[index.right[pair]]];
  // An address may hold anything.
  const named = Array.isArray(pick) ? pick : [];
  const pair =
    typeof pick === "number"
      ? ordered[pick]
      : ordered.find((one) => spelled(one).every((symbol, side) => hexOfSymbol(symbol) === named[side]));
  if (pair !== undefined) return pair;
  throw new TrainerError(fillSentence(live.sentences.pick, { merge: rank + 1 }), rank);
}
