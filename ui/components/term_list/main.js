// The glossary: a card for each term with its meaning, its picture, and a button that opens the lesson about it.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {PictureRow} from "../lesson_card/terms.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { pictureElement } from "../lesson_card/terms.js";

/** A term, and what the button to its lesson says. @typedef {{slug: string, term: string, means: string, picture: PictureRow[], see: string}} ListedTerm */

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
      ...next.data.terms.map(({ slug, term, means, picture, see }) => {
        const open = () => component.setTriggerValue("opened", slug);
        const name = make("h2", "", { id: `term-${slug}` }, term);
        const attributes = { "aria-labelledby": `term-${slug}`, "data-term": slug };
        const lesson = makeButton(see, "term-lesson", open);
        return make(
          "section",
          "card",
          attributes,
          name,
          make("p", "", {}, means),
          pictureElement(picture, theme),
          lesson,
        );
      }),
    );
  }

  return { update };
}

export default mount(createList);
