// The flight of the selected pair to the headline: its two chips start at their row of the pair table, or at the outlined
// pair in the grid where no table is in sight.

/** @import {Grid} from "./types.js" */

import { eachMark } from "./marking.js";
import { EDGE } from "./painting.js";
import { boxesOf } from "./layout.js";
import { eachToken } from "../player/segmentation.js";

/** A rectangle in px of the window. @typedef {{left: number, top: number, width: number, height: number}} Area */

const TIME = 360; // ms at 1×, less than the beat that selects
const EASING = "cubic-bezier(0.3, 0, 0.15, 1)";

/** Return whether a whole area is inside another one. @param {Area} area @param {Area} frame */
export function isInside(area, frame) {
  return (
    area.width > 0 &&
    area.left >= frame.left &&
    area.top >= frame.top &&
    area.left + area.width <= frame.left + frame.width &&
    area.top + area.height <= frame.top + frame.height
  );
}

/**
 * Return the keyframes of a chip that flies from an area, as high as that area, and ends where it is.
 * @param {Area} from
 * @param {Area} to
 * @returns {Keyframe[]}
 */
function flightFrames(from, to) {
  const scale = from.height / to.height;
  return [
    {
      transform: `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${scale})`,
      transformOrigin: "0 0",
    },
    { transform: "none", transformOrigin: "0 0" },
  ];
}

/**
 * Let the chips of the pair that is merged next fly to where they are in the headline. Return a function that ends it.
 * Their copies fly above everything, since grid and table are two layers of the presenter view.
 * @param {Grid} grid
 * @param {HTMLElement[]} chips  the left and the right token
 * @param {number} pace  1 at 1×
 */
export function flyFromPair(grid, chips, pace) {
  const starts = pairInTable(grid) ?? pairInGrid(grid);
  const flying = starts ? chips : []; // none if the pair is scrolled out of sight
  const timing = { duration: TIME / pace, easing: EASING };
  const landings = flying.map((chip, side) =>
    fly(grid.root, chip, /** @type {Area[]} */ (starts)[side], timing),
  );
  return () => landings.forEach((land) => land());
}

/**
 * Let one element of the headline fly in from an area. Return a function that ends it.
 * @param {Grid} grid
 * @param {HTMLElement} element
 * @param {Area} from
 * @param {number} pace  1 at 1×
 */
export function flyFrom(grid, element, from, pace) {
  return fly(grid.root, element, from, { duration: TIME / pace, easing: EASING });
}

/** @param {HTMLElement} root @param {HTMLElement} chip @param {Area} from @param {KeyframeAnimationOptions} timing */
function fly(root, chip, from, timing) {
  const to = chip.getBoundingClientRect();
  if (!to.width) return () => undefined; // it is not drawn
  const copy = copyOver(chip, to);
  root.append(copy);
  copy.showPopover?.();
  const flight = copy.animate(flightFrames(from, to), timing);
  const hidden = chip.animate([{ opacity: 0 }, { opacity: 0 }], timing);
  const land = () => {
    copy.remove();
    hidden.cancel();
  };
  flight.addEventListener("finish", land);
  return land;
}

/**
 * Return a copy of a chip that lies over it in the window's top layer.
 * @param {HTMLElement} chip
 * @param {Area} area
 */
function copyOver(chip, { left, top, width, height }) {
  const copy = /** @type {HTMLElement} */ (chip.cloneNode(true));
  const { fontSize } = getComputedStyle(chip);
  copy.classList.add("flight");
  copy.setAttribute("popover", "manual");
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, { fontSize, left: `${left}px`, top: `${top}px`, width: `${width}px` });
  copy.style.height = `${height}px`;
  return copy;
}

/** Return the areas of the pair's two chips in the pair table; null unless they are in sight. @param {Grid} grid */
function pairInTable({ group, model, step }) {
  const { left, right } = model.steps;
  const row = `tr.chosen[data-left="${left[step]}"][data-right="${right[step]}"]`;
  for (const table of group.tables) {
    if (table.dataset.step !== String(step)) continue; // its rows are those of another step
    const frame = table.querySelector(".scroll")?.getBoundingClientRect();
    const areas = [...table.querySelectorAll(`${row} .pairing .chip`)].map((chip) =>
      chip.getBoundingClientRect(),
    );
    if (areas.length === 2 && frame && areas.every((area) => isInSight(area, frame))) return areas;
  }
  return null;
}

/** Return the areas of the first outlined pair in the grid; null unless one is in sight. @param {Grid} grid */
function pairInGrid(grid) {
  const { step, visibleArea, elements } = grid;
  const stage = elements.stage.getBoundingClientRect();
  const frame = elements.viewport.getBoundingClientRect();
  /** @type {Area[] | null} */
  let areas = null;
  for (const layout of grid.layouts) {
    eachMark(grid, layout, ...visibleArea.cellsIn(layout), (mark, start, end) => {
      if (areas || mark !== "winner") return;
      /** @type {Area[]} */
      const parts = [];
      eachToken(layout.cells, step, start, end, (from, to) => {
        const [{ x, y, w, h }] = boxesOf(layout, from, to);
        parts.push({ left: stage.left + EDGE + x, top: stage.top + y, width: w, height: h });
      });
      if (parts.length === 2 && parts.every((area) => isInSight(area, frame))) areas = parts;
    });
  }
  return areas;
}

/** @param {Area} area @param {Area} frame  what it scrolls in */
function isInSight(area, frame) {
  const page = { left: 0, top: 0, width: window.innerWidth, height: window.innerHeight };
  return isInside(area, frame) && isInside(area, page);
}
