// For those who do not see the drawing: each merge in words, and the frame as text.

import { make } from "../shared/dom.js";
import { formatNumber, formatTimes } from "../shared/numbers.js";
import { tokenOf } from "./feed.js";
import { eachToken, idAt, tokensAt } from "./segmentation.js";

const SPOKEN_TOKENS = 3000; // more than this is not read out to the end by anyone, and costs every screen reader

export function createSpoken(grid) {
  const live = make("p", "unseen", { "aria-live": "polite", "data-testid": "live" });
  const frame = make("p", "unseen", { "data-testid": "frame-text", id: "frame-text" });
  let told = ""; // of merges; tokens pointed at are told in between
  let written = {}; // sheet and step of the frame

  const say = (text) => (live.textContent = text);

  function mergeSentence(rank) {
    const { model } = grid;
    const { left, right, ids, tied, ranks } = model.steps;
    const label = (id) => tokenOf(model, id).label;
    if (model.feed.taken) return `step ${rank} of ${model.last}: ${label(ids[rank])} is taken, ${formatTimes(model.steps.replaced[rank])}`;
    const name = ranks ? `rule of rank ${ranks[rank]}` : "merge";
    const ties = tied[rank] > 1 ? `; ${tied[rank]} pairs were tied` : "";
    return `${name} ${rank} of ${model.last}: ${label(left[rank])} and ${label(right[rank])} become ${label(ids[rank])}, ${formatTimes(model.steps.replaced[rank])}${ties}`;
  }

  // At rest only: while playing fast or scrubbing nobody could follow, and a frame of words takes long to lay out.
  function draw() {
    const { beat, playing, scrubbing } = grid.head;
    if (beat === "fast" || scrubbing) return;
    const sentence = grid.step ? mergeSentence(grid.step - 1) : `before any merge, ${grid.model.last} to come`;
    if (sentence !== told) say((told = sentence));
    const { sheet } = grid.places[grid.places.length - 1];
    if (playing || (sheet === written.sheet && grid.step === written.step)) return;
    written = { sheet, step: grid.step };
    frame.textContent = frameSentence(sheet);
  }

  function frameSentence(sheet) {
    const words = [];
    let shown = 0;
    let word = -1;
    eachToken(sheet, grid.step, 0, Math.min(sheet.size, SPOKEN_TOKENS), (start, end) => {
      if (sheet.place[start] !== word) words.push((word = sheet.place[start]) ? "| " : "");
      words.push(`${tokenOf(grid.model, idAt(sheet, start, end)).label} `);
      shown += 1;
    });
    const all = tokensAt(sheet, grid.step);
    const rest = shown < all ? ` and ${formatNumber(all - shown)} tokens more` : "";
    return `${formatNumber(all)} tokens after ${grid.step} of ${grid.model.last} merges: ${words.join("")}${rest}`;
  }

  return { elements: [live, frame], say, draw };
}
