// A place on the page for a group's transport, which else stands below the grid that leads. The grid fills it, and what
// stands in it stays the grid's own, listeners and all.

/** @import {Component, Controller} from "../shared/mount.js" */

import { groupNamed, say } from "../shared/groups.js";
import { mount, rootOf } from "../shared/mount.js";

/**
 * @param {Component<{group: string}>} component
 * @returns {Controller<{group: string}>}
 */
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
