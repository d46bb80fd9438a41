// The positions of lanes on their stage, in order: each holds a lane's grid, or how far its training is.

/** @import {Group} from "../../shared/groups.js" */
/** @import {LaneState} from "./lane_stage.js" */
/** @import {Grid} from "../types.js" */

import { make } from "../../shared/dom.js";

/**
 * Make the positions of a group's lanes.
 * @param {HTMLElement} lanes  the element that holds them
 * @param {Group} group
 */
export function createLanePositions(lanes, group) {
  /** @type {LaneState[]} */
  let states = [];
  /** @type {HTMLElement[]} */
  const waiting = []; // by lane; after all grids in the page, and in their positions by CSS order

  /** @param {Grid} grid */
  function insert(grid) {
    const inOrder = [...group.lanes].toSorted((one, other) => indexOf(one) - indexOf(other));
    const next = inOrder.slice(inOrder.indexOf(grid) + 1).find((lane) => lane.root.parentNode === lanes);
    const after = next?.root ?? waiting.find((element) => element.parentNode === lanes) ?? null;
    grid.root.style.order = String(indexOf(grid));
    // Moving an element that is there already would lose its scroll position.
    if (grid.root.parentNode !== lanes || grid.root.nextSibling !== after)
      lanes.insertBefore(grid.root, after);
    draw();
  }

  /** @param {LaneState[]} next */
  function setStates(next) {
    states = next;
    draw();
  }

  function draw() {
    const grids = new Map([...group.lanes].map((grid) => [indexOf(grid), grid]));
    for (const [index, { elements }] of grids) {
      const text = states[index]?.text;
      if (text) elements.title.dataset.state = text;
      else delete elements.title.dataset.state;
    }
    for (const element of waiting.splice(states.length)) element.remove();
    states.forEach((state, index) => {
      const element = (waiting[index] ??= waitingElement(index));
      if (grids.get(index)?.root.parentNode === lanes) return element.remove();
      const [title, text, bar] = element.children;
      title.textContent = state.title;
      text.textContent = state.text;
      /** @type {HTMLProgressElement} */ (bar).value = state.share;
      if (element.parentNode !== lanes) lanes.append(element);
    });
  }

  return { insert, setStates };
}

/** @param {Grid} grid */
function indexOf({ lane }) {
  return lane?.index ?? 0;
}

/** @param {number} index */
function waitingElement(index) {
  const bar = make("progress", "", { max: 1, "aria-label": "Merges learned" });
  const element = make(
    "div",
    "lane-waiting card",
    { "data-testid": "lane-waiting" },
    make("h3"),
    make("p"),
    bar,
  );
  element.style.order = String(index);
  return element;
}
