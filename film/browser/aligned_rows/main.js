// Aligned rows as a component.

import { mount } from "../shared/mount.js";
import { createRows } from "./rows.js";

export default mount(createRows);
