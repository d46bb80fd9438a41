// Where a story scrolls to at a scene, and a lesson at a beat: to the part of the text that shows most of what is told.

/** @import {Grid, Scene} from "../types.js" */

import { isReplayed, tokenOf } from "../data/feed.js";
import { eachPair } from "../painting/marking.js";
import { pairName, pairsAt, tiedAt } from "../data/pair_counts.js";
import { cellsOf } from "../data/segmentation.js";
import { decodeBytes, hexText } from "../data/spelling.js";

const OUTLINE = 6; // px above a line, of the outlines in it

/** Lines of the drawing, in px, with a word or a pair that a scene tells of. @typedef {{y: number, low: number, name: string}} Sight */

/**
 * Return the names of the pairs that tie for the next merge; without a tie, or if the feed lacks words of the corpus,
 * only that of the pair that is merged.
 * @param {Pick<Grid, "model" | "step">} grid
 */
export function pairsOfScene({ model, step }) {
  const { left, right, tied } = model.steps;
  const chosen = pairName(left[step], right[step]);
  if (!model.whole || isReplayed(model, step) || (tied[step] ?? 0) < 2) return [chosen];
  return [...new Set([chosen, ...tiedAt(model, pairsAt(model, step)).keys()])];
}

/**
 * Return how much each part of a scene matters: its first word more than all else, then the pair that is merged.
 * @param {string[]} words
 * @param {string[]} pairs  the one that is merged comes first
 * @returns {Map<string, number>}
 */
export function weightsOf(words, pairs) {
  const all = words.length + pairs.length;
  return new Map([
    ...pairs.map((name, at) => /** @type {[string, number]} */ ([name, at ? 1 : 2 * all])),
    ...words.map((word, at) => /** @type {[string, number]} */ ([word, at ? 1 : 4 * all])),
  ]);
}

/**
 * Return where to scroll to so that the heaviest parts are in sight together; `top` if no other part shows more.
 * @param {Sight[]} sights
 * @param {Map<string, number>} weights
 * @param {number} top  in px
 * @param {number} height
 */
export function bestTop(sights, weights, top, height) {
  const weightFrom = (/** @type {number} */ from) => {
    const names = new Set(
      sights.filter(({ y, low }) => y >= from && low <= from + height).map(({ name }) => name),
    );
    return [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  };
  let best = top;
  let most = weightFrom(top);
  for (const from of new Set(sights.map(({ y }) => Math.max(0, y - OUTLINE)))) {
    const weight = weightFrom(from);
    if (weight > most) [best, most] = [from, weight];
  }
  return best;
}

/**
 * Scroll a grid to where its text shows a scene.
 * @param {Grid} grid
 * @param {Scene} scene
 */
export function showScene(grid, { words = [] }) {
  const { viewport } = grid.elements;
  const weights = weightsOf(words, pairsOfScene(grid));
  viewport.scrollTop = bestTop(
    sightsOf(grid, words, weights),
    weights,
    viewport.scrollTop,
    viewport.clientHeight,
  );
}

/**
 * Scroll a grid to the pairs that a lesson's text names: to the place that shows most of them, the first one above all.
 * @param {Grid} grid
 */
export function showPairs(grid) {
  const named = grid.group.named ?? [];
  if (!named.length || !grid.layouts.length) return;
  const ids = new Map(Array.from(idsOf(grid.model), (id) => [hexText(tokenOf(grid.model, id).bytes), id]));
  const names = named.flatMap(([left, right]) => {
    const [one, other] = [ids.get(left), ids.get(right)];
    return one === undefined || other === undefined ? [] : [pairName(one, other)];
  });
  const { viewport } = grid.elements;
  const weights = weightsOf([], names);
  const sights = sightsOf(grid, [], weights);
  viewport.scrollTop = bestTop(sights, weights, viewport.scrollTop, viewport.clientHeight);
}

/** @param {Grid["model"]} model */
function idsOf({ symbols, steps }) {
  return [...symbols.map(({ id }) => id), ...steps.ids];
}

/**
 * @param {Grid} grid
 * @param {string[]} words
 * @param {Map<string, number>} weights
 */
function sightsOf(grid, words, weights) {
  const texts = textsOfWords(grid);
  return grid.layouts.flatMap((layout) => {
    const { cells, line, metrics, top } = layout;
    /** @type {Sight[]} */
    const sights = [];
    const add = (/** @type {string} */ name, /** @type {number} */ cell, /** @type {number} */ end) => {
      const [y, low] = [line[cell], line[end - 1] + 1].map((at) => top + at * metrics.pitch);
      sights.push({ y, low, name });
    };
    eachPair(grid, layout, 0, cells.size, (pair, start, end) => weights.has(pair) && add(pair, start, end));
    cells.words.forEach((number, item) => {
      const word = words.find((one) => texts[number].includes(one));
      if (word) add(word, cells.firstCell[item], cells.firstCell[item + 1]);
    });
    return sights;
  });
}

/**
 * Return the text of each distinct word.
 * @param {Pick<Grid, "model">} grid
 */
function textsOfWords({ model }) {
  const { words: cells } = cellsOf(model);
  return cells.words.map((_, item) => {
    const symbols = cells.symbol.subarray(cells.firstCell[item], cells.firstCell[item + 1]);
    return decodeBytes(Array.from(symbols).flatMap((symbol) => model.symbols[symbol].bytes));
  });
}
