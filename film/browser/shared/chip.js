// A token as a chip in running markup: everywhere but on the grid, which token_grid/drawing/ paints, and in saved pictures,
// which picture/ makes of shapes.

/** @import {ChipColours} from "./colour.js" */

import { paintChip } from "./colour.js";
import { make } from "./dom.js";

/**
 * Keep markers and <0xE2> readable from left to right beside right-to-left letters (U+2066 … U+2069).
 * @param {string} label
 * @param {string} marker  how labels spell it; "" without one
 */
export function readable(label, marker) {
  if (!/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(label)) return label;
  const left = (/** @type {string} */ text) => `\u2066${text}\u2069`;
  const spelled = label.replace(/<(0x|U\+)[0-9A-F]+>/g, left);
  return marker ? spelled.replaceAll(marker, left(marker)) : spelled;
}

const LONGEST = 40; // characters of a label beside other text; tokens of a repetitive text grow far longer

/**
 * Leave out the middle of a long label.
 * @param {string} label
 */
export function shortened(label) {
  const letters = [...label];
  return letters.length <= LONGEST
    ? label
    : `${letters.slice(0, 24).join("")} … ${letters.slice(-12).join("")}`;
}

const BYTES = /^(?<space>[·▁]?)(?<bytes>(?:<0x[0-9A-F]{2}>)+)$/;

/**
 * Return how a chip writes a label: of a token that is part of a character, only the digits of its bytes, as in lessons.
 * @param {string} label
 */
export function chipText(label) {
  const { space = "", bytes = "" } = label.match(BYTES)?.groups ?? {};
  return bytes ? space + bytes.replaceAll(/<0x(..)>/g, "$1 ").trim() : label;
}

/**
 * Make a token's chip.
 * @param {string} label
 * @param {Pick<ChipColours, "fill" | "edge" | "ink"> | null} colours  null for a chip without colours of its own
 * @param {string} [kind]  more classes
 * @param {Parameters<typeof make>[2]} [attributes]
 * @param {...Node} more  what follows the label in the chip
 */
export function chipElement(label, colours, kind = "", attributes = {}, ...more) {
  const chip = make("span", `chip ${kind}`, { dir: "auto", ...attributes }, chipText(label), ...more);
  if (colours) paintChip(chip, colours);
  return chip;
}
