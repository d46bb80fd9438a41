// Painting the brackets below tied pairs on a canvas: the winner's filled, the losers' in outline.

/** @import {Layout} from "../layout/layout.js" */
/** @import {Context} from "./painting.js" */
/** @import {Grid} from "../types.js" */

import { FADED, bracketsIn, pillText } from "./brackets.js";

/**
 * Paint the brackets of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function drawBrackets(context, grid, layout, from, to) {
  const { colours, font, visibleMarks } = grid;
  const { metrics } = layout;
  if (!metrics.pill || !visibleMarks.tied) return;
  const text = pillText(grid);
  context.font = `650 ${metrics.pillType}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.setLineDash([]);
  const width = context.measureText(text).width + metrics.pillType * 0.9;
  const brackets = bracketsIn(grid, layout, from, to, width).toSorted(
    (one, other) => +one.wins - +other.wins,
  );
  const alphaOf = (/** @type {boolean} */ wins) => (!wins && visibleMarks.losersFade ? FADED : 1);
  for (const { lines, tick, wins } of brackets) {
    context.globalAlpha = alphaOf(wins);
    context.strokeStyle = wins ? colours.accent : colours.tie;
    context.lineWidth = Math.max(1.5, metrics.pill / 9);
    context.beginPath();
    for (const { x, y, w } of lines) {
      context.moveTo(x, y - tick);
      context.lineTo(x, y);
      context.lineTo(x + w, y);
      context.lineTo(x + w, y - tick);
    }
    context.stroke();
  }
  // Above all lines, and opaque even where it fades: a line through a number would strike it out.
  context.lineWidth = 1.5;
  for (const { pill, wins } of brackets) {
    context.globalAlpha = 1;
    context.fillStyle = wins ? colours.accent : colours.panel;
    context.beginPath();
    context.roundRect(pill.x, pill.y, pill.w, pill.h, pill.h / 2);
    context.fill();
    context.globalAlpha = alphaOf(wins);
    context.strokeStyle = wins ? colours.accent : colours.tie;
    context.stroke();
    context.fillStyle = wins ? colours.panel : colours.tie;
    context.fillText(text, pill.x + pill.w / 2, pill.y + pill.h / 2 + metrics.pillType * 0.06);
  }
  context.globalAlpha = 1;
}
