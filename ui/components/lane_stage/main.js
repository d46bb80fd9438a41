// The stage of Compare: the lanes, and in the presenter view also the verdict, the merge strip, and what follows the
// last merge: the words that the lanes split differently.

/** @import {LaneStage, LaneState} from "../../../film/browser/token_grid/stage/lane_stage.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/page/mount.js" */
/** @import {SplitWords} from "./split_words.js" */

import { followTheme, themeOf } from "../../../film/browser/shared/tokens/colour.js";
import { make } from "../../../film/browser/shared/page/dom.js";
import { groupNamed } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/page/mount.js";
import { createLaneStage } from "../../../film/browser/token_grid/stage/lane_stage.js";
import { splitWordsElement } from "./split_words.js";

/**
 * @typedef {object} StageData
 * @property {string} group
 * @property {string} answer  the verdict in one line
 * @property {SplitWords | null} ending
 * @property {LaneState[]} states  of all lanes while some are trained
 * @property {boolean} brief  whether narrow lanes leave out counts and ties
 */

/**
 * @param {Component<StageData>} component
 * @returns {Controller<StageData>}
 */
function createStage(component) {
  const root = rootOf(component, "[data-testid=lane-stage]");
  const lifetime = new AbortController();
  const stage = createLaneStage(root, groupNamed(component.data.group), lifetime.signal);
  let { data } = component;
  let lastText = ""; // theme and data, as text

  function draw() {
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    root.classList.toggle("brief", data.brief);
    stage.setStates(data.states);
    stage.setEnding(data.ending && splitWordsElement(data.ending, theme));
    stage.head.style.setProperty("--letters", String(data.answer.length));
    stage.head.replaceChildren(...(data.answer ? [headline(data.answer)] : []), ...buttons(data, stage));
  }

  /** @type {Controller<StageData>["update"]} */
  function update(next) {
    ({ data } = next);
    draw();
  }
  followTheme(draw, lifetime.signal);
  return { update, remove: () => lifetime.abort() };
}

/** @param {string} answer */
function headline(answer) {
  return make("p", "verdict", { "data-testid": "stage-verdict", title: answer }, answer);
}

/**
 * @param {StageData} data
 * @param {LaneStage} stage
 */
function buttons({ ending }, stage) {
  if (!ending) return [];
  const attributes = {
    type: "button",
    "data-testid": "show-split-words",
    click: () => void stage.showEnding(),
  };
  return [make("button", "", attributes, make("kbd", "", {}, "W"), "words split differently")];
}

export default mount(createStage);
