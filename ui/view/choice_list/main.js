// The list of a menu, as a component.

import { mount } from "../../../film/browser/shared/mount.js";
import { createList } from "./list.js";

export default mount(createList);
