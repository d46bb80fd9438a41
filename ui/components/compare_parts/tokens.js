// Tokens as Python sends them: labels and colour numbers, each once, referred to by position.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */

import { coloursOfId } from "../../../film/browser/shared/colour.js";
import { chipElement } from "../../../film/browser/shared/chip.js";
import { make } from "../../../film/browser/shared/dom.js";

/** @typedef {{labels: ChipLabel[], shades: number[]}} Tokens */
/** The positions of both tokens of a pair. @typedef {[left: number, right: number]} SentPair */
/** Makes the chip of the token at a position. @typedef {(position: number) => HTMLElement} MakeChip */

/**
 * The data that every part receives.
 * @typedef {object} PartData
 * @property {string[]} titles  of the lanes
 * @property {Tokens} tokens
 */

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

/** Make an element that shows a pair. @param {MakeChip} chip @param {SentPair} pair */
export function pairElement(chip, [left, right]) {
  return make("span", "pair", {}, chip(left), make("span", "plus", {}, "+"), chip(right));
}
