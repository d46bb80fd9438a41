// Packing: whole numbers as film/packing.py packs them. `unpackNumbers` reads them.

/** @import {Packed} from "../../shared/feed/feed_types.js" */

const MOST_PACKED = 2 ** 32 - 1;

/**
 * Return bytes per number, a colon and the numbers in base64.
 * @param {ArrayLike<number>} numbers
 * @returns {Packed}
 */
export function packNumbers(numbers) {
  let most = 0;
  for (let at = 0; at < numbers.length; at++) most = Math.max(most, numbers[at]);
  const size = most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4;
  const view = new DataView(new ArrayBuffer(size * numbers.length));
  for (let at = 0; at < numbers.length; at++) {
    if (size === 1) view.setUint8(at, numbers[at]);
    else if (size === 2) view.setUint16(2 * at, numbers[at], true);
    else view.setUint32(4 * at, Math.min(numbers[at], MOST_PACKED), true);
  }
  return `${size}:${base64Of(new Uint8Array(view.buffer))}`;
}

/** @param {Uint8Array} bytes */
export function base64Of(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4_096)
    letters += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  return btoa(letters);
}
