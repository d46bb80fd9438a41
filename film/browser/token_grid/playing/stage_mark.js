// The mark on the scrubber where a second stage begins: superwords, or what is learned after a replay.

/** @import {Grid} from "../types.js" */
/** @import {Model} from "../data/feed.js" */

import { make, setHidden } from "../../shared/dom.js";
import { mergeName } from "../../shared/numbers.js";
import { stageName } from "../headline/wording.js";

const RIGHT = 0.6; // a mark beyond this share of the scrubber has its label on the left

/**
 * Return where the mark is, as a share of the scrubber, and its texts; null if a second stage does not begin between
 * the first and the last merge, or not in all lanes after the same merge.
 * @param {Model[]} models  of the lanes
 */
export function stageMark([model, ...others]) {
  const after = model.stage?.after ?? 0;
  if (!after || after >= model.last || others.some(({ stage }) => stage?.after !== after)) return null;
  const label = stageName(model);
  const first = `${mergeName(after)} on`;
  const title = model.stage?.superwords
    ? `From ${first}, a token may span several words.`
    : `From ${first}, the merges are learned from this text.`;
  return { share: after / Math.max(...[model, ...others].map(({ last }) => last)), label, title };
}

/**
 * Make the mark of a grid's scrubber.
 * @param {Grid} grid
 */
export function createStageMark(grid) {
  const label = make("span", "");
  const element = make("div", "stage-mark", { "data-testid": "stage-mark", hidden: true }, label);

  function draw() {
    const lanes = [...grid.group.lanes].filter((lane) => lane !== grid);
    const mark = stageMark([grid.model, ...lanes.map(({ model }) => model)]);
    setHidden(element, !mark);
    if (!mark) return;
    element.style.setProperty("--at", String(mark.share));
    element.classList.toggle("left", mark.share > RIGHT);
    element.title = mark.title;
    label.textContent = mark.label;
  }
  return { element, draw };
}
