// Tells the view of a group what Python learns after it has drawn that view: how far trainings are, or an answer. So the
// view's data stays as it was sent. Draws nothing.

/** @import {Told} from "../../../film/browser/shared/groups.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { groupNamed, say } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";

/** @param {Component<{group: string, told: Told}>} component @returns {Controller<{group: string, told: Told}>} */
function createTeller({ data: { group: name } }) {
  const group = groupNamed(name);
  /** @type {Told} */
  let latest = {};

  /** @type {Controller<{group: string, told: Told}>["update"]} */
  function update({ data: { told } }) {
    latest = told;
    group.told = { ...group.told, ...told };
    say("told", { group: name });
  }

  // What another element has told meanwhile stays.
  function remove() {
    const others = Object.entries(group.told ?? {}).filter(([key, value]) => latest[key] !== value);
    group.told = Object.fromEntries(others);
    say("told", { group: name });
  }
  return { update, remove };
}

export default mount(createTeller);
