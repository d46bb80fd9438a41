// The feed, decoded once into a model: corpus, merges and window.

/** @import {Replay, Stage, Steps, Ties, TrainingFeed, Words, Feed} from "../shared/feed_types.js" */
/** @import {Numbers} from "../shared/numbers.js" */
/** @import {Spelling} from "./spelling.js" */

import { FIRST_NUMBER, MOST_NUMBERS } from "../shared/feed_types.js";
import { tokenName } from "../shared/colour.js";
import { unpackNumbers } from "../shared/numbers.js";
import { bytesOf, characterLength, chipLabelOf, labelOf, spellingOf } from "./spelling.js";

// The columns of a feed, decoded: steps, words and ties.

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

/** @param {TrainingFeed} feed @returns {ModelSteps} */
function readMerges({ steps, replay }) {
  const { left, right, count } = readPairs(steps);
  const replaced = Uint32Array.from(count);
  const differs = unpackNumbers(steps.differs);
  unpackNumbers(steps.replaced).forEach((value, at) => (replaced[differs[at]] = value));
  const ids = replay ? unpackNumbers(replay.ids) : Uint32Array.from(left, (_, rank) => steps.first + rank);
  return { left, right, count, replaced, tied: unpackNumbers(steps.tied), ids, ranks: null };
}

/** @param {import("../shared/feed_types.js").TrainingSteps} steps @returns {Map<number, Rival[]>} */
function readRivals(steps) {
  const [choices, numbers, ids, losses] = [
    steps.choices,
    steps.rivals,
    steps.rival_ids,
    steps.rival_losses,
  ].map(unpackNumbers);
  const starts = startsOf(numbers);
  return new Map(
    Array.from(choices, (step, at) => [
      step,
      Array.from(losses.slice(starts[at], starts[at + 1]), (lost, rival) => {
        const first = 2 * (starts[at] + rival);
        return { pair: /** @type {[number, number]} */ ([ids[first], ids[first + 1]]), lost };
      }),
    ]),
  );
}

/** @param {import("../shared/feed_types.js").EncodingSteps} steps @returns {ModelSteps} */
function readEncoding(steps) {
  const { left, right, count } = readPairs(steps);
  const tied = new Uint8Array(left.length).fill(1);
  const ranks = steps.ranks ? unpackNumbers(steps.ranks) : null;
  return { left, right, count, replaced: count, tied, ids: unpackNumbers(steps.ids), ranks };
}

/** @param {Words} words @returns {ModelWords} */
function readWords(words) {
  return {
    starts: startsOf(unpackNumbers(words.lengths)),
    symbol: unpackNumbers(words.symbols),
    close: Int32Array.from(unpackNumbers(words.closes), (step) => (step ? step - 1 : NEVER)),
    frequency: unpackNumbers(words.frequencies),
  };
}

/** @param {Replay} replay @returns {ModelReplay} */
function readReplay({ steps, ranks, merges, best, highest, vocabulary }) {
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

/** @param {Stage} stage @returns {ModelStage} */
function readStage({ after, superwords, tokens, ids, counts, ends }) {
  const occurrences = unpackNumbers(counts);
  const changed = Array.from(unpackNumbers(ids), (id, at) => /** @type {const} */ ([id, occurrences[at]]));
  return { after, superwords, tokens, counts: new Map(changed), ends: unpackNumbers(ends) };
}

/** @param {Feed} feed */
function readLater(feed) {
  if (!feed.training || !feed.later) return null;
  const [terms, compared] = [feed.later.terms, feed.later.compared].map(unpackNumbers);
  const steps = Array.from(unpackNumbers(feed.later.steps));
  const decided = new Map(steps.map((step, at) => [step, { term: terms[at], compared: compared[at] }]));
  return { until: feed.later.until, decided };
}

/** @param {Ties | null} ties */
function readTies(ties) {
  if (!ties) return { starts: new Uint32Array(1), ids: new Uint32Array(0) };
  return { starts: startsOf(unpackNumbers(ties.sizes)), ids: unpackNumbers(ties.ids) };
}

// Numbers of tokens that have no vocabulary id, as film/labels.py computes them.

/** Return the number of a token without an id. @param {number[]} bytes */
export function numberWithoutId(bytes) {
  return FIRST_NUMBER + (checksum(bytes) % MOST_NUMBERS);
}

/** Compute CRC-32, as zlib does. @param {number[]} bytes */
export function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/**
 * One of the distinct initial symbols.
 * @typedef {object} InitialSymbol
 * @property {number} id  vocabulary id; for one that the vocabulary does not hold, a number as `numberWithoutId` makes one
 * @property {number[]} bytes
 * @property {string} label
 * @property {"marker" | "newline" | "byte" | "space" | "char"} kind
 * @property {boolean} unknown  whether the vocabulary does not hold it
 */

/**
 * A token of the vocabulary.
 * @typedef {object} Token
 * @property {number} id
 * @property {number[]} bytes
 * @property {string} label
 * @property {number} length  in the variant's unit, bytes or characters
 * @property {number} born  the step that makes it; -1 for an initial symbol
 * @property {boolean} unknown
 * @property {number} last
 * @property {string} name  what it says, as `tokenName` returns it
 */

/**
 * The steps, one item each in every list.
 * @typedef {object} ModelSteps
 * @property {Numbers} left  id of the left token
 * @property {Numbers} right
 * @property {Numbers} count  occurrences that count
 * @property {Numbers} replaced  occurrences that were replaced
 * @property {Numbers} tied  number of pairs that had this count
 * @property {Numbers} ids  id of the token that the step makes
 * @property {Numbers | null} ranks  rank of the merge that an encoder's step applies
 */

/**
 * A tied pair that shares a token with the merged one.
 * @typedef {object} Rival
 * @property {[number, number]} pair  ids
 * @property {number} lost  how many of its places the merge uses up
 */

/**
 * What only the replay of a merge list has: one item for each step in every list.
 * @typedef {object} ModelReplay
 * @property {number} steps  number of steps that apply the list's merges; the rest is learned
 * @property {Numbers} ranks  rank of the merge in the tokenizer's list
 * @property {number} merges  number of merges in the list
 * @property {[number, number][]} best  a pair of the highest count before the step, as ids
 * @property {Numbers} highest  that count
 * @property {Numbers} vocabulary  number of tokens after 0, 1, 2, … steps
 */

/**
 * The second stage of a training.
 * @typedef {object} ModelStage
 * @property {number} after  number of merges before it
 * @property {boolean} superwords  whether its tokens may reach across the words of the first stage
 * @property {number} tokens  of the corpus when it begins
 * @property {Map<number, number>} counts  id -> occurrences then, of the tokens for which these change at once
 * @property {Numbers} ends  of each cell of the distinct words 1 if a word of the first stage ends there; or empty
 */

/**
 * The distinct words, cell after cell.
 * @typedef {object} ModelWords
 * @property {Uint32Array} starts  first cell of each word
 * @property {Numbers} symbol  initial symbol of each cell
 * @property {Int32Array} close  closing step of the boundary after each cell
 * @property {Numbers} frequency  of each word
 */

/**
 * A feed, decoded.
 * @typedef {object} Model
 * @property {Feed} feed
 * @property {boolean} training  whether it is a training, not an encoding
 * @property {boolean} taken  whether the steps take tokens from the vocabulary instead of merging pairs
 * @property {Spelling} spelling
 * @property {ModelSteps} steps
 * @property {ModelWords} words
 * @property {number} last  number of steps
 * @property {InitialSymbol[]} symbols
 * @property {Numbers} initial  occurrences of each of them in the corpus before any merge
 * @property {Numbers} text  the number of each word in reading order; empty for a corpus of counted words
 * @property {Set<number>} breaks  positions in `text` of the words that begin a line
 * @property {Record<string, number> | null} names  bytes -> id of each token that a step makes, in an encoding
 * @property {ModelReplay | null} replay  of a tokenizer's merge list; null for a training and for an encoding
 * @property {ModelStage | null} stage  the second stage, if there is one
 * @property {{starts: Uint32Array, ids: Numbers}} ties
 * @property {Map<number, Rival[]>} rivals  of each merge at which the tie was a real choice
 * @property {string} rule  title of the tie-breaking rule
 * @property {string[][]} reasons  why its pair wins, for each term of its order
 * @property {{until: number, decided: Map<number, {term: number, compared: number}>} | null} later  the steps, of the
 *   first so many, at which not the first term decided, if the feed says so
 * @property {number} seed  of a rule that draws
 * @property {boolean} picks  whether the viewer may pick another of the tied pairs
 * @property {number[]} picked  the merges that were picked by hand
 * @property {boolean} overlaps  whether overlapping occurrences of a pair count
 * @property {boolean} whole  whether the feed holds every word of the corpus, so that pairs can be counted here
 * @property {number} further  how many of the last words are not in the window
 * @property {Numbers} order  if `whole`: the corpus's words in the trainer's order; empty for 0, 1, 2, …
 * @property {Numbers} barred  if `whole`: ids of the pairs that no merge may merge: left, right, left, right, …
 * @property {Map<number, Token>} tokens  those requested so far, by id
 * @property {Map<number, number>} rankOfId
 * @property {Map<number, number>} symbolOfId
 */

/** Decode a feed. @param {Feed} feed @returns {Model} */
export function decodeFeed(feed) {
  const spelling = spellingOf(
    feed.marker ? parseInt(feed.marker, 16) : -1,
    feed.marker_text,
    feed.characters,
  );
  const symbolBytes = feed.symbols.hex.split(" ").map(bytesOf);
  // 0 stands for a symbol that the vocabulary does not hold: a token of its own.
  const known = unpackNumbers(feed.symbols.ids);
  const ids = symbolBytes.map((bytes, at) => (known[at] ? known[at] - 1 : numberWithoutId(bytes)));
  const steps = feed.training ? readMerges(feed) : readEncoding(feed.steps);
  /** @type {Model} */
  const model = {
    feed,
    training: feed.training,
    taken: !feed.training && feed.taken,
    spelling,
    steps,
    words: readWords(feed.words),
    last: steps.left.length,
    symbols: symbolBytes.map((bytes, at) => ({
      id: ids[at],
      bytes,
      unknown: !known[at],
      label: labelOf(bytes, spelling),
      kind: symbolKind(bytes, spelling.markerByte),
    })),
    initial: feed.training ? unpackNumbers(feed.symbols.counts) : new Uint32Array(0),
    text: unpackNumbers(feed.text.words),
    breaks: new Set(unpackNumbers(feed.text.breaks)),
    names: feed.training ? null : feed.names,
    replay: feed.training && feed.replay ? readReplay(feed.replay) : null,
    stage: feed.training && feed.stage ? readStage(feed.stage) : null,
    ties: readTies(feed.training ? feed.ties : null),
    rivals: feed.training ? readRivals(feed.steps) : new Map(),
    rule: feed.training ? feed.rule : "",
    reasons: feed.training ? feed.reasons : [],
    later: readLater(feed),
    seed: feed.training ? feed.seed : 0,
    picks: feed.training && feed.picks,
    picked: feed.training ? feed.picked : [],
    overlaps: !feed.training || feed.overlaps,
    whole: feed.training && feed.whole,
    further: feed.training ? feed.further : 0,
    order: unpackNumbers(feed.training ? feed.order : null),
    barred: unpackNumbers(feed.training ? feed.barred : null),
    tokens: new Map(),
    rankOfId: new Map(Array.from(steps.ids, (id, rank) => [id, rank])),
    symbolOfId: new Map(Array.from(ids, (id, at) => [id, at])),
  };
  if (!feed.training) {
    for (const [name, hex] of Object.entries(feed.symbols.others)) {
      const id = Number(name);
      model.tokens.set(id, describe(model, id, bytesOf(hex), -1));
    }
  }
  return model;
}

/** @param {number[]} bytes @param {number} markerByte @returns {InitialSymbol["kind"]} */
function symbolKind(bytes, markerByte) {
  if (bytes.length === 1 && bytes[0] === markerByte) return "marker";
  if (bytes[bytes.length - 1] === 10) return "newline";
  if (!characterLength(bytes, bytes[0] === markerByte ? 1 : 0)) return "byte";
  return bytes.length === 1 && bytes[0] === 32 ? "space" : "char";
}

/** Return a token by its id. The model caches it. @param {Model} model @param {number} id @returns {Token} */
export function tokenOf(model, id) {
  let token = model.tokens.get(id);
  if (token) return token;
  const rank = model.rankOfId.get(id);
  if (rank === undefined) {
    const symbol = model.symbols[model.symbolOfId.get(id) ?? -1];
    token = describe(model, id, symbol?.bytes ?? [], -1, symbol?.unknown);
  } else {
    const left = tokenOf(model, model.steps.left[rank]);
    const right = tokenOf(model, model.steps.right[rank]);
    token = describe(model, id, [...left.bytes, ...right.bytes], rank);
  }
  model.tokens.set(id, token);
  return token;
}

/** @param {Model} model @param {number} id @param {number[]} bytes @param {number} born @returns {Token} */
function describe(model, id, bytes, born, unknown = false) {
  const characters = bytes.filter((byte) => (byte & 0xc0) !== 0x80).length;
  return {
    id,
    bytes,
    label: labelOf(bytes, model.spelling),
    length: model.feed.unit === "bytes" ? bytes.length : characters,
    born,
    unknown,
    last: model.last,
    name: tokenName(chipLabelOf(bytes, model.spelling)),
  };
}

/**
 * Return whether a step applies a merge of a tokenizer's list, instead of one that the counts chose.
 * @param {Pick<Model, "replay">} model
 * @param {number} step
 */
export function isReplayed({ replay }, step) {
  return Boolean(replay && step < replay.steps);
}

/**
 * Return whether the steps are those of a tokenizer that learns nothing more: of an encoding, or of a mere replay.
 * @param {Pick<Model, "training" | "replay" | "last">} model
 */
export function isFinished({ training, replay, last }) {
  return !training || Boolean(replay && replay.steps === last);
}

/** Return whether a step belongs to a second stage. @param {Pick<Model, "stage">} model @param {number} step */
export function isSecond({ stage }, step) {
  return Boolean(stage && step >= stage.after);
}

/**
 * Return how often a token occurs in the whole corpus after `step` merges; null if the feed does not tell.
 * @param {Model} model
 * @param {number} id
 * @param {number} step
 */
export function countNow(model, id, step) {
  if (!model.training) return null;
  const { left, right, replaced } = model.steps;
  const born = model.rankOfId.get(id) ?? -1;
  const symbol = model.symbolOfId.get(id);
  // In a replay, a token that is a whole word here may be made by merges elsewhere.
  const initial = symbol === undefined ? 0 : model.initial[symbol];
  if (born >= step) return initial;
  if (born < 0 && symbol === undefined) return null;
  const { stage } = model;
  const known = stage && isSecond(model, step) ? stage.counts.get(id) : undefined;
  let count = known ?? initial + (born < 0 ? 0 : replaced[born]);
  for (let rank = stage && known !== undefined ? stage.after : born + 1; rank < step; rank++) {
    if (left[rank] === id) count -= replaced[rank];
    if (right[rank] === id) count -= replaced[rank];
  }
  return count;
}
