// One grid: its state, and its reaction to the playhead. Everything drawn is derived from `model` (the feed),
// `step` and `options`. Only this file writes the grid's fields.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Drawing, Grid, GridData} from "./types.js" */

import { followTheme, themeOf } from "../shared/colour.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { createCellDrawing } from "./cell_drawing.js";
import { createChipDrawing } from "./chip_drawing.js";
import { createElements, createPanels, drawLaneTitle } from "./elements.js";
import { decodeFeed, tiedPairs } from "./feed.js";
import { createFrameData } from "./frame_data.js";
import { followGroup } from "./group_events.js";
import { listenToKeys } from "./keys.js";
import { enterStage, leaveStage } from "./lane_stage.js";
import { differsFrom, rivalsOf } from "./lanes.js";
import { readOptions, storeOption } from "./options.js";
import { pairName } from "./pair_counts.js";
import { visibleMarksAt } from "./marking.js";
import { drawMarks } from "./painting.js";
import { createPlayhead, isFast } from "./playhead.js";
import { leaveGroup } from "./presenter.js";
import { createReports, pickOf, tellPairs } from "./reports.js";
import { fitStage, followSize, layOut } from "./room.js";
import { cellsOf } from "./segmentation.js";
import { styleOf } from "./style.js";
import { createTokenChips } from "./token_chips.js";
import { createVisibleArea } from "./visible_area.js";

const CALM = "(prefers-reduced-motion: reduce)";

/**
 * Make a grid and join its group.
 * @param {Component<GridData>} component
 * @returns {Controller<GridData>}
 */
export function createGrid(component) {
  const { data } = component;
  const root = rootOf(component, "[data-testid=token-grid]");
  const gone = new AbortController();
  const { signal } = gone;
  const group = groupNamed(data.group);
  const playhead = (group.playhead ??= createPlayhead(group));
  const elements = createElements();
  const home = root.parentNode; // of the root, which moves to the stage if the group has one
  const visibleArea = createVisibleArea(elements, () => isFast(playhead) && mark(), signal);
  const model = decodeFeed(data.feed);
  /** @type {Omit<Grid, "panels" | "chip" | "chipFor">} */
  const bare = {
    root,
    group,
    playhead,
    data,
    model,
    step: 0,
    last: model.last,
    lane: data.lane,
    options: readOptions(data.options),
    theme: themeOf(root),
    ...styleOf(root),
    elements,
    visibleArea,
    reading: readingOf(model),
    layouts: [],
    width: 0,
    fitted: 0,
    height: 0,
    drawsChips: false,
    visibleMarks: visibleMarksAt("fuse", false),
    tied: new Set(),
    lastMove: null,
    lit: null,
    cursor: null,
    moveWindow: (start) => component.setStateValue("window", start),
    pick: (pair) => component.setTriggerValue("pick", pickOf(grid, pair)),
    differsAt: (cells, start, end) => differsFrom(rivalsOf(grid, group.lanes), cells, start, end),
    choose,
    setCursor: (cursor) => void (grid.cursor = cursor),
    look,
    relayout,
    paintMarks,
    follow,
    mark,
    finish: () => drawing?.finish(),
  };
  const grid = /** @type {Grid} */ (bare); // the missing parts need a grid, so they are made after it
  const tokenChips = createTokenChips(grid);
  grid.chip = tokenChips.chip;
  grid.chipFor = tokenChips.chipFor;
  grid.panels = createPanels(grid, signal);
  const frameData = createFrameData(grid);
  const reports = createReports(grid, (step) => component.setStateValue("step", step), signal);
  const calm = matchMedia(CALM);
  /** @type {Drawing | null} */
  let drawing = null;
  let fresh = true; // nothing has been drawn
  let missed = false; // whether it skipped steps, out of sight while they followed fast

  group.lanes.add(grid);
  setMotion();
  if (data.transport) begin();
  listen();

  // The lane with the transport brings the group to its step; the others join where it is. Counting the lanes would
  // not do: when the corpus changes, the grid that goes is still there when the one that comes is drawn.
  function begin() {
    playhead.step = Math.min(data.start, grid.last);
    playhead.playing = false;
    playhead.beatwise = data.beatwise;
    playhead.beat = data.beatwise && playhead.step < grid.last ? "guess" : "rest";
    reports.know(playhead.step);
  }

  function listen() {
    followGroup(grid, signal, {
      setLit: (light) => void (grid.lit = light),
      setTied: (pairs) => void (grid.tied = new Set(pairs.map(([left, right]) => pairName(left, right)))),
    });
    hear("stage", group.name, signal, redraw);
    listenToKeys(grid, signal);
    elements.viewport.addEventListener("scroll", look, { signal, passive: true });
    followSize(grid, signal);
    followTheme(() => themeOf(root) !== grid.theme && redraw(), signal);
    calm.addEventListener("change", setMotion, { signal });
    if (document.fonts.size) document.fonts.ready.then(() => signal.aborted || relayout());
  }

  function setMotion() {
    playhead.motion = grid.options.motion && !calm.matches;
  }

  /** @type {Controller<GridData>["update"]} */
  function update(next) {
    component = next;
    const { feed, lane } = next.data;
    const other = feed.id !== grid.model.feed.id;
    grid.lane = lane;
    drawLaneTitle(grid);
    enterStage(grid, home);
    if (other) takeFeed(feed);
    if (fresh || other) {
      grid.step = Math.min(playhead.step, grid.last);
      root.dataset.id = feed.id;
      root.dataset.steps = String(grid.last);
      redraw();
      if (fresh && group.presenting) grid.panels.presenter.follow(true); // a pick during the presentation made a new grid
      else if (fresh && next.data.transport) grid.panels.presenter.resume();
      playhead.gather(); // other lanes also compare themselves with this one
      for (const { panels } of group.lanes) panels.options.draw();
    } else if (themeOf(root) !== grid.theme) {
      restyle();
      repaint();
    }
    fresh = false;
  }

  /** @param {GridData["feed"]} feed */
  function takeFeed(feed) {
    const next = decodeFeed(feed);
    Object.assign(grid, { model: next, last: next.last, reading: readingOf(next), tied: new Set() });
  }

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

  function redraw() {
    restyle();
    grid.panels.presenter.followStage();
    grid.panels.ownMerges.follow();
    relayout();
  }

  function restyle() {
    grid.theme = themeOf(root);
    root.dataset.theme = grid.theme;
    enterStage(grid, home);
    tokenChips.clear();
    Object.assign(grid, styleOf(root));
  }

  // Lays out anew: the feed, the width, the view, the drawing or the letters' size changed.
  function relayout() {
    if (!elements.viewport.clientWidth) return;
    drawing?.remove();
    grid.cursor = null;
    Object.assign(grid, layOut(grid));
    fitStage(grid);
    grid.panels.windowControls.draw(grid.model.feed.text);
    drawing = grid.drawsChips ? createChipDrawing(grid) : createCellDrawing(grid);
    root.dataset.drawing = drawing.chips ? "chips" : "cells";
    repaint();
  }

  function repaint() {
    drawTexts();
    visibleArea.fit(grid.width);
    drawing?.paintAll();
    paintMarks();
    grid.panels.transport?.drawStrip();
    grid.panels.options.draw();
  }

  /** @type {Grid["follow"]} */
  function follow(from, step, duration) {
    const before = Math.min(from, grid.last);
    grid.step = Math.min(step, grid.last);
    const near = Math.abs(grid.step - before) === 1;
    grid.lastMove = near ? { rank: Math.min(before, grid.step), forwards: grid.step > before } : null;
    if (before === grid.step && from !== step) return drawNumbers();
    grid.tied = tiedNow();
    grid.cursor = null;
    setVisibleMarks();
    if (isFast(playhead) && !visibleArea.isSeen()) missed = true;
    else drawing?.follow(before, grid.step, duration);
    drawNumbers();
    if (playhead.beat === "fast") {
      paintMarks();
      grid.panels.headline.draw();
      reports.tellPairsSoon();
    }
  }

  function mark() {
    if (missed && (!isFast(playhead) || visibleArea.isSeen())) {
      missed = false;
      drawing?.paintAll();
    }
    setVisibleMarks();
    grid.panels.pointing.follow();
    drawTexts();
    paintMarks();
    if (playhead.beat === "settle") tellPairs(grid);
    reports.tellStep();
  }

  function tiedNow() {
    return new Set((tiedPairs(grid.model, grid.step) ?? []).map(([left, right]) => pairName(left, right)));
  }

  function setVisibleMarks() {
    const { beat } = playhead;
    grid.visibleMarks = visibleMarksAt(beat, rivalsOf(grid, group.lanes).length > 0);
    root.dataset.beat = beat;
  }

  function drawNumbers() {
    frameData.draw();
    grid.panels.numbers.draw();
    grid.panels.transport?.draw();
  }

  function drawTexts() {
    if (!grid.tied.size) grid.tied = tiedNow();
    setVisibleMarks();
    drawNumbers();
    grid.panels.headline.draw();
    if (grid.layouts.length) grid.panels.spoken.draw();
  }

  /** @type {Grid["choose"]} */
  function choose(name, value) {
    grid.options[name] = value;
    storeOption(name, value);
    if (name === "motion") setMotion();
    tokenChips.clear();
    relayout();
    say("options", { group: group.name, from: root, options: { ...grid.options } });
  }

  function remove() {
    gone.abort();
    group.lanes.delete(grid);
    leaveStage(grid, home);
    if (group.lanes.size) playhead.tell();
    else leaveGroup(group);
    drawing?.remove();
  }

  return { update, remove };
}

/** @param {Grid["model"]} model */
function readingOf(model) {
  const { text, words } = cellsOf(model);
  return text.size ? text : words;
}
