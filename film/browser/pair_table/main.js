// The pair table as a component.

import { shared } from "../shared/brought.js";
import { mount } from "../shared/mount.js";
import { createTable } from "./table.js";

export default shared(mount(createTable));
