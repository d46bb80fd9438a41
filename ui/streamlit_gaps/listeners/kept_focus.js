// A tab that a key has opened keeps the focus while Streamlit loads its contents, and the page knows whether a pointer
// put the focus where it is.

const LATEST = 5_000; // ms in which hidden tabs may come back
const PAUSE = 50; // ms between two looks
const TAB = "[data-testid=stTab]";
export const KEY = "st-key-"; // begins the class of an element that has a key

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

/**
 * Give a tab the focus and keep it there for a while. Return a function that ends it.
 *
 * Streamlit hides the tabs for a moment, or draws them anew, while it loads what a new one needs. A hidden or removed
 * tab loses the focus, which then goes to the tab in its place. If the viewer moves the focus, it stays there.
 *
 * @param {HTMLElement} tab
 * @param {() => HTMLElement | null} inItsPlace  finds the tab when the tabs have been drawn anew
 * @returns {() => void}
 */
function keepOnTab(tab, inItsPlace) {
  const until = performance.now() + LATEST;
  let hidden = false;
  const timer = setInterval(look, PAUSE);
  const stop = () => clearInterval(timer);
  const onBlur = () => (tab.checkVisibility() ? stop() : (hidden = true));

  function focus() {
    tab.focus({ preventScroll: true });
    hidden = document.activeElement !== tab; // what is hidden takes no focus
    if (!hidden) tab.addEventListener("blur", onBlur, { once: true });
  }

  function look() {
    const nowhere = document.activeElement === document.body;
    const latest = inItsPlace();
    if (nowhere && latest && (hidden || !tab.isConnected)) {
      tab = latest;
      focus();
    }
    if (performance.now() > until) stop();
  }

  focus();
  return stop;
}
