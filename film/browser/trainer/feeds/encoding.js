// The feed of an encoding, exactly as film/encoding_feed.py makes it, with the merges of a training in this page.

/** @import {EncodingFeed, Hex} from "../../shared/feed/feed_types.js" */
/** @import {Training} from "../training/training.js" */
/** @import {TextWindow} from "./text_window.js" */

import { formatNumber } from "../../shared/feed/numbers.js";
import { specialCharacters } from "../text/special_characters.js";
import { bytesOfText, hexOfSymbol, SPELLERS } from "../text/word_symbols.js";
import { fillSentence } from "../trainer_error.js";
import { encodeWords } from "../training/encode_words.js";
import { checkText, closesOf } from "../training/training.js";
import { packNumbers } from "./packing.js";
import { digestOf } from "./sha256.js";
import { cutTextWindow } from "./text_window.js";

/**
 * Return the feed of a new text, encoded with the first merges of a training.
 * @param {Training} training
 * @param {string} text
 * @param {number} [merges]  all of them by default
 * @returns {EncodingFeed}
 */
export function encodingFeed(training, text, merges = training.log.left.length) {
  const { live, variant, symbols, log, alphabetSize, recipe } = training;
  checkText(live, text);
  const size = live.limits.encoded;
  const window = cutTextWindow(live, variant, [text], size, size);
  const { spelled, words, appearing, frequencies } = spellWindow(training, merges, window);
  const { steps, closedBy } = encodeWords(training, merges, words, frequencies);
  const specials = recipe.special_tokens?.length ?? 0;
  const tokens = steps.map(({ rank }) => symbols[alphabetSize + rank]);
  const unknown = appearing.filter(({ id }) => id >= alphabetSize + merges).length;
  const positionOf = new Map(appearing.map(({ id }, position) => [id, position]));
  const named = tokens.map(
    (token, at) =>
      /** @type {[Hex, number]} */ ([hexOfSymbol(token), specials + alphabetSize + steps[at].rank]),
  );
  const family = encodingFamily(training, text, merges);
  const feedWords = {
    lengths: packNumbers(words.map((word) => word.length)),
    symbols: packNumbers(words.flat().map((id) => positionOf.get(id) ?? 0)),
    closes: packNumbers(closesOf(words, closedBy).flat()),
    frequencies: packNumbers(frequencies),
  };
  const running = {
    words: packNumbers(window.reading),
    breaks: packNumbers(window.breaks),
    start: 0,
    end: window.end,
    total: window.total,
  };
  const feedSteps = {
    left: packNumbers(steps.map(({ rank }) => specials + log.left[rank])),
    right: packNumbers(steps.map(({ rank }) => specials + log.right[rank])),
    count: packNumbers(steps.map(({ count }) => count)),
    ids: packNumbers(named.map(([, id]) => id)),
    ranks: packNumbers(steps.map(({ rank }) => rank)),
  };
  const hex = appearing.map(({ symbol }) => hexOfSymbol(symbol)).join(" ");
  const cells = digestOf(feedWords, running, hex, feedSteps, named);
  const length = words.reduce((sum, word, at) => sum + word.length * frequencies[at], 0);
  return {
    training: false,
    family,
    cells,
    id: digestOf(family, cells),
    unit: variant.unit,
    marker: variant.marker,
    marker_text: variant.marker_text,
    characters: specialCharacters(live, spelled, tokens),
    last: steps.length,
    ending: encodingEnding(training, unknown, length),
    rows: true,
    words: feedWords,
    text: running,
    symbols: {
      hex,
      ids: packNumbers(appearing.map(({ id }) => (id < alphabetSize ? specials + id + 1 : 0))),
      others: {},
    },
    steps: feedSteps,
    taken: false,
    names: Object.fromEntries(named),
  };
}

/**
 * Return the different slices of a window as words, their initial symbols in order of appearance, and how often each slice
 * occurs. A symbol that the training has not seen gets an id behind those of the vocabulary.
 * @param {Training} training
 * @param {number} merges
 * @param {TextWindow} window
 */
function spellWindow({ variant, reader, symbols, alphabetSize }, merges, { slices, reading }) {
  const known = new Map(symbols.slice(0, alphabetSize).map((symbol, id) => [symbol, id]));
  /** @type {Map<string, {symbol: string, id: number}>} */
  const appearing = new Map();
  let unknown = alphabetSize + merges;
  const words = slices.map((slice) => {
    const word = SPELLERS[variant.spell](slice.preToken, reader.marker);
    return (slice.isWhole ? word : word.slice(0, slice.symbols)).map((symbol) => {
      const id = appearing.get(symbol)?.id ?? known.get(symbol) ?? unknown++;
      appearing.set(symbol, { symbol, id });
      return id;
    });
  });
  const frequencies = slices.map(() => 0);
  for (const number of reading) frequencies[number]++;
  const spelled = slices.map(({ preToken }) => preToken);
  return { spelled, words, appearing: [...appearing.values()], frequencies };
}

/**
 * Return why there is no further step.
 * @param {Training} training
 * @param {number} unknown  number of different symbols that the vocabulary does not hold
 * @param {number} length  of the window in initial symbols
 */
function encodingEnding({ live: { sentences } }, unknown, length) {
  const sentence = unknown === 1 ? sentences.unknown : sentences.unknowns;
  if (unknown) return fillSentence(sentence, { count: formatNumber(unknown) });
  return length > 1 ? sentences["no step"] : sentences.nothing;
}

/**
 * Return a name of the text, the tokenizer and the encoder.
 * @param {Training} training
 * @param {string} text
 * @param {number} merges
 */
function encodingFamily({ live, recipe, symbols, alphabetSize, log }, text, merges) {
  const specials = (recipe.special_tokens ?? []).map(bytesOfText);
  const vocabulary = [...specials, ...symbols.slice(0, alphabetSize + merges)].map(hexOfSymbol);
  const pairs = Array.from({ length: merges }, (_, rank) =>
    [log.left[rank], log.right[rank]].map((id) => hexOfSymbol(symbols[id])),
  );
  return digestOf(recipe.variant, "", vocabulary, pairs, live.encoder, [], digestOf(text));
}
