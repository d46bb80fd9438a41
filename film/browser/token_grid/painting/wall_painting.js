// Painting what separates words on a canvas: walls between the words of a text, frequencies before distinct words, and
// the ends of words within a longer one, as long as the first of two stages lasts.

/** @import {Layout} from "../layout/layout.js" */
/** @import {Context} from "./painting.js" */
/** @import {Grid} from "../types.js" */

import { endsOf, frequencyText, lineEnd, wallsOf } from "../layout/layout.js";

/**
 * Paint what separates the words of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function drawWalls(context, grid, layout, from, to) {
  if (from >= to) return;
  if (layout.cells.distinct) drawFrequencies(context, grid, layout, from, to);
  else drawBars(context, grid, layout, from, to, (first, end) => wallsOf(layout, first, end));
  drawEnds(context, grid, layout, from, to);
}

/**
 * Paint the ends of words in the lines of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function drawEnds(context, grid, layout, from, to) {
  if (from >= to || grid.step >= (grid.model.stage?.after ?? 0)) return;
  drawBars(context, grid, layout, from, to, (first, end) => endsOf(layout, first, end, grid.step));
}

/**
 * Paint bars in the lines of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(first: number, end: number) => Map<number, number>} barsOf  x of the bars between the cells of a line
 */
function drawBars(context, grid, layout, from, to, barsOf) {
  const { metrics, line: lines } = layout;
  const { a: ratio, e: left, f: top } = context.getTransform();
  const wide = Math.floor(2 * ratio);
  const high = Math.round(metrics.height * 0.76 * ratio);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0); // whole pixels of the screen: a bar that is painted twice looks the same
  context.fillStyle = grid.colours.wall;
  for (let line = lines[from]; line <= lines[to - 1]; line++) {
    const y = layout.top + line * metrics.pitch + metrics.drop + metrics.height * 0.12;
    for (const x of barsOf(layout.lineStart[line], lineEnd(layout, line)).values()) {
      context.fillRect(Math.round(x * ratio + left - wide / 2), Math.round(y * ratio + top), wide, high);
    }
  }
  context.restore();
}

/**
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawFrequencies(context, grid, layout, from, to) {
  const { cells, metrics, left, labelWidth } = layout;
  context.fillStyle = grid.colours.soft;
  context.textAlign = "right";
  context.direction = "ltr"; // not that of the last token
  context.textBaseline = "middle";
  context.font = `400 ${Math.round(metrics.size * 0.92)}px ${grid.font}`;
  for (let item = cells.item[from]; item < cells.words.length && cells.firstCell[item] < to; item++) {
    if (cells.firstCell[item] < from) continue;
    const y = layout.top + (layout.line[cells.firstCell[item]] + 0.5) * metrics.pitch;
    const text = frequencyText(cells.model.words.frequency[cells.words[item]]);
    context.fillText(text, left[item] + labelWidth - 10, y);
  }
}
