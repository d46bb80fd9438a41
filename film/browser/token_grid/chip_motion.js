// The movements of chips during one merge. CSS transitions close the gap; here are the movements on top of them: the
// two chips lean apart, meet, and the new colour spreads from where they meet. A chip that changes lines fades.
// All are Web Animations of what is drawn already, so ending one early leaves the drawing as it is at rest.

/** @import {Box, Layout} from "./layout.js" */
/** @import {Cells} from "../player/segmentation.js" */
/** @import {ChipColours} from "../shared/colour.js" */
/** @import {Grid} from "./types.js" */

import { make } from "../shared/dom.js";
import { tokensMade, eachToken, idAt } from "../player/segmentation.js";
import { blend } from "../shared/colour.js";
import { boxesOf } from "./layout.js";
import { scaleOf } from "./painting.js";

// What leads the eye during a merge: a ring round each pair until its parts meet, while everything else steps back.

const HALO_ROOM = 4; // px between a pair and the ring round it
const MOST_DIMMED = 300; // cells; with more, fading them would cost frames
const PALE = 0.45; // opacity of what steps back

/**
 * Return the keyframes of a ring round a pair, from where its parts are to where they meet.
 * @param {Box} from
 * @param {Box} to
 * @param {number} leaves  when the parts begin to move towards each other, as a share of the time
 * @param {number} contact  when they meet
 * @returns {Keyframe[]}
 */
function haloFrames(from, to, leaves, contact) {
  const [before, after] = [from, to].map(ringRound);
  return [
    { ...before, opacity: 1 },
    { ...before, opacity: 1, offset: leaves, easing: "ease-in" },
    { ...after, opacity: 1, offset: contact },
    { ...after, opacity: 0, offset: contact + 0.12 },
    { ...after, opacity: 0 },
  ];
}

/** Return where the ring round a box is, and how wide. @param {Box} box */
function ringRound({ x, y, w }) {
  return { translate: `${x - HALO_ROOM}px ${y - HALO_ROOM}px`, width: `${w + 2 * HALO_ROOM}px` };
}

/** Return the keyframes of what steps back. @param {number} contact @returns {Keyframe[]} */
function backFrames(contact) {
  return [
    { opacity: 1 },
    { opacity: PALE, offset: 0.15 },
    { opacity: PALE, offset: contact },
    { opacity: 1 },
  ];
}

/** Make the ring round a box. @param {Box} box @param {number} curve  radius of the box's corners */
function haloRound(box, curve) {
  const halo = make("span", "halo");
  const height = `${box.h + 2 * HALO_ROOM}px`;
  const borderRadius = `${curve + HALO_ROOM}px`;
  Object.assign(halo.style, { ...ringRound(box), height, borderRadius, opacity: "0" }); // but for its animation
  return halo;
}

/**
 * Return the box round cells [first, end) as they were before a merge, on the line on which they are now.
 * @param {Pick<Layout, "x" | "w">} before
 * @param {number} first
 * @param {number} end
 * @param {Box} now
 * @returns {Box}
 */
function boxAround({ x, w }, first, end, now) {
  let [left, right] = [Infinity, -Infinity];
  for (let cell = first; cell < end; cell++) {
    left = Math.min(left, x[cell]);
    right = Math.max(right, x[cell] + w[cell]);
  }
  return { ...now, x: left, w: right - left };
}

/**
 * Return the cells that are not part of the tokens that a step makes; none of a long text.
 * @param {Cells} cells
 * @param {number} rank  of the step
 */
function othersOf(cells, rank) {
  if (cells.size > MOST_DIMMED) return [];
  const joins = new Set();
  for (const [first, end] of tokensMade(cells, rank)) {
    for (let cell = first; cell < end; cell++) joins.add(cell);
  }
  return Array.from({ length: cells.size }, (_, cell) => cell).filter((cell) => !joins.has(cell));
}

/** The phases of a merge, as shares of its time: the chips lean apart, and meet; the rest is for the new token. */
export const PHASES = { lean: 0.35, meet: 0.35, flash: 0.26 };
const CONTACT = PHASES.lean + PHASES.meet;
const LEAN = 3.5; // px by which each of the two chips moves aside, with letters of usual size
const OVERSHOOT = 1.04; // how large the new token is for a moment
const SHADES = 4; // steps of a blend between two colours; between them the browser mixes

/** The elements of each cell. @typedef {{boxes: HTMLElement[], letters: HTMLElement[]}} Elements */

/**
 * Return the keyframes of a chip that leans aside and comes back to meet the other one.
 * @param {number} by  px to the right
 * @returns {Keyframe[]}
 */
export function leanFrames(by) {
  return [
    { transform: "none", easing: "ease-out" },
    { transform: `translateX(${by}px)`, easing: "ease-in", offset: PHASES.lean },
    { transform: "none", offset: CONTACT, easing: "ease-out" },
    { transform: `scale(${OVERSHOOT})`, offset: CONTACT + PHASES.flash / 2, easing: "ease-in-out" },
    { transform: "none", offset: CONTACT + PHASES.flash },
    { transform: "none" },
  ];
}

/**
 * Return how far each part of a new token leans: the outer ones in full, away from the middle.
 * @param {number} parts
 * @param {number} lean  px
 */
export function leansOf(parts, lean) {
  return Array.from({ length: parts }, (_, at) => (parts > 1 ? lean * ((2 * at) / (parts - 1) - 1) : 0));
}

/**
 * Return the keyframes of a new colour that spreads over a chip.
 * @param {number} seam  where its parts meet, as a share of its width
 * @returns {Keyframe[]}
 */
export function flashFrames(seam) {
  const left = (100 * seam).toFixed(2);
  const right = (100 - 100 * seam).toFixed(2);
  return [
    { clipPath: `inset(0 ${right}% 0 ${left}%)`, transform: "none", easing: "ease-out" },
    { clipPath: "inset(0)", transform: `scale(${OVERSHOOT})`, offset: 0.5, easing: "ease-in-out" },
    { clipPath: "inset(0)", transform: "none" },
  ];
}

/**
 * Return the keyframes of a chip from one colour to another, on the way that keeps the colours clear.
 * @param {ChipColours} from
 * @param {ChipColours} to
 * @returns {Keyframe[]}
 */
export function blendFrames(from, to) {
  return Array.from({ length: SHADES + 1 }, (_, at) => ({
    backgroundColor: blend(from.fill, to.fill, at / SHADES),
    borderColor: blend(from.edge, to.edge, at / SHADES),
  }));
}

/**
 * Return the keyframes of an element that fades at one position and appears at another.
 * @param {string} from
 * @param {string} to
 * @returns {Keyframe[]}
 */
export function fadeFrames(from, to) {
  return [
    { translate: from, opacity: 1 },
    { translate: from, opacity: 0, offset: 0.5 },
    { translate: to, opacity: 0, offset: 0.5 },
    { translate: to, opacity: 1 },
  ];
}

/** Make the movements of one layout's chips. @param {Grid} grid @param {Layout} layout @param {Elements} elements */
export function createChipMotion(grid, layout, { boxes, letters }) {
  const { cells, metrics } = layout;
  /** @type {Animation[]} */
  let running = [];
  /** @type {Animation | null} */
  let last = null; // of those that run, the one that ends last
  let lastEnd = 0; // ms
  /** @type {HTMLElement[]} */
  let flashes = [];
  /** @type {Map<HTMLElement, string>} */
  const carried = new Map(); // elements that change lines, and where they were
  /** @type {Int32Array | null} */
  let linesBefore = null;
  let columnsBefore = { x: layout.x, w: layout.w }; // where the cells were

  function stop() {
    for (const animation of running) animation.cancel();
    for (const flash of flashes) flash.remove();
    for (const element of carried.keys()) element.classList.remove("moved");
    carried.clear();
    running = [];
    flashes = [];
    last = null;
    lastEnd = 0;
  }

  /** Note where the cells are, before they are arranged anew. @param {boolean} moves  whether chips will move */
  function prepare(moves) {
    stop();
    linesBefore = moves ? layout.line.slice() : null;
    if (moves) columnsBefore = { x: layout.x.slice(), w: layout.w.slice() };
  }

  /** Return whether a cell changes lines. @param {number} cell */
  const changesLine = (cell) => Boolean(linesBefore && linesBefore[cell] !== layout.line[cell]);

  /**
   * Keep an element from sliding to another line. Call it before the element gets its new position.
   * @param {HTMLElement} element
   * @param {number} cell
   */
  function carry(element, cell) {
    if (!changesLine(cell) || !element.style.translate) return;
    carried.set(element, element.style.translate);
    element.classList.add("moved");
  }

  /** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} timing */
  function animate(element, frames, timing) {
    const animation = element.animate(frames, { fill: "backwards", ...timing });
    const end = Number(timing.duration) + (timing.delay ?? 0);
    if (end > lastEnd) [lastEnd, last] = [end, animation];
    running.push(animation);
  }

  /**
   * Start the movements to a step, after its chips have been drawn.
   * @param {number} from
   * @param {number} step
   * @param {number} duration
   * @param {(cell: number) => number} delayOf
   */
  function start(from, step, duration, delayOf) {
    if (!linesBefore) return;
    for (const [element, before] of carried) {
      if (element.style.opacity === "0") continue;
      animate(element, fadeFrames(before, element.style.translate), { duration });
    }
    const older = Math.min(from, step);
    if (step > from) stepBack(older, duration, delayOf);
    for (const [first, end] of tokensMade(cells, older)) {
      const delay = delayOf(first);
      if (changesLine(first) || changesLine(end - 1)) continue;
      const whole = boxesOf(layout, first, end);
      const fuses = step > from && whole.length === 1;
      if (fuses) fuse(first, end, older, whole[0], duration, delay);
      else recolour(first, end, from, step, duration, delay);
    }
    if (last) last.onfinish = stop;
  }

  /**
   * @param {number} first
   * @param {number} end
   * @param {number} older
   * @param {Box} whole
   * @param {number} duration
   * @param {number} delay
   */
  function fuse(first, end, older, whole, duration, delay) {
    const parts = partsOf(older, first, end);
    const leans = leansOf(parts.length, LEAN * scaleOf({ h: metrics.height }));
    parts.forEach(({ from, to, colours }, at) => {
      const hold = { backgroundColor: colours.fill, borderColor: colours.edge };
      const wait = duration * (CONTACT + PHASES.flash / 2);
      for (let cell = from; cell < to; cell++) {
        animate(boxes[cell], [hold, hold], { duration: wait, delay });
        animate(boxes[cell], leanFrames(leans[at]), { duration, delay });
        animate(letters[cell], leanFrames(leans[at]), { duration, delay });
      }
    });
    const seam = (parts[Math.ceil(parts.length / 2)].x - whole.x) / whole.w;
    const timing = { duration: duration * PHASES.flash, delay: delay + duration * CONTACT };
    animate(flashOn(whole, grid.chip(idAt(cells, first, end))), flashFrames(seam), timing);
    const halo = haloRound(whole, metrics.curve);
    letters[0].before(halo);
    flashes.push(halo);
    const before = boxAround(columnsBefore, first, end, whole);
    animate(halo, haloFrames(before, whole, PHASES.lean, CONTACT), { duration, delay });
  }

  /**
   * Let everything but the parts of new tokens step back until these have met.
   * @param {number} older
   * @param {number} duration
   * @param {(cell: number) => number} delayOf
   */
  function stepBack(older, duration, delayOf) {
    const latest = Math.max(0, ...tokensMade(cells, older).map(([first]) => delayOf(first)));
    for (const cell of othersOf(cells, older)) {
      const timing = { duration: duration + latest };
      animate(boxes[cell], backFrames(CONTACT), timing);
      if (letters[cell].style.opacity !== "0") animate(letters[cell], backFrames(CONTACT), timing);
    }
  }

  /**
   * Return the tokens that a new token is made of, from left to right on the screen.
   * @param {number} older
   * @param {number} first
   * @param {number} end
   */
  function partsOf(older, first, end) {
    /** @type {{from: number, to: number, x: number, colours: ChipColours}[]} */
    const parts = [];
    eachToken(cells, older, first, end, (from, to) => {
      const [{ x }] = boxesOf(layout, from, to);
      parts.push({ from, to, x, colours: grid.chip(idAt(cells, from, to)) });
    });
    return parts.toSorted((a, b) => a.x - b.x);
  }

  /** @param {Box} box @param {ChipColours} colours */
  function flashOn(box, colours) {
    const flash = make("span", "flash");
    const { style } = flash;
    style.translate = `${box.x}px ${box.y}px`;
    style.width = `${box.w}px`;
    style.height = `${box.h}px`;
    style.borderRadius = `${metrics.curve}px`;
    style.border = `${metrics.edge}px ${colours.unknown ? "dashed" : "solid"} ${colours.edge}`;
    style.background = colours.fill;
    letters[0].before(flash);
    flashes.push(flash);
    return flash;
  }

  /**
   * Blend the colours of a token's parts into its own, or back.
   * @param {number} first
   * @param {number} end
   * @param {number} from
   * @param {number} step
   * @param {number} duration
   * @param {number} delay
   */
  function recolour(first, end, from, step, duration, delay) {
    const one = grid.chip(idAt(cells, first, end));
    for (const part of partsOf(Math.min(from, step), first, end)) {
      const frames = step > from ? blendFrames(part.colours, one) : blendFrames(one, part.colours);
      for (let cell = part.from; cell < part.to; cell++) {
        animate(boxes[cell], frames, { duration, delay, easing: "ease-in-out" });
      }
    }
  }

  return { prepare, carry, start, stop };
}
