// A grid at any step, as a picture shows it: at rest, with the marks of the next merge.

/** @import {Grid} from "../token_grid/types.js" */
/** @import {Frame} from "./grid_shapes.js" */

import { tiedPairs } from "../token_grid/data/feed.js";
import { differsFrom, rivalsOf } from "../token_grid/data/lanes.js";
import { visibleMarksAt } from "../token_grid/painting/marking.js";
import { pairName, pairsAt, tiedAt } from "../token_grid/data/pair_counts.js";

/**
 * What a picture is made from: the fields of a grid that are no elements of the page.
 * @typedef {Pick<Grid, "model" | "step" | "tied" | "options" | "colours" | "chip" | "lane" | "drawsChips">} Source
 */

/**
 * Return the frames of all lanes at a step; a lane that has fewer steps rests at its last.
 * @param {Source[]} lanes
 * @param {number} step
 * @returns {Frame[]}
 */
export function framesAt(lanes, step) {
  const now = lanes.map(({ model }) => ({ model, step: Math.min(step, model.last) }));
  return lanes.map((lane, at) => {
    const rivals = rivalsOf(now[at], now);
    return {
      ...lane,
      step: now[at].step,
      tied: tiedNames(lane, now[at].step),
      visibleMarks: visibleMarksAt("rest", rivals.length > 0),
      cursor: null,
      differsAt: (cells, start, end) => differsFrom(rivals, cells, start, end),
    };
  });
}

/**
 * Return the names of the pairs that tie for the next merge, as far as the page knows them.
 * @param {Source} lane
 * @param {number} step
 * @returns {Set<string>}
 */
function tiedNames({ model, step: gridStep, tied }, step) {
  if (step >= model.last || !(model.steps.tied[step] > 1)) return new Set();
  const pairs = tiedPairs(model, step);
  if (pairs) return new Set(pairs.map(([left, right]) => pairName(left, right)));
  if (model.whole) return new Set(tiedAt(model, pairsAt(model, step)).keys());
  return step === gridStep ? tied : new Set();
}
