// Closes the menu of pages after a choice in it, on windows so narrow that it covers the page.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";

const NARROW = "(max-width: 767px)"; // Streamlit lays its sidebar over the page up to this width
const LINK = "[data-testid=stSidebarNavLink]";
const CLOSE = "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button";

/**
 * @param {Component<{}>} _component
 * @returns {Controller<{}>}
 */
function createMenu(_component) {
  const gone = new AbortController();
  // Streamlit follows the link first; the menu is closed after that.
  document.addEventListener("click", (event) => isLink(event) && setTimeout(close), { signal: gone.signal });
  return { update: () => undefined, remove: () => gone.abort() };
}

/** @param {MouseEvent} event */
function isLink({ target, defaultPrevented, ctrlKey, metaKey, shiftKey }) {
  const plain = !ctrlKey && !metaKey && !shiftKey;
  return plain && target instanceof Element && Boolean(target.closest(LINK)) && defaultPrevented;
}

function close() {
  if (!window.matchMedia(NARROW).matches) return;
  const button = document.querySelector(CLOSE);
  if (button instanceof HTMLElement) button.click();
}

export default mount(createMenu);
