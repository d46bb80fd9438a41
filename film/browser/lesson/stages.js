// What a lesson's text is about, beside it: grids, or a picture without one. One of them is on the page at a time; where it
// has no grid of its own, the training's grid is out of sight and still listens to the keys.

/** @import {Feed} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {MakePart} from "../stage/parts.js" */
/** @import {RailData} from "../token_grid/panels.js" */
/** @import {GridData} from "../token_grid/types.js" */

import { createRows } from "../aligned_rows/rows.js";
import { createListing } from "../code/listing.js";
import { createPicture } from "../every_way/picture.js";
import { createModels } from "../models_table/models.js";
import { groupNamed } from "../shared/groups.js";
import { componentOf } from "../stage/parts.js";
import { createSubject } from "../subject/subject.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage } from "../token_grid/lane_stage.js";

/** A lane of a stage: the number of its feed, its title, how far it is ahead of the first lane, and how it is drawn at first. @typedef {{feed: number, title: string, ahead: number, options: GridData["options"]}} StageLane */

/**
 * What fills the stage of one beat or of several.
 * @typedef {object} Stage
 * @property {string} kind  "grid", "encoding", "compare", or one of COMPONENTS
 * @property {StageLane[]} lanes  of a grid, an encoding or a comparison
 * @property {RailData | null} rail  of an encoding
 * @property {object | null} data  of a component
 */

/** The stages of a lesson, of which the first one is the training's grid, and what their grids play. @typedef {{stages: Stage[], feeds: Feed[]}} StagesData */

/**
 * What fills a stage without a grid, by its folder: what draws it, its class and its name for tests.
 * @type {Record<string, [(component: Component<any>) => Controller<any>, string, string]>}
 */
const COMPONENTS = {
  subject: [createSubject, "mbm subject", "lesson-subject"],
  aligned_rows: [createRows, "mbm aligned", "aligned-rows"],
  models_table: [createModels, "mbm models", "models-table"],
  every_way: [createPicture, "mbm every-way", "every-way"],
  code: [createListing, "mbm listing", "listing"],
};

/**
 * Make what shows the stages in an element.
 * @param {HTMLElement} element
 * @param {MakePart} part
 * @param {string} group
 */
export function createStages(element, part, group) {
  /** @type {StagesData | null} */
  let shownOf = null;
  let shownAt = -1; // number of the stage on the page
  /** @type {(() => void)[]} */
  let updates = [];
  /** @type {(() => void)[]} */
  let removals = [];

  /** Put a stage on the page, with its grids at a step. @param {StagesData} lesson @param {number} number @param {number} step */
  function show(lesson, number, step) {
    if (lesson === shownOf && number === shownAt) return;
    const before = removals;
    [shownOf, shownAt, updates, removals] = [lesson, number, [], []];
    const stage = lesson.stages[number];
    element.dataset.kind = stage.kind;
    element.replaceChildren(); // what is there loses its place, and lives until what comes has joined the group
    draw(lesson, stage, step);
    update();
    for (const one of before) one();
  }

  /** Draw what is on the page again, if the theme has changed. */
  function update() {
    for (const again of updates) again();
  }

  /** @param {StagesData} lesson @param {Stage} stage @param {number} step */
  function draw(lesson, stage, step) {
    const { kind, lanes, rail } = stage;
    if (kind === "compare") return drawComparison(lesson, lanes, step);
    if (kind === "grid" || kind === "encoding")
      return drawGrid(lesson, lanes[0], null, kind === "grid" ? step : 0, rail);
    drawComponent(stage);
    drawGrid(lesson, lesson.stages[0].lanes[0], null, step, null).classList.add("only-plays");
  }

  /** @param {Stage} stage */
  function drawComponent({ kind, data }) {
    const [create, name, testid] = COMPONENTS[kind];
    const { host, root } = part(name, testid, kind);
    element.append(host);
    keep(create, componentOf(root, { ...data, group }));
  }

  /** @param {StagesData} lesson @param {StageLane[]} lanes @param {number} step */
  function drawComparison(lesson, lanes, step) {
    const { host, root } = part("grid lane-stage brief", "lane-stage", "token-grid");
    const lifetime = new AbortController();
    element.append(host);
    createLaneStage(/** @type {HTMLElement} */ (root.firstElementChild), groupNamed(group), lifetime.signal);
    removals.push(() => lifetime.abort());
    lanes.forEach((lane, index) => {
      const { title, ahead } = lane;
      const place = { title, ahead, index, of: lanes.length, beside: lanes.length };
      drawGrid(lesson, lane, place, step, null).hidden = true; // the lane moves to the stage
    });
  }

  /**
   * @param {StagesData} lesson
   * @param {StageLane} lane
   * @param {GridData["lane"]} title
   * @param {number} start
   * @param {Stage["rail"]} rail
   */
  function drawGrid({ feeds }, { feed, options }, title, start, rail) {
    const { host, root } = part("grid", "token-grid");
    element.append(host);
    /** @type {GridData} */
    const data = {
      feed: feeds[feed],
      start,
      group,
      transport: (title?.index ?? 0) === 0,
      lane: title,
      options,
      beatwise: true,
      linked: false,
      rail,
    };
    keep(createGrid, componentOf(root, data));
    return host;
  }

  /**
   * Make a component, and remember how to draw it again and how to remove it.
   * @template Data
   * @param {(component: Component<Data>) => Controller<Data>} create
   * @param {Component<Data>} component
   */
  function keep(create, component) {
    const controller = create(component);
    updates.push(() => controller.update(component));
    removals.push(() => controller.remove?.());
  }

  function remove() {
    for (const one of removals) one();
    removals = [];
  }

  return { show, update, remove };
}
