// The current address, for copying. It includes the step of the page's grids, which the address bar omits until a grid
// has been moved. The pages of these groups read the step from a link.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { groupNamed } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { withStep } from "../../../film/browser/token_grid/address.js";

const STEPPED = ["watch", "compare"];
const INTERVAL = 400; // ms between two checks of the address
const COPY = "Copy the link";

function addressNow() {
  const group = STEPPED.map(groupNamed).find(({ lanes }) => lanes.size);
  return group ? withStep(window.location.href, group.playhead?.step ?? 0) : window.location.href;
}

/**
 * @param {Component<{}>} component
 * @returns {Controller<{}>}
 */
function createAddress(component) {
  const text = make("code", "", { "data-testid": "address" });
  const button = make("button", "", { type: "button", click: copy }, COPY);
  rootOf(component, ".address").replaceChildren(text, button);
  const timer = setInterval(update, INTERVAL);

  function update() {
    const now = addressNow();
    if (text.textContent === now) return;
    text.textContent = now;
    button.textContent = COPY;
  }

  async function copy() {
    update();
    button.textContent = (await copyText(text)) ? "Copied" : "Selected: copy it with Ctrl+C";
  }
  return { update, remove: () => clearInterval(timer) };
}

/**
 * Copy an element's text. Browsers allow this only in secure contexts; elsewhere the text is selected.
 * @param {HTMLElement} element
 */
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? "");
    return true;
  } catch {
    window.getSelection()?.selectAllChildren(element);
    return document.execCommand("copy");
  }
}

export default mount(createAddress);
