// Numbers of a sentence that follow the picture beside it. The number of merges can be dragged, and the picture goes along.

/** @import {ChipLabel} from "./feed_types.js" */
/** @import {Group} from "./groups.js" */

import { make } from "./dom.js";
import { isAnyPresenting } from "./groups.js";

/** A number with its noun, or a token. @typedef {string | [label: ChipLabel, id: number]} MovingValue */
/** What stands in the sentence after each number of merges, `at` of them first; `drag`: the number of merges itself. @typedef {{at: number, values: MovingValue[], drag: boolean}} Moving */

const WHOLE_DRAG = 280; // px from no merge to the last one
const PX_OF_MERGE = [1, 16]; // px of one merge, at least and at most
const DRAGS = "merges-dragged"; // the event of a number that is dragged

/** What shows an element's value after so many merges. @type {WeakMap<Element, (step: number) => void>} */
const MOVERS = new WeakMap();

/**
 * Make the element of a value that moves.
 * @param {Moving} moving
 * @param {(value: MovingValue) => Node} draw
 */
export function movingElement({ at, values, drag }, draw) {
  const element = make("span", drag ? "dragged" : "moving");
  const last = values.length - 1;
  let step = at;
  if (drag) listenToDragging(element, last, () => step);
  const show = (/** @type {number} */ to) => {
    step = Math.max(0, Math.min(to, last));
    element.replaceChildren(draw(values[step]));
    element.setAttribute("data-step", String(step));
    if (drag) element.setAttribute("aria-valuenow", String(step));
  };
  MOVERS.set(element, show);
  show(at);
  return element;
}

/** Show the values after so many merges, in all sentences of an element. @param {HTMLElement} root @param {number} step */
export function moveNumbers(root, step) {
  for (const element of root.querySelectorAll(".dragged, .moving")) {
    if (element.getAttribute("data-step") !== String(step)) MOVERS.get(element)?.(step);
  }
  for (const element of root.querySelectorAll(".dragged")) {
    element.setAttribute("aria-valuetext", element.closest("p")?.textContent ?? "");
  }
}

/** Return whether a sentence of an element has a number to drag. @param {HTMLElement} root */
export function hasDragged(root) {
  return root.querySelector(".dragged") !== null;
}

/**
 * Call a function with the number of merges while it is dragged, and with `rests` when it is let go.
 * @param {HTMLElement} root
 * @param {(step: number, rests: boolean) => void} dragged
 */
export function listenToNumbers(root, dragged) {
  root.addEventListener(DRAGS, (event) => {
    const { step, rests } = /** @type {CustomEvent<{step: number, rests: boolean}>} */ (event).detail;
    dragged(step, rests);
  });
}

/**
 * Let the grids of a group go along with the number that is dragged in an element.
 * @param {HTMLElement} root
 * @param {Group} group
 */
export function dragGrids(root, group) {
  listenToNumbers(root, (step, rests) => {
    const { playhead } = group;
    if (!playhead) return;
    playhead.scrubbing = !rests;
    playhead.seek(step, { animate: rests });
  });
}

/**
 * Make an element a slider from no merge to the last one: for a pointer, for fingers and for keys.
 * @param {HTMLElement} element
 * @param {number} last
 * @param {() => number} now
 */
function listenToDragging(element, last, now) {
  const names = {
    role: "slider",
    tabindex: "0",
    "aria-label": "Merges",
    title: "Drag, or press the arrow keys",
  };
  const range = { "aria-valuemin": "0", "aria-valuemax": String(last) };
  for (const [name, value] of Object.entries({ ...names, ...range })) element.setAttribute(name, value);

  /** @param {number} to @param {boolean} rests */
  function send(to, rests) {
    const step = Math.max(0, Math.min(to, last));
    element.dispatchEvent(new CustomEvent(DRAGS, { bubbles: true, detail: { step, rests } }));
  }

  element.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.round(last / 10));
    const targets = new Map([
      ["ArrowRight", now() + 1],
      ["ArrowUp", now() + 1],
      ["ArrowLeft", now() - 1],
      ["ArrowDown", now() - 1],
      ["PageUp", now() + page],
      ["PageDown", now() - page],
      ["Home", 0],
      ["End", last],
    ]);
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    send(target, true);
  });

  element.addEventListener("pointerdown", (event) => {
    if (event.button || !event.isPrimary) return;
    event.preventDefault(); // no text is selected
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    const [least, most] = PX_OF_MERGE;
    const stride = Math.max(least, Math.min(most, WHOLE_DRAG / last));
    const begun = now();
    let reached = begun;
    const follow = (/** @type {PointerEvent} */ { clientX }) => {
      reached = begun + Math.round((clientX - event.clientX) / stride);
      send(reached, false);
    };
    const takeBack = () => void (reached = begun); // the finger scrolls the page
    const end = () => {
      element.removeEventListener("pointermove", follow);
      element.removeEventListener("pointercancel", takeBack);
      send(reached, true);
      if (isAnyPresenting()) element.blur(); // the next key is the clicker's
    };
    element.addEventListener("pointermove", follow);
    element.addEventListener("pointercancel", takeBack);
    element.addEventListener("lostpointercapture", end, { once: true });
  });
}
