// Live numbers of the presenter view: tokens in the corpus, size of the vocabulary, merges done.

/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { tokensNow, vocabularyNow } from "../data/totals.js";

/**
 * Make the numbers of a grid.
 * @param {Grid} grid
 */
export function createLiveNumbers(grid) {
  const element = make("dl", "numbers", { "data-testid": "live-numbers" });
  let lastKey = "";

  function draw() {
    const { model, step } = grid;
    const visible = grid.panels.presenter.isOn() && !grid.lane?.title && model.training;
    setHidden(element, !visible);
    const key = `${visible} ${model.feed.id} ${step}`;
    if (!visible || key === lastKey) return;
    lastKey = key;
    const progress = `${formatNumber(step)} of ${formatNumber(model.last)}`;
    element.replaceChildren(
      ...figure("Tokens", numberText(tokensNow(model, step))),
      ...figure("Vocabulary", numberText(vocabularyNow(model, step))),
      ...figure("Merges", progress),
    );
  }
  return { element, draw };
}

/** @param {number | null} value */
function numberText(value) {
  return value === null ? "" : formatNumber(value);
}

/**
 * @param {string} name
 * @param {string} value  "" to leave it out
 */
function figure(name, value) {
  if (!value) return [];
  return [make("div", "", {}, make("dt", "", {}, name), make("dd", "", {}, value))];
}
