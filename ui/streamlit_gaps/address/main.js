// The current address, for copying. It includes the step of the page's grids, which the address bar omits until a grid
// has been moved. The pages of these groups read the step from a link.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { copyText, make } from "../../../film/browser/shared/dom.js";
import { groupNamed } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { withStep } from "../../../film/browser/token_grid/address.js";

const STEPPED = ["watch", "compare"];
const INTERVAL = 400; // ms between two checks of the address
const COPY = "Copy the link";

/**
 * What Python sends.
 * @typedef {object} AddressData
 * @property {string} fragment  the part after #, or ""
 */

/** @param {string} fragment */
function addressNow(fragment) {
  const group = STEPPED.map(groupNamed).find(({ lanes }) => lanes.size);
  const { href } = window.location;
  const address = new URL(group ? withStep(href, group.playhead?.step ?? 0) : href);
  // The texts of the page's fields, which the address bar holds.
  const typed = window.location.hash.startsWith("#typed=") ? window.location.hash.slice(1) : "";
  address.hash = [fragment, typed].filter(Boolean).join("&");
  return address.href;
}

/** @param {Component<AddressData>} component @returns {Controller<AddressData>} */
function createAddress(component) {
  let { fragment } = component.data;
  const text = make("code", "", { "data-testid": "address" });
  const button = make("button", "", { type: "button", click: copy }, COPY);
  rootOf(component, ".address").replaceChildren(text, button);
  const timer = setInterval(draw, INTERVAL);

  function draw() {
    const now = addressNow(fragment);
    if (text.textContent === now) return;
    text.textContent = now;
    button.textContent = COPY;
  }

  async function copy() {
    draw();
    window.getSelection()?.selectAllChildren(text);
    button.textContent = (await copyText(text.textContent ?? ""))
      ? "Copied"
      : "Selected. Copy it with Ctrl+C.";
  }
  return {
    update({ data }) {
      ({ fragment } = data);
      draw();
    },
    remove: () => clearInterval(timer),
  };
}

export default mount(createAddress);
