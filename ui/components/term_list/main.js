// The glossary: a card for each term with its meaning, its picture, and a button that opens the lesson about it.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Piece} from "../../../film/browser/shared/sentence.js" */
/** @import {PictureRow} from "../lesson_card/terms.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { listenToNumbers, moveNumbers } from "../../../film/browser/shared/moving_numbers.js";
import { paragraph } from "../../../film/browser/shared/sentence.js";
import { pictureElement } from "../lesson_card/terms.js";

/** A sentence with a number to drag, and the picture after each number of merges. @typedef {{sentence: Piece[], frames: PictureRow[][], at: number}} MovingPicture */
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
          ...(moving ? movingElements(moving, theme) : [pictureElement(picture, theme)]),
        );
      }),
    );
  }

  return { update };
}

/**
 * Make a sentence whose number can be dragged, and the picture that goes along. The pictures lie upon each other, as high
 * as the highest, so that no card moves.
 * @param {MovingPicture} moving @param {Theme} theme
 */
function movingElements({ sentence, frames, at }, theme) {
  const text = paragraph("moves", sentence, { theme, marker: "", lights: false, point: () => {} });
  const pictures = frames.map((rows) => pictureElement(rows, theme));
  const show = (/** @type {number} */ step) => {
    moveNumbers(text, step);
    pictures.forEach((picture, number) => picture.classList.toggle("now", number === step));
  };
  listenToNumbers(text, show);
  show(at);
  return [text, make("div", "frames", {}, ...pictures)];
}

export default mount(createList);
