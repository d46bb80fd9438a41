// Stores keys that are pressed while no grid is on the page, and presses them again when one is.

/** @import {EarlyWindow} from "./first_script.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/page/mount.js" */

import { hasModifier } from "../../../film/browser/shared/page/dom.js";
import { hasLanes } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/page/mount.js";

const LONGEST_WAIT = 6_000; // ms; on a page without a grid nobody waits for these keys
const MOST = 20; // keys; more come from one that is held down
const BETWEEN = 60; // ms between two of them, so that each one's step is drawn
const USED = new Set([
  " ",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
  "p",
  "P",
  "+",
  "-",
]);
// Elements that need keys themselves: any key, and Space.
const TYPING =
  "input, textarea, select, [contenteditable=true], [role=slider], [role=tab], [role=radio], [role=listbox], [role=menu]";
const PRESSED = "button, summary, [role=button], [role=option]";

/**
 * @param {Component<{}>} _component
 * @returns {Controller<{}>}
 */
function createEarlyKeys(_component) {
  const lifetime = new AbortController();
  /** @type {{key: string, code: string, at: number}[]} */
  let pressed = [];
  let isWaiting = false;

  window.addEventListener("keydown", store, { capture: true, signal: lifetime.signal });
  const page = /** @type {EarlyWindow} */ (window);
  for (const event of page.earlyKeys ?? []) store(event);
  delete page.earlyKeys;

  /** @param {KeyboardEvent} event */
  function store(event) {
    const { key, code, target } = event;
    if (hasLanes() || hasModifier(event) || event.isComposing || !event.isTrusted || !USED.has(key)) return;
    if (target instanceof Element && target.closest(key === " " ? `${TYPING}, ${PRESSED}` : TYPING)) return;
    pressed = [...pressed, { key, code, at: event.timeStamp }].slice(-MOST);
    if (!isWaiting) wait();
  }

  function wait() {
    isWaiting = true;
    setTimeout(look, 30);
  }

  function look() {
    isWaiting = false;
    const oldest = performance.now() - LONGEST_WAIT;
    pressed = pressed.filter(({ at }) => at > oldest);
    if (!pressed.length || lifetime.signal.aborted) return;
    if (hasLanes()) requestAnimationFrame(pressNext);
    else wait();
  }

  function pressNext() {
    const next = pressed.shift();
    if (!next) return;
    const { key, code } = next;
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, composed: true }),
    );
    if (pressed.length) setTimeout(pressNext, BETWEEN);
  }

  return { update: () => undefined, remove: () => lifetime.abort() };
}

export default mount(createEarlyKeys);
