// The feed of a training, exactly as film/training_feed.py makes it.

/** @import {TrainingFeed, Ties, TrainingSteps, TrainingSymbols} from "../../shared/feed/feed_types.js" */
/** @import {Slice} from "./text_window.js" */
/** @import {Training} from "../training/training.js" */

import { packNumbers } from "./packing.js";
import { digestOf } from "./sha256.js";
import { specialCharacters } from "../text/special_characters.js";
import { cutTextWindow } from "./text_window.js";
import { hexOfSymbol } from "../text/word_symbols.js";

/**
 * What a feed shows.
 * @typedef {object} FeedOptions
 * @property {number} [size]  of the window, in characters
 * @property {boolean} [picks]  whether the viewer may pick another of the tied pairs
 * @property {boolean} [ties]  whether the feed names the pairs that tied at the first steps
 * @property {number} [further]  adds the words outside the window, if they have at most so many characters together
 */

/**
 * @param {Training} training
 * @param {FeedOptions} options
 * @returns {TrainingFeed}
 */
export function trainingFeed(
  training,
  { size = training.live.limits.film, picks = false, ties = true, further = 0 } = {},
) {
  const { live, variant, corpus, log, recipe, words } = training;
  const window = cutTextWindow(live, variant, corpus.documents, size);
  const inWindow = window.slices;
  const others = furtherSlices(training, inWindow, further);
  const slices = [...inWindow, ...others];
  const feedWords = windowWords(training, slices);
  const running = {
    words: packNumbers(window.reading),
    breaks: packNumbers(window.breaks),
    start: 0,
    end: window.end,
    total: window.total,
    letters: 0, // only white space precedes the first pre-token
  };
  const known = new Set(slices.filter((slice) => slice.isWhole).map((slice) => slice.preToken));
  const whole =
    corpus.preTokens.length <= live.limits.counted &&
    corpus.preTokens.every((preToken) => known.has(preToken));
  const family = familyOf(training);
  const initial = feedWords.initial.map((id) => hexOfSymbol(training.symbols[id]));
  const cells = digestOf(feedWords.words.lengths, feedWords.words.symbols, initial, running);
  let tokens = 0;
  words.forEach((word, number) => (tokens += word.length * corpus.frequencies[number]));
  return {
    training: true,
    family,
    cells,
    id: digestOf(family, cells, picks),
    unit: variant.unit,
    marker: variant.marker,
    marker_text: variant.marker_text,
    characters: specialCharacters(
      live,
      slices.map((slice) => slice.preToken),
      training.symbols,
    ),
    last: log.left.length,
    ending: live.endings[training.stopped],
    rows: inWindow.length <= live.limits.rows && inWindow.every((slice) => slice.isWhole),
    words: feedWords.words,
    text: running,
    symbols: feedSymbols(training, feedWords.initial),
    steps: feedSteps(training),
    tokens,
    rule: training.rule.title,
    ties: ties ? feedTies(training) : null,
    picked: Object.keys(recipe.picks ?? {})
      .map(Number)
      .toSorted((one, other) => one - other),
    picks,
    overlaps: recipe.overlaps !== "skip",
    whole,
    further: others.length,
    order: whole ? feedOrder(training, slices) : "",
    barred: whole ? packNumbers([]) : "",
  };
}

/**
 * Return the corpus's words that are not, or not whole, in the window; none if they have too many characters.
 * @param {Training} training
 * @param {Slice[]} inWindow
 * @param {number} most
 * @returns {Slice[]}
 */
function furtherSlices({ live, corpus, words }, inWindow, most) {
  if (!most || corpus.preTokens.length > live.limits.counted) return [];
  const uncut = new Set(inWindow.filter((slice) => slice.isWhole).map((slice) => slice.preToken));
  const others = corpus.preTokens.filter((preToken) => !uncut.has(preToken));
  let characters = 0;
  for (const preToken of others) characters += Array.from(preToken).length;
  if (characters > most) return [];
  return others.map((preToken) => {
    const word = words[corpus.numberOf.get(preToken) ?? 0];
    return { preToken, isWhole: true, symbols: word.length };
  });
}

/**
 * Return the slices as words of the feed, and the internal ids of their initial symbols in order of appearance.
 * @param {Training} training
 * @param {Slice[]} slices
 */
function windowWords({ corpus, words, closes }, slices) {
  /** @type {Map<number, number>} */
  const positionOf = new Map();
  /** @type {Record<"lengths" | "symbols" | "closes" | "frequencies", number[]>} */
  const columns = { lengths: [], symbols: [], closes: [], frequencies: [] };
  for (const { preToken, isWhole, symbols } of slices) {
    const number = corpus.numberOf.get(preToken) ?? 0;
    const length = isWhole ? words[number].length : symbols;
    columns.lengths.push(length);
    columns.frequencies.push(corpus.frequencies[number]);
    for (let at = 0; at < length; at++) {
      const id = words[number][at];
      if (!positionOf.has(id)) positionOf.set(id, positionOf.size);
      columns.symbols.push(positionOf.get(id) ?? 0);
      columns.closes.push(at + 1 < length ? closes[number][at] : 0);
    }
  }
  return {
    initial: [...positionOf.keys()],
    words: {
      lengths: packNumbers(columns.lengths),
      symbols: packNumbers(columns.symbols),
      closes: packNumbers(columns.closes),
      frequencies: packNumbers(columns.frequencies),
    },
  };
}

/**
 * Return the words' initial symbols, then the others that some merge uses.
 * @param {Training} training
 * @param {number[]} initial
 * @returns {TrainingSymbols}
 */
function feedSymbols({ symbols, alphabetSize, counts, log, recipe }, initial) {
  const merged = [...new Set([...log.left, ...log.right])].filter((id) => id < alphabetSize);
  const named = [...new Set([...initial, ...merged.toSorted((one, other) => one - other)])];
  const specials = recipe.special_tokens?.length ?? 0;
  return {
    hex: named.map((id) => hexOfSymbol(symbols[id])).join(" "),
    ids: packNumbers(named.map((id) => id + specials + 1)),
    counts: packNumbers(named.map((id) => counts[id])),
  };
}

/**
 * @param {Training} training
 * @returns {TrainingSteps}
 */
function feedSteps({ log, alphabetSize, recipe }) {
  const specials = recipe.special_tokens?.length ?? 0;
  const differs = [...log.count.keys()].filter((rank) => log.count[rank] !== log.replaced[rank]);
  return {
    left: packNumbers(log.left.map((id) => id + specials)),
    right: packNumbers(log.right.map((id) => id + specials)),
    count: packNumbers(log.count),
    first: specials + alphabetSize,
    tied: packNumbers(log.tied),
    differs: packNumbers(differs),
    replaced: packNumbers(differs.map((rank) => log.replaced[rank])),
  };
}

/**
 * @param {Training} training
 * @returns {Ties}
 */
function feedTies({ log, recipe }) {
  const specials = recipe.special_tokens?.length ?? 0;
  return {
    steps: log.ties.length,
    sizes: packNumbers(log.ties.map((pairs) => pairs.length)),
    ids: packNumbers(log.ties.flat(2).map((id) => id + specials)),
  };
}

/**
 * Return the numbers of the corpus's words in the trainer's order; "" if they are in this order already.
 * @param {Training} training
 * @param {Slice[]} slices
 */
function feedOrder({ corpus }, slices) {
  const numberOf = new Map(slices.map((slice, number) => [slice.preToken, number]));
  const order = corpus.preTokens.map((preToken) => numberOf.get(preToken) ?? 0);
  const isSame = order.length === slices.length && order.every((number, at) => number === at);
  return isSame ? "" : packNumbers(order);
}

/**
 * Return a name of the corpus and the settings; it is the same for every pick that leads to the same merges.
 * @param {Training} training
 */
function familyOf({ live, recipe, symbols, alphabetSize, log, corpus }) {
  /** @type {Record<string, unknown>} */
  const settings = { variant: recipe.variant, tie_break: recipe.tie_break };
  for (const [name, value] of Object.entries(live.settings)) {
    const asked = /** @type {Record<string, unknown>} */ (recipe)[name];
    if (asked !== undefined && asked !== null && asked !== value) settings[name] = asked;
  }
  const alphabet = symbols.slice(0, alphabetSize).map(hexOfSymbol);
  return digestOf(settings, [alphabet, log.left, log.right], corpus.preTokens, corpus.frequencies);
}
