// Lanes of one group that show the same text: finds the tokens of a lane that differ in another lane.

/** @import {Model} from "./feed.js" */
/** @import {Grid} from "../types.js" */
/** @import {Cells} from "./segmentation.js" */

import { lettersDiffer, sameLetters } from "./letters.js";
import { cellsOf, endOf, startOf } from "./segmentation.js";

/** A model, and the number of steps that have been made in it. @typedef {{model: Model, step: number}} Lane */

/**
 * @param {Model} model
 * @param {Model} other
 */
function sameCells(model, other) {
  return model.feed.cells === other.feed.cells;
}

/**
 * Return the lanes whose tokens can be compared with those of a lane.
 * @template {Lane} AnyLane
 * @param {Lane} lane
 * @param {Iterable<AnyLane>} lanes  of its group
 */
export function rivalsOf(lane, lanes) {
  return [...lanes].filter((other) => {
    if (/** @type {Lane} */ (other) === lane) return false;
    return sameCells(lane.model, other.model) || sameLetters(lane.model, other.model);
  });
}

/**
 * Return whether some rival, at its own step, splits the token of cells [start, end) or its letters differently.
 * @param {Lane[]} rivals
 * @param {Cells} cells
 * @param {number} start
 * @param {number} end
 */
export function differsFrom(rivals, cells, start, end) {
  return rivals.some(({ model, step }) => {
    if (!sameCells(cells.model, model)) return lettersDiffer(cells, start, end, model, step);
    const twin = cellsOf(model)[cells.distinct ? "words" : "text"];
    return startOf(twin, step, start) !== start || endOf(twin, step, start) !== end;
  });
}

/**
 * Return the step of a lane when the playhead of its group is at `step`. A lane may be some steps ahead of the others.
 * @param {Pick<Grid, "lane" | "last">} lane
 * @param {number} step
 */
export function stepOfLane({ lane, last }, step) {
  return Math.max(0, Math.min(step + (lane?.ahead ?? 0), last));
}

/**
 * Return whether a grid is the first lane of its group, which reports for all.
 * @param {Grid} grid
 */
export function leadsGroup(grid) {
  const position = (/** @type {Grid} */ { lane }) => lane?.index ?? 0;
  const [first] = [...grid.group.lanes].toSorted((one, other) => position(one) - position(other));
  return first === grid;
}
