// A link to what the page shows, and a button that copies it. It has the step at which the page's grids are: they move
// without Python. The pages of these groups read a step from a link.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { copyText, make } from "../../../film/browser/shared/dom.js";
import { groupNamed, hear } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { withStep } from "../../../film/browser/token_grid/address.js";

const STEPPED = ["watch", "compare"];
const COPY = "Copy the link";

/** @param {Component<{address: string}>} component @returns {Controller<{address: string}>} */
function createLink(component) {
  const lifetime = new AbortController();
  let { address } = component.data;
  const text = make("code", "", { "data-testid": "address" });
  const button = make("button", "", { type: "button", click: copy }, COPY);
  rootOf(component, ".address").replaceChildren(text, button);
  for (const name of STEPPED) hear("step", name, lifetime.signal, draw);

  function draw() {
    const group = STEPPED.map(groupNamed).find(({ lanes }) => lanes.size);
    const { href } = new URL(address, window.location.href);
    const now = group ? withStep(href, group.playhead?.step ?? 0) : href;
    if (text.textContent === now) return;
    text.textContent = now;
    button.textContent = COPY;
  }

  async function copy() {
    window.getSelection()?.selectAllChildren(text);
    button.textContent = (await copyText(text.textContent ?? ""))
      ? "Copied"
      : "Selected: press Ctrl+C, or ⌘C on a Mac.";
  }

  return {
    update({ data }) {
      ({ address } = data);
      draw();
    },
    remove: () => lifetime.abort(),
  };
}

export default mount(createLink);
