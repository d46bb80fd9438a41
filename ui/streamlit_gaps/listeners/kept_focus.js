// A tab that a key has opened keeps the focus while Streamlit loads its contents, and the page knows whether a pointer
// put the focus where it is.

import { keepOnTab } from "./kept_tab.js";

const TAB = "[data-testid=stTab]";
const KEY = "st-key-"; // begins the class of an element that has a key

/** Follow the page's tabs until the signal aborts. @param {AbortSignal} signal */
export function keepFocus(signal) {
  let stop = () => {};

  /** @param {KeyboardEvent} event */
  function follow({ target }) {
    if (!(target instanceof Element) || !target.closest(TAB)) return;
    stop();
    // After the key has moved the focus.
    setTimeout(() => {
      const tab = /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest(TAB));
      if (tab && !signal.aborted) stop = keepOnTab(tab, finder(tab));
    });
  }

  document.addEventListener("keydown", follow, { capture: true, signal });
  signal.addEventListener("abort", () => stop());
}

/**
 * Note on the page whether the focus was last moved by a pointer. page.css then draws nothing.
 * @param {AbortSignal} signal
 */
export function notePointer(signal) {
  const { dataset } = document.documentElement;
  /** @param {PointerEvent | KeyboardEvent} event */
  function note(event) {
    if (event instanceof PointerEvent) dataset.mergesPointer = "";
    else if (event.key === "Tab") delete dataset.mergesPointer;
  }
  document.addEventListener("pointerdown", note, { capture: true, signal });
  document.addEventListener("keydown", note, { capture: true, signal });
}

/**
 * Return a function that finds the tab, or what has been drawn in its place: the tab as far along under the same key.
 * @param {HTMLElement} tab
 * @returns {() => HTMLElement | null}
 */
function finder(tab) {
  const keyed = tab.closest(`[class*=${KEY}]`);
  const name = [...(keyed?.classList ?? [])].find((one) => one.startsWith(KEY));
  if (!keyed || !name) return () => tab;
  const at = [...keyed.querySelectorAll(TAB)].indexOf(tab);
  const all = () => document.querySelectorAll(`.${CSS.escape(name)} ${TAB}`);
  return () => /** @type {HTMLElement | undefined} */ (all()[at]) ?? null;
}
