// Reports to Python wait until the viewer rests, and none is sent while the page is being left. The answer to a request
// for another page takes a moment. If a report of a fragment follows in that moment, Streamlit runs the page that was
// left once more, without drawing it, and the screen stays empty.

const REST = 140; // ms
const LEAVING = 3_000; // ms after which a page that is still there was not left
const ANSWERED_AFTER_CLICK = 10_000; // ms that a busy server may take to answer a request for another page
const ANSWERED_AFTER_BACK = 5_000; // less, since nobody sees here whether the answer has come

/**
 * Return a function that says whether the visitor has asked for another page, and its answer may not have come yet.
 * @param {AbortSignal} signal
 */
export function departure(signal) {
  const pathOf = () => window.location.pathname;
  let from = ""; // the path of the page that a click leaves; "" for Back and Forward, which have changed it already
  let end = 0; // ms until which the answer is waited for

  /** @param {MouseEvent} event */
  function click({ target }) {
    const control = /** @type {Element} */ (target).closest?.("a, button"); // the document has none
    if (control?.localName !== "a") return;
    [from, end] = [pathOf(), performance.now() + ANSWERED_AFTER_CLICK];
  }

  function travel() {
    [from, end] = ["", performance.now() + ANSWERED_AFTER_BACK];
  }

  window.addEventListener("click", click, { capture: true, signal });
  window.addEventListener("popstate", travel, { capture: true, signal });
  return () => {
    if (from && pathOf() !== from) end = 0;
    return performance.now() < end;
  };
}

/** Return a report that is sent once the viewer rests. @param {() => void} send @param {AbortSignal} signal */
export function createReport(send, signal) {
  const page = window.location.pathname;
  /** @type {import("./dom.js").Timer} */
  let timer;
  let quietUntil = 0; // until when, in ms, no report is sent

  function cancel() {
    clearTimeout(timer);
    timer = undefined;
  }

  /** Send the report when nothing has asked for another for a moment. */
  function soon() {
    cancel();
    timer = setTimeout(flush, Math.max(REST, quietUntil - performance.now()));
  }

  function flush() {
    if (timer === undefined) return;
    cancel();
    if (window.location.pathname === page) send(); // Back and Forward change the address first
  }

  // What waits is sent before the page is left: Streamlit learns of a click after the window's capture phase.
  /** @param {MouseEvent} event */
  function click({ target }) {
    const control = /** @type {Element} */ (target).closest?.("a, button"); // the document has none
    if (!control) return;
    flush();
    if (control.localName === "a") quietUntil = performance.now() + LEAVING;
  }

  window.addEventListener("click", click, { capture: true, signal });
  signal.addEventListener("abort", cancel);
  return { soon, cancel };
}
