// The glossary: a card for each term with its meaning, its picture, and a button that opens the lesson about it.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {MovingPicture, PictureRow} from "../../../film/browser/lesson/terms.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { pictureElements } from "../../../film/browser/lesson/terms.js";
import { viewAround } from "../../../film/browser/shared/on_stage.js";
import { createPictureStage, enlarge } from "../../../film/browser/token_grid/picture_stage.js";

/** A term, what the button to its lesson says, and the lesson's title. @typedef {{slug: string, term: string, means: string, picture: PictureRow[], moving: MovingPicture | null, see: string, lesson: string}} ListedTerm */

/** @param {Component<{terms: ListedTerm[]}>} component @returns {Controller<{terms: ListedTerm[]}>} */
function createList(component) {
  const root = rootOf(component, "[data-testid=terms]");
  let lastText = ""; // theme and data, as text
  let at = 0; // the term that the presenter view shows
  const view = viewAround(root);
  const content = make("div", "content");
  root.replaceChildren(content);
  const lifetime = new AbortController();
  const turns = "the next term, and the one before";
  const stage = createPictureStage({ view, root, group: "glossary", fit, turn, turns }, lifetime.signal);

  /** @param {boolean} presents */
  function fit(presents) {
    [...content.children].forEach((card, number) => card.classList.toggle("now", number === at));
    enlarge(root, content, presents);
  }

  /** @param {1 | -1} by */
  function turn(by) {
    at = Math.max(0, Math.min(content.children.length - 1, at + by));
    fit(true);
  }

  /** @type {Controller<{terms: ListedTerm[]}>["update"]} */
  function update(next) {
    component = next;
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(next.data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    at = 0;
    content.replaceChildren(
      ...next.data.terms.map(({ slug, term, means, picture, moving, see, lesson }) => {
        const open = () => component.setTriggerValue("opened", slug);
        const name = make("h2", "", { id: `term-${slug}` }, term);
        const attributes = { "aria-labelledby": `term-${slug}`, "data-term": slug };
        const button = makeButton(see, "term-lesson", open);
        button.className = "link";
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
    stage.resume();
  }

  return { update, remove: () => lifetime.abort() };
}

export default mount(createList);
