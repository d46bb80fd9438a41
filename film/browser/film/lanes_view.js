// The lanes of a film: one grid for each, which share a playhead. A lone lane has no title and can have a pair table.

/** @import {Controller} from "../shared/mount.js" */
/** @import {GridData} from "../token_grid/types.js" */
/** @import {FilmLane} from "./film_data.js" */
/** @import {MakePart} from "./shadow_parts.js" */

import { make } from "../shared/dom.js";
import { groupNamed } from "../shared/groups.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage, lanesInRow } from "../token_grid/stage/lane_stage.js";

/** A tied pair that the viewer picks instead of the next merge. @typedef {{rank: number, left: number[], right: number[]}} LanePick */

/**
 * What hears from the lanes.
 * @typedef {object} LaneListeners
 * @property {(step: number) => void} rests  the playhead rests at a step
 * @property {(lane: number, pick: LanePick) => void} picks
 */

/**
 * Make the view of a group's lanes. It is empty until `build` is called.
 * @param {string} name  of the group
 * @param {MakePart} part
 * @param {LaneListeners} listeners
 */
export function createLanesView(name, part, { rests, picks }) {
  const group = groupNamed(name);
  const element = make("div", "lanes");
  /** @type {{host: HTMLElement, controller: Controller<GridData>, root: ShadowRoot, data: GridData}[]} */
  let grids = [];
  let removeStage = () => {};

  /**
   * Draw new grids in place of those before.
   * @param {FilmLane[]} lanes
   * @param {number} start  the step that they rest at
   */
  function build(lanes, start) {
    const single = lanes.length === 1;
    element.classList.toggle("single", single);
    if (single) removeStage();
    else if (!group.stage) addStage();
    const before = grids;
    grids = lanes.map((lane, index) => {
      const { host, root } = part("grid", "token-grid");
      host.hidden = !single; // lanes move to the stage
      const data = dataOf(lane, index, lanes.length, start);
      return { host, root, data, controller: createGrid(componentOf(root, data, index)) };
    });
    // The new grids are there before the old ones go: a presentation goes on.
    for (const { controller, host } of before) {
      controller.remove?.();
      host.remove();
    }
    element.prepend(...grids.map(({ host }) => host));
    grids.forEach(draw);
  }

  /**
   * Give the grids other lanes, as many as before. The playhead stays at its step if the lanes reach it.
   * @param {FilmLane[]} lanes
   */
  function update(lanes) {
    const { playhead } = group;
    if (playhead && (playhead.playing || playhead.beat !== "rest")) playhead.pause();
    grids.forEach((grid, index) => {
      grid.data = dataOf(lanes[index], index, lanes.length, 0);
      draw(grid, index);
    });
    if (playhead && playhead.step > playhead.last()) playhead.seek(playhead.last());
  }

  /**
   * @param {typeof grids[number]} grid
   * @param {number} index
   */
  function draw({ controller, root, data }, index) {
    controller.update(componentOf(root, data, index));
  }

  function addStage() {
    const { host, root } = part("grid lane-stage", "token-grid");
    const stage = /** @type {HTMLElement} */ (root.firstElementChild);
    stage.setAttribute("data-testid", "lane-stage");
    element.append(host);
    const lifetime = new AbortController();
    createLaneStage(stage, group, lifetime.signal);
    removeStage = () => {
      lifetime.abort(); // its lanes return to their own elements
      host.remove();
      removeStage = () => {};
    };
  }

  /**
   * @param {ShadowRoot} root
   * @param {GridData} data
   * @param {number} index
   */
  function componentOf(root, data, index) {
    return {
      parentElement: root,
      data,
      /** @type {(name: string, value: unknown) => void} */
      setStateValue: (key, value) => key === "step" && rests(Number(value)),
      /** @type {(name: string, value: unknown) => void} */
      setTriggerValue: (key, value) => key === "pick" && picks(index, /** @type {LanePick} */ (value)),
    };
  }

  /**
   * @param {FilmLane} lane
   * @param {number} index
   * @param {number} of
   * @param {number} start
   * @returns {GridData}
   */
  function dataOf({ feed, title, subtitle }, index, of, start) {
    const lane = { title, subtitle, index, of, beside: lanesInRow(of) };
    return {
      feed,
      start,
      group: name,
      transport: index === 0,
      lane: of === 1 ? null : lane,
      options: {},
      beatwise: false,
      linked: false,
    };
  }

  return { element, group, build, update };
}

/** @typedef {ReturnType<typeof createLanesView>} LanesView */
