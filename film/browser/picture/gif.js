// An animated GIF, frame after frame. A frame holds only the pixels that differ from the one before, in colours of its
// own, so a merge costs little.

import { GIFEncoder, applyPalette, quantize } from "../vendor/gifenc/gifenc.esm.js";

const MOST_COLOURS = 255; // of a frame; one more stands for unchanged pixels
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
