// Pointing at an element. A browser also reports that the pointer enters an element when the element slides under a
// resting pointer; nobody points at anything then.

/** @import {Listeners} from "./dom.js" */
/** @import {Light} from "./groups.js" */

import { make } from "./dom.js";
import { hear, say } from "./groups.js";

// A pointer that crosses something does not ask about it; one that rests there does.

const REST_FOR = 250; // ms

/** Make a timer for what a resting pointer asks for. */
export function createRest() {
  /** @type {import("./dom.js").Timer} */
  let timer;
  const cancel = () => clearTimeout(timer);

  /** Do this if nothing else happens for a moment. @param {() => void} act */
  function wait(act) {
    cancel();
    timer = setTimeout(act, REST_FOR);
  }
  return { wait, cancel };
}

/** Return whether the viewer points with a finger. */
export function isTouched() {
  return matchMedia("(pointer: coarse) and (hover: none)").matches;
}

const lastPosition = { x: -1, y: -1 }; // the position of the pointer's last movement or press
let watching = false;

// Bubbling, so that an element compares an event with the position before it.
function watchPointer() {
  if (watching) return;
  watching = true;
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
    window.addEventListener(kind, ({ clientX, clientY }) =>
      Object.assign(lastPosition, { x: clientX, y: clientY }),
    );
  }
}

/**
 * Return whether an event is a movement, seen from the last position.
 * @param {{x: number, y: number}} last
 * @param {{clientX: number, clientY: number}} event
 */
function hasMoved(last, { clientX, clientY }) {
  return clientX !== last.x || clientY !== last.y;
}

/**
 * Return the listeners of an element that react when the viewer's pointer comes to rest on it, and when it leaves.
 * @param {() => void} enter
 * @param {() => void} leave
 * @returns {Listeners}
 */
export function pointed(enter, leave) {
  watchPointer();
  const rest = createRest();
  let inside = false;
  let entered = false; // whether the pointer has rested inside
  /** @param {PointerEvent} event */
  const point = (event) => {
    if (inside || !hasMoved(lastPosition, event)) return;
    inside = true;
    rest.wait(() => {
      entered = true;
      enter();
    });
  };
  return {
    pointerenter: point,
    pointermove: point,
    pointerleave: () => {
      rest.cancel();
      if (entered) leave();
      inside = entered = false;
    },
  };
}

/**
 * A number that lights what it counts, in the grids of its group: while one points at it or it has the focus, and after a
 * press until the next one.
 * @typedef {object} Figure
 * @property {HTMLButtonElement} element
 * @property {(text: string, name?: string, chips?: HTMLElement[]) => void} draw  writes the number, what a screen reader calls
 *   it, and chips in front of it; hides it if ""
 */

/**
 * Make a figure.
 * @param {string} group
 * @param {Light} light  what it counts
 * @param {() => string} about  says in words what is lit, when somebody asks
 * @param {AbortSignal} signal
 * @returns {Figure}
 */
export function createFigure(group, light, about, signal) {
  /** @type {Light & {group: string} | null} */
  let lit = null; // what it lights now
  let pinned = false;
  const element = make("button", "figure", {
    type: "button",
    "data-counts": light.counts,
    "aria-pressed": "false",
    ...pointed(show, leave),
    focus: show,
    blur: leave,
    // A press leaves the focus, and so the keys, where they are.
    mousedown: (event) => event.preventDefault(),
    click: () => {
      const on = !pinned;
      show();
      if (on) pin(true);
      else hide();
    },
  });
  element.hidden = true; // until it has a text
  // Whoever lights something else ends this light.
  hear("light", group, signal, (other) => {
    if (other === lit) return;
    lit = null;
    pin(false);
  });

  function show() {
    element.title = about();
    if (!lit) say("light", (lit = { group, from: "figure", ...light }));
  }

  function hide() {
    if (lit) say("light", { group, from: "figure", none: true });
  }

  function leave() {
    if (!pinned) hide();
  }

  /** @param {boolean} on */
  function pin(on) {
    pinned = on;
    element.ariaPressed = String(on);
  }

  /** @type {Figure["draw"]} */
  function draw(text, name = "", chips = []) {
    const same = element.textContent === text && element.ariaLabel === (name || null);
    if (same && !chips.length && !element.childElementCount) return;
    element.hidden = !text;
    element.replaceChildren(...chips, text);
    element.ariaLabel = name || null;
    if (!text) hide();
  }
  return { element, draw };
}

/**
 * Call a function while the pointer is on an element, and another one when it leaves.
 * @param {Element} element
 * @param {() => void} enter
 * @param {() => void} leave
 */
export function listenToPointer(element, enter, leave) {
  for (const [kind, listen] of Object.entries(pointed(enter, () => leave()))) {
    element.addEventListener(kind, /** @type {EventListener} */ (listen));
  }
}
