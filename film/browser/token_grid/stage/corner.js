// Two buttons in the upper right corner of the presenter view: leave it, and list the keys. They show for a moment
// when the pointer moves. On a touch screen the first one always shows: there is no key that leads out.

/** @import {Timer} from "../../shared/dom.js" */

import { make } from "../../shared/dom.js";

const AWAKE = 3000; // ms
const TOUCH = "(hover: none), (pointer: coarse)";

/**
 * Make the buttons. The grid that leads its group may be another one at every movement.
 * @param {() => boolean} isWanted  whether this grid leads a group in the presenter view
 * @param {() => void} leave
 * @param {() => void} help
 * @param {AbortSignal} signal
 */
export function createCorner(isWanted, leave, help, signal) {
  const element = make(
    "div",
    "corner",
    { popover: "manual", hidden: true, "data-testid": "corner" },
    cornerButton("Keys", "?", "corner-keys", help),
    cornerButton("Leave the presenter view", "✕", "corner-leave", leave),
  );
  /** @type {Timer} */
  let timer;

  function wake() {
    draw();
    if (element.hidden) return;
    if (!element.classList.contains("awake")) raise();
    element.classList.add("awake");
    clearTimeout(timer);
    if (!always()) timer = setTimeout(() => element.classList.remove("awake"), AWAKE);
  }

  const always = () => matchMedia(TOUCH).matches;

  // The last popover to be shown is on top.
  function raise() {
    element.hidePopover?.();
    element.showPopover?.();
  }

  function draw() {
    const wanted = isWanted();
    if (wanted !== element.hidden) return;
    element.hidden = !wanted;
    if (wanted && always()) wake();
    if (wanted) return;
    clearTimeout(timer);
    element.classList.remove("awake");
    element.hidePopover?.();
  }

  for (const kind of ["pointermove", "pointerdown"]) {
    window.addEventListener(kind, wake, { signal, passive: true });
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  return { element, draw };
}

/**
 * @param {string} name  for screen readers
 * @param {string} sign
 * @param {string} testid
 * @param {() => void} act
 */
function cornerButton(name, sign, testid, act) {
  const attributes = { type: "button", title: name, "aria-label": name, "data-testid": testid, click: act };
  return make("button", "", attributes, make("span", "", { "aria-hidden": "true" }, sign));
}
