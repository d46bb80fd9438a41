// "Beat the rule": the viewer merges any pairs, as many as BPE does, and compares the tokens that are left.

/** @import {Model} from "../data/feed.js" */

import { formatCount, formatNumber } from "../../shared/feed/numbers.js";
import { tokenOf } from "../data/feed.js";
import { numberOfToken } from "../data/pair_counts.js";
import { cellsOf } from "../data/segmentation.js";
import { labelOf } from "../data/spelling.js";
import { tokensNow } from "../data/totals.js";

/** Merges of a game. A training with fewer ends the game earlier. */
export const MOST_OWN = 10;

/** A token of a game. @typedef {{bytes: number[], label: string, shade: number}} OwnToken */

/**
 * A game after some merges. Nothing in it changes: a merge makes another game.
 * @typedef {object} Game
 * @property {Model} model
 * @property {number} last  merges until it ends
 * @property {number[][]} words  the tokens of each distinct word, as positions in `tokens`
 * @property {OwnToken[]} tokens  the initial symbols, then one for each merge
 * @property {number} remaining  tokens of the whole corpus
 * @property {Game | null} before  the game before the last merge
 * @property {number} merges  made so far
 */

/**
 * Return whether there is a game for a training: it needs every word of the corpus in the window, and every pair must be allowed.
 * @param {Model} model
 */
export function hasGame({ whole, further, barred, last, replay, stage }) {
  return whole && !further && !barred.length && last > 0 && !replay && !stage;
}

/**
 * Begin a game.
 * @param {Model} model  one that has a game
 * @returns {Game}
 */
export function newGame(model) {
  const { words: cells } = cellsOf(model);
  const words = Array.from(cells.words, (_, item) => {
    return Array.from(cells.symbol.slice(cells.firstCell[item], cells.firstCell[item + 1]));
  });
  const tokens = model.symbols.map(({ id, bytes, label }) => ({
    bytes,
    label,
    shade: tokenOf(model, id).shade,
  }));
  const last = Math.min(MOST_OWN, model.last);
  return { model, last, words, tokens, remaining: count(model, words), before: null, merges: 0 };
}

/**
 * Merge two tokens wherever they are neighbours, from left to right. Returns the same game if it has ended or if they
 * are nowhere neighbours.
 * @param {Game} game
 * @param {number} left
 * @param {number} right
 * @returns {Game}
 */
export function withMerge(game, left, right) {
  const { model, tokens, last, merges } = game;
  const words = game.words.map((word) => merged(word, left, right, tokens.length));
  const fewer = count(model, words);
  if (merges === last || fewer === game.remaining) return game;
  const bytes = [...tokens[left].bytes, ...tokens[right].bytes];
  const token = { bytes, label: labelOf(bytes, model.spelling), shade: numberOfToken(model, bytes) };
  return {
    model,
    last,
    words,
    tokens: [...tokens, token],
    remaining: fewer,
    before: game,
    merges: merges + 1,
  };
}

/**
 * @param {number[]} word
 * @param {number} left
 * @param {number} right
 * @param {number} token  what the two become
 */
function merged(word, left, right, token) {
  /** @type {number[]} */
  const tokens = [];
  for (let at = 0; at < word.length; at++) {
    const isPair = word[at] === left && word[at + 1] === right;
    tokens.push(isPair ? token : word[at]);
    if (isPair) at += 1;
  }
  return tokens;
}

/**
 * Count the tokens of the whole corpus.
 * @param {Model} model
 * @param {number[][]} words
 */
function count({ words: { frequency } }, words) {
  return words.reduce((sum, word, item) => sum + word.length * frequency[item], 0);
}

/**
 * Write the score of a game, and at its end who won.
 * @param {Game} game
 */
export function gameText(game) {
  const { model, remaining, last, merges } = game;
  const bpe = tokensNow(model, merges) ?? 0;
  const both = `You: ${formatCount(remaining, "token")}. BPE: ${formatNumber(bpe)}.`;
  if (!merges)
    return `${formatCount(remaining, "token")}. Merge two neighbours; you have ${formatCount(last, "merge")}.`;
  if (merges < last) return `${both} ${formatCount(last - merges, "merge")} to go.`;
  const difference = formatCount(Math.abs(bpe - remaining), "token");
  if (remaining < bpe)
    return `${both} You win by ${difference}: the most frequent pair is not always the best one.`;
  if (remaining > bpe) return `${both} BPE wins by ${difference}.`;
  return `${both} A draw.`;
}
