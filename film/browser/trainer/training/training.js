// A training: a text and a recipe, the words they make, and what was learned from them.

/** @import {Live, LiveVariant, Recipe} from "../live_types.js" */
/** @import {MergeLog, TrainingState} from "./merging.js" */

import { formatNumber } from "../../shared/feed/numbers.js";
import { orderAlphabet } from "../text/initial_ids.js";
import { layOutCorpus } from "./corpus_layout.js";
import { emptyLog, mergeSteps } from "./merging.js";
import { SPLITS } from "../text/pre_tokens.js";
import { fillSentence, TrainerError } from "../trainer_error.js";
import { bytesOfText, characterCount, SPELLERS, symbolReader } from "../text/word_symbols.js";

// Pre-tokens between two points at which the work can be ended.
const MANY_PRE_TOKENS = 1 << 12;
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
 * @property {import("../live_types.js").LiveRule} rule
 * @property {import("../text/word_symbols.js").SymbolReader} reader
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
  const spelled = corpus.preTokens.map((preToken) => spell(preToken, reader.marker));
  const appearing = [...new Set(spelled.flat())];
  const symbols = orderAlphabet(live, variant, recipe.alphabet ?? "value", appearing, reader);
  const alphabetSize = symbols.length;
  const idOf = new Map(symbols.map((symbol, id) => [symbol, id]));
  const words = spelled.map((word) => word.map((symbol) => idOf.get(symbol) ?? 0));
  const most = mostMerges(live, recipe, alphabetSize);
  const layout = layOutCorpus(words, corpus.frequencies, alphabetSize);
  const log = emptyLog();
  /** @type {TrainingState} */
  const state = { live, recipe, rule, reader, symbols, alphabetSize, layout, log };
  const counts = Array.from({ length: alphabetSize }, () => 0);
  words.forEach((word, number) => word.forEach((id) => (counts[id] += corpus.frequencies[number])));
  const asked = Math.min(most, layout.startingAt.length);
  const merging = mergeSteps(state, most);
  let step = merging.next();
  for (; !step.done; step = merging.next()) yield [log.left.length, asked];
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

/**
 * @template {{slug: string}} Row
 * @param {Row[]} rows
 * @param {string} slug
 * @returns {Row}
 */
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

/**
 * Throw TrainerError for half a character, which UTF-8 cannot encode.
 * @param {Live} live
 * @param {string} text
 */
export function checkText(live, text) {
  const lone = text.match(/[\ud800-\udfff]/u);
  if (!lone) return;
  const surrogate = `U+${lone[0].charCodeAt(0).toString(16).toUpperCase()}`;
  const position = characterCount(text.slice(0, lone.index));
  throw new TrainerError(fillSentence(live.sentences.surrogate, { surrogate, position, where: "" }));
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
    for (const [preToken] of SPLITS[variant.split](live, variant)(document)) {
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
      throw new TrainerError(fillSentence(live.sentences.vocab_size, values));
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
