// A long text follows what is told: before a merge, the grid scrolls to where most happens, so that no merge passes
// unseen; in a lesson, to the pairs that its text names.

/** @import {Grid} from "../types.js" */

import { tokenOf } from "../data/feed.js";
import { pairName } from "../data/pair_counts.js";
import { hexText } from "../data/spelling.js";
import { eachPair } from "../painting/marking.js";
import { isFast } from "../timing/playhead.js";

const AFTER_A_STEP = 700; // ms for which the merge that was just made stays in sight
const ABOVE = 8; // px above the first line, for its outlines
const BEFORE_A_MERGE = new Set(["count", "select"]);

/** A pair in the drawing: its name, and its lines in px. @typedef {{name: string, y: number, low: number}} Sight */

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
    const isElsewhere = grid.lane || grid.group.named?.length;
    if (signal.aborted || isElsewhere || viewport.scrollHeight <= viewport.clientHeight + 1) return;
    const { left, right } = grid.model.steps;
    const merged = pairName(left[grid.step], right[grid.step]);
    const top = densestTop(sightsOf(grid, new Set([merged])), viewport.scrollTop, viewport.clientHeight);
    if (top === viewport.scrollTop) return;
    viewport.scrollTo({ top, behavior: grid.playhead.motion ? "smooth" : "auto" });
  }

  return follow;
}

/**
 * Return where to scroll to so that most of the pairs are in sight together, the first one above all; `top` if no other
 * place shows more.
 * @param {Sight[]} sights
 * @param {string[]} names
 * @param {number} top
 * @param {number} height  of the viewport
 */
export function fullestTop(sights, names, top, height) {
  const weightFrom = (/** @type {number} */ from) => {
    const visible = new Set(
      sights.filter(({ y, low }) => y >= from && low <= from + height).map(({ name }) => name),
    );
    return visible.size + (visible.has(names[0]) ? names.length : 0);
  };
  let [best, most] = [top, weightFrom(top)];
  for (const from of new Set(sights.map(({ y }) => Math.max(0, y - ABOVE)))) {
    const weight = weightFrom(from);
    if (weight > most) [best, most] = [from, weight];
  }
  return best;
}

/**
 * Scroll a grid to the pairs that a lesson's text names.
 * @param {Grid} grid
 */
export function showPairs(grid) {
  const named = grid.group.named ?? [];
  if (!named.length || !grid.layouts.length) return;
  const { symbols, steps } = grid.model;
  const all = [...symbols.map(({ id }) => id), ...steps.ids];
  const ids = new Map(all.map((id) => [hexText(tokenOf(grid.model, id).bytes), id]));
  const names = named.flatMap(([left, right]) => {
    const [one, other] = [ids.get(left), ids.get(right)];
    return one === undefined || other === undefined ? [] : [pairName(one, other)];
  });
  const { viewport } = grid.elements;
  const sights = sightsOf(grid, new Set(names));
  viewport.scrollTop = fullestTop(sights, names, viewport.scrollTop, viewport.clientHeight);
}

/**
 * @param {Grid} grid
 * @param {Set<string>} names  of pairs
 */
function sightsOf(grid, names) {
  return grid.layouts.flatMap((layout) => {
    const { cells, line, metrics, top } = layout;
    /** @type {Sight[]} */
    const sights = [];
    eachPair(grid, layout, 0, cells.size, (name, start, end) => {
      if (!names.has(name)) return;
      const [y, low] = [line[start], line[end - 1] + 1].map((at) => top + at * metrics.pitch);
      sights.push({ name, y, low });
    });
    return sights;
  });
}
