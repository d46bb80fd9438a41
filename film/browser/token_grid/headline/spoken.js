// Texts for screen readers: each merge in words, and the current frame.

/** @import {Cells} from "../data/segmentation.js" */
/** @import {Model} from "../data/feed.js" */
/** @import {Grid} from "../types.js" */

import { make } from "../../shared/dom.js";
import { mergeName, formatCount, formatNumber } from "../../shared/numbers.js";
import { tokenOf } from "../data/feed.js";
import { eachToken, idAt, tokensAt } from "../data/segmentation.js";
import { replayAnswer } from "./replay_answer.js";
import { stepName, unitOf } from "./wording.js";

const BETWEEN = 6_000; // ms between two sentences while the grid plays: about as long as one takes to read aloud
const MOST_TOKENS = 3000; // nobody listens to more, and it would slow down screen readers

/**
 * Make the texts for screen readers.
 * @param {Grid} grid
 */
export function createSpoken(grid) {
  const live = make("p", "unseen", { "aria-live": "polite", "data-testid": "live" });
  const frame = make("p", "unseen", { "data-testid": "frame-text", id: "frame-text" });
  let lastSentence = ""; // about a merge; details of tokens are spoken in between
  let spokenAt = -Infinity; // when it was said
  /** @type {{cells: Cells, step: number} | null} */
  let lastFrame = null; // the frame that the text describes

  /** @param {string} text */
  function say(text) {
    live.textContent = text;
  }

  // At rest, and now and then while the grid plays slowly: nobody could follow more, and the text takes long to lay out.
  function draw() {
    const { model, step, playhead, lane } = grid;
    if (playhead.beat === "fast" || playhead.scrubbing) return;
    const about = step ? stepSentence(model, step - 1) : startSentence(model);
    const sentence = lane?.title ? `${lane.title}: ${about}` : about; // lanes speak one after the other
    const waits = playhead.playing && performance.now() - spokenAt < BETWEEN;
    if (sentence !== lastSentence && !waits) {
      spokenAt = performance.now();
      say((lastSentence = sentence));
    }
    const { cells } = grid.layouts[grid.layouts.length - 1];
    if (playhead.playing || (lastFrame?.cells === cells && lastFrame.step === step)) return;
    lastFrame = { cells, step };
    frame.textContent = frameText(cells, step);
  }

  return { elements: [live, frame], say, draw };
}

/**
 * Describe the start in a sentence.
 * @param {Model} model
 */
export function startSentence({ training, last }) {
  return `Start. ${formatCount(last, unitOf({ training }))} to come.`;
}

/**
 * Describe a step in a sentence.
 * @param {Model} model
 * @param {number} step
 */
export function stepSentence(model, step) {
  const { left, right, ids, tied, ranks, replaced } = model.steps;
  const label = (/** @type {number} */ id) => tokenOf(model, id).label;
  const times = formatCount(replaced[step], "time");
  const name = `${stepName(model, step)} of ${formatNumber(model.last)}`;
  if (model.taken) return `${name}: ${label(ids[step])} is split off, ${times}`;
  const uses = ranks ? `, applies ${mergeName(ranks[step])}` : "";
  const merge = `${label(left[step])} and ${label(right[step])} become ${label(ids[step])}, ${times}`;
  const answer = replayAnswer(model, step);
  if (answer) return `${name}: ${merge}. ${answer.sentence} ${answer.reason}`;
  const ties = tied[step] > 1 ? `; ${tied[step]} pairs were tied` : "";
  return `${name}${uses}: ${merge}${ties}`;
}

/**
 * Write the tokens after `step` steps as text, with bars between words.
 * @param {Cells} cells
 * @param {number} step
 */
export function frameText(cells, step) {
  const { model } = cells;
  const words = [];
  let tokens = 0;
  let item = 0;
  eachToken(cells, step, 0, Math.min(cells.size, MOST_TOKENS), (start, end) => {
    if (cells.item[start] !== item) words.push("| ");
    item = cells.item[start];
    words.push(`${tokenOf(model, idAt(cells, start, end)).label} `);
    tokens += 1;
  });
  const all = tokensAt(cells, step);
  if (tokens < all) words.push(` and ${formatCount(all - tokens, "more token")}`);
  const progress = `${formatNumber(step)} of ${formatCount(model.last, unitOf(model))}`;
  return `${formatCount(all, "token")} after ${progress}: ${words.join("")}`;
}
