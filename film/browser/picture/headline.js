// The headline of a picture: as above the grid at rest, with the tie badge. It offers nothing to press.

/** @import {Frame} from "./grid_shapes.js" */
/** @import {Fonts} from "./shapes.js" */
/** @import {Look, Piece} from "./flow.js" */

import { chipText, readable, shortened } from "../shared/tokens/chip.js";
import { tokenOf } from "../token_grid/data/feed.js";
import { chipLabelOf } from "../token_grid/data/spelling.js";
import { choiceText, endText, nextText, tieText } from "../token_grid/headline/wording.js";
import { badgePiece, chipPiece, flow, textPiece } from "./flow.js";

/** What a headline needs to know. @typedef {Pick<Frame, "model" | "step" | "colours" | "chip" | "lane">} Head */

const CHIP = 20; // px, height of a letter
const COUNT = 16;
const BADGE = 14;

/**
 * Return the shapes of the headline, with their height.
 * @param {Head} frame
 * @param {Fonts} fonts
 * @param {number} width
 */
export function headlineShapes(frame, fonts, width) {
  const { model, step, colours } = frame;
  /** @type {(size: number, weight: number, fill: string) => Look} */
  const look = (size, weight, fill) => ({ family: "sans", size, weight, fill });
  const text = (/** @type {string} */ words, /** @type {Look} */ how) => textPiece(words, how, fonts, width);
  const sign = (/** @type {string} */ words) => text(words, look(CHIP, 650, colours.ink));
  const chip = (/** @type {number} */ id) => {
    const label = readable(
      shortened(chipLabelOf(tokenOf(model, id).bytes, model.spelling)),
      model.feed.marker_text,
    );
    return chipPiece(chipText(label), frame.chip(id), CHIP, fonts, width);
  };
  /** @type {Piece[]} */
  const pieces = [];
  if (step >= model.last) {
    pieces.push(sign(endText(model)));
    if (model.feed.ending) pieces.push(text(model.feed.ending, look(COUNT, 400, colours.soft)));
    return flow(pieces, width);
  }
  const { left, right, ids, tied } = model.steps;
  if (model.taken) pieces.push(sign("split off"), chip(ids[step]));
  else pieces.push(chip(left[step]), sign("+"), chip(right[step]), sign("→"), chip(ids[step]));
  pieces.push(text(nextText(model, step), look(COUNT, 400, colours.soft)));
  if (tied[step] > 1) {
    const sentence = `${tieText(model, step)} ${choiceText(model, step)}`.trim();
    pieces.push(badgePiece(sentence, look(BADGE, 600, colours.tie), fonts, width));
  }
  return flow(pieces, width);
}
