// The stage of a training, as a component.

/** @import {Component} from "../shared/mount.js" */
/** @import {StageData} from "./stage.js" */

import { mount } from "../shared/mount.js";
import { drawEarly, takeEarly } from "./early.js";
import { createTrainingStage } from "./stage.js";

drawEarly(createTrainingStage);

/** @param {Component<StageData>} component */
function createPageStage(component) {
  return takeEarly(component) ?? createTrainingStage(component);
}

export default mount(createPageStage);
