// The pair table as a component.

import { mount } from "../shared/mount.js";
import { createTable } from "./table.js";

export default mount(createTable);
