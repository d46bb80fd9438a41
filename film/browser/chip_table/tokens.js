// Tokens as Python sends them to a table: labels and colour numbers, each once, referred to by position.

/** @import {Theme} from "../shared/colour.js" */
/** @import {ChipLabel} from "../shared/feed_types.js" */

import { coloursOfId } from "../shared/colour.js";
import { chipElement } from "../shared/chip.js";

/** @typedef {{labels: ChipLabel[], shades: number[]}} Tokens */
/** Makes the chip of the token at a position. @typedef {(position: number) => HTMLElement} MakeChip */

const MARKERS = new Set(["</w>", "_", "▁"]);

/**
 * Return a function that makes chips in the colours of a theme.
 * @param {Tokens} tokens
 * @param {Theme} theme
 * @returns {MakeChip}
 */
export function chipMaker({ labels, shades }, theme) {
  return (position) => {
    const label = labels[position];
    const kind = typeof label === "string" && MARKERS.has(label) ? "small marker" : "small";
    return chipElement(label, coloursOfId(theme, shades[position]), kind);
  };
}
