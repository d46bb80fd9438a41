// A table with chips as a component.

import { mount } from "../shared/mount.js";
import { createChipTable } from "./table.js";

export default mount(createChipTable);
