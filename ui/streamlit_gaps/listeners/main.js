// What listens on every page. `__init__.py` has what Streamlit lacks, and when each listener can go.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { keepFocus, notePointer } from "./kept_focus.js";
import { keepHistory } from "./page_history.js";
import { closeMenu } from "./phone_menu.js";
import { followPopovers } from "./popover_focus.js";
import { holdUploads } from "./popover_uploads.js";
import { fitOnPaper } from "./printed_parts.js";

/** @type {Record<string, (signal: AbortSignal) => void>} */
const LISTENERS = {
  keepFocus,
  notePointer,
  closeMenu,
  followPopovers,
  holdUploads,
  fitOnPaper,
  keepHistory,
  nameNoPage,
};

// A request for a script or a picture says by default which page asks for it.
function nameNoPage() {
  if (document.querySelector("meta[name=referrer]")) return;
  document.head.append(
    Object.assign(document.createElement("meta"), { name: "referrer", content: "no-referrer" }),
  );
}

/** What Python sends. @typedef {{names: string[]}} ListenersData */

/** @param {Component<ListenersData>} component @returns {Controller<ListenersData>} */
function createListeners({ data }) {
  const lifetime = new AbortController();
  for (const name of data.names) LISTENERS[name](lifetime.signal);
  return { update: () => undefined, remove: () => lifetime.abort() };
}

export default mount(createListeners);
