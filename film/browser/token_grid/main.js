// The token grid as a component.

import { shared } from "../shared/brought.js";
import { mount } from "../shared/mount.js";
import { createGrid } from "./grid.js";

export default shared(mount(createGrid));
