// The glossary: a card for each term with its meaning, its picture, and a button that opens the lesson about it.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {MovingPicture, PictureRow} from "../../../film/browser/lesson/terms.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { pictureElements } from "../../../film/browser/lesson/terms.js";

/** A term, what the button to its lesson says, and the lesson's title. @typedef {{slug: string, term: string, means: string, picture: PictureRow[], moving: MovingPicture | null, see: string, lesson: string}} ListedTerm */

/** @param {Component<{terms: ListedTerm[]}>} component @returns {Controller<{terms: ListedTerm[]}>} */
function createList(component) {
  const root = rootOf(component, "[data-testid=terms]");
  let lastText = ""; // theme and data, as text

  /** @type {Controller<{terms: ListedTerm[]}>["update"]} */
  function update(next) {
    component = next;
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(next.data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    root.replaceChildren(
      ...next.data.terms.map(({ slug, term, means, picture, moving, see, lesson }) => {
        const open = () => component.setTriggerValue("opened", slug);
        const name = make("h2", "", { id: `term-${slug}` }, term);
        const attributes = { "aria-labelledby": `term-${slug}`, "data-term": slug };
        const button = makeButton(see, "term-lesson", open);
        button.title = lesson;
        button.setAttribute("aria-label", `${see}: ${lesson}`);
        return make(
          "section",
          "card",
          attributes,
          make("div", "head", {}, name, button),
          make("p", "", {}, means),
          ...pictureElements({ picture, moving }, theme),
        );
      }),
    );
  }

  return { update };
}

export default mount(createList);
