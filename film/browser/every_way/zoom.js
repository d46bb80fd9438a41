// How much of the picture of every way is laid out, and how large: as much as can be read in its room, unless it is zoomed.

/** @import {WaysPicture} from "./state.js" */

import { tabsOf } from "../shared/chip.js";
import { TYPE, arrangedWays, dotX, layOutWays } from "./layout.js";
import { isFilling, isFitted, isStaged } from "./state.js";

const STAGE_SCALE = 1.5; // of a picture on the stage of a lesson, if it fits
const STAGE_STRAND = 22; // least length of a strand there
const LEGIBLE = 0.8; // scale at which a picture can be read
const LEGIBLE_FAR = 0.021; // of the window's height: the letters in the presenter view
const NARROWEST_WHOLE = 500; // px: in less room a picture is legible and scrolls
const SCROLLED_ROOM = 1000; // px: what such a picture may take
const HIGHEST = 560; // px
const LOWEST = 270; // px, of a picture that begins small
const LARGEST_SCALE = 3; // on the stage of a lesson
const LARGEST_LETTERS = 0.036; // of the height of the window that it fills: then strands get longer
const ZOOM = 1.4; // by one press
const CLOSEST = 8;

/**
 * Lay out as much of a picture as can be read in its room.
 * @param {WaysPicture} picture
 * @param {(text: string) => number} measure  the width of letters
 */
export function arrangePicture(picture, measure) {
  const { data, filled, isLow, largerButton, opened, scroll, zoom, zooms } = picture;
  const lettersAt = (/** @type {number} */ token) => tabsOf(data.tokens[token]);
  if (isStaged(picture)) {
    const view = { room: (filled || 900) / STAGE_SCALE, opened, least: STAGE_STRAND };
    const heightOf = (/** @type {number} */ width) =>
      ((scroll.clientHeight - 8) * width) / Math.min(filled, LARGEST_SCALE * width);
    const { width } = layOutWays(data, lettersAt, measure, view);
    // As wide as the stage, and its rows as far from each other as the stage is high.
    const high = filled ? { height: heightOf(width), closest: 1 } : {};
    const layout = layOutWays(data, lettersAt, measure, { ...view, ...high });
    const fits = Math.min(filled / layout.width, (scroll.clientHeight - 8) / layout.height);
    picture.visible = data;
    picture.layout = layout;
    picture.scale = Math.min(LARGEST_SCALE, Math.max(legibleScale(picture), fits));
    return;
  }
  const filling = isFilling(picture);
  const legible = legibleScale(picture);
  const closer = Math.max(1, zoom);
  // On a telephone it is not folded to nothing, but scrolls.
  const isNarrow = !filling && filled > 0 && filled < NARROWEST_WHOLE;
  const room = {
    width: (isNarrow ? SCROLLED_ROOM : filled || 900) * closer,
    height: (filling ? scroll.clientHeight - 8 : HIGHEST) * closer,
    legible,
    largest: (filling ? (LARGEST_LETTERS * window.innerHeight) / TYPE : 1) * closer,
  };
  const mayBeLow = Boolean(data.low || data.fitted) && !filling && !isNarrow && closer === 1;
  const whole = isFitted(picture);
  const lowest = whole ? picture.filledHeight : LOWEST;
  const lowRoom = mayBeLow && isLow ? { ...room, low: lowest, whole } : room;
  const { way, layout, scale: fitting, folds } = arrangedWays(data, lettersAt, measure, lowRoom, opened);
  let scale = fitting;
  if (zoom && filling) scale = Math.max(scale, legible);
  if (isNarrow) scale = zoom ? Math.max(scale, legible) : Math.min(1, filled / layout.width);
  picture.visible = way;
  picture.layout = layout;
  picture.scale = scale;
  // A picture whose page sets its height can fill the window instead.
  largerButton.hidden = !mayBeLow || data.fitted || layout.height * LEGIBLE <= lowest;
  largerButton.textContent = isLow ? "Larger" : "Smaller";
  const isWhole = layout.width * scale <= filled + 1;
  zooms.hidden = !filling && isWhole && zoom === 1 && !folds && !opened.size && scale >= LEGIBLE;
}

/** Return the least scale at which a picture can be read. @param {WaysPicture} picture */
function legibleScale(picture) {
  return isFilling(picture) ? (LEGIBLE_FAR * window.innerHeight) / TYPE : LEGIBLE;
}

/**
 * Zoom in or out, or show the whole picture.
 * @param {WaysPicture} picture
 * @param {number} by  1, -1, or 0 for the whole picture
 * @param {number} [clientX]  where the picture stays in place; by default where the first dot is
 */
export function zoomBy(picture, by, clientX) {
  const { scroll, zoom: before } = picture;
  const isWhole = () => picture.layout.width * picture.scale <= scroll.clientWidth + 1;
  const fits = isWhole();
  if (!by) {
    picture.opened.clear();
    picture.zoom = 1;
    picture.redraw();
    if (!isWhole()) picture.zoom = 0;
  } else if (by > 0) picture.zoom = before ? Math.min(CLOSEST, before * ZOOM ** by) : 1;
  else picture.zoom = before > 1 ? Math.max(1, before * ZOOM ** by) : fits ? before : 0;
  if (picture.zoom === before && by) return;
  const { layout, scale, visible, drawing } = picture;
  const left = scroll.getBoundingClientRect().left;
  const at =
    clientX === undefined
      ? scale * dotX(layout.lines[0], picture.position) - scroll.scrollLeft
      : clientX - left;
  const x = (scroll.scrollLeft + at) / scale;
  const near = layout.nodes.reduce(
    (best, node, number) => (Math.abs(node.x - x) < Math.abs(layout.nodes[best].x - x) ? number : best),
    0,
  );
  const { merges } = visible.nodes[near];
  const shift = (layout.nodes[near].x - x) * scale;
  const focused = drawing.nodes.findIndex((one) => one.matches(":focus"));
  const former = focused < 0 ? null : visible.nodes[focused];
  picture.redraw();
  // What is drawn anew has lost the focus, and with it the keys that zoom.
  if (former) {
    const again = picture.visible.nodes.findIndex(({ number }) => number === former.number);
    (picture.drawing.nodes[again] ?? scroll).focus({ preventScroll: true });
  }
  const column = picture.layout.columns.reduce((best, one) =>
    Math.abs(one.merges - merges) < Math.abs(best.merges - merges) ? one : best,
  );
  scroll.scrollLeft = column.x * picture.scale - at - shift;
}
