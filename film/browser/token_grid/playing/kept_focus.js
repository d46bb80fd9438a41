// A button that picks or undoes a merge goes when the training that follows from it comes, and the focus with it. Then a
// grid takes the focus, so that the keyboard goes on where the viewer was.

const LATEST = 5_000; // ms after a press, or after a grid comes, in which the button may go
const PAUSE = 100; // ms between two looks

/** @type {WeakRef<Element> | null} */
let last = null; // the element that had the focus last

/**
 * Give an element the focus whenever the one that had it leaves the page, or is hidden, after a press, or after this call.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal
 */
export function keepFocus(element, signal) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  function watch() {
    clearInterval(timer);
    const until = performance.now() + LATEST;
    timer = setInterval(look, PAUSE, until);
    note();
  }

  /** @param {number} until */
  function look(until) {
    const active = note();
    if (!active && last && !isThere(last.deref()) && element.isConnected) {
      element.focus({ preventScroll: true });
      note();
    } else if (performance.now() > until) clearInterval(timer);
  }

  watch();
  // Also after a press: the lanes of a comparison stay when the button that undoes a branch goes.
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, watch, { capture: true, signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}

/**
 * Return whether an element can have the focus: it is on the page, and neither hidden nor in what is hidden. Streamlit's
 * tabs come back, with the focus, when the contents of the chosen one have been loaded.
 * @param {Element} [element]
 */
function isThere(element) {
  return element && (element.matches("[role=tab]") || (element.isConnected && element.checkVisibility()));
}

/** Remember and return the element that has the focus, also one within a component; null if nothing has it. */
function note() {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active === document.body) return null;
  last = new WeakRef(active);
  return active;
}
