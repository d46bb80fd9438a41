// A token as a chip in running markup: everywhere but on the grid, which the token grid paints, and in saved pictures,
// which picture/ makes of shapes.

/** @import {ChipColours} from "./colour.js" */
/** @import {ChipLabel} from "./feed_types.js" */

import { paintChip } from "./colour.js";
import { make } from "./dom.js";

/** What a chip is made of, in em; the letters' weight. The grid, pictures and style sheets (`var(--chip-curve)`) read it. */
export const CHIP_LOOK = { height: 1.76, pad: 0.45, curve: 0.38, weight: 500 };

const SPACE = /^[·▁]?$/; // what a space is written as, or nothing

/**
 * Return a chip's label as text, for sentences, names and titles: its bytes as digits, with a space to the letters beside
 * them. `sentence_label` in Python writes the same.
 * @param {ChipLabel} label
 */
export function labelText(label) {
  if (typeof label === "string") return label;
  return label.reduce((before, part) => before + (SPACE.test(before) || !part ? "" : " ") + part, "");
}

/**
 * Return the letters in a chip, bytes as their digits.
 * @param {ChipLabel} label
 */
export function chipText(label) {
  return typeof label === "string" ? label : label.join("");
}

/**
 * Return how many letters a chip has.
 * @param {ChipLabel} label
 */
export function chipLength(label) {
  return [...chipText(label)].length;
}

/**
 * Return whether a chip shows nothing but bytes, perhaps after a space or a marker.
 * @param {ChipLabel} label
 */
export function isPartOfCharacter(label) {
  return typeof label !== "string" && label.length === 2 && SPACE.test(label[0]);
}

/**
 * Keep markers and code points readable from left to right beside right-to-left letters (U+2066 … U+2069).
 * @template {ChipLabel} Label
 * @param {Label} label
 * @param {string} marker  how labels spell it; "" without one
 * @returns {Label}
 */
export function readable(label, marker) {
  if (typeof label !== "string") {
    return /** @type {Label} */ (label.map((part, at) => (isBytes(at) ? part : readable(part, marker))));
  }
  if (!/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(label)) return label;
  const left = (/** @type {string} */ text) => `\u2066${text}\u2069`;
  const spelled = label.replace(/<(0x|U\+)[0-9A-F]+>/g, left);
  return /** @type {Label} */ (marker ? spelled.replaceAll(marker, left(marker)) : spelled);
}

const LONGEST = 40; // characters of a label beside other text; tokens of a repetitive text grow far longer
const MOST_PARTS = 6; // texts and runs of bytes

/**
 * Leave out the middle of a long label; of one with many runs of bytes, the end.
 * @template {ChipLabel} Label
 * @param {Label} label
 * @returns {Label}
 */
export function shortened(label) {
  if (typeof label !== "string") {
    const parts = label.slice(0, MOST_PARTS).map((part) => shortened(part));
    return /** @type {Label} */ (label.length > MOST_PARTS ? [...parts, " …"] : parts);
  }
  const letters = [...label];
  if (letters.length <= LONGEST) return label;
  return /** @type {Label} */ (`${letters.slice(0, 24).join("")} … ${letters.slice(-12).join("")}`);
}

/** @param {number} at  position in a label with bytes */
function isBytes(at) {
  return at % 2 === 1;
}

/**
 * Return what a chip holds: text, and bytes as their digits, small as on the grid.
 * @param {ChipLabel} label
 * @returns {(Node | string)[]}
 */
export function chipContent(label) {
  if (typeof label === "string") return [label];
  const parts = label.map((part, at) =>
    isBytes(at) ? make("span", "lone-bytes", { dir: "ltr" }, part) : part,
  );
  return [make("span", "", {}, ...parts)]; // one element: a chip is a flex box, in which a space of its own is lost
}

/**
 * Make a token's chip.
 * @param {ChipLabel} label
 * @param {Pick<ChipColours, "fill" | "edge" | "ink"> | null} colours  null for a chip without colours of its own
 * @param {string} [kind]  more classes
 * @param {Parameters<typeof make>[2]} [attributes]
 * @param {...Node} more  what follows the label in the chip
 */
export function chipElement(label, colours, kind = "", attributes = {}, ...more) {
  const chip = make("span", `chip ${kind}`, { dir: "auto", ...attributes }, ...chipContent(label), ...more);
  if (colours) paintChip(chip, colours);
  return chip;
}
