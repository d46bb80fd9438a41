// How tokens look in one grid: their colours, and tokens as elements within a sentence.

/** @import {ChipColours} from "../shared/colour.js" */
/** @import {Grid} from "./types.js" */

import { COLOURINGS } from "../shared/colour.js";
import { chipElement, readable, shortened } from "../shared/dom.js";
import { tokenOf } from "./feed.js";

/**
 * Make what gives tokens their look. Call `clear` when theme, colouring or feed have changed.
 * @param {Grid} grid
 */
export function createTokenChips(grid) {
  /** @type {Map<number, ChipColours>} */
  const known = new Map();

  /** @type {Grid["chip"]} */
  function chip(id) {
    // No token stands for it: its own character on a dashed box, whatever the colouring.
    if (id < 0) {
      const { panel, tie, ink, soft } = grid.colours;
      return { fill: panel, edge: tie, ink, soft, unknown: true };
    }
    let colours = known.get(id);
    if (!colours) {
      colours = COLOURINGS[grid.options.colour].chip(grid.theme, tokenOf(grid.model, id));
      known.set(id, colours);
    }
    return colours;
  }

  /** @type {Grid["chipFor"]} */
  function chipFor(id) {
    const { label, born } = tokenOf(grid.model, id);
    const { marker_text: marker } = grid.model.feed;
    const text = grid.options.glyphs ? label : label.replaceAll("·", " ");
    const kind = born < 0 && label === marker ? "marker" : "";
    return chipElement(readable(shortened(text), marker), chip(id), kind);
  }

  return { chip, chipFor, clear: () => known.clear() };
}
