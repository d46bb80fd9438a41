// Closes the menu of pages after a choice in it, on windows so narrow that it covers the page. A menu
// that is open when the page is left does not cover the next one: Streamlit would open it again.

const NARROW = "(max-width: 767px)"; // Streamlit lays its sidebar over the page up to this width
const LINK = "[data-testid=stSidebarNavLink]";
const STORED = "stSidebarCollapsed"; // how Streamlit's names for the menu's state begin
const CLOSE = "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button";

/** Close the menu after each choice in it, until the signal aborts. @param {AbortSignal} signal */
export function closeMenu(signal) {
  // Streamlit follows the link first; the menu is closed after that.
  document.addEventListener("click", (event) => opensPage(event) && setTimeout(close), { signal });
  window.addEventListener("pagehide", forget, { signal });
}

/** @param {MouseEvent} event */
function opensPage({ target, defaultPrevented, ctrlKey, metaKey, shiftKey }) {
  if (!(target instanceof Element)) return false;
  const plain = !ctrlKey && !metaKey && !shiftKey;
  return plain && Boolean(target.closest(LINK)) && defaultPrevented;
}

function forget() {
  if (!window.matchMedia(NARROW).matches) return;
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(STORED));
    names.forEach((name) => localStorage.removeItem(name));
  } catch {
    return; // storage is disabled: nothing was stored
  }
}

function close() {
  if (!window.matchMedia(NARROW).matches) return;
  const button = document.querySelector(CLOSE);
  if (button instanceof HTMLElement) button.click();
}
