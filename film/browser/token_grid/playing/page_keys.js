// Number keys open the pages of the app during a presentation, when its menu is out of sight.

import { hasModifier } from "../../shared/dom.js";
import { hasLanes, listenOnce } from "../../shared/groups.js";
import { endPresentation, storedPosition } from "./presentation.js";

const MENU = "[data-testid=stSidebarNavLink]"; // Streamlit's menu of pages; a film on a page of its own has none

/** @returns {HTMLElement[]} */
function pageLinks() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(MENU))];
}

/** Return the titles of the pages, in the order of the menu. */
export function pageNames() {
  return pageLinks().map((link) => (link.textContent ?? "").trim());
}

/**
 * Open a page by its number in the menu, from 1.
 * @param {number} number
 */
export function openPage(number) {
  pageLinks()[number - 1]?.click();
}

/** Keep the number keys working on pages without a grid, where nothing else listens, until Escape ends the presentation. */
export function keepPageKeys() {
  listenOnce("page keys", () => {
    window.addEventListener("keydown", (event) => {
      if (hasLanes() || !storedPosition() || hasModifier(event)) return;
      const target = event.composedPath()[0];
      if (target instanceof Element && target.matches("input, textarea, [contenteditable=true]")) return;
      if (event.key === "Escape") endPresentation();
      else if (/^[1-9]$/.test(event.key)) openPage(Number(event.key));
    });
  });
}
