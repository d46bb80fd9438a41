// An animated GIF, frame after frame, with a pause after each so that the page stays alive. A frame holds only the
// pixels that differ from the one before, in colours of its own, so a merge costs little.

import { contextOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { GIFEncoder, applyPalette, quantize } from "../vendor/gifenc/gifenc.esm.js";

export const MOST_FRAMES = 240;
const MOST_COLOURS = 255; // of a frame; one more stands for unchanged pixels
const LAST_HOLD = 2; // the last frame lasts this many times as long
const LEAVE = 1; // what a decoder does with a frame before it shows the next one: nothing

/**
 * Begin a GIF that is repeated for ever.
 * @param {number} width
 * @param {number} height
 */
export function createGif(width, height) {
  const encoder = GIFEncoder();
  /** @type {Uint32Array | null} */
  let before = null;

  /**
   * Add a frame.
   * @param {Uint8ClampedArray<ArrayBuffer>} rgba  opaque pixels; they must stay as they are
   * @param {number} delay  ms until the next one
   */
  function add(rgba, delay) {
    const pixels = new Uint32Array(rgba.buffer);
    const changed = before ? changedAt(before, pixels) : null;
    const colours = changed ? valuesAt(pixels, changed) : rgba;
    const palette = changed?.length === 0 ? [] : quantize(colours, MOST_COLOURS);
    const unchanged = palette.length;
    const painted = palette.length ? applyPalette(colours, palette) : new Uint8Array(0);
    palette.push([0, 0, 0]);
    let index = painted;
    if (changed) {
      index = new Uint8Array(width * height).fill(unchanged);
      changed.forEach((at, number) => (index[at] = painted[number]));
    }
    const transparency = changed ? { transparent: true, transparentIndex: unchanged } : {};
    encoder.writeFrame(index, width, height, { palette, delay, repeat: 0, dispose: LEAVE, ...transparency });
    before = pixels;
  }

  /** Return the file. Nothing can be added to it afterwards. */
  function finish() {
    encoder.finish();
    return encoder.bytes();
  }

  return { add, finish, size: () => encoder.bytesView().length };
}

/**
 * Return the positions at which two pictures differ.
 * @param {Uint32Array} before
 * @param {Uint32Array} after
 */
function changedAt(before, after) {
  const positions = new Uint32Array(after.length);
  let count = 0;
  for (let at = 0; at < after.length; at++) if (before[at] !== after[at]) positions[count++] = at;
  return positions.subarray(0, count);
}

/**
 * Return the pixels at these positions.
 * @param {Uint32Array} pixels
 * @param {Uint32Array} positions
 */
function valuesAt(pixels, positions) {
  return new Uint8ClampedArray(Uint32Array.from(positions, (at) => pixels[at]).buffer);
}

/**
 * Make the painter of frames of one size.
 * @param {{width: number, height: number}} size
 * @param {(context: CanvasRenderingContext2D, step: number) => void} paint
 */
export function framePainter({ width, height }, paint) {
  const canvas = make("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true }) ?? contextOf(canvas)
  );
  const pixelsAt = (/** @type {number} */ step) => {
    paint(context, step);
    return /** @type {Uint8ClampedArray<ArrayBuffer>} */ (context.getImageData(0, 0, width, height).data);
  };
  return { width, height, pixelsAt };
}

/** @typedef {ReturnType<typeof framePainter>} Painter */

/** Let the page draw and answer. */
export function breathe() {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Paint and encode all frames, with a pause after each.
 * @param {Painter} painter
 * @param {number[]} steps  whole or not
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
