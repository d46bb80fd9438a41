// The token grid as a component.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {GridData} from "./types.js" */

import { mount, rootOf } from "../shared/mount.js";
import { takeToStage, viewAround } from "../shared/on_stage.js";
import { createGrid } from "./grid.js";

/** @param {Component<GridData>} component @returns {Controller<GridData>} */
function createLoneGrid(component) {
  const root = rootOf(component, "[data-testid=token-grid]");
  const view = viewAround(root);
  const lifetime = new AbortController();
  takeToStage(view, [component.data.group], lifetime.signal);
  const { update, remove } = createGrid(component);
  return {
    update,
    remove() {
      lifetime.abort();
      remove?.();
    },
  };
}

export default mount(createLoneGrid);
