// What trains on the text that somebody types on stage. Python draws it when the field is opened for the first time: its
// script is as large as a film's. With settings that a page cannot repeat, Python answers instead.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {FilmLane} from "../../../film/browser/film/site.js" */
/** @import {Live, Recipe} from "../../../film/browser/trainer/live_types.js" */

import { createTextOnStage, settingsOf } from "../../../film/browser/film/text_on_stage.js";
import { createParts } from "../../../film/browser/film/views.js";
import { typing } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";

const ASKS_AFTER = 150; // ms after the last key until Python is asked

/** What Python made of a text: `number` is that of the question. @typedef {{number: number, lanes: FilmLane[], sentence: string}} Answer */

/**
 * What Python sends.
 * @typedef {object} StageData
 * @property {Live} live
 * @property {string} style  of the grids
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
    const recipes = data.lanes.flatMap(({ recipe }) => (recipe ? [recipe] : []));
    return recipes.length === data.lanes.length ? settingsOf(recipes, data.merges) : null;
  }

  /** @param {string} text */
  function ask(text) {
    clearTimeout(asking);
    number += 1;
    asking = setTimeout(() => component.setStateValue("text", { number, text }), ASKS_AFTER);
  }

  const parts = createParts({ "token-grid": data.style });
  const titleOf = (/** @type {number} */ at) => data.lanes[at];
  const stage = createTextOnStage(field, data.live, parts, { settings, titleOf, ask });

  /** @type {Controller<StageData>["update"]} */
  function update(next) {
    component = next;
    data = next.data;
    const { answer } = data;
    if (!answer || answer.number !== number || answer.number === shown) return;
    shown = answer.number;
    stage.show(answer.lanes, answer.sentence);
  }

  function remove() {
    clearTimeout(asking);
    stage.remove();
  }
  return { update, remove };
}

export default mount(createTrainerOnStage);
