// Aligned rows as a component.

import { mount } from "../shared/page/mount.js";
import { createRows } from "./rows.js";

export default mount(createRows);
