// Streamlit's tables and charts keep their size in pixels and their theme while the page is printed: a wide one would be
// cut at the edge of the sheet, and a table, which is a canvas, would stay dark. What a style sheet cannot know is
// written at each of them: its width, how much smaller to print it, and whether to invert it. ui/styles/page.css uses
// these values.

import { themeOn } from "../../../film/browser/shared/colour.js";
import { followPaper, isOnPaper } from "../../../film/browser/shared/dom.js";

const SHEET = 660; // CSS pixels, less than the width of A4 and of US letter inside their margins
const PARTS = ".stPrintFixedWidth, .stPrintGraphic";
const TABLE = "[style*='--gdg-bg-cell']";
const WIDTH = "--paper-width";
const ZOOM = "--paper-zoom";
const INVERT = "--paper-invert";

/**
 * Fit Streamlit's parts to paper whenever the page is printed, until the signal aborts.
 * @param {AbortSignal} signal
 */
export function fitOnPaper(signal) {
  followPaper(fit, signal);
}

function fit() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(PARTS))) {
    const width = part.scrollWidth;
    part.style.setProperty(INVERT, isOnPaper() ? inversionOf(part) : "");
    part.style.setProperty(WIDTH, isOnPaper() ? `${width}px` : "");
    part.style.setProperty(ZOOM, isOnPaper() ? String(Math.min(1, SHEET / Math.max(1, width))) : "");
  }
}

/** @param {HTMLElement} part */
function inversionOf(part) {
  const table = part.querySelector(TABLE);
  const colour = table && getComputedStyle(table).getPropertyValue("--gdg-bg-cell").trim();
  return colour && themeOn(colour) === "dark" ? "1" : "0";
}
