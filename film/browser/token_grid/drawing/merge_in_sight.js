// A long text follows the merge: before it, the grid scrolls to where most happens, so that no merge passes unseen.

/** @import {Grid} from "../types.js" */

import { pairName } from "../data/pair_counts.js";
import { eachPair } from "../painting/marking.js";
import { isFast } from "../timing/playhead.js";

const AFTER_A_STEP = 700; // ms for which the merge that was just made stays in sight
const ABOVE = 8; // px above the first line, for its outlines
const BEFORE_A_MERGE = new Set(["count", "select"]);

/** A line of the drawing, in px. @typedef {{y: number, low: number}} Sight */

/**
 * Return where to scroll to so that most of the lines are in sight; `top` if one of them already is.
 * @param {Sight[]} sights  by falling place: from the top down
 * @param {number} top
 * @param {number} height  of the viewport
 */
export function densestTop(sights, top, height) {
  const isSeen = (/** @type {Sight} */ { y, low }, /** @type {number} */ from) =>
    y >= from && low <= from + height;
  if (!sights.length || sights.some((sight) => isSeen(sight, top))) return top;
  let [best, most] = [top, 0];
  let end = 0;
  for (const [at, { y }] of sights.entries()) {
    const from = Math.max(0, y - ABOVE);
    end = Math.max(end, at);
    while (end < sights.length && sights[end].low <= from + height) end++;
    if (end - at > most) [best, most] = [from, end - at];
  }
  return best;
}

/**
 * Make the function that follows the merges of a grid. Call it after every change of step or beat.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createMergeInSight(grid, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  let step = grid.step;

  function follow() {
    const { playhead } = grid;
    if (playhead.playing ? !BEFORE_A_MERGE.has(playhead.beat) : step === grid.step) return;
    clearTimeout(later);
    step = grid.step;
    if (isFast(playhead)) return;
    if (playhead.playing) show();
    else later = setTimeout(show, AFTER_A_STEP);
  }

  function show() {
    const { viewport } = grid.elements;
    const isElsewhere = grid.lane || grid.group.named?.length || grid.panels.story.isOpen();
    if (signal.aborted || isElsewhere || viewport.scrollHeight <= viewport.clientHeight + 1) return;
    const top = densestTop(mergesIn(grid), viewport.scrollTop, viewport.clientHeight);
    if (top === viewport.scrollTop) return;
    viewport.scrollTo({ top, behavior: grid.playhead.motion ? "smooth" : "auto" });
  }

  return follow;
}

/** @param {Grid} grid */
function mergesIn(grid) {
  const { left, right } = grid.model.steps;
  const merged = pairName(left[grid.step], right[grid.step]);
  return grid.layouts.flatMap((layout) => {
    const { cells, line, metrics, top } = layout;
    /** @type {Sight[]} */
    const sights = [];
    eachPair(grid, layout, 0, cells.size, (pair, start, end) => {
      const [y, low] = [line[start], line[end - 1] + 1].map((at) => top + at * metrics.pitch);
      if (pair === merged) sights.push({ y, low });
    });
    return sights;
  });
}
