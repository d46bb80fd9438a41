// The keyboard's focus on Streamlit's tabs.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { followTabs } from "./tabs.js";

/**
 * @param {Component<{}>} _component
 * @returns {Controller<{}>}
 */
function createKeptFocus(_component) {
  const lifetime = new AbortController();
  followTabs(lifetime.signal);
  return { update: () => undefined, remove: () => lifetime.abort() };
}

export default mount(createKeptFocus);
