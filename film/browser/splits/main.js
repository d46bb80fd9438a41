// One text under several tokenizers as a component.

import { mount } from "../shared/mount.js";
import { createSplits } from "./splits.js";

export default mount(createSplits);
