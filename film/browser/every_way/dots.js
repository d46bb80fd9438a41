// The dots of the picture of every way: where they are after so many merges, and how they get there.

/** @import {Dot, WaysPicture} from "./state.js" */

import { curveY, dotX } from "./layout.js";
import { NAME, isFilling, isStaged, nameOfPicture } from "./state.js";

export const AT_NODE = 2.2; // times as far from each other are dots where their lines meet a place
const TRAVEL = 420; // ms from one merge to the next
const UNFOLDING = 800; // ms for each merge that unfolds
const MOST_UNFOLDING = 6000; // ms
const FAR = 12; // merges, more of which the dots do not travel
const AHEAD = 10; // px beyond the dots that have unfolded: up to the chip or the ring there, and no path after it

/**
 * Put dots, and what they leave behind, where they are after so many merges.
 * @param {WaysPicture} picture
 * @param {Dot[]} dots  its own, or copies
 * @param {number} merges
 */
export function putDots({ layout, data }, dots, merges) {
  for (const [number, { dot, trail, down }] of dots.entries()) {
    const line = layout.lines[number];
    const x = dotX(line, Math.min(merges, data.lines[number].merges));
    const isAtNode = line.knots.some((knot) => Math.abs(knot.merges - merges) < 0.02);
    const y = curveY(line.points, x) + down * (isAtNode ? AT_NODE : 1);
    dot.setAttribute("cx", x.toFixed(1));
    dot.setAttribute("cy", y.toFixed(1));
    trail.setAttribute("width", x.toFixed(1));
  }
}

/** Put the dots of a picture where its `position` is. @param {WaysPicture} picture */
export function putPosition(picture) {
  const { drawing, position, step } = picture;
  putDots(picture, drawing.dots, position);
  for (const number of drawing.numbers)
    number.classList.toggle("now", Number(number.dataset.merges) === step);
  if (drawing.unfolded) unfold(picture, drawing.unfolded);
}

/**
 * Hide what comes after the dots, and the sentence that would tell the end.
 * @param {WaysPicture} picture
 * @param {Element} part  that is visible
 */
function unfold({ data, head, note, layout, position, root, scale, scroll, table }, part) {
  const x = Math.max(...layout.lines.map((line) => dotX(line, position)));
  part.setAttribute("width", (x + AHEAD).toFixed(1));
  for (const element of scroll.querySelectorAll("[data-merges]")) {
    const ahead = Number(/** @type {SVGElement} */ (element).dataset.merges) > position + 0.05;
    element.toggleAttribute("data-ahead", ahead);
  }
  const isWhole = position >= data.until;
  for (const text of [head, note]) text.classList.toggle("ahead", !isWhole);
  table.hidden = !isWhole;
  scroll.setAttribute("aria-label", isWhole ? nameOfPicture(data) : NAME);
  root.dataset.unfolded = String(Math.floor(position + 0.05));
  scroll.scrollLeft = Math.max(0, x * scale - 0.75 * scroll.clientWidth);
}

/** Let the dots go to a step. @param {WaysPicture} picture @param {number} to */
export function travel(picture, to) {
  cancelAnimationFrame(picture.frame);
  picture.step = to;
  const from = picture.position;
  const far = Math.abs(to - from);
  const unfolds = isStaged(picture);
  const time = unfolds ? Math.min(MOST_UNFOLDING, UNFOLDING * far) : TRAVEL;
  if (isStill() || document.hidden || far === 0 || (far > FAR && !unfolds)) {
    picture.position = to;
    putPosition(picture);
    return keepInSight(picture);
  }
  const began = performance.now();
  const move = (/** @type {number} */ now) => {
    const share = Math.min(1, Math.max(0, (now - began) / time));
    picture.position = from + (to - from) * (share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) ** 2);
    putPosition(picture);
    if (share < 1) picture.frame = requestAnimationFrame(move);
    else keepInSight(picture);
  };
  picture.frame = requestAnimationFrame(move);
}

/**
 * Scroll the first dot into sight, within the picture, but not under a pointer unless `always`.
 * @param {WaysPicture} picture
 */
export function keepInSight(picture, always = false) {
  const { drawing, layout, position, scale, scroll } = picture;
  if (!drawing.dots.length || (scroll.matches(":hover") && !always && !isFilling(picture))) return;
  const x = scale * dotX(layout.lines[0], position);
  const { scrollLeft, clientWidth } = scroll;
  if (x < scrollLeft + 60 || x > scrollLeft + clientWidth - 120) {
    scroll.scrollTo({ left: x - clientWidth / 3, behavior: isStill() ? "instant" : "smooth" });
  }
}

function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
