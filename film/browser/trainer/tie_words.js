// The words of a listing of every way: their forms, what merges make of them, and the counts of their pairs.

/** @import {Delta, Listing, ListingRequest, State} from "./tie_listing.js" */

import { sumOf } from "../shared/numbers.js";
import { NONE, SIZE, filed, listed, look, spend } from "./tie_listing.js";

// A pair as one number, as bpe/pair_ids.py has it. 2 ** 48 is exact.
export const SHIFT = 2 ** 24;

/**
 * Read the words of the text, equal ones as one.
 * @param {Listing} listing
 * @param {ListingRequest} request
 */
export function readText(listing, { words, frequencies }) {
  /** @type {Map<string, number>} */
  const frequencyOf = new Map();
  let length = 0;
  words.forEach((word, number) => {
    const key = word.join(",");
    if (!frequencyOf.has(key)) {
      listing.common.push(formNumber(listing, word));
      length += word.length;
    }
    frequencyOf.set(key, (frequencyOf.get(key) ?? 0) + frequencies[number]);
  });
  listing.frequencies = [...frequencyOf.values()];
  listing.first = length * listing.frequencies.reduce((most, frequency) => Math.max(most, frequency), 0);
}

/**
 * Count the pairs of the text.
 * @param {Listing} listing
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* countPairsOfText(listing) {
  listing.entriesMade = 0; // the words of the text do not count
  for (const [number, form] of listing.common.entries()) {
    const pairs = countedPairs(listing, listing.forms[form]);
    for (const pair of pairs) {
      listing.counts.set(pair, (listing.counts.get(pair) ?? 0) + listing.frequencies[number]);
      yield* spend(listing, 1);
    }
    for (const pair of new Set(pairs)) listed(listing.wordsOf, pair).push(number);
    yield* spend(listing, pairs.length);
  }
  for (const [pair, count] of listing.counts) filed(listing.byCount, count).add(pair);
  listing.first = Math.max(0, ...listing.byCount.keys());
  yield* look(listing);
}

/**
 * @param {Listing} listing
 * @param {number[]} tokens
 */
function countedPairs(listing, tokens) {
  return listing.overlaps ? allPairs(tokens) : pairsApart(tokens);
}

/**
 * Return the symbol that a merge makes.
 * @param {Listing} listing
 * @param {number} pair
 */
export function symbolOf(listing, pair) {
  const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
  const key = `${listing.initial[one]},${listing.initial[other]}`;
  const known = listing.idOf.get(key);
  if (known !== undefined) return known;
  listing.idOf.set(key, listing.symbols.length);
  listing.initial.push(key);
  listing.initialLengths.push(listing.initialLengths[one] + listing.initialLengths[other]);
  listing.symbols.push(listing.symbols[one] + listing.symbols[other]);
  listing.entriesMade += SIZE.symbol + listing.initialLengths[listing.symbols.length - 1];
  return listing.symbols.length - 1;
}

/**
 * @param {Listing} listing
 * @param {number[]} tokens
 */
function formNumber(listing, tokens) {
  const key = tokens.join(",");
  const known = listing.formOf.get(key);
  if (known !== undefined) return known;
  listing.formOf.set(key, listing.forms.length);
  listing.forms.push(tokens);
  listing.mergesOf.push(new Map());
  listing.entriesMade += SIZE.form + tokens.length;
  return listing.forms.length - 1;
}

/**
 * Return what a merge makes of a form.
 * @param {Listing} listing
 * @param {number} form
 * @param {number} pair
 */
export function mergeForm(listing, form, pair) {
  let known = listing.mergesOf[form].get(pair);
  if (known) return known;
  const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
  const tokens = listing.forms[form];
  known = { form, pairs: NONE, times: NONE };
  if (tokens.includes(one) && tokens.includes(other)) {
    const after = mergeWord(tokens, one, other, symbolOf(listing, pair));
    if (after.length < tokens.length)
      known = { form: formNumber(listing, after), ...changesOf(listing, tokens, after) };
    listing.sinceLook += tokens.length;
  }
  listing.mergesOf[form].set(pair, known);
  listing.entriesMade += SIZE.merge + 8 * known.pairs.length;
  return known;
}

/**
 * Return the pairs whose number differs after a merge, and by how much.
 * @param {Listing} listing
 * @param {number[]} before
 * @param {number[]} after
 */
function changesOf(listing, before, after) {
  if (listing.overlaps) {
    // Only what is not alike at both ends, and its neighbours.
    let begin = 0;
    while (begin < after.length && before[begin] === after[begin]) begin++;
    if (begin === after.length) begin = 0;
    let end = 0;
    while (
      before[before.length - 1 - end] === after[after.length - 1 - end] &&
      begin + end + 1 < after.length
    )
      end++;
    [begin, end] = [Math.max(0, begin - 1), Math.max(0, end - 1)];
    before = before.slice(begin, before.length - end);
    after = after.slice(begin, after.length - end);
  }
  /** @type {Map<number, number>} */
  const changes = new Map();
  for (const pair of countedPairs(listing, before)) changes.set(pair, (changes.get(pair) ?? 0) - 1);
  for (const pair of countedPairs(listing, after)) changes.set(pair, (changes.get(pair) ?? 0) + 1);
  const pairs = [...changes.keys()].filter((pair) => changes.get(pair));
  return { pairs, times: pairs.map((pair) => changes.get(pair) ?? 0) };
}

/**
 * @param {Listing} listing
 * @param {number} form
 * @param {Iterable<number>} path
 */
function formAfter(listing, form, path) {
  for (const pair of path) form = mergeForm(listing, form, pair).form;
  return form;
}

/**
 * Return the form of a word.
 * @param {Listing} listing
 * @param {Delta} words
 * @param {number} number  of the word
 */
export function formAt(listing, words, number) {
  return words.get(number) ?? listing.common[number];
}

/**
 * @param {Listing} listing
 * @param {State} state
 * @param {number} pair
 */
export function countOf(listing, state, pair) {
  return state.counts.get(pair) ?? listing.counts.get(pair) ?? 0;
}

/**
 * Find the pairs of the highest count of a state, which is at most `bound`.
 * @param {Listing} listing
 * @param {State} state
 * @param {number} bound
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* findTop(listing, state, bound) {
  yield* spend(listing, state.counts.size);
  let top = 0;
  for (const count of state.counts.values()) top = Math.max(top, count);
  let tied = new Set([...state.counts].filter(([, count]) => count === top).map(([pair]) => pair));
  const between = [...listing.byCount.keys()].filter((count) => top <= count && count <= bound);
  for (const count of between.toSorted((one, other) => other - one)) {
    yield* spend(listing, listing.byCount.get(count)?.size ?? 0);
    const pairs = [...(listing.byCount.get(count) ?? [])].filter((pair) => !state.counts.has(pair));
    if (pairs.length) {
      tied = new Set([...pairs, ...(count === top ? tied : [])]);
      top = count;
      break;
    }
  }
  state.topCount = top;
  state.tied = top ? tied : new Set();
}

/**
 * Return the words and counts of a state after further merges. `paths` has those of each word.
 * @param {Listing} listing
 * @param {State} state
 * @param {Map<number, number[]>} paths
 * @yields when the work could be ended
 * @returns {Generator<void, {words: Delta, counts: Map<number, number>}>}
 */
export function* applyMerges(listing, state, paths) {
  const words = new Map(state.words);
  const changed = new Map(state.counts);
  for (const [number, path] of paths) {
    const old = formAt(listing, words, number);
    let form = old;
    for (const pair of path) {
      const { form: next, pairs, times } = mergeForm(listing, form, pair);
      form = next;
      pairs.forEach((other, at) => {
        const before = changed.get(other) ?? listing.counts.get(other) ?? 0;
        changed.set(other, before + times[at] * listing.frequencies[number]);
      });
    }
    if (form !== old) words.set(number, form);
  }
  yield* spend(listing, paths.size + words.size + changed.size);
  return { words, counts: changed };
}

/**
 * @param {Listing} listing
 * @param {Delta} words @param {number[]} numbers @param {number[]} path
 * @yields when the work could be ended
 * @returns {Generator<void, Delta>}
 */
export function* wordsAfter(listing, words, numbers, path) {
  const after = new Map(words);
  for (const number of numbers) {
    const old = formAt(listing, words, number);
    const next = formAfter(listing, old, path);
    if (next !== old) after.set(number, next);
  }
  yield* spend(listing, words.size + numbers.length * path.length);
  return after;
}

/**
 * Return the numbers of the words in which pairs can occur, ascending.
 * @param {Listing} listing
 * @param {State} state
 * @param {Iterable<number>} pairs
 * @yields when the work could be ended
 * @returns {Generator<void, number[]>}
 */
export function* wordsWith(listing, state, pairs) {
  const numbers = new Set(state.words.keys());
  for (const pair of pairs) for (const number of listing.wordsOf.get(pair) ?? []) numbers.add(number);
  yield* spend(listing, numbers.size);
  return [...numbers].toSorted((one, other) => one - other);
}

/**
 * Let the words of a state be the common ones.
 * @param {Listing} listing
 * @param {State} state
 */
export function makeCommon(listing, state) {
  for (const [number, next] of state.words) {
    const before = new Set(countedPairs(listing, listing.forms[listing.common[number]]));
    for (const pair of new Set(countedPairs(listing, listing.forms[next])))
      if (!before.has(pair)) listed(listing.wordsOf, pair).push(number);
    listing.common[number] = next;
    listing.sinceLook += listing.forms[next].length;
  }
  for (const [pair, count] of state.counts) {
    const old = listing.counts.get(pair) ?? 0;
    const bucket = listing.byCount.get(old);
    bucket?.delete(pair);
    if (bucket && !bucket.size) listing.byCount.delete(old);
    if (count) {
      filed(listing.byCount, count).add(pair);
      listing.counts.set(pair, count);
    } else {
      listing.counts.delete(pair);
      listing.wordsOf.delete(pair);
    }
  }
  state.words = new Map();
  state.counts = new Map();
  state.symbolsMade = [];
  listing.epoch += 1;
  listing.keyOf.set(state.node, "");
  if (listing.forms.length > 4 * listing.common.length + 10_000) {
    const tokens = listing.common.map((form) => listing.forms[form]);
    [listing.forms, listing.mergesOf] = [[], []];
    listing.formOf = new Map();
    tokens.forEach((word, number) => (listing.common[number] = formNumber(listing, word)));
    listing.entriesMade = sumOf(listing.initialLengths.map((length) => SIZE.symbol + length));
  }
}

/** @param {Delta} words */
export function keyOfWords(words) {
  return [...words]
    .toSorted(([one], [other]) => one - other)
    .map(([number, form]) => `${number}:${form}`)
    .join(",");
}

/**
 * Return a word with a pair replaced from left to right.
 * @template Token
 * @param {Token[]} tokens
 * @param {Token} left
 * @param {Token} right
 * @param {Token} token
 */
export function mergeWord(tokens, left, right, token) {
  /** @type {Token[]} */
  const after = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] === left && at + 1 < tokens.length && tokens[at + 1] === right) {
      after.push(token);
      at += 1;
    } else after.push(tokens[at]);
  }
  return after;
}

/** @param {number[]} tokens */
export function allPairs(tokens) {
  return tokens.slice(1).map((right, at) => tokens[at] * SHIFT + right);
}

/** Return the pairs, but none that overlaps an equal one before it. @param {number[]} tokens */
function pairsApart(tokens) {
  const apart = [];
  let before = -1;
  for (const pair of allPairs(tokens)) {
    before = pair === before ? -1 : pair;
    if (before >= 0) apart.push(pair);
  }
  return apart;
}
