// The keyboard's focus on Streamlit's tabs, and whether a pointer put it where it is.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { followTabs } from "./tabs.js";

/**
 * @param {Component<{}>} _component
 * @returns {Controller<{}>}
 */
function createKeptFocus(_component) {
  const lifetime = new AbortController();
  followTabs(lifetime.signal);
  notePointer(lifetime.signal);
  return { update: () => undefined, remove: () => lifetime.abort() };
}

/**
 * Note on the page whether the focus was last moved by a pointer. A browser calls it visible at any key after a click,
 * also on the empty ground, where focus.css then draws nothing.
 * @param {AbortSignal} signal
 */
function notePointer(signal) {
  const { dataset } = document.documentElement;
  /** @param {PointerEvent | KeyboardEvent} event */
  function note(event) {
    if (event instanceof PointerEvent) dataset.mergesPointer = "";
    else if (event.key === "Tab") delete dataset.mergesPointer;
  }
  document.addEventListener("pointerdown", note, { capture: true, signal });
  document.addEventListener("keydown", note, { capture: true, signal });
}

export default mount(createKeptFocus);
