// The data of the parts of a comparison, and a pair of tokens as chips.

/** @import {MakeChip} from "../../../film/browser/chip_table/tokens.js" */
/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */

import { make } from "../../../film/browser/shared/dom.js";

/** The positions of both tokens of a pair. @typedef {[left: number, right: number]} SentPair */

/**
 * The data that every part receives.
 * @typedef {object} PartData
 * @property {string[]} titles  of the lanes
 * @property {ChipLabel[]} tokens
 */

/** Make an element that shows a pair. @param {MakeChip} chip @param {SentPair} pair */
export function pairElement(chip, [left, right]) {
  return make("span", "pair", {}, chip(left), make("span", "plus", {}, "+"), chip(right));
}
