// The dock of a group: the transport with the button "View", the drawing options that the button opens, and the keys.

import { icon, make } from "../shared/dom.js";

/**
 * Make the dock.
 * @param {HTMLElement} transport  gets the button at its right end
 * @param {HTMLElement} options  legend and drawing options; closed until the button is pressed
 * @param {HTMLElement} keys
 * @param {AbortSignal} signal
 */
export function createDock(transport, options, keys, signal) {
  const view = make(
    "button",
    "view",
    {
      type: "button",
      title: "Legend and drawing options",
      "aria-label": "View: legend and drawing options",
      "aria-expanded": "false",
      "data-testid": "view",
      click: () => open(Boolean(options.hidden)),
    },
    icon("view"),
    "View",
  );
  const element = make("div", "dock", {}, make("div", "bar", {}, transport, keys), options);
  transport.append(view);
  open(false);

  /** @param {boolean} wanted */
  function open(wanted) {
    options.hidden = !wanted;
    view.setAttribute("aria-expanded", String(wanted));
  }

  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || options.hidden) return;
    event.stopPropagation();
    open(false);
    view.focus();
  });
  // A press anywhere else closes the options. It is caught on its way down: the grid stops some on their way up.
  window.addEventListener(
    "pointerdown",
    (event) => {
      const path = event.composedPath();
      if (!path.includes(options) && !path.includes(view)) open(false);
    },
    { capture: true, signal },
  );
  return element;
}
