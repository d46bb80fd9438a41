// A button that picks or undoes a merge goes when the training that follows from it comes, and the focus with it. Then the
// new grid takes the focus, so that the keyboard goes on where the viewer was.

const LATEST = 5_000; // ms after a grid comes in which the button may go
const PAUSE = 100; // ms between two looks

/** @type {WeakRef<Element> | null} */
let last = null; // the element that had the focus last
let listens = false;

/**
 * Give an element the focus if the one that had it leaves the page soon, or has left it already.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal
 */
export function keepFocus(element, signal) {
  if (!listens) document.addEventListener("focusin", remember, { capture: true });
  listens = true;
  const until = performance.now() + LATEST;
  const timer = setInterval(() => {
    if (isLost() && element.isConnected) {
      element.focus({ preventScroll: true });
      last = new WeakRef(element);
      clearInterval(timer);
    } else if (performance.now() > until) clearInterval(timer);
  }, PAUSE);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** @param {FocusEvent} event */
function remember(event) {
  const [element] = event.composedPath();
  if (element instanceof Element) last = new WeakRef(element);
}

function isLost() {
  const active = document.activeElement;
  return Boolean(last) && !last?.deref()?.isConnected && (!active || active === document.body);
}
