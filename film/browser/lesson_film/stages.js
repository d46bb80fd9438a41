// The stage of a lesson's film. One stage is on the page at a time, as in the app; where it has no grid of its own, the
// training's grid is out of sight and still listens to the keys.

/** @import {Controller} from "../shared/page/mount.js" */
/** @import {GridData, LaneTitle} from "../token_grid/types.js" */
/** @import {LessonFilm, Stage, StageLane} from "./types.js" */

import { createRows } from "../aligned_rows/rows.js";
import { createModels } from "../models_table/models.js";
import { make } from "../shared/page/dom.js";
import { groupNamed } from "../shared/groups.js";
import { createSubject } from "../subject/subject.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage } from "../token_grid/stage/lane_stage.js";
import { componentOf, partMaker } from "./parts.js";

export const LESSON_GROUP = "film";

/**
 * Make the stage.
 * @param {LessonFilm} film
 */
export function createStages(film) {
  const element = make("div", "stage-of-film", { "data-testid": "film-stage" });
  const part = partMaker(film.styles);
  let shownAt = -1; // number of the stage on the page
  /** @type {(() => void)[]} */
  let removals = [];

  /**
   * Put a stage on the page, with its grids at a step.
   * @param {number} number
   * @param {number} step
   */
  function show(number, step) {
    if (number === shownAt) return false;
    const before = removals;
    removals = [];
    shownAt = number;
    const hosts = build(film.stages[number], step);
    element.replaceChildren(...hosts);
    element.dataset.kind = film.stages[number].kind;
    for (const remove of before) remove();
    return true;
  }

  /**
   * @param {Stage} stage
   * @param {number} step
   * @returns {HTMLElement[]}
   */
  function build(stage, step) {
    const { kind, lanes, rail } = stage;
    if (kind === "compare") return comparison(lanes, step);
    if (kind === "grid" || kind === "encoding")
      return [gridOf(lanes[0], null, kind === "grid" ? step : 0, rail)];
    const hidden = gridOf(film.stages[0].lanes[0], null, step, null);
    hidden.hidden = true;
    return [picture(stage), hidden];
  }

  /** @param {Stage} stage */
  function picture({ kind, subject, rows, table }) {
    if (kind === "subject" && subject) {
      const { host, root } = part("subject", "mbm subject", "lesson-subject");
      keep(createSubject, componentOf(root, { subject, group: LESSON_GROUP, marker: film.marker }));
      return host;
    }
    if (kind === "bytes" && rows) {
      const { host, root } = part("aligned-rows", "mbm aligned", "aligned-rows");
      keep(createRows, componentOf(root, { ...rows, group: LESSON_GROUP }));
      return host;
    }
    const { host, root } = part("models-table", "mbm models", "models-table");
    if (table) keep(createModels, componentOf(root, { ...table, group: LESSON_GROUP }));
    return host;
  }

  /**
   * @param {StageLane[]} lanes
   * @param {number} step
   */
  function comparison(lanes, step) {
    const { host, root } = part("token-grid", "grid lane-stage", "lane-stage");
    const lifetime = new AbortController();
    createLaneStage(
      /** @type {HTMLElement} */ (root.firstElementChild),
      groupNamed(LESSON_GROUP),
      lifetime.signal,
    );
    const grids = lanes.map((lane, index) => {
      const { title, ahead } = lane;
      const own = gridOf(lane, { title, ahead, index, of: lanes.length, beside: lanes.length }, step, null);
      own.hidden = true; // the lane moves to the stage
      return own;
    });
    removals.push(() => lifetime.abort());
    return [host, ...grids];
  }

  /**
   * @param {StageLane} lane
   * @param {LaneTitle | null} title
   * @param {number} start
   * @param {Stage["rail"]} rail
   */
  function gridOf({ feed }, title, start, rail) {
    const { host, root } = part("token-grid", "grid", "token-grid");
    /** @type {GridData} */
    const data = {
      feed: film.feeds[feed],
      start,
      group: LESSON_GROUP,
      transport: (title?.index ?? 0) === 0,
      lane: title,
      options: {},
      beatwise: true,
      linked: false,
      rail,
    };
    keep(createGrid, componentOf(root, data));
    return host;
  }

  /**
   * Draw a component, and remember how to remove it.
   * @template Data
   * @param {(component: import("../shared/page/mount.js").Component<Data>) => Controller<Data>} create
   * @param {import("../shared/page/mount.js").Component<Data>} component
   */
  function keep(create, component) {
    const controller = create(component);
    removals.push(() => controller.remove?.());
    queueMicrotask(() => controller.update(component)); // when its host is on the page
  }

  return { element, show };
}
