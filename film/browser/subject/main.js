// What fills the stage of a lesson, as a component.

import { mount } from "../shared/mount.js";
import { createSubject } from "./subject.js";

export default mount(createSubject);
