// The answer in the headline of a replay: would the counts of this text have chosen the pair that is merged next?

/** @import {Model} from "../data/feed.js" */
/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { formatCount, formatNumber } from "../../shared/numbers.js";
import { pairText } from "./wording.js";

/**
 * Return the answer for a step, as its main sentence and the reason; null if it is no step of a replay.
 * @param {Model} model
 * @param {number} step
 * @returns {{yes: boolean, sentence: string, reason: string} | null}
 */
export function replayAnswer(model, step) {
  const { replay } = model;
  const { tied, count } = model.steps;
  if (!replay || step >= replay.steps) return null;
  if (tied[step] === 0) {
    const best = pairText(model, replay.best[step]);
    const times = `${formatCount(count[step], "time")}, ${best} ${formatCount(replay.highest[step], "time")}`;
    return {
      yes: false,
      sentence: "Training on this text would choose another pair:",
      reason: `this one occurs ${times}.`,
    };
  }
  const reason =
    tied[step] === 1
      ? "no pair is more frequent."
      : `it is one of ${formatNumber(tied[step])} pairs tied at ${formatNumber(count[step])}.`;
  const sentence =
    tied[step] === 1
      ? "Training on this text would choose this pair too:"
      : "Training on this text could choose this pair too:";
  return { yes: true, sentence, reason };
}

/**
 * Make the element that shows the answer.
 * @param {Grid} grid
 */
export function createReplayAnswer(grid) {
  const element = make("span", "badge answer", { "data-testid": "counts-badge", hidden: true });

  /**
   * Draw the answer for a step, or hide it.
   * @param {number} step
   * @param {boolean} visible
   */
  function draw(step, visible) {
    const answer = visible ? replayAnswer(grid.model, step) : null;
    setHidden(element, !answer);
    if (!answer) return;
    element.classList.toggle("other", !answer.yes);
    element.dataset.chosen = answer.yes ? "yes" : "no";
    element.replaceChildren(make("b", "", {}, answer.sentence), ` ${answer.reason}`);
  }
  return { element, draw };
}
