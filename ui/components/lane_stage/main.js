// The stage of several lanes whose grids are elements of their own.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { followTheme, themeOf } from "../../../film/browser/shared/colour.js";
import { groupNamed } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { createLaneStage } from "../../../film/browser/token_grid/lane_stage.js";

/**
 * @typedef {object} StageData
 * @property {string} group
 * @property {boolean} brief  whether narrow lanes leave out counts and ties
 */

/** @param {Component<StageData>} component @returns {Controller<StageData>} */
function createStage(component) {
  const root = rootOf(component, "[data-testid=lane-stage]");
  const lifetime = new AbortController();
  createLaneStage(root, groupNamed(component.data.group), lifetime.signal, true);
  let { data } = component;
  let lastText = ""; // theme and data, as text

  function draw() {
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    root.classList.toggle("brief", data.brief);
  }

  /** @type {Controller<StageData>["update"]} */
  function update(next) {
    ({ data } = next);
    draw();
  }
  followTheme(draw, lifetime.signal);
  return { update, remove: () => lifetime.abort() };
}

export default mount(createStage);
