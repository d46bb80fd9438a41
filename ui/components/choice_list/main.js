// One list of a menu. Streamlit sends a component's script with each of its elements, and a page has five lists: so the
// lists' script and style sheet come once a page, with the row of choices (`ui/choices/main.js`).

/** @import {Component} from "../../../film/browser/shared/mount.js" */
/** @import {ListData} from "./rows.js" */

import { whenBrought } from "./brought.js";

/** @param {Component<ListData>} component */
async function draw(component) {
  const { list, styles } = await whenBrought();
  const root = component.parentElement.getRootNode();
  if (root instanceof ShadowRoot) root.adoptedStyleSheets = [styles];
  return list(component);
}

export default draw;
