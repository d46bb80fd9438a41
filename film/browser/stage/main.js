// The stage of a training, as a component.

import { mount } from "../shared/mount.js";
import { createTrainingStage } from "./stage.js";

export default mount(createTrainingStage);
