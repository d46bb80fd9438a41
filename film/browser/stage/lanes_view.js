// The lanes of a group: one grid for each, which share a playhead. A lone lane has no title and can have a pair table;
// several are on a stage, in line with each other.

/** @import {Feed} from "../shared/feed_types.js" */
/** @import {Controller} from "../shared/mount.js" */
/** @import {RailData, Options} from "../token_grid/panels.js" */
/** @import {LaneStage} from "../token_grid/lane_stage.js" */
/** @import {GridData, GridGroup} from "../token_grid/types.js" */
/** @import {MakeAnyPart} from "./parts.js" */

import { make } from "../shared/dom.js";
import { groupNamed } from "../shared/groups.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage, lanesInRow } from "../token_grid/lane_stage.js";
import { componentOf } from "./parts.js";

/**
 * What a lane shows.
 * @typedef {object} ShownLane
 * @property {Feed} feed
 * @property {string} [title]
 * @property {string} [subtitle]
 * @property {Partial<Options>} [options]
 * @property {RailData | null} [rail]
 * @property {string} [key]  lanes of one key are the same lane: its grid stays when another feed comes
 * @property {number} [index]  its position, if it is not the one in the list
 */

/** A tied pair that the viewer picks instead of the next merge. @typedef {{rank: number, left: number[], right: number[]}} LanePick */

/**
 * What hears from the lanes.
 * @typedef {object} LaneListeners
 * @property {(step: number) => void} rests  the playhead rests at a step
 * @property {(lane: number, pick: LanePick) => void} picks
 * @property {(start: number) => void} [moves]  asks for the part of a long text that begins at this character
 */

/**
 * Make the view of a group's lanes. It is empty until there are lanes.
 * @param {string} name  of the group
 * @param {MakeAnyPart} part
 * @param {LaneListeners} listeners
 * @param {boolean} [onPage]  whether a page shows them: then there always is a stage, which also shows how far lanes are
 *   that are still trained
 */
export function createLanesView(name, part, { rests, picks, moves }, onPage = false) {
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const element = make("div", onPage ? "lanes-on-page" : "lanes");
  /** @type {{key?: string, host: HTMLElement, controller: Controller<GridData>, root: HTMLElement | ShadowRoot, data: GridData}[]} */
  let grids = [];
  /** @type {LaneStage | null} */
  let stage = null;
  let removeStage = () => {};
  let isLinked = false;

  /**
   * Draw new grids in place of those before.
   * @param {ShownLane[]} lanes
   * @param {number} start  the step that they rest at
   */
  function build(lanes, start) {
    put(lanes, start, lanes.length, () => undefined);
  }

  /**
   * Give the grids other lanes, as many as before. The playhead stays at its step if the lanes reach it.
   * @param {ShownLane[]} lanes
   */
  function update(lanes) {
    const { playhead } = group;
    if (playhead && (playhead.playing || playhead.beat !== "rest")) playhead.pause();
    put(lanes, 0, lanes.length, (_, index) => grids[index]);
    if (playhead && playhead.step > playhead.last()) playhead.seek(playhead.last());
  }

  /**
   * Show these lanes. Grids stay, with their step, if the first lane is the same one as before.
   * @param {ShownLane[]} lanes
   * @param {number} start  the step at which another first lane begins
   * @param {number} of  how many there are, with those that are still trained
   * @param {boolean} linked  whether the address has the step
   */
  function show(lanes, start, of, linked) {
    isLinked = linked;
    const before = grids;
    const leads = before[0]?.key === lanes[0]?.key;
    put(lanes, start, of, ({ key }) => (leads ? before.find((grid) => grid.key === key) : undefined));
  }

  /**
   * @param {ShownLane[]} lanes
   * @param {number} start
   * @param {number} of
   * @param {(lane: ShownLane, index: number) => typeof grids[number] | undefined} kept  the grid that stays for a lane
   */
  function put(lanes, start, of, kept) {
    const single = of === 1;
    element.classList.toggle("single", single);
    if (single) removeStage();
    else if (!group.stage) addStage();
    const before = grids;
    grids = lanes.map((lane, index) => {
      const data = dataOf(lane, index, of, start);
      const same = kept(lane, index);
      if (same) return Object.assign(same, { data });
      const { host, root } = part("grid", "token-grid");
      host.hidden = !single; // lanes move to the stage
      return { key: lane.key, host, root, data, controller: createGrid(gridComponent(root, data, host)) };
    });
    // The new grids are there before the old ones go: a presentation goes on.
    for (const grid of before) {
      if (grids.includes(grid)) continue;
      grid.controller.remove?.();
      grid.host.remove();
    }
    element.prepend(...grids.map(({ host }) => host).filter((host) => host.parentNode !== element));
    for (const { controller, root, data, host } of grids) controller.update(gridComponent(root, data, host));
  }

  function addStage() {
    const { host, root } = part("grid lane-stage", "lane-stage", "token-grid");
    element.append(host);
    const lifetime = new AbortController();
    const content = /** @type {HTMLElement} */ (root.firstElementChild);
    stage = createLaneStage(content, group, lifetime.signal, onPage);
    removeStage = () => {
      lifetime.abort(); // its lanes return to their own elements
      host.remove();
      stage = null;
      removeStage = () => {};
    };
  }

  /** @param {HTMLElement | ShadowRoot} root @param {GridData} data @param {HTMLElement} host */
  function gridComponent(root, data, host) {
    return componentOf(root, data, {
      step: (step) => rests(Number(step)),
      window: (start) => moves?.(Number(start)),
      pick: (pick) =>
        picks(
          grids.findIndex((grid) => grid.host === host),
          /** @type {LanePick} */ (pick),
        ),
    });
  }

  /** @param {ShownLane} lane @param {number} index @param {number} of @param {number} start @returns {GridData} */
  function dataOf({ key, feed, title, subtitle, options = {}, rail = null, index: place }, index, of, start) {
    const lane = { title, subtitle, index: place ?? index, of, beside: lanesInRow(of) };
    return {
      feed,
      start,
      subject: key,
      group: name,
      transport: index === 0,
      lane: of === 1 ? null : lane,
      options,
      beatwise: false,
      linked: isLinked,
      rail,
    };
  }

  function remove() {
    for (const { controller } of grids) controller.remove?.();
    grids = [];
    removeStage();
  }

  return { element, group, build, update, show, remove, stage: () => stage };
}

/** @typedef {ReturnType<typeof createLanesView>} LanesView */
