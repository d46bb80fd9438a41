// A long text follows what is told: before a merge, the grid scrolls to where most happens, so that no merge passes
// unseen; in a lesson, to the pairs that its text names.

/** @import {Grid} from "./types.js" */
/** @import {Layout} from "./layout.js" */
/** @import {Elements} from "./elements.js" */

import { tokenOf } from "../player/feed.js";
import { mergedPair, pairName } from "../player/pair_counts.js";
import { hexText } from "../player/spelling.js";
import { eachPair } from "./marking.js";
import { isFast } from "../player/playhead.js";
import { contextOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { EDGE } from "./painting.js";

const AFTER_A_STEP = 700; // ms for which the merge that was just made stays in sight
export const ABOVE = 2; // px above the first line, for its outlines: less than what is free between two lines
const BEFORE_A_MERGE = new Set(["count", "select"]);

/** A pair in the drawing: its name, and its lines in px. @typedef {{name: string, y: number, low: number}} Sight */

/**
 * Return where to scroll to so that most of the lines are in sight; `top` if one of them already is.
 * @param {Sight[]} sights  by falling place: from the top down
 * @param {number} top
 * @param {number} height  of the viewport
 */
function densestTop(sights, top, height) {
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
    const merged = new Set([mergedPair(grid.model, grid.step)]);
    const top = densestTop(sightsOf(grid, merged), viewport.scrollTop, viewport.clientHeight);
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

/** Scroll a grid to the pairs that a lesson's text names. @param {Grid} grid */
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

/** @param {Grid} grid @param {Set<string>} names  of pairs */
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

// The part of the layouts that the viewport shows, and the canvases laid over just that part. One is for marks
// (outlines, dots, highlights) in both drawings, another for tokens that are drawn as cells.

/**
 * The part of the stage that the viewport shows.
 * @typedef {object} VisibleArea
 * @property {CanvasRenderingContext2D} marks  the canvas for marks
 * @property {(name: string) => CanvasRenderingContext2D} addLayer
 * @property {(context: CanvasRenderingContext2D) => void} removeLayer
 * @property {(width: number) => void} fit  to where the viewport has been scrolled to; `width` is that of the layouts
 * @property {(layout: Layout) => [number, number]} cellsIn  the visible cells [from, to) of a layout
 * @property {(context: CanvasRenderingContext2D) => void} clear
 * @property {() => boolean} isSeen  whether the viewport itself is in sight
 * @property {() => number} height
 */

/**
 * Make the visible area of a viewport. `onSeen` is called when the viewport comes into sight.
 * @param {Elements} elements
 * @param {() => void} onSeen
 * @param {AbortSignal} signal
 * @returns {VisibleArea}
 */
export function createVisibleArea({ viewport, stage }, onSeen, signal) {
  const area = { top: 0, width: 0, height: 0, ratio: 1, inView: true };
  /** @type {CanvasRenderingContext2D[]} */
  const contexts = [];

  /** @type {VisibleArea["addLayer"]} */
  function addLayer(name) {
    const canvas = make("canvas", `layer ${name}`, { "aria-hidden": "true" });
    const context = contextOf(canvas);
    contexts.push(context);
    stage.prepend(canvas); // marks are added first, and stay above later layers
    return context;
  }

  /** @type {VisibleArea["removeLayer"]} */
  function removeLayer(context) {
    contexts.splice(contexts.indexOf(context), 1);
    context.canvas.remove();
  }

  /** @type {VisibleArea["fit"]} */
  function fit(width) {
    area.ratio = Math.min(2, window.devicePixelRatio || 1);
    area.width = width + 2 * EDGE;
    area.height = viewport.clientHeight;
    area.top = viewport.scrollTop;
    for (const context of contexts) fitLayer(context);
  }

  /** @param {CanvasRenderingContext2D} context */
  function fitLayer(context) {
    const { canvas } = context;
    const { ratio, top } = area;
    const width = Math.round(area.width * ratio);
    const height = Math.round(area.height * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    canvas.style.width = `${area.width}px`;
    canvas.style.height = `${area.height}px`;
    canvas.style.transform = `translateY(${top}px)`;
    context.setTransform(ratio, 0, 0, ratio, EDGE * ratio, -top * ratio);
  }

  /** @type {VisibleArea["cellsIn"]} */
  function cellsIn({ metrics, top, lineStart, cells }) {
    const first = Math.max(0, Math.floor((area.top - top) / metrics.pitch) - 1);
    const last = Math.min(lineStart.length, Math.ceil((area.top + area.height - top) / metrics.pitch) + 1);
    if (first >= last) return [0, 0];
    return [lineStart[first], lineStart[last] ?? cells.size];
  }

  const observer = new IntersectionObserver((entries) => {
    area.inView = entries[entries.length - 1].isIntersecting; // several may arrive at once; the last is the newest
    if (area.inView) onSeen();
  });
  observer.observe(viewport);
  signal.addEventListener("abort", () => observer.disconnect());

  return {
    marks: addLayer("marks"),
    addLayer,
    removeLayer,
    fit,
    cellsIn,
    clear: (context) => context.clearRect(-EDGE, area.top, area.width, area.height),
    isSeen: () => area.inView,
    height: () => area.height,
  };
}
