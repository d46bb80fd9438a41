// The pair table as a component.

import { mount } from "../shared/page/mount.js";
import { createTable } from "./table.js";

export default mount(createTable);
