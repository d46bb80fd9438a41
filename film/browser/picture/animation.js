// A range of steps as an animated GIF: which steps, how large it will be, and the work in slices.

/** @import {Fonts} from "./shapes.js" */
/** @import {Picture} from "./scene.js" */

import { contextOf } from "../shared/tokens/colour.js";
import { paintScene } from "./canvas.js";
import { createGif } from "./gif.js";

export const MOST_FRAMES = 240;
const SAMPLES = 3; // changes that are encoded to estimate the size of all
const LAST_HOLD = 2; // the last frame lasts this many times as long

/**
 * Return the steps that the frames show: from before the first merge to after the last one. If there are too many,
 * every n-th of them and the last.
 * @param {number} first  number of the first merge, from 1
 * @param {number} last  number of the last merge
 * @param {number} [most]  frames
 */
export function stepsOf(first, last, most = MOST_FRAMES) {
  const every = Math.max(1, Math.ceil((last - first + 1) / (most - 1)));
  const steps = [];
  for (let step = first - 1; step < last; step += every) steps.push(step);
  return { steps: [...steps, last], every };
}

/**
 * Make the painter of a picture's frames, which are all of one size.
 * @param {Picture} picture
 * @param {number[]} steps
 * @param {Fonts} fonts
 */
export function framePainter(picture, steps, fonts) {
  const head = Math.max(...steps.map(picture.headHeight));
  const { width, height } = picture.sceneAt(steps[0], head);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true }) ?? contextOf(canvas)
  );

  /** @param {number} step */
  function pixelsAt(step) {
    paintScene(context, picture.sceneAt(step, head), fonts);
    return /** @type {Uint8ClampedArray<ArrayBuffer>} */ (context.getImageData(0, 0, width, height).data);
  }
  return { width, height, pixelsAt };
}

/** @typedef {ReturnType<typeof framePainter>} Painter */

/** Let the page draw and answer. */
function breathe() {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Return about how many bytes the GIF will have: those of the first frame, and of a few changes for all.
 * @param {Painter} painter
 * @param {number[]} steps
 * @param {AbortSignal} signal
 */
export async function estimateSize({ width, height, pixelsAt }, steps, signal) {
  let first = 0;
  let changes = 0;
  const samples = Math.min(SAMPLES, steps.length - 1);
  for (let sample = 0; sample < samples && !signal.aborted; sample++) {
    await breathe(); // oxlint-disable-line no-await-in-loop -- one after the other, so that the page stays alive
    const at = Math.floor((sample * (steps.length - 1)) / samples);
    const gif = createGif(width, height);
    gif.add(pixelsAt(steps[at]), 0);
    const size = gif.size();
    gif.add(pixelsAt(steps[at + 1]), 0);
    first ||= size;
    changes += gif.size() - size;
  }
  return first + (changes / samples) * (steps.length - 1);
}

/**
 * Paint and encode all frames, with a pause after each.
 * @param {Painter} painter
 * @param {number[]} steps
 * @param {number} delay  ms that a frame lasts
 * @param {AbortSignal} signal  stops the work
 * @param {(frames: number) => void} report  how many are done
 * @returns {Promise<Blob | null>}  null if it was stopped
 */
export async function encodeGif({ width, height, pixelsAt }, steps, delay, signal, report) {
  const gif = createGif(width, height);
  for (const [at, step] of steps.entries()) {
    await breathe(); // oxlint-disable-line no-await-in-loop -- one after the other, so that the page stays alive
    if (signal.aborted) return null;
    gif.add(pixelsAt(step), at === steps.length - 1 ? LAST_HOLD * delay : delay);
    report(at + 1);
  }
  return new Blob([gif.finish()], { type: "image/gif" });
}
