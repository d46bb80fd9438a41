// The pictures of a film as the text of SVG files: its grids as they are on the page, and what its card shows. `stills.py`
// runs it in the film.

/** @import {GridGroup} from "../../film/browser/token_grid/types.js" */

import { groupNamed } from "../../film/browser/shared/groups.js";
import { layOutPicture } from "../../film/browser/picture/scene.js";
import { svgText } from "../../film/browser/picture/still.js";
import { cardScene } from "./card_picture.js";

const MOST_HIGH = 300; // px, height of the grid in a still

/** Return the still of the film on the page, at the step at which it rests. */
export function stillOfFilm() {
  const { grids, fonts, step } = filmNow();
  return svgText(layOutPicture(grids, { fonts, footer: "", most: MOST_HIGH }).sceneAt(step));
}

/** Return the picture for the film's card in the gallery. */
export function cardOfFilm() {
  const { grids, fonts, step } = filmNow();
  return svgText(cardScene(grids, fonts, step));
}

function filmNow() {
  /** @type {GridGroup} */
  const group = groupNamed("film");
  const grids = [...group.lanes].toSorted((one, other) => (one.lane?.index ?? 0) - (other.lane?.index ?? 0));
  const [{ codeFont, font }] = grids;
  return { grids, fonts: { code: codeFont, sans: font }, step: group.playhead?.step ?? 0 };
}
