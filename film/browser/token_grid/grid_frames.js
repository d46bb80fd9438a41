// What a grid draws when its step, its beat or its part in sight changes, and when it is laid out anew. Canvases and texts
// are apart, so that all lanes of a group paint first and write afterwards: a text on a canvas makes the browser style
// and lay out a page in which something was written.

/** @import {Drawing, Grid} from "./types.js" */

import { createCellDrawing } from "./drawing/cell_drawing.js";
import { createChipDrawing } from "./drawing/chip_drawing.js";
import { createMergeInSight } from "./drawing/merge_in_sight.js";
import { tiedPairs } from "./data/feed.js";
import { createFrameData } from "./frame_data.js";
import { rivalsOf, stepOfLane } from "./data/lanes.js";
import { visibleMarksAt } from "./painting/marking.js";
import { pairName } from "./data/pair_counts.js";
import { drawMarks } from "./painting/painting.js";
import { isFast } from "./timing/playhead.js";
import { tellPairs } from "./playing/reports.js";
import { fitStage, layOut } from "./drawing/room.js";

/** @typedef {ReturnType<typeof import("./playing/reports.js").createReports>} Reports */

/**
 * Make the functions that draw a grid.
 * @param {Grid} grid
 * @param {Reports} reports
 * @param {AbortSignal} signal
 */
export function createFrames(grid, reports, signal) {
  const { root, group, playhead, elements, visibleArea } = grid;
  const followMerge = createMergeInSight(grid, signal);
  const frameData = createFrameData(grid);
  /** @type {Drawing | null} */
  let drawing = null;
  let missed = false; // whether it skipped steps, out of sight while they followed fast

  // Another part of the layouts has come into sight.
  function look() {
    visibleArea.fit(grid.width);
    if (!drawing?.chips) drawing?.paintAll();
    paintMarks();
  }

  function paintMarks() {
    if (missed || !grid.layouts.length) return;
    const { marks } = visibleArea;
    visibleArea.clear(marks);
    for (const layout of grid.layouts) drawMarks(marks, grid, layout, ...visibleArea.cellsIn(layout));
    grid.panels.ruler.draw();
  }

  // Lays out anew: the feed, the width, the view, the drawing or the letters' size changed.
  function relayout() {
    if (!elements.viewport.clientWidth) return;
    grid.cursor = null;
    Object.assign(grid, layOut(grid));
    grid.panels.windowControls.draw(grid.model.feed.text);
    // Canvases of cells hold any layout; chips are those of one.
    if (!drawing || drawing.chips || grid.drawsChips) {
      drawing?.remove();
      drawing = grid.drawsChips ? createChipDrawing(grid) : createCellDrawing(grid);
    }
    root.dataset.drawing = drawing.chips ? "chips" : "cells";
    fitStage(grid);
    repaint();
  }

  function repaint() {
    missed = false;
    knowTies();
    followBeat();
    visibleArea.fit(grid.width);
    drawing?.paintAll();
    paintMarks();
    grid.panels.transport?.drawStrip();
    drawTexts();
    grid.panels.options.draw();
  }

  /** @type {Grid["follow"]} */
  function follow(from, step, duration) {
    const before = Math.min(grid.step, grid.last);
    grid.step = stepOfLane(grid, step);
    const near = Math.abs(grid.step - before) === 1;
    grid.lastMove = near ? { rank: Math.min(before, grid.step), forwards: grid.step > before } : null;
    if (before === grid.step && from !== step) return; // its training has ended
    grid.tied = tiedNow();
    grid.cursor = null;
    followBeat();
    if (missed || (isFast(playhead) && !visibleArea.isSeen())) missed = true;
    else drawing?.follow(before, grid.step, duration);
  }

  function mark() {
    if (missed && (!isFast(playhead) || visibleArea.isSeen())) {
      missed = false;
      drawing?.paintAll();
    }
    knowTies();
    followBeat();
    paintMarks();
  }

  function write() {
    grid.panels.pointing.follow();
    drawTexts();
    followMerge();
    if (playhead.beat === "settle") tellPairs(grid);
    if (playhead.beat === "fast") reports.tellPairsSoon();
    reports.tellStep();
  }

  // The viewport has come into sight.
  function appear() {
    if (!isFast(playhead)) return;
    mark();
    write();
  }

  function tiedNow() {
    return new Set((tiedPairs(grid.model, grid.step) ?? []).map(([left, right]) => pairName(left, right)));
  }

  function knowTies() {
    if (!grid.tied.size) grid.tied = tiedNow();
  }

  function followBeat() {
    grid.visibleMarks = visibleMarksAt(playhead.beat, rivalsOf(grid, group.lanes).length > 0);
  }

  function drawTexts() {
    root.dataset.beat = playhead.beat;
    frameData.draw();
    grid.panels.numbers.draw();
    grid.panels.transport?.draw();
    grid.panels.headline.draw();
    grid.panels.rail.draw();
    if (grid.layouts.length) grid.panels.spoken.draw();
  }

  return {
    look,
    paintMarks,
    relayout,
    repaint,
    follow,
    mark,
    write,
    appear,
    finish: () => drawing?.finish(),
    remove: () => drawing?.remove(),
  };
}
