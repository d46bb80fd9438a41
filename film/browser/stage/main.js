// The stage of a training, as a component.

/** @import {Component} from "../shared/mount.js" */
/** @import {EarlyView} from "./early.js" */
/** @import {StageData} from "./stage.js" */

import { mount } from "../shared/mount.js";
import { OF_LESSONS, drawEarly, takeEarly } from "./early.js";
import { createTrainingStage } from "./stage.js";

/** @type {EarlyView<StageData>} */
const EARLY_STAGE = {
  create: createTrainingStage,
  name: "stage",
  looks: "stage mbm",
  key: "watch_stage",
  idOf: ({ feed }) => feed.id,
  isPlain: (name) => OF_LESSONS.has(name),
};

drawEarly(EARLY_STAGE);

/** @param {Component<StageData>} component */
function createPageStage(component) {
  return takeEarly(EARLY_STAGE, component) ?? createTrainingStage(component);
}

export default mount(createPageStage);
