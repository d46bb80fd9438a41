// How the count of a pair is built from the words: 6 + 3 = 9. The frequencies of the words fly to their place in the sum.

/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { pairName } from "../data/pair_counts.js";
import { flyFrom } from "../drawing/flight.js";
import { eachPair } from "../painting/marking.js";

const MOST_TERMS = 5; // a longer sum is not read

/** A word with the pair: its position among the distinct words, its frequency, and how often it holds the pair. @typedef {{item: number, frequency: number, times: number}} Term */

/**
 * Return the words of which a pair's count is the sum; none if they are too many, or if the count is another one because
 * occurrences overlap.
 * @param {Pick<Grid, "model" | "step" | "layouts" | "tied" | "visibleMarks" | "cursor" | "differsAt">} grid
 * @returns {Term[]}
 */
export function termsOf(grid) {
  const { model, step } = grid;
  const layout = grid.layouts.find(({ cells }) => cells.distinct);
  if (!layout || !model.training || model.further || step >= model.last) return [];
  const chosen = pairName(model.steps.left[step], model.steps.right[step]);
  /** @type {Map<number, Term>} */
  const terms = new Map();
  eachPair(grid, layout, 0, layout.cells.size, (name, start) => {
    if (name !== chosen) return;
    const item = layout.cells.item[start];
    const frequency = model.words.frequency[layout.cells.words[item]];
    const term = terms.get(item) ?? { item, frequency, times: 0 };
    terms.set(item, { ...term, times: term.times + 1 });
  });
  const all = [...terms.values()];
  const sum = all.reduce((total, { frequency, times }) => total + frequency * times, 0);
  return all.length > 1 && all.length <= MOST_TERMS && sum === model.steps.count[step] ? all : [];
}

/**
 * Return the sum as text.
 * @param {Term} term
 */
export function termText({ frequency, times }) {
  return times > 1 ? `${formatNumber(times)} × ${formatNumber(frequency)}` : formatNumber(frequency);
}

/**
 * Make the sum of a grid's headline.
 * @param {Grid} grid
 */
export function createSum(grid) {
  const element = make("span", "sum", { "data-testid": "sum", hidden: true });
  /** @type {Term[]} */
  let terms = [];

  /** @param {boolean} wanted  whether the next merge may be seen */
  function draw(wanted) {
    terms = wanted && grid.panels.presenter.isOn() ? termsOf(grid) : [];
    setHidden(element, terms.length === 0);
    if (!terms.length) return;
    const parts = terms.flatMap((term, at) => [
      ...(at ? [" + "] : []),
      make("span", "term", {}, termText(term)),
    ]);
    element.replaceChildren(...parts, ` = ${formatNumber(grid.model.steps.count[grid.step])}`);
  }

  /**
   * Let the frequencies fly to their place in the sum. Return a function that ends it.
   * @param {number} pace  1 at 1×
   */
  function fly(pace) {
    const labels = [...grid.elements.stage.querySelectorAll(".frequency")];
    const spans = /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".term"));
    const pairs = terms.flatMap(({ item }, at) =>
      labels[item] ? [{ to: spans[at], from: labels[item] }] : [],
    );
    const ends = pairs.map(({ to, from }) => flyFrom(grid, to, from.getBoundingClientRect(), pace));
    return () => ends.forEach((end) => end());
  }
  return { element, draw, fly };
}
