// One grid: its state, from its first data to its end. Everything drawn is derived from `model` (the feed), `step` and
// `options`. Only this file writes the grid's fields: elsewhere their types are read-only.

/** @import {Light} from "../shared/groups.js" */
/** @import {Grid, GridState, GridGroup, Drawing, GridData} from "./types.js" */
/** @import {Cells} from "../player/segmentation.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { lightText, stepSentence, whyChosen } from "./wording.js";
import { hear, groupNamed, tellsNow } from "../shared/groups.js";
import { decodeFeed } from "../player/feed.js";
import { leadsGroup, readingCells, rivalsOf, stepOfLane, differsFrom } from "../player/lanes.js";
import { litRanges, visibleMarksAt, styleOf } from "./marking.js";
import { showPairs, createMergeInSight, createVisibleArea } from "./in_sight.js";
import { joinedText, tokensAt } from "../player/segmentation.js";
import { createCellDrawing } from "./cell_drawing.js";
import { createChipDrawing } from "./chip_drawing.js";
import { pairName, tiedPairs } from "../player/pair_counts.js";
import { drawMarks } from "./painting.js";
import { isFast, createPlayhead } from "../player/playhead.js";
import { tellPairs, createReports, pickOf } from "./reports.js";
import { fitStage, layOut, followSize } from "./room.js";
import { followTheme, themeOf } from "../shared/colour.js";
import { rootOf } from "../shared/mount.js";
import { createElements, createPanels, drawLaneTitle } from "./elements.js";
import { listenToKeys } from "./keys.js";
import { enterStage, leaveStage } from "./lane_stage.js";
import { readOptions, storeOption } from "./panels.js";
import { leaveGroup } from "./presenter.js";
import { createTokenChips, vocabularyOf } from "./token_chips.js";

// What a grid hears from the other elements of its group: what to highlight, which pairs tie, where to go.

/**
 * React to the events of the group, until the signal aborts.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 * @param {{setLit: (light: Light | null) => void, setTied: (pairs: [number, number][]) => void}} setters
 */
function followGroup(grid, signal, { setLit, setTied }) {
  const { group, root, playhead } = grid;
  hear("light", group.name, signal, (light) => {
    const lit = light.none || (light.lane !== undefined && light.lane !== grid.lane?.index) ? null : light;
    setLit(lit);
    root.classList.toggle("lighting", lit !== null);
    root.dataset.lit = lit?.counts ?? "";
    if (lit?.counts) grid.panels.spoken.say(lightText(grid, lit));
    if (light.from === "lesson" || light.from === "prediction") scrollToLight(grid);
    grid.paintMarks();
  });
  // Pairs that the feed holds need not be sent.
  hear("tied", group.name, signal, ({ id, step, pairs }) => {
    if (id !== grid.model.feed.id || step !== grid.step || tiedPairs(grid.model, step)) return;
    setTied(pairs);
    grid.panels.headline.draw();
    grid.paintMarks();
  });
  hear("named", group.name, signal, () => showPairs(grid));
  hear("jump", group.name, signal, ({ step }) => leadsGroup(grid) && playhead.seek(step));
}

/** Scroll to the first highlighted token, unless one is in sight. @param {Grid} grid */
function scrollToLight(grid) {
  const { viewport } = grid.elements;
  const lines = grid.layouts.flatMap((layout) => {
    const { top, line, metrics, cells } = layout;
    const starts = litRanges(grid, layout, 0, cells.size).map(([start]) => top + line[start] * metrics.pitch);
    return starts.map((y) => ({ y, low: y + metrics.pitch }));
  });
  const from = viewport.scrollTop;
  const to = from + viewport.clientHeight;
  if (!lines.length || lines.some(({ y, low }) => y >= from && low <= to)) return;
  viewport.scrollTop = lines[0].y;
}

// The grid's state as data attributes of its root, for style sheets and tests.

const SHORT = 2000; // cells; a longer text is joined only at rest, since joining would take longer than the step

/** Make the writer of the data attributes. @param {Grid} grid */
function createFrameData(grid) {
  /** @type {{cells: Cells, step: number} | null} */
  let joined = null; // the content of data-text

  function draw() {
    const { root, reading, step, last, model, playhead } = grid;
    root.dataset.step = String(step);
    root.dataset.tokens = String(tokensAt(reading, step));
    root.dataset.tied = String(step < last ? model.steps.tied[step] : 0);
    root.dataset.playing = String(playhead.playing);
    if ((playhead.playing || playhead.scrubbing) && reading.size >= SHORT) return;
    if (joined?.cells === reading && joined.step === step) return;
    joined = { cells: reading, step };
    root.dataset.text = joinedText(reading, step);
  }
  return { draw };
}

// What a grid draws when its step, its beat or its part in sight changes, and when it is laid out anew. Canvases and texts
// are apart, so that all lanes of a group paint first and write afterwards: a text on a canvas makes the browser style
// and lay out a page in which something was written.

/** @typedef {ReturnType<typeof import("./reports.js").createReports>} Reports */

/**
 * Make the functions that draw a grid.
 * @param {GridState} grid
 * @param {Reports} reports
 * @param {AbortSignal} signal
 */
function createFrames(grid, reports, signal) {
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
  /** @param {boolean} [moves]  whether the chips move from where they were: the letters are the same */
  function relayout(moves = false) {
    if (!elements.viewport.clientWidth) return;
    const before = moves && playhead.motion ? drawing?.looks() : null;
    grid.cursor = null;
    grid.flows &&= grid.step === grid.last;
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
    if (before) drawing.moveFrom(before);
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
    if (grid.flows && grid.step < grid.last) return relayout();
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

  // While the grid plays fast it shows no ties, and counting every pair at every step would slow it down.
  function tiedNow() {
    if (isFast(playhead)) return new Set();
    const pairs = (tiedPairs(grid.model, grid.step) ?? []).slice(0, MOST_TIED);
    return new Set(pairs.map(([left, right]) => pairName(left, right)));
  }

  function knowTies() {
    if (!grid.tied.size) grid.tied = tiedNow();
  }

  function followBeat() {
    const hasRivals = rivalsOf(grid, group.lanes).length > 0;
    grid.visibleMarks = visibleMarksAt(playhead.beat, hasRivals, tellsNow(group));
  }

  function drawTexts() {
    root.dataset.beat = playhead.beat;
    frameData.draw();
    grid.panels.numbers.draw();
    grid.panels.transport?.draw();
    grid.panels.headline.draw();
    grid.panels.markerLegend.draw();
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

const MOST_TIED = 2_000; // pairs that are marked and offered; of more, the first in the text
const CALM = "(prefers-reduced-motion: reduce)";

/** Make a grid and join its group. @param {Component<GridData>} component @returns {Controller<GridData>} */
export function createGrid(component) {
  const { data } = component;
  const root = rootOf(component, "[data-testid=token-grid]");
  const lifetime = new AbortController();
  const { signal } = lifetime;
  /** @type {GridGroup} */
  const group = groupNamed(data.group);
  const playhead = (group.playhead ??= createPlayhead(group));
  const elements = createElements();
  const home = root.parentNode; // of the root, which moves to the stage if the group has one
  const visibleArea = createVisibleArea(elements, () => frames.appear(), signal);
  const model = decodeFeed(data.feed);
  const theme = themeOf(root);
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
    theme,
    ...styleOf(root, theme),
    elements,
    visibleArea,
    reading: readingCells(model),
    layouts: [],
    width: 0,
    fitted: 0,
    height: 0,
    inset: 0,
    drawsChips: false,
    flows: true,
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
    look: () => frames.look(),
    relayout: () => frames.relayout(),
    paintMarks: () => frames.paintMarks(),
    follow: (from, step, duration) => frames.follow(from, step, duration),
    mark: () => frames.mark(),
    write: () => frames.write(),
    finish: () => frames.finish(),
    why: (step) => whyChosen(grid.model, step),
    vocabulary: () => vocabularyOf(grid),
    tell: () => (grid.model.training && grid.step < grid.last ? stepSentence(grid.model, grid.step) : ""),
  };
  const grid = /** @type {GridState} */ (bare); // the missing parts need a grid, so they are made after it
  const tokenChips = createTokenChips(grid);
  grid.chip = tokenChips.chip;
  grid.chipFor = tokenChips.chipFor;
  grid.panels = createPanels(grid, signal);
  const reports = createReports(grid, (step) => component.setStateValue("step", step), signal);
  const frames = createFrames(grid, reports, signal);
  const calm = matchMedia(CALM);
  let fresh = true; // nothing has been drawn
  let furthest = 0; // the step that the viewer was at before a shorter training, if that ends earlier

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
    hear("stage", group.name, signal, () => redraw());
    listenToKeys(grid, signal);
    elements.viewport.addEventListener("scroll", frames.look, { signal, passive: true });
    followSize(grid, signal);
    followTheme(() => themeOf(root) !== grid.theme && redraw(), signal);
    calm.addEventListener("change", setMotion, { signal });
    if (document.fonts.size) document.fonts.ready.then(() => signal.aborted || frames.relayout());
  }

  function setMotion() {
    playhead.motion = grid.options.motion && !calm.matches;
  }

  /** @type {Controller<GridData>["update"]} */
  function update(next) {
    component = next;
    const { feed, lane } = next.data;
    const other = feed.id !== grid.model.feed.id;
    const before = { model: grid.model, subject: grid.data.subject };
    grid.data = next.data;
    const moved = (grid.lane?.ahead ?? 0) !== (lane?.ahead ?? 0);
    grid.lane = lane;
    drawLaneTitle(grid);
    enterStage(grid, home);
    const another = other && feed.family !== before.model.feed.family && next.data.transport;
    if (another) playhead.pause();
    if (other) takeFeed(feed);
    if (fresh || other) {
      if (another) takeTraining(before);
      grid.step = stepOfLane(grid, playhead.step);
      root.dataset.id = feed.id;
      root.dataset.steps = String(grid.last);
      redraw(other && feed.cells === before.model.feed.cells);
      if (other && grid.panels.pointing.isOpen()) grid.panels.pointing.clear(); // it pointed into the text before
      if (fresh && group.presenting) grid.panels.presenter.follow(true); // a pick during the presentation made a new grid
      else if (fresh && next.data.transport) grid.panels.presenter.resume();
      playhead.gather(); // other lanes also compare themselves with this one
      for (const { panels } of group.lanes) panels.options.draw();
      showPairs(grid);
    } else if (moved) {
      playhead.gather();
      showPairs(grid);
    } else if (themeOf(root) !== grid.theme) {
      restyle();
      frames.repaint();
    }
    fresh = false;
  }

  /** @param {GridData["feed"]} feed */
  function takeFeed(feed) {
    const next = decodeFeed(feed);
    Object.assign(grid, {
      model: next,
      last: next.last,
      reading: readingCells(next),
      flows: true,
      tied: new Set(),
      lastMove: null,
    });
  }

  /**
   * Keep the step if the training before was of the same subject; else go to that of the new one.
   * @param {{model: Grid["model"], subject?: string}} before
   */
  function takeTraining({ model: former, subject: formerSubject }) {
    const { subject, start, options } = grid.data;
    const stays = Boolean(subject) && subject === formerSubject;
    if (stays) {
      const wanted = playhead.step === former.last && furthest > former.last ? furthest : playhead.step;
      furthest = wanted;
      playhead.step = Math.min(wanted, grid.last);
    } else {
      furthest = 0;
      playhead.step = Math.min(start, grid.last);
      grid.options = readOptions(options);
      setMotion();
    }
    if (playhead.step >= grid.last) playhead.beat = "rest";
    else playhead.beat = playhead.beatwise ? "guess" : "rest";
    reports.forget();
  }

  function redraw(moves = false) {
    restyle();
    grid.panels.presenter.followStage();
    frames.relayout(moves);
  }

  function restyle() {
    grid.theme = themeOf(root);
    root.dataset.theme = grid.theme;
    enterStage(grid, home);
    tokenChips.clear();
    Object.assign(grid, styleOf(root, grid.theme));
  }

  /** @type {Grid["choose"]} */
  function choose(name, value) {
    grid.options[name] = value;
    storeOption(name, value);
    if (name === "motion") setMotion();
    tokenChips.clear();
    frames.relayout();
  }

  function remove() {
    lifetime.abort();
    group.lanes.delete(grid);
    leaveStage(grid, home);
    if (group.lanes.size) playhead.tell();
    else leaveGroup(group);
    frames.remove();
  }

  return { update, remove };
}
