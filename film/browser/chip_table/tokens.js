// Tokens as Python sends them to a table: labels, each once, referred to by position.

/** @import {Theme} from "../shared/colour.js" */
/** @import {ChipLabel} from "../shared/feed_types.js" */

import { coloursOf } from "../shared/colour.js";
import { chipElement } from "../shared/chip.js";

/** Makes the chip of the token at a position. @typedef {(position: number) => HTMLElement} MakeChip */

const MARKERS = new Set(["</w>", "_", "▁"]);

/**
 * Return a function that makes chips in the colours of a theme.
 * @param {ChipLabel[]} labels
 * @param {Theme} theme
 * @returns {MakeChip}
 */
export function chipMaker(labels, theme) {
  return (position) => {
    const label = labels[position];
    const kind = typeof label === "string" && MARKERS.has(label) ? "small marker" : "small";
    return chipElement(label, coloursOf(theme, label), kind);
  };
}
