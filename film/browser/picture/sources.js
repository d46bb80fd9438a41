// The grids of a group on the page, as the sources of a picture.

/** @import {Grid} from "../token_grid/types.js" */
/** @import {Fonts} from "./shapes.js" */

import { groupNamed } from "../shared/groups.js";
import { layOutPicture } from "./scene.js";

const MOST_STILL = 2400; // px, height of the grid in a picture
const MOST_MOVING = 640; // in a GIF

/**
 * Return the grids of a group in their order.
 * @param {string} name
 */
function gridsOf(name) {
  return [...groupNamed(name).lanes].toSorted((a, b) => (a.lane?.index ?? 0) - (b.lane?.index ?? 0));
}

/**
 * Return the page's own fonts.
 * @param {Grid} grid
 * @returns {Fonts}
 */
function fontsOf(grid) {
  return { code: grid.codeFont, sans: grid.font };
}

/**
 * Lay out a picture of a group's grids as they are now; null if there is none on the page.
 * @param {string} group
 * @param {string} footer
 * @param {{moving: boolean}} how  whether it will be a GIF, which is less high
 */
export function pictureOf(group, footer, { moving }) {
  const grids = gridsOf(group);
  if (!grids.length) return null;
  const [grid] = grids;
  const fonts = fontsOf(grid);
  const from = grid.height ? grid.elements.viewport.scrollTop / grid.height : 0;
  const most = moving ? MOST_MOVING : MOST_STILL;
  const picture = layOutPicture(grids, { fonts, footer, most, from });
  const noun = grid.model.training ? "merge" : "step";
  return { picture, fonts, noun, step: grid.playhead.step };
}
