// A slot on the page for a group's transport, which by default is below the leading grid. The grid moves the transport
// here and still owns it, with its listeners.

/** @import {Component, Controller} from "../shared/mount.js" */

import { groupNamed, say } from "../shared/groups.js";
import { mount, rootOf } from "../shared/mount.js";

/** @param {Component<{group: string}>} component @returns {Controller<{group: string}>} */
function createSlot(component) {
  const root = rootOf(component, "[data-testid=grid-transport]");
  const group = groupNamed(component.data.group);

  function update() {
    group.slot = root;
    say("slot", { group: group.name });
  }
  function remove() {
    if (group.slot === root) group.slot = null;
  }
  return { update, remove };
}

export default mount(createSlot);
