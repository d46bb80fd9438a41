// The still of a film: its grids as they are on the page, as the text of an SVG file. `stills.py` runs it in the film.

import { groupNamed } from "../../film/browser/shared/groups.js";
import { layOutPicture } from "../../film/browser/picture/scene.js";
import { svgText } from "../../film/browser/picture/svg.js";

const MOST_HIGH = 300; // px, height of the grid in a still

/** Return the still of the film on the page, at the step at which it rests. */
export function stillOfFilm() {
  const group = groupNamed("film");
  const grids = [...group.lanes].toSorted((one, other) => (one.lane?.index ?? 0) - (other.lane?.index ?? 0));
  const [{ codeFont, font }] = grids;
  const picture = layOutPicture(grids, {
    fonts: { code: codeFont, sans: font },
    footer: "",
    most: MOST_HIGH,
  });
  return svgText(picture.sceneAt(group.playhead?.step ?? 0));
}
