// The feed as it comes from ui/token_grid/feed.py, decoded once: what the corpus, the merges and the window are.

import { unpackNumbers } from "../shared/numbers.js";
import { bytesOf, characterLength, labelOf } from "./spelling.js";

export const NEVER = 0x7fffffff;

function startsOf(lengths) {
  const starts = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) starts[at + 1] = starts[at] + lengths[at];
  return starts;
}

export function decodeFeed(feed) {
  const markerByte = feed.marker ? parseInt(feed.marker, 16) : -1;
  const symbolBytes = feed.symbols.hex.split(" ").map(bytesOf);
  // 0 stands for a symbol the vocabulary does not hold: a token of its own, with a number of ours.
  const ids = Int32Array.from(unpackNumbers(feed.symbols.ids), (id, at) => (id ? id - 1 : -2 - at));
  const steps = readSteps(feed.steps);
  const words = readWords(feed.words);
  const model = {
    feed, markerByte, steps, words,
    last: steps.left.length,
    symbols: symbolBytes.map((bytes, at) => ({
      id: ids[at],
      bytes,
      unknown: ids[at] < 0,
      label: labelOf(bytes, markerByte, feed.marker_text),
      kind: symbolKind(bytes, markerByte),
    })),
    initial: unpackNumbers(feed.symbols.counts),
    text: unpackNumbers(feed.text.words),
    breaks: new Set(unpackNumbers(feed.text.breaks)),
    names: feed.names ?? null,
    shades: feed.shades ? unpackNumbers(feed.shades) : null, // by id: the number to colour by, so that lanes colour alike
    ties: readTies(feed.ties),
    tokens: new Map(),
  };
  model.rankOfId = new Map(Array.from(steps.ids, (id, rank) => [id, rank]));
  model.symbolOfId = new Map(Array.from(ids, (id, at) => [id, at]));
  for (const [id, hex] of Object.entries(feed.symbols.others ?? {})) model.tokens.set(Number(id), describe(model, Number(id), bytesOf(hex), -1));
  return model;
}

function symbolKind(bytes, markerByte) {
  if (bytes.length === 1 && bytes[0] === markerByte) return "marker";
  if (bytes[bytes.length - 1] === 10) return "newline";
  if (!characterLength(bytes, 0)) return "byte";
  return bytes.length === 1 && bytes[0] === 32 ? "space" : "char";
}

function readSteps(steps) {
  const left = unpackNumbers(steps.left);
  const count = unpackNumbers(steps.count);
  const replaced = Uint32Array.from(count);
  const differs = unpackNumbers(steps.differs);
  unpackNumbers(steps.replaced).forEach((value, at) => (replaced[differs[at]] = value));
  const ids = steps.ids ? unpackNumbers(steps.ids) : Uint32Array.from(left, (_, rank) => steps.first + rank);
  const ranks = steps.ranks ? unpackNumbers(steps.ranks) : null;
  return { left, right: unpackNumbers(steps.right), count, replaced, tied: steps.tied ? unpackNumbers(steps.tied) : new Uint8Array(count.length).fill(1), ids, ranks };
}

function readWords(words) {
  const close = Int32Array.from(unpackNumbers(words.closes), (step) => (step ? step - 1 : NEVER));
  return { starts: startsOf(unpackNumbers(words.lengths)), symbol: unpackNumbers(words.symbols), close, frequency: unpackNumbers(words.frequencies) };
}

function readTies(ties) {
  if (!ties) return { starts: new Uint32Array(1), ids: new Uint32Array(0) };
  return { starts: startsOf(unpackNumbers(ties.sizes)), ids: unpackNumbers(ties.ids) };
}

// Pairs tied for merge k as [[left id, right id], …], or null where the feed does not hold them.
export function tiedPairs(model, k) {
  const { starts, ids } = model.ties;
  if (k + 1 >= starts.length) return null;
  return Array.from({ length: starts[k + 1] - starts[k] }, (_, at) => [ids[2 * (starts[k] + at)], ids[2 * (starts[k] + at) + 1]]);
}

// id -> {id, bytes, label, length, born (-1: alphabet), last}; expansion by the merges, remembered
export function tokenOf(model, id) {
  let token = model.tokens.get(id);
  if (token) return token;
  const rank = model.rankOfId.get(id);
  if (rank === undefined) {
    const symbol = model.symbols[model.symbolOfId.get(id)];
    token = describe(model, id, symbol?.bytes ?? [], -1, symbol?.unknown);
  } else {
    const left = tokenOf(model, model.steps.left[rank]);
    token = describe(model, id, [...left.bytes, ...tokenOf(model, model.steps.right[rank]).bytes], rank);
  }
  model.tokens.set(id, token);
  return token;
}

function describe(model, id, bytes, born, unknown = false) {
  const label = labelOf(bytes, model.markerByte, model.feed.marker_text);
  const characters = bytes.filter((byte) => (byte & 0xc0) !== 0x80).length;
  const length = model.feed.unit === "bytes" ? bytes.length : characters;
  return { id, bytes, label, length, born, unknown, last: model.last, shade: model.shades?.[id] ?? id };
}

// Occurrences of a token in the whole corpus after k merges, or null where the feed cannot say.
export function countNow(model, id, k) {
  if (!model.feed.training) return null;
  const { left, right, replaced } = model.steps;
  const born = model.rankOfId.get(id) ?? -1;
  if (born >= k) return 0;
  const symbol = model.symbolOfId.get(id);
  if (born < 0 && symbol === undefined) return null;
  let count = born < 0 ? model.initial[symbol] : replaced[born];
  for (let rank = born + 1; rank < k; rank++) {
    if (left[rank] === id) count -= replaced[rank];
    if (right[rank] === id) count -= replaced[rank];
  }
  return count;
}
