// Live numbers: tokens in the corpus, size of the vocabulary, merges done. In the presenter view they have names; on a page
// that asks for them they are one line, with the share of ties.

/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { tokensNow, vocabularyNow } from "../data/totals.js";
import { BEATS } from "../timing/beats.js";
import { FASTEST, SPEEDS } from "../timing/speeds.js";

const TICKING = 320; // ms that a number counts from its former value
const MET = 0.7; // share of the time in which chips fuse, after which their parts have met

/**
 * Make the numbers of a grid.
 * @param {Grid} grid
 */
export function createLiveNumbers(grid) {
  const element = make("dl", "numbers", { "data-testid": "live-numbers" });
  let lastKey = "";
  let frame = 0; // of the numbers that tick

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
    cancelAnimationFrame(frame);
    const { motion, beat, scrubbing } = grid.playhead;
    if (motion && grid.lastMove && beat !== "fast" && !scrubbing && !document.hidden) tick(before);
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
   * Let the numbers that have changed count from their former values, once the parts of new tokens have met.
   * @param {(string | null)[]} before
   */
  function tick(before) {
    const counters = [...element.querySelectorAll("dd")].flatMap((number, at) => {
      const [from, to] = [before[at], number.textContent].map((text) => Number(text?.replaceAll(",", "")));
      return from !== to && from + to > 0 ? [{ number, from, to }] : [];
    });
    if (!counters.length) return;
    const { beat, speed } = grid.playhead;
    const wait = beat === "fuse" ? (MET * BEATS.fuse) / (SPEEDS[speed].factor ?? FASTEST) : 0;
    const begin = performance.now() + wait;
    count(begin);

    /** @param {number} time */
    function count(time) {
      const share = Math.max(0, Math.min(1, (time - begin) / TICKING));
      for (const { number, from, to } of counters) {
        number.textContent = formatNumber(Math.round(from + (to - from) * share));
      }
      if (share < 1) frame = requestAnimationFrame(count);
    }
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
