// Code beside a picture, as a component.

import { mount } from "../shared/mount.js";
import { createListing } from "./listing.js";

export default mount(createListing);
