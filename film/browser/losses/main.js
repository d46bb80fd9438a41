// The losses of language models as a component.

import { mount } from "../shared/mount.js";
import { createLosses } from "./losses.js";

export default mount(createLosses);
