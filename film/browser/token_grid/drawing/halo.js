// What leads the eye during a merge: a ring round each pair until its parts meet, while everything else steps back.

/** @import {Box} from "../layout/layout.js" */
/** @import {Cells} from "../data/segmentation.js" */

import { make } from "../../shared/dom.js";
import { tokensMade } from "../data/segmentation.js";

const HALO_ROOM = 4; // px between a pair and the ring round it
const MOST_DIMMED = 300; // cells; with more, fading them would cost frames
const PALE = 0.45; // opacity of what steps back

/**
 * Return the keyframes of a ring.
 * @param {number} contact  when the parts meet, as a share of the time
 * @returns {Keyframe[]}
 */
export function haloFrames(contact) {
  return [
    { opacity: 1 },
    { opacity: 1, offset: contact },
    { opacity: 0, offset: contact + 0.12 },
    { opacity: 0 },
  ];
}

/**
 * Return the keyframes of what steps back.
 * @param {number} contact
 * @returns {Keyframe[]}
 */
export function backFrames(contact) {
  return [
    { opacity: 1 },
    { opacity: PALE, offset: 0.15 },
    { opacity: PALE, offset: contact },
    { opacity: 1 },
  ];
}

/**
 * Make the ring round a box.
 * @param {Box} box
 * @param {number} curve  radius of the box's corners
 */
export function haloRound({ x, y, w, h }, curve) {
  const halo = make("span", "halo");
  const { style } = halo;
  style.translate = `${x - HALO_ROOM}px ${y - HALO_ROOM}px`;
  style.width = `${w + 2 * HALO_ROOM}px`;
  style.height = `${h + 2 * HALO_ROOM}px`;
  style.borderRadius = `${curve + HALO_ROOM}px`;
  return halo;
}

/**
 * Return the cells that are not part of the tokens that a step makes; none of a long text.
 * @param {Cells} cells
 * @param {number} rank  of the step
 */
export function othersOf(cells, rank) {
  if (cells.size > MOST_DIMMED) return [];
  const joins = new Set();
  for (const [first, end] of tokensMade(cells, rank)) {
    for (let cell = first; cell < end; cell++) joins.add(cell);
  }
  return Array.from({ length: cells.size }, (_, cell) => cell).filter((cell) => !joins.has(cell));
}
