// Aligned rows as a component.

import { mount } from "../../../film/browser/shared/mount.js";
import { createRows } from "./rows.js";

export default mount(createRows);
