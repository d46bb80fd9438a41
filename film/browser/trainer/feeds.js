// The feed of a training, as film/training_feed.py makes it: but its columns are not packed, and its names are the page's own.

/** @import {TrainingFeed, Ties, TrainingSteps, TrainingSymbols, EncodingFeed, Hex} from "../shared/feed_types.js" */
/** @import {Live, LiveVariant} from "./live_types.js" */
/** @import {Training} from "./training.js" */

import { SPLITS, bytesOfText, characterCount, specialCharacters, hexOfSymbol, SPELLERS } from "./text.js";
import { nameOf } from "./sha256.js";
import { filled, formatNumber, sumOf } from "../shared/numbers.js";
import { encodeWords, checkText, closesOf } from "./training.js";

// The window: the pre-tokens at the beginning of a text that a feed holds, as film/windows.py cuts it.

/**
 * The first characters of one pre-token; all of them unless it is a long one that the window's end cuts.
 * @typedef {object} Slice
 * @property {string} preToken
 * @property {boolean} isWhole
 * @property {number} symbols  initial symbols in the slice, an end-of-word marker left out
 */

/**
 * @typedef {object} TextWindow
 * @property {Slice[]} slices  the different ones, in order of appearance
 * @property {number[]} reading  the number of each, in reading order
 * @property {number[]} breaks  positions in `reading` of those that begin a line, if no pre-token holds the line end
 * @property {number} end
 * @property {number} total
 */

/**
 * Return the pre-tokens that begin in the first `size` characters of the documents.
 * @param {Live} live
 * @param {LiveVariant} variant
 * @param {string[]} documents
 * @param {number} size
 * @param {number} long  a longer pre-token is cut at the window's end
 * @returns {TextWindow}
 */
function cutTextWindow(live, variant, documents, size, long = live.limits.long) {
  const total = documents.reduce((sum, document) => sum + characterCount(document), 0);
  const end = Math.min(size, total);
  /** @type {TextWindow} */
  const window = { slices: [], reading: [], breaks: [], end, total };
  /** @type {Map<string, number>} */
  const numbers = new Map();
  let before = 0; // characters in the documents before this one
  documents.forEach((document, number) => {
    if (before >= end) return;
    let beginsLine = number > 0;
    let past = 0; // the UTF-16 unit after the last pre-token
    let reached = before; // the same in characters of all documents
    for (const [preToken, at] of SPLITS[variant.split](live)(document)) {
      const gap = document.slice(past, Math.max(past, at));
      const start = reached + characterCount(gap);
      // A space that was put in front of the text has no position in it.
      if (start >= end) break;
      const length = characterCount(preToken);
      past = at + preToken.length;
      reached = start + length - (at < 0 ? 1 : 0);
      beginsLine ||= gap.includes("\n");
      if (beginsLine) window.breaks.push(window.reading.length);
      beginsLine = false;
      const inside = length > long ? length - Math.max(0, reached - end) : length;
      if (length <= long) window.end = Math.max(window.end, reached);
      addSlice(window, numbers, variant, preToken, inside < length ? inside : -1);
    }
    before += characterCount(document);
  });
  return window;
}

/** Return the text of a window as a feed has it. @param {TextWindow} window */
function runningText({ reading, breaks, end, total }) {
  return { words: reading, breaks: breaks, start: 0, end, total };
}

/**
 * @param {TextWindow} window
 * @param {Map<string, number>} numbers
 * @param {LiveVariant} variant
 * @param {string} preToken
 * @param {number} inside  its first characters that the window holds; -1 for all
 */
function addSlice({ slices, reading }, numbers, variant, preToken, inside) {
  const known = inside < 0 ? numbers.get(preToken) : undefined;
  reading.push(known ?? slices.length);
  if (known !== undefined) return;
  if (inside < 0) numbers.set(preToken, slices.length);
  const part = inside < 0 ? preToken : Array.from(preToken).slice(0, inside).join("");
  const symbols = variant.unit === "bytes" ? bytesOfText(part).length : characterCount(part);
  slices.push({ preToken, isWhole: inside < 0, symbols });
}

/**
 * What a feed shows.
 * @typedef {object} FeedOptions
 * @property {number} [size]  of the window, in characters
 * @property {boolean} [picks]  whether the viewer may pick another of the tied pairs
 * @property {boolean} [ties]  whether the feed names the pairs that tied at the first steps
 * @property {number} [further]  adds the words outside the window, if they have at most so many characters together
 */

/** @param {Training} training @param {FeedOptions} options @returns {TrainingFeed} */
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
  const running = { ...runningText(window), letters: 0 }; // only white space precedes the first pre-token
  const known = new Set(slices.filter((slice) => slice.isWhole).map((slice) => slice.preToken));
  const whole =
    corpus.preTokens.length <= live.limits.counted &&
    corpus.preTokens.every((preToken) => known.has(preToken));
  const { lengths, symbols } = feedWords.words;
  const initial = feedWords.initial.map((id) => training.symbols[id]);
  // Every pick that leads to the same merges leaves the family as it is.
  const family = nameOf({ ...recipe, picks: {} }, log.left, log.right, corpus.preTokens, corpus.frequencies);
  const cells = nameOf(lengths, symbols, initial, running);
  let tokens = 0;
  words.forEach((word, number) => (tokens += word.length * corpus.frequencies[number]));
  return {
    training: true,
    family,
    cells,
    id: nameOf(family, cells, picks),
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
    reasons: feedReasons(training),
    seed: recipe.seed ?? 0,
    code: feedCode(training),
    spent: ["no pairs", "min_count"].includes(training.stopped),
    ties: ties && !whole ? feedTies(training) : null,
    picked: Object.keys(recipe.picks ?? {})
      .map(Number)
      .toSorted((one, other) => one - other),
    picks,
    overlaps: recipe.overlaps !== "skip",
    whole,
    further: others.length,
    order: whole ? feedOrder(training, slices) : [],
    barred: [],
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
    words: columns,
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
    ids: named.map((id) => id + specials + 1),
    counts: named.map((id) => counts[id]),
  };
}

/** @param {Training} training @returns {TrainingSteps} */
function feedSteps({ log, alphabetSize, recipe }) {
  const specials = recipe.special_tokens?.length ?? 0;
  const rivals = [...log.rivals.values()].flat();
  const differs = [...log.count.keys()].filter((rank) => log.count[rank] !== log.replaced[rank]);
  return {
    left: log.left.map((id) => id + specials),
    right: log.right.map((id) => id + specials),
    count: log.count,
    first: specials + alphabetSize,
    tied: log.tied,
    differs,
    replaced: differs.map((rank) => log.replaced[rank]),
    choices: [...log.rivals.keys()],
    rivals: Array.from(log.rivals.values(), (one) => one.length),
    rival_ids: rivals.flatMap(({ left, right }) => [left + specials, right + specials]),
    rival_losses: rivals.map(({ lost }) => lost),
  };
}

/** Return why the rule's pair wins. Sorted words do not come in the order of the text. @param {Training} training */
function feedReasons({ rule, recipe }) {
  const isSorted = recipe.word_order === "frequency";
  return rule.reasons.map(([term, words, ofAll, ofSome, sorted]) => [
    term,
    (isSorted && sorted) || words,
    ofAll,
    ofSome,
  ]);
}

/**
 * Return the lines of Python that are the training's own: see `training_code` of film/textbook_code.py.
 * @param {Training} training
 * @returns {Record<string, string[]>}
 */
function feedCode({ live, variant, rule, recipe }) {
  const isAll = !live.lines[String(recipe.lines ?? false)] && recipe.word_order !== "frequency";
  const least = recipe.min_count ?? 1;
  const select = rule.code[variant.unit];
  return {
    split: isAll ? [filled(live.sentences.split, { code: variant.split_code })] : [],
    spell: [filled(live.sentences.spell, { code: variant.spell_code })],
    ...(least > 1 && { stop: [filled(live.sentences.stop, { least })] }),
    select,
    ...(select.some((line) => line.includes("ids[")) && {
      settle: [live.sentences.number, "merges.append(best)"],
    }),
  };
}

/** @param {Training} training @returns {Ties} */
function feedTies({ log, recipe }) {
  const specials = recipe.special_tokens?.length ?? 0;
  return {
    steps: log.ties.length,
    sizes: log.ties.map((pairs) => pairs.length),
    ids: log.ties.flat(2).map((id) => id + specials),
  };
}

/**
 * Return the numbers of the corpus's words in the trainer's order; none if they are in this order already.
 * @param {Training} training
 * @param {Slice[]} slices
 */
function feedOrder({ corpus }, slices) {
  const numberOf = new Map(slices.map((slice, number) => [slice.preToken, number]));
  const order = corpus.preTokens.map((preToken) => numberOf.get(preToken) ?? 0);
  const isSame = order.length === slices.length && order.every((number, at) => number === at);
  return isSame ? [] : order;
}

// The feed of an encoding, as film/encoding_feed.py makes it, with the merges of a training in this page.

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
  const unknown = sumOf(
    words.map((word, at) => frequencies[at] * word.filter((id) => id >= alphabetSize + merges).length),
  );
  const positionOf = new Map(appearing.map(({ id }, position) => [id, position]));
  const named = tokens.map(
    (token, at) =>
      /** @type {[Hex, number]} */ ([hexOfSymbol(token), specials + alphabetSize + steps[at].rank]),
  );
  const vocabulary = [recipe.special_tokens, symbols.slice(0, alphabetSize + merges)];
  const family = nameOf(recipe.variant, vocabulary, text);
  const feedWords = {
    lengths: words.map((word) => word.length),
    symbols: words.flat().map((id) => positionOf.get(id) ?? 0),
    closes: closesOf(words, closedBy).flat(),
    frequencies,
  };
  const running = runningText(window);
  const encodingSteps = {
    left: steps.map(({ rank }) => specials + log.left[rank]),
    right: steps.map(({ rank }) => specials + log.right[rank]),
    count: steps.map(({ count }) => count),
    ids: named.map(([, id]) => id),
    ranks: steps.map(({ rank }) => rank),
  };
  const hex = appearing.map(({ symbol }) => hexOfSymbol(symbol)).join(" ");
  const cells = nameOf(feedWords, running, hex, encodingSteps);
  const length = words.reduce((sum, word, at) => sum + word.length * frequencies[at], 0);
  return {
    training: false,
    family,
    cells,
    id: nameOf(family, cells),
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
      ids: appearing.map(({ id }) => (id < alphabetSize ? specials + id + 1 : 0)),
      others: {},
    },
    steps: encodingSteps,
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
 * @param {number} unknown  number of symbols that the vocabulary does not hold
 * @param {number} length  of the window in initial symbols
 */
function encodingEnding({ live: { sentences } }, unknown, length) {
  const sentence = unknown === 1 ? sentences.unknown : sentences.unknowns;
  if (unknown) return filled(sentence, { count: formatNumber(unknown) });
  return length > 1 ? sentences["no step"] : sentences.nothing;
}
