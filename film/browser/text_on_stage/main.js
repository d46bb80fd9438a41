// The field on stage, as a component. What trains arrives when it is opened for the first time.

/** @import {Component, Controller} from "../shared/mount.js" */

import { mount, rootOf } from "../shared/mount.js";
import { createStageField } from "./field.js";

/** @param {Component<{}>} component @returns {Controller<{}>} */
function createField(component) {
  const lifetime = new AbortController();
  const ask = () => component.setStateValue("wanted", true);
  createStageField(rootOf(component, "[data-testid=stage-field]"), ask, lifetime.signal);
  return { update: (next) => void (component = next), remove: () => lifetime.abort() };
}

export default mount(createField);
