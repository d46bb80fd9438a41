// The pair table, counted in the browser while it plays. If the feed holds every word of the corpus, Python need not
// send the table. The rows are the same as Python's; tests/js compares the two.

/** @import {Model} from "./feed.js" */

import { PAIR_ROWS } from "../shared/feed_types.js";
import { isFinished, isSecond, tokenOf, numberWithoutId, countNow } from "./feed.js";
import { sumOf } from "../shared/numbers.js";
import { cellsOf, eachToken, idAt } from "./segmentation.js";
import { chipLabelOf, hexText } from "./spelling.js";

/** @typedef {{left: number, right: number, count: number}} CountedPair */

/** The pair table after some merges. @typedef {NonNullable<ReturnType<typeof pairTable>>} PairTable */

/** One of its rows. @typedef {PairTable["rows"][number]} PairRow */

/** Return the name of a pair, made from the ids of its tokens. @param {number} left @param {number} right */
export function pairName(left, right) {
  return `${left} ${right}`;
}

/** Return the name of the pair that a step merges; "" if none is left. @param {Pick<Model, "steps" | "last">} model @param {number} step */
export function mergedPair({ steps, last }, step) {
  return step < last ? pairName(steps.left[step], steps.right[step]) : "";
}

/** Return the ids of a pair by its name. @param {string} name @returns {[number, number]} */
export function pairNamed(name) {
  const [left, right] = name.split(" ").map(Number);
  return [left, right];
}

/**
 * Count the pairs after `step` merges. In the first of two stages no pair reaches across its words. Where overlaps do not
 * count, a pair that overlaps an equal one counted before it is left out.
 * @param {Model} model  one that holds every word of the corpus
 * @param {number} step
 * @param {boolean} inWords  whether to count within the words of the first stage
 * @returns {Map<string, CountedPair>}  by name, in order of first occurrence
 */
export function pairsAt(model, step, inWords = !isSecond(model, step)) {
  const { counted: cells } = cellsOf(model);
  const { frequency } = model.words;
  /** @type {Map<string, CountedPair>} */
  const pairs = new Map();
  for (const item of model.order.length ? model.order : cells.words.keys()) {
    let left = -1;
    let before = "";
    eachToken(cells, step, cells.firstCell[item], cells.firstCell[item + 1], (start, end) => {
      const right = idAt(cells, start, end);
      const apart = start === cells.firstCell[item] || (inWords && cells.ends[start - 1]);
      const name = apart ? "" : pairName(left, right);
      // Only in a run of one token does a pair equal the one before it.
      before = name === before && !model.overlaps ? "" : name;
      const pair = pairs.get(before);
      if (pair) pair.count += frequency[item];
      else if (before) pairs.set(before, { left, right, count: frequency[item] });
      left = right;
    });
  }
  return pairs;
}

/**
 * Return the first rows of the pair table after `step` merges. The chosen pair comes first, then the most frequent
 * ones. Of pairs with equal counts, those that tie for the next merge come first, in order of first occurrence; the
 * others follow by the ids of their tokens. Null if the feed does not hold every word of the corpus.
 * @param {Model} model
 * @param {number} step
 */
export function pairTable(model, step) {
  if (!model.whole) return null;
  const pairs = pairsAt(model, step);
  // The last merge is of the first stage when the second begins, so its changes are those within words.
  const begins = model.stage?.after === step;
  const earlier = step ? pairsAt(model, step - 1) : pairs;
  const later = begins ? pairsAt(model, step, true) : pairs;
  const chosen = mergedPair(model, step);
  const tied = tiedAt(model, pairs);
  const total = sumOf([...pairs.values()].map(({ count }) => count));
  const rows = [...pairs]
    .toSorted(([a, one], [b, other]) => {
      const isFirst = Number(b === chosen) - Number(a === chosen);
      const isTied = (tied.get(a) ?? tied.size) - (tied.get(b) ?? tied.size);
      return isFirst || other.count - one.count || isTied || one.left - other.left || one.right - other.right;
    })
    .slice(0, PAIR_ROWS)
    .map(([name, { left, right, count }], at) => {
      const change = (later.get(name)?.count ?? 0) - (earlier.get(name)?.count ?? 0);
      return {
        ...describePair(model, left, right),
        rank: at + 1,
        count,
        share: count / total,
        change,
        new: step > 0 && change === count,
        tied: tied.size > 1 && tied.has(name),
        chosen: name === chosen,
      };
    });
  return { step, rows, total: pairs.size };
}

/**
 * Return the names of the most frequent pairs that may merge, numbered by first occurrence.
 * @param {Model} model
 * @param {Map<string, CountedPair>} pairs
 */
export function tiedAt({ barred }, pairs) {
  const allowed = new Map(pairs);
  for (let at = 0; at < barred.length; at += 2) allowed.delete(pairName(barred[at], barred[at + 1]));
  let most = 0;
  for (const { count } of allowed.values()) most = Math.max(most, count);
  const names = [...allowed].filter(([, { count }]) => count === most).map(([name]) => name);
  return new Map(names.map((name, number) => [name, number]));
}

/** The pairs that tied for the step that was asked for last. @type {WeakMap<Model, {step: number, pairs: [number, number][]}>} */
const TIED = new WeakMap();

/**
 * Return the pairs that tie for merge `step` by first occurrence, as [left id, right id]: counted if the feed holds
 * every word of the corpus, and otherwise as it names them. Null if it does not tell. In the mere replay of a tokenizer
 * nothing was counted, so no pair ties.
 * @param {Model} model
 * @param {number} step
 * @returns {[number, number][] | null}
 */
export function tiedPairs(model, step) {
  const { starts, ids } = model.ties;
  if (model.replay && isFinished(model)) return [];
  if (model.whole && step < model.last) {
    const known = TIED.get(model);
    if (known?.step === step) return known.pairs;
    const pairs = tiedCounted(model, step);
    TIED.set(model, { step, pairs });
    return pairs;
  }
  if (step + 1 >= starts.length) return null;
  return Array.from({ length: starts[step + 1] - starts[step] }, (_, at) => {
    const first = 2 * (starts[step] + at);
    return /** @type {[number, number]} */ ([ids[first], ids[first + 1]]);
  });
}

/** @param {Model} model @param {number} step @returns {[number, number][]} */
function tiedCounted(model, step) {
  const { left, right, tied } = model.steps;
  if (!tied[step]) return []; // a replay merges another pair than the most frequent one
  if (tied[step] === 1) return [[left[step], right[step]]];
  return Array.from(tiedAt(model, pairsAt(model, step)).keys(), pairNamed);
}

/** @param {Model} model @param {number} left @param {number} right */
function describePair(model, left, right) {
  const sides = [tokenOf(model, left), tokenOf(model, right)];
  const bytes = sides.flatMap((side) => side.bytes);
  return {
    ids: [left, right, numberOfToken(model, bytes)],
    labels: [...sides.map((side) => side.bytes), bytes].map((symbol) => chipLabelOf(symbol, model.spelling)),
    pair: sides.map((side) => hexText(side.bytes)),
  };
}

/** @type {WeakMap<Model, Map<string, number>>} */
const IDS = new WeakMap();

/**
 * Return the id of the token with these bytes, or a number to colour it by.
 * @param {Model} model
 * @param {number[]} bytes
 */
function numberOfToken(model, bytes) {
  let ids = IDS.get(model);
  if (!ids) {
    ids = new Map(Array.from(model.steps.ids, (id) => [hexText(tokenOf(model, id).bytes), id]));
    IDS.set(model, ids);
  }
  return ids.get(hexText(bytes)) ?? numberWithoutId(bytes);
}

// The changes by a step: how often the tokens of a merge occur.

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

// The numbers of the whole corpus after a step: tokens and vocabulary.

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
