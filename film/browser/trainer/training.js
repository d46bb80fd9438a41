// A training: a text and a recipe, the words they make, and what was learned from them.

/** @import {Live, LiveRule, Recipe, LiveVariant} from "./live_types.js" */
/** @import {CorpusLayout, Neighbours} from "./corpus.js" */
/** @import {SymbolReader} from "./text.js" */

import {
  replacePair,
  totalFrequency,
  createCountQueue,
  addPair,
  firstPairPosition,
  indexPairs,
  removePair,
  countApart,
  lostApart,
  layOutCorpus,
} from "./corpus.js";
import { tieQueue } from "./tie_orders.js";
import {
  TrainerError,
  hexOfSymbol,
  orderAlphabet,
  SPLITS,
  bytesOfText,
  characterCount,
  SPELLERS,
  symbolReader,
} from "./text.js";
import { filled, formatNumber } from "../shared/numbers.js";

// The merge loop: choose, merge and count, as bpe/training/merge_loop.py does, without counting the whole corpus again.

/**
 * The merges, one item each in every list.
 * @typedef {object} MergeLog
 * @property {number[]} left  internal ids
 * @property {number[]} right
 * @property {number[]} count
 * @property {number[]} tied
 * @property {number[]} replaced
 * @property {Map<number, LoggedRival[]>} rivals  of each merge that has some: the one that loses most first
 * @property {[number, number][][]} ties  the pairs that tied at the first steps, by first occurrence
 */

/** A tied pair that overlaps the merged one, and how many of its places it loses. @typedef {{left: number, right: number, lost: number}} LoggedRival */

/** @returns {MergeLog} */
function emptyLog() {
  return { left: [], right: [], count: [], tied: [], replaced: [], rivals: new Map(), ties: [] };
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
function* mergeSteps(state, most) {
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
    const rivals = createRivals(index, queue.tied, merged);
    for (const change of changes(layout, overlaps, left, right, merged, before, after)) {
      const old = index.numbers.get(change.oldLeft * stride + change.oldRight);
      if (old !== undefined) {
        // undefined: in a run of the pair, this is the merged pair itself.
        rivals.lose(old, change.lost);
        index.count[old] -= change.lost;
        if (change.lost) queue.remove(old);
        if (!index.count[old]) removePair(index, old);
      }
      queue.add(addPair(index, change.newLeft, change.newRight, change.gained, change.positions));
    }
    if (left === right) rivals.addFollowers(layout, right);
    const overlapping = rivals.inOrder();
    if (overlapping.length) log.rivals.set(rank, overlapping);
    yield;
  }
  return most === recipe.merges ? "merges" : "vocab_size";
}

/**
 * Return the rivals of a merge, to be filled while pairs are counted anew, as `rivals_of` in bpe/training/pair_index.py
 * finds them.
 * @param {import("./corpus.js").PairIndex} index
 * @param {Set<number>} tied
 * @param {number} merged
 */
function createRivals(index, tied, merged) {
  /** @type {Map<number, LoggedRival>} */
  const rivals = new Map();

  /** @param {number} pair  a tied one @param {number} lost */
  function lose(pair, lost) {
    const [left, right] = [index.left[pair], index.right[pair]];
    if (!(rivals.has(pair) || tied.has(pair)) || left === merged || right === merged) return;
    rivals.set(pair, { left, right, lost: (rivals.get(pair)?.lost ?? 0) + lost });
  }

  /**
   * Add the pairs behind an odd run of one symbol: in `a a a y` the first two are merged, so (a, y) loses nothing.
   * @param {CorpusLayout} layout
   * @param {number} symbol
   */
  function addFollowers({ startingAt, endingAt, length }, symbol) {
    for (const pair of tied) {
      if (index.left[pair] !== symbol || rivals.has(pair)) continue;
      const isBehind = (/** @type {number} */ position) =>
        startingAt[position] === index.right[pair] &&
        endingAt[position] === symbol &&
        endingAt[position - length[symbol]] === merged;
      if (index.positions[pair].some(isBehind)) lose(pair, 0);
    }
  }

  return {
    lose,
    addFollowers,
    inOrder: () =>
      [...rivals.values()].toSorted(
        (one, other) => other.lost - one.lost || one.left - other.left || one.right - other.right,
      ),
  };
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
 * @param {import("./corpus.js").PairIndex} index
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
  throw new TrainerError(filled(live.sentences.pick, { merge: rank + 1 }), rank);
}

// Pre-tokens between two points at which the work can be ended.
const MANY_PRE_TOKENS = 1 << 9;
const MAX_SYMBOLS = 1 << 24; // as bpe/pair_ids.py

/**
 * The distinct words of a corpus, in the requested order.
 * @typedef {object} Corpus
 * @property {string[]} documents
 * @property {string[]} preTokens
 * @property {number[]} frequencies
 * @property {Map<string, number>} numberOf  pre-token -> its number
 */

/**
 * @typedef {object} Training
 * @property {Live} live
 * @property {Recipe} recipe
 * @property {LiveVariant} variant
 * @property {import("./live_types.js").LiveRule} rule
 * @property {import("./text.js").SymbolReader} reader
 * @property {Corpus} corpus
 * @property {string[]} symbols  by internal id: the alphabet, then one for each merge
 * @property {number} alphabetSize
 * @property {number[][]} words  the initial symbols of each pre-token, as internal ids
 * @property {number[]} counts  of the initial symbols, before any merge
 * @property {number[][]} closes  for each initial symbol of each pre-token 1 + the merge that closes the boundary after it, or 0
 * @property {MergeLog} log
 * @property {string} stopped  a key of `live.endings`
 */

/** How far a training is: merges so far, and merges that were asked for, 0 while the words are counted. @typedef {[number, number]} Progress */

/**
 * Train, and yield the progress whenever the work could be ended. Throws TrainerError for what Python refuses too.
 * @param {Live} live
 * @param {string} text
 * @param {Recipe} recipe
 * @yields {Progress}
 * @returns {Generator<Progress, Training>}
 */
export function* trainingSteps(live, text, recipe) {
  const variant = rowNamed(live.variants, recipe.variant);
  const rule = rowNamed(live.rules, recipe.tie_break);
  const reader = symbolReader(variant);
  const corpus = yield* countWords(live, variant, documentsOf(live, text, recipe), recipe);
  const spell = SPELLERS[variant.spell];
  yield [0, 0];
  const spelled = corpus.preTokens.map((preToken) => spell(preToken, reader.marker));
  const appearing = [...new Set(spelled.flat())];
  const symbols = orderAlphabet(live, variant, recipe.alphabet ?? "value", appearing, reader);
  const alphabetSize = symbols.length;
  const idOf = new Map(symbols.map((symbol, id) => [symbol, id]));
  const words = spelled.map((word) => word.map((symbol) => idOf.get(symbol) ?? 0));
  yield [0, 0];
  const most = mostMerges(live, recipe, alphabetSize);
  const layout = layOutCorpus(words, corpus.frequencies, alphabetSize);
  const log = emptyLog();
  /** @type {TrainingState} */
  const state = { live, recipe, rule, reader, symbols, alphabetSize, layout, log };
  const counts = Array.from({ length: alphabetSize }, () => 0);
  words.forEach((word, number) => word.forEach((id) => (counts[id] += corpus.frequencies[number])));
  const asked = Math.min(most, layout.startingAt.length);
  yield [0, asked];
  const merging = mergeSteps(state, most);
  let step = merging.next();
  for (; !step.done; step = merging.next()) yield [log.left.length, asked];
  yield [log.left.length, asked];
  const closes = closesOf(words, layout.closedBy);
  const stopped = step.value;
  return {
    live,
    recipe,
    variant,
    rule,
    reader,
    corpus,
    symbols,
    alphabetSize,
    words,
    counts,
    closes,
    log,
    stopped,
  };
}

/** @template {{slug: string}} Row @param {Row[]} rows @param {string} slug @returns {Row} */
function rowNamed(rows, slug) {
  const row = rows.find((one) => one.slug === slug);
  if (!row) throw new TrainerError(`This page has no choice named ${JSON.stringify(slug)}.`);
  return row;
}

/**
 * Return the documents of a text: the text, or its lines with or without their ends.
 * @param {Live} live
 * @param {string} text
 * @param {Recipe} recipe
 */
function documentsOf(live, text, recipe) {
  checkText(live, text);
  const lines = live.lines[String(recipe.lines ?? false)];
  if (lines === "bare") return text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines === "ended" ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : [text];
}

/** Throw TrainerError for half a character, which UTF-8 cannot encode. @param {Live} live @param {string} text */
export function checkText(live, text) {
  const lone = text.match(/[\ud800-\udfff]/u);
  if (!lone) return;
  const surrogate = `U+${lone[0].charCodeAt(0).toString(16).toUpperCase()}`;
  const position = characterCount(text.slice(0, lone.index));
  throw new TrainerError(filled(live.sentences.surrogate, { surrogate, position, where: "" }));
}

/**
 * @param {Live} live
 * @param {LiveVariant} variant
 * @param {string[]} documents
 * @param {Recipe} recipe
 * @yields {Progress}
 * @returns {Generator<Progress, Corpus>}
 */
function* countWords(live, variant, documents, recipe) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let read = 0;
  for (const document of documents) {
    for (const [preToken] of SPLITS[variant.split](live)(document)) {
      counts.set(preToken, (counts.get(preToken) ?? 0) + 1);
      if (++read % MANY_PRE_TOKENS === 0) yield [0, 0];
    }
  }
  const items = [...counts];
  if (recipe.word_order === "frequency") {
    const keyed = items.map((item) => ({ item, bytes: bytesOfText(item[0]) }));
    keyed.sort((one, other) => other.item[1] - one.item[1] || (one.bytes < other.bytes ? -1 : 1));
    items.splice(0, items.length, ...keyed.map(({ item }) => item));
  }
  const preTokens = items.map(([preToken]) => preToken);
  const numberOf = new Map(preTokens.map((preToken, number) => [preToken, number]));
  return { documents, preTokens, frequencies: items.map(([, count]) => count), numberOf };
}

/**
 * Return how many merges the recipe allows.
 * @param {Live} live
 * @param {Recipe} recipe
 * @param {number} alphabetSize
 */
function mostMerges(live, { merges, vocab_size: size, special_tokens: specials = [] }, alphabetSize) {
  const limits = [MAX_SYMBOLS - alphabetSize];
  if (typeof merges === "number") limits.push(merges);
  if (typeof size === "number") {
    const least = specials.length + alphabetSize;
    if (size < least) {
      const values = {
        least: formatNumber(least),
        specials: specials.length,
        alphabet: formatNumber(alphabetSize),
        size: formatNumber(size),
      };
      throw new TrainerError(filled(live.sentences.vocab_size, values));
    }
    limits.push(size - least);
  }
  return Math.min(...limits);
}

/**
 * Return for each symbol of each word the step that closes the boundary after it, or 0.
 * @param {number[][]} words
 * @param {Int32Array} closedBy
 */
export function closesOf(words, closedBy) {
  let position = 1;
  return words.map((word) => {
    const start = position;
    position += word.length + 1;
    // The boundary after a symbol is the one before the next position; a wall's is never closed.
    return Array.from(closedBy.subarray(start + 1, position));
  });
}

// Encoding: the merges of a training, applied to new words in the order in which they were learned. For learned merges this
// is what the encoder with the lowest rank first does: a merge makes no pair that an earlier one could merge.

/**
 * One merge that applies, in all words at once.
 * @typedef {object} EncodingStep
 * @property {number} rank
 * @property {number} count  how often it applies, in words as often as they occur
 */

/**
 * Encode words with the first merges of a training.
 * @param {Training} training
 * @param {number} merges
 * @param {number[][]} words  initial symbols as internal ids; an unknown one has an id from alphabet + merges on
 * @param {number[]} frequencies
 */
export function encodeWords({ log, alphabetSize }, merges, words, frequencies) {
  let size = alphabetSize + merges;
  for (const word of words) for (const id of word) size = Math.max(size, id + 1);
  const layout = layOutCorpus(words, frequencies, size);
  const index = indexPairs(layout, size, true);
  /** @type {EncodingStep[]} */
  const steps = [];
  for (let rank = 0; rank < merges; rank++) {
    const [left, right, merged] = [log.left[rank], log.right[rank], alphabetSize + rank];
    const pair = index.numbers.get(left * size + right);
    if (pair === undefined) continue;
    const positions = index.positions[pair];
    const { before, after, replaced } = replacePair(layout, positions, left, right, merged, steps.length + 1);
    if (replaced) steps.push({ rank, count: replaced });
    for (const [other, ends] of after) addPair(index, merged, other, 0, ends);
    for (const [other, starts] of before) addPair(index, other, merged, 0, starts);
  }
  return { steps, closedBy: layout.closedBy };
}
