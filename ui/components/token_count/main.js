// The line with the number of tokens, as a component.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {CountData} from "./line.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { createCountLine } from "./line.js";

/** @param {Component<CountData>} component @returns {Controller<CountData>} */
function createLine(component) {
  const root = rootOf(component, "[data-testid=token-count-line]");
  const write = createCountLine(root);
  return {
    update({ data }) {
      root.dataset.theme = themeOf(root);
      write(data);
    },
  };
}

export default mount(createLine);
