// What leads the eye during a merge: a ring round each pair until its parts meet, while everything else steps back.

/** @import {Box, Layout} from "../layout/layout.js" */
/** @import {Cells} from "../data/segmentation.js" */

import { make } from "../../shared/dom.js";
import { tokensMade } from "../data/segmentation.js";

const HALO_ROOM = 4; // px between a pair and the ring round it
const MOST_DIMMED = 300; // cells; with more, fading them would cost frames
const PALE = 0.45; // opacity of what steps back

/**
 * Return the keyframes of a ring round a pair, from where its parts are to where they meet.
 * @param {Box} from
 * @param {Box} to
 * @param {number} leaves  when the parts begin to move towards each other, as a share of the time
 * @param {number} contact  when they meet
 * @returns {Keyframe[]}
 */
export function haloFrames(from, to, leaves, contact) {
  const [before, after] = [from, to].map(ringRound);
  return [
    { ...before, opacity: 1 },
    { ...before, opacity: 1, offset: leaves, easing: "ease-in" },
    { ...after, opacity: 1, offset: contact },
    { ...after, opacity: 0, offset: contact + 0.12 },
    { ...after, opacity: 0 },
  ];
}

/**
 * Return where the ring round a box is, and how wide.
 * @param {Box} box
 */
function ringRound({ x, y, w }) {
  return { translate: `${x - HALO_ROOM}px ${y - HALO_ROOM}px`, width: `${w + 2 * HALO_ROOM}px` };
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
export function haloRound(box, curve) {
  const halo = make("span", "halo");
  const height = `${box.h + 2 * HALO_ROOM}px`;
  const borderRadius = `${curve + HALO_ROOM}px`;
  Object.assign(halo.style, { ...ringRound(box), height, borderRadius, opacity: "0" }); // but for its animation
  return halo;
}

/**
 * Return the box round cells [first, end) as they were before a merge, on the line on which they are now.
 * @param {Pick<Layout, "x" | "w">} before
 * @param {number} first
 * @param {number} end
 * @param {Box} now
 * @returns {Box}
 */
export function boxAround({ x, w }, first, end, now) {
  let [left, right] = [Infinity, -Infinity];
  for (let cell = first; cell < end; cell++) {
    left = Math.min(left, x[cell]);
    right = Math.max(right, x[cell] + w[cell]);
  }
  return { ...now, x: left, w: right - left };
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
