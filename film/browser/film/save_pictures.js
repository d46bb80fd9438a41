// Pictures and GIFs of a film, saved from its page as from the app.

/** @import {Controller} from "../shared/mount.js" */
/** @import {PictureData} from "../picture/main.js" */
/** @import {MakePart} from "../stage/parts.js" */

import { make } from "../shared/dom.js";
import { createMoving } from "../picture/moving.js";
import { createStill } from "../picture/still.js";
import { componentOf } from "../stage/parts.js";

/** @type {readonly ("svg" | "png" | "gif")[]} */
const KINDS = ["svg", "png", "gif"];

/**
 * Make the section with the buttons. They are made when it is opened.
 * @param {string} group
 * @param {MakePart} part
 * @param {() => string} footer  returns the line below a picture
 */
export function pictureSection(group, part, footer) {
  const row = make("div", "pictures");
  const summary = make("summary", "", {}, "Save a picture");
  const element = make("details", "save-pictures", { "data-testid": "pictures" }, summary, row);
  /** @type {{controller: Controller<PictureData>, root: ShadowRoot, kind: typeof KINDS[number]}[]} */
  let pictures = [];

  function draw() {
    if (!element.open) return;
    if (!pictures.length) {
      pictures = KINDS.map((kind) => {
        const { host, root } = part("picture", "picture");
        row.append(host);
        const component = componentNow(root, kind);
        return {
          controller: kind === "gif" ? createMoving(component) : createStill(component, kind),
          root,
          kind,
        };
      });
    }
    for (const { controller, root, kind } of pictures) controller.update(componentNow(root, kind));
  }

  /** @param {ShadowRoot} root @param {typeof KINDS[number]} kind */
  function componentNow(root, kind) {
    return componentOf(root, { kind, group, footer: footer() });
  }

  element.addEventListener("toggle", draw);
  return { element, draw };
}
