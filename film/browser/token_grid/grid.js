// One grid: its state, from its first data to its end. Everything drawn is derived from `model` (the feed), `step` and
// `options`. Only this file and grid_frames.js, which draws, write the grid's fields.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Grid, GridData} from "./types.js" */

import { followTheme, themeOf } from "../shared/colour.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { createElements, createPanels, drawLaneTitle } from "./elements.js";
import { decodeFeed } from "./data/feed.js";
import { createFrames } from "./grid_frames.js";
import { followGroup } from "./group_events.js";
import { listenToKeys } from "./playing/keys.js";
import { enterStage, leaveStage } from "./stage/lane_stage.js";
import { differsFrom, rivalsOf, stepOfLane } from "./data/lanes.js";
import { readOptions, storeOption } from "./panels/options.js";
import { pairName } from "./data/pair_counts.js";
import { visibleMarksAt } from "./painting/marking.js";
import { createPlayhead } from "./timing/playhead.js";
import { leaveGroup } from "./stage/presenter.js";
import { createReports, pickOf } from "./playing/reports.js";
import { showPairs } from "./drawing/merge_in_sight.js";
import { followSize } from "./drawing/room.js";
import { cellsOf } from "./data/segmentation.js";
import { styleOf } from "./painting/style.js";
import { createTokenChips } from "./painting/token_chips.js";
import { createVisibleArea } from "./drawing/visible_area.js";

const CALM = "(prefers-reduced-motion: reduce)";

/**
 * Make a grid and join its group.
 * @param {Component<GridData>} component
 * @returns {Controller<GridData>}
 */
export function createGrid(component) {
  const { data } = component;
  const root = rootOf(component, "[data-testid=token-grid]");
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const group = groupNamed(data.group);
  const playhead = (group.playhead ??= createPlayhead(group));
  const elements = createElements();
  const home = root.parentNode; // of the root, which moves to the stage if the group has one
  const visibleArea = createVisibleArea(elements, () => frames.appear(), signal);
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
    inset: 0,
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
    look: () => frames.look(),
    relayout: () => frames.relayout(),
    paintMarks: () => frames.paintMarks(),
    follow: (from, step, duration) => frames.follow(from, step, duration),
    mark: () => frames.mark(),
    write: () => frames.write(),
    finish: () => frames.finish(),
  };
  const grid = /** @type {Grid} */ (bare); // the missing parts need a grid, so they are made after it
  const tokenChips = createTokenChips(grid);
  grid.chip = tokenChips.chip;
  grid.chipFor = tokenChips.chipFor;
  grid.panels = createPanels(grid, signal);
  const reports = createReports(grid, (step) => component.setStateValue("step", step), signal);
  const frames = createFrames(grid, reports, signal);
  const calm = matchMedia(CALM);
  let fresh = true; // nothing has been drawn

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
    const moved = (grid.lane?.ahead ?? 0) !== (lane?.ahead ?? 0);
    grid.lane = lane;
    drawLaneTitle(grid);
    enterStage(grid, home);
    if (other) takeFeed(feed);
    if (fresh || other) {
      grid.step = stepOfLane(grid, playhead.step);
      root.dataset.id = feed.id;
      root.dataset.steps = String(grid.last);
      redraw();
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
      reading: readingOf(next),
      tied: new Set(),
      lastMove: null,
    });
  }

  function redraw() {
    restyle();
    grid.panels.presenter.followStage();
    frames.relayout();
  }

  function restyle() {
    grid.theme = themeOf(root);
    root.dataset.theme = grid.theme;
    enterStage(grid, home);
    tokenChips.clear();
    Object.assign(grid, styleOf(root));
  }

  /** @type {Grid["choose"]} */
  function choose(name, value) {
    grid.options[name] = value;
    storeOption(name, value);
    if (name === "motion") setMotion();
    tokenChips.clear();
    frames.relayout();
    say("options", { group: group.name, from: root, options: { ...grid.options } });
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

/** @param {Grid["model"]} model */
function readingOf(model) {
  const { text, words } = cellsOf(model);
  return text.size ? text : words;
}
