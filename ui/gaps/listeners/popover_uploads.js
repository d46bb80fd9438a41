// A popover that is closed while a file of it is on its way is hidden at once, and removed when the file has arrived:
// Streamlit's uploader tells nobody of a file that arrives when it is gone. A file that is refused is shown again.

import { BODY, BUTTON } from "./popover_focus.js";

const ON_ITS_WAY = "[data-testid=stFileChipIconSpinner]";
const REFUSED = "[data-testid=stFileChipIconError]";
const BEGINS_WITHIN = 500; // ms from the choice of a file until the uploader shows that it is on its way
const TELLS_WITHIN = 50; // ms from its arrival until the uploader has told
// What is in an element with this attribute belongs to every popover: a click there closes none.
const KEEPS_OPEN = "data-st-overlay-root";

/** A popover with a file on its way. @typedef {{body: HTMLElement, isBegun: boolean, isClosed: boolean, observer: MutationObserver}} Upload */

/**
 * Hold popovers with files on their way until the signal aborts.
 * @param {AbortSignal} signal
 */
export function holdUploads(signal) {
  /** @type {Upload | null} */
  let upload = null;

  const options = { capture: true, signal };
  document.addEventListener("change", begin, options);
  document.addEventListener("drop", begin, options);
  // Before Streamlit, which listens on the document.
  window.addEventListener("keydown", leave, options);
  window.addEventListener("click", leave, options);
  signal.addEventListener("abort", release);

  /** @param {Event} event */
  function begin({ type, target }) {
    const isFile = type === "drop" || (target instanceof HTMLInputElement && target.type === "file");
    const body = target instanceof Element ? target.closest(BODY) : null;
    if (!isFile || !(body instanceof HTMLElement)) return;
    release();
    const observer = new MutationObserver(look);
    const arriving = { body, isBegun: false, isClosed: false, observer };
    upload = arriving;
    observer.observe(body, { childList: true, subtree: true });
    document.documentElement.setAttribute(KEEPS_OPEN, "true");
    setTimeout(() => upload === arriving && !arriving.isBegun && end(arriving), BEGINS_WITHIN);
  }

  function look() {
    if (!upload) return;
    const isOnItsWay = Boolean(upload.body.querySelector(ON_ITS_WAY));
    if (upload.isBegun && !isOnItsWay) setTimeout(end, TELLS_WITHIN, upload);
    upload.isBegun ||= isOnItsWay;
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  function leave(event) {
    if (!upload || upload.isClosed || !event.isTrusted) return;
    const button = document.querySelector(`${BUTTON}[aria-expanded=true]`);
    const onButton = button?.contains(/** @type {Node} */ (event.target)) ?? false;
    const closes = event instanceof KeyboardEvent ? event.key === "Escape" : onButton;
    const isOutside = event.type === "click" && !upload.body.contains(/** @type {Node} */ (event.target));
    if (!closes && !isOutside) return;
    upload.isClosed = true;
    upload.body.style.visibility = "hidden";
    if (!closes) return; // what was clicked does what it does
    event.preventDefault();
    event.stopImmediatePropagation();
    if (button instanceof HTMLElement) button.focus();
  }

  /** @param {Upload} ended */
  function end(ended) {
    if (ended !== upload) return;
    const { body, isClosed } = ended;
    release();
    body.style.visibility = "";
    if (!isClosed || body.querySelector(REFUSED)) return;
    // As a viewer presses the page beside it.
    document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    document.body.click();
  }

  function release() {
    upload?.observer.disconnect();
    upload = null;
    document.documentElement.removeAttribute(KEEPS_OPEN);
  }
}
