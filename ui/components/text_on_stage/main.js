// What trains on the text that somebody types on stage. Python draws it when the field is opened for the first time: its
// script is as large as a film's. Python answers where a page cannot repeat the settings, and where the stage shows how a
// new text is split, or its bytes.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {RowsData} from "../../../film/browser/aligned_rows/rows.js" */
/** @import {FilmLane} from "../../../film/browser/film/site.js" */
/** @import {TypedView} from "../../../film/browser/film/text_on_stage.js" */
/** @import {MakePart} from "../../../film/browser/film/views.js" */
/** @import {Live, Recipe} from "../../../film/browser/trainer/live_types.js" */

import { createRows } from "../../../film/browser/aligned_rows/rows.js";
import { TYPED_GROUP, createTextOnStage, settingsOf } from "../../../film/browser/film/text_on_stage.js";
import { componentOf, createParts } from "../../../film/browser/film/views.js";
import { make } from "../../../film/browser/shared/dom.js";
import { typing } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";

const ASKS_AFTER = 40; // ms after the last key until Python is asked

/**
 * What Python made of a text. `number` is that of the question; without lanes, the sentence says why.
 * @typedef {{number: number, lanes: (FilmLane & {rows?: RowsData})[], sentence: string}} Answer
 */

/**
 * What Python sends.
 * @typedef {object} StageData
 * @property {Live} live
 * @property {Record<string, string>} styles  of what is drawn
 * @property {{recipe: Recipe | null, title: string, subtitle: string}[]} lanes  what was on the stage
 * @property {number} merges  that the longest of them has learned
 * @property {Answer | null} answer
 */

/** @param {Component<StageData>} component @returns {Controller<StageData>} */
function createTrainerOnStage(component) {
  const field = typing();
  if (!field) return { update: () => undefined };
  let { data } = component;
  let number = 0; // of the last question
  let shown = 0; // of the last answer
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let asking;

  function settings() {
    if (field?.isOverEncoding()) return null;
    const recipes = data.lanes.flatMap(({ recipe }) => (recipe ? [recipe] : []));
    return recipes.length && recipes.length === data.lanes.length ? settingsOf(recipes, data.merges) : null;
  }

  /** @param {string} text */
  function ask(text) {
    clearTimeout(asking);
    number += 1;
    asking = setTimeout(() => component.setStateValue("text", { number, text }), ASKS_AFTER);
  }

  const parts = createParts(data.styles);
  const titleOf = (/** @type {number} */ at) => data.lanes[at];
  const view = "aligned-rows" in data.styles ? rowsBelow(parts) : undefined;
  const stage = createTextOnStage(field, data.live, parts, { settings, titleOf, ask, view });

  /** @type {Controller<StageData>["update"]} */
  function update(next) {
    component = next;
    data = next.data;
    const { answer } = data;
    if (!answer || answer.number !== number || answer.number === shown) return;
    shown = answer.number;
    if (answer.lanes.length) stage.show(answer.lanes, answer.sentence);
    else stage.refuse(answer.sentence);
  }

  function remove() {
    clearTimeout(asking);
    stage.remove();
  }
  return { update, remove };
}

/** Make what draws a text as rows of characters, bytes and tokens. @param {MakePart} part @returns {TypedView} */
function rowsBelow(part) {
  const element = make("div", "lanes single");
  /** @type {{root: ShadowRoot, controller: Controller<RowsData>} | null} */
  let drawn = null;

  /** @param {(FilmLane & {rows?: RowsData})[]} lanes */
  function update([{ rows }]) {
    if (!rows) return;
    const component = (/** @type {ShadowRoot} */ root) => componentOf(root, { ...rows, group: TYPED_GROUP });
    if (!drawn) {
      const { host, root } = part("mbm aligned", "aligned-rows");
      element.append(host);
      drawn = { root, controller: createRows(component(root)) };
    }
    drawn.controller.update(component(drawn.root));
  }

  function clear() {
    drawn?.controller.remove?.();
    drawn = null;
    element.replaceChildren();
  }
  return { element, build: update, update, clear };
}

export default mount(createTrainerOnStage);
