// The dashed box round the abbreviation of an invisible character, as Unicode's charts draw it.

/** @import {Box} from "../layout/layout.js" */
/** @import {Metrics} from "../layout/metrics.js" */
/** @import {Run} from "../layout/runs.js" */

import { widthOf } from "../layout/metrics.js";

/**
 * Return where the dashed box of a run is.
 * @param {Metrics} metrics
 * @param {Run} run
 * @param {Box} box  of the run's cells
 */
export function dashedBox(metrics, run, box) {
  const w = Math.min(widthOf(metrics, run), box.w - 2);
  const h = Math.round(metrics.size * 1.05);
  const left = box.x + (box.w - w) / 2;
  return { x: Math.round(left) + 0.5, y: Math.round(box.y + (box.h - h) / 2) + 0.5, w: w - 1, h };
}

/**
 * Paint the dashed box of a run.
 * @param {CanvasRenderingContext2D} context
 * @param {Metrics} metrics
 * @param {Run} run
 * @param {Box} cells
 * @param {string} colour
 */
export function drawDashes(context, metrics, run, cells, colour) {
  const { x, y, w, h } = dashedBox(metrics, run, cells);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  context.strokeRect(x, y, w, h);
  context.setLineDash([]);
}
