// The grid's state as data attributes of its root, for style sheets and tests.

/** @import {Cells} from "./data/segmentation.js" */
/** @import {Grid} from "./types.js" */

import { joinedText, tokensAt } from "./data/segmentation.js";

const SHORT = 2000; // cells; a longer text is joined only at rest, since joining would take longer than the step

/**
 * Make the writer of the data attributes.
 * @param {Grid} grid
 */
export function createFrameData(grid) {
  /** @type {{cells: Cells, step: number} | null} */
  let joined = null; // the content of data-text

  function draw() {
    const { root, reading, step, last, model, playhead } = grid;
    root.dataset.step = String(step);
    root.dataset.tokens = String(tokensAt(reading, step));
    root.dataset.tied = String(step < last ? model.steps.tied[step] : 0);
    root.dataset.playing = String(playhead.playing);
    if ((playhead.playing || playhead.scrubbing) && reading.size >= SHORT) return;
    if (joined?.cells === reading && joined.step === step) return;
    joined = { cells: reading, step };
    root.dataset.text = joinedText(reading, step);
  }
  return { draw };
}
