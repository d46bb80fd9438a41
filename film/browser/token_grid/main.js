// The token grid as a component.

import { mount } from "../shared/mount.js";
import { createGrid } from "./grid.js";

export default mount(createGrid);
