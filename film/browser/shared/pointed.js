// Pointing at an element. A browser also reports that the pointer enters an element when the element slides under a
// resting pointer; nobody points at anything then.

/** @import {Listeners} from "./dom.js" */

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
