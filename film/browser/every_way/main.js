// The picture of every way to break the ties, as a component.

import { mount } from "../shared/mount.js";
import { createPicture } from "./picture.js";

export default mount(createPicture);
