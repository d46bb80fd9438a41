// Save picture: the grids of a group as an SVG, PNG or GIF file, painted from their data and not from the page.

import { mount } from "../shared/mount.js";
import { createMoving } from "./moving.js";
import { createStill } from "./still.js";

/**
 * What Python sends.
 * @typedef {object} PictureData
 * @property {"svg" | "png" | "gif"} kind
 * @property {string} group  of the grids
 * @property {string} footer  a line below the picture: text and recipe
 */

/** @param {import("../shared/mount.js").Component<PictureData>} component */
function createSave(component) {
  const { kind } = component.data;
  return kind === "gif" ? createMoving(component) : createStill(component, kind);
}

export default mount(createSave);
