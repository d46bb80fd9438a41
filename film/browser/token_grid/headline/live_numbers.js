// Live numbers: tokens in the corpus, size of the vocabulary, merges done. In the presenter view they have names; on a page
// that asks for them they are one line, with the share of ties.

/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { tokensNow, vocabularyNow } from "../data/totals.js";

const ROLL = { duration: 240, easing: "ease-out" };

/**
 * Make the numbers of a grid.
 * @param {Grid} grid
 */
export function createLiveNumbers(grid) {
  const element = make("dl", "numbers", { "data-testid": "live-numbers" });
  let lastKey = "";

  function draw() {
    const { model, step } = grid;
    const presenting = grid.panels.presenter.isOn();
    const visible = (presenting || grid.data.numbers) && !grid.lane?.title && model.training;
    setHidden(element, !visible);
    const key = `${visible} ${presenting} ${model.feed.id} ${step}`;
    if (!visible || key === lastKey) return;
    lastKey = key;
    const [tokens, vocabulary] = [tokensNow(model, step), vocabularyNow(model, step)].map(numberText);
    const before = [...element.querySelectorAll("dd")].map(({ textContent }) => textContent);
    element.classList.toggle("sentence", !presenting);
    element.replaceChildren(
      ...figure(presenting ? "Tokens" : "tokens in the text", tokens),
      ...figure(presenting ? "Vocabulary" : "in the vocabulary", vocabulary),
      ...(presenting ? progress() : ties()),
    );
    if (!presenting && grid.playhead.motion && !document.hidden) roll(before);
  }

  function progress() {
    return figure("Merges", `${formatNumber(grid.step)} of ${formatNumber(grid.model.last)}`);
  }

  function ties() {
    const { model } = grid;
    if (model.feed.training && model.feed.replay) return [];
    const tied = model.steps.tied.filter((number) => number > 1).length;
    return figure("merges are ties", `${formatNumber(tied)} of ${formatNumber(model.last)}`);
  }

  /**
   * Let the numbers that have changed come in from below, as on a counter.
   * @param {(string | null)[]} before
   */
  function roll(before) {
    element.querySelectorAll("dd").forEach((number, at) => {
      if (before[at] === undefined || before[at] === number.textContent) return;
      number.animate(
        [
          { transform: "translateY(45%)", opacity: 0.2 },
          { transform: "none", opacity: 1 },
        ],
        ROLL,
      );
    });
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
