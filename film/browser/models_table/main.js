// The table of models as a component.

import { mount } from "../shared/mount.js";
import { createModels } from "./models.js";

export default mount(createModels);
