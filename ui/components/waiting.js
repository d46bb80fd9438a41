// An element that waits for the script and the style sheet of its component, which come once a page.

/** @import {Component} from "../../film/browser/shared/mount.js" */

import { whenBrought } from "../../film/browser/shared/brought.js";

/** @param {Component<any>} component */
async function drawBrought(component) {
  const { draw, styles } = await whenBrought(component.name ?? "");
  const root = component.parentElement.getRootNode();
  if (root instanceof ShadowRoot) root.adoptedStyleSheets = [styles];
  return draw(component);
}

export default drawBrought;
