// Streamlit's charts keep their size in pixels while the page is printed: a wide one would be cut at the edge of the sheet.
// What a style sheet cannot know is written at each of them: its width, and how much smaller to print it.
// ui/view/styles/page.css uses these values.

import { followPaper, isOnPaper } from "../../../film/browser/shared/paper.js";

const SHEET = 660; // CSS pixels, less than the width of A4 and of US letter inside their margins
const PARTS = ".stPrintGraphic";
const WIDTH = "--paper-width";
const ZOOM = "--paper-zoom";

/**
 * Fit Streamlit's charts to paper whenever the page is printed, until the signal aborts.
 * @param {AbortSignal} signal
 */
export function fitOnPaper(signal) {
  followPaper(fit, signal);
}

function fit() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(PARTS))) {
    const width = part.scrollWidth;
    part.style.setProperty(WIDTH, isOnPaper() ? `${width}px` : "");
    part.style.setProperty(ZOOM, isOnPaper() ? String(Math.min(1, SHEET / Math.max(1, width))) : "");
  }
}
