// How many tokens a finished tokenizer makes of a text, in one line, which is also said to screen readers.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";

const BETWEEN = " · "; // two facts; a line ends between them, not within the name GPT-4o
const SAID_AFTER = 150; // ms: a screen reader says what changes in a live region that it knows already

/** The number of tokens, its noun, and what follows it in the line. @typedef {{number: string, noun: string, rest: string}} CountData */

/** @param {Component<CountData>} component @returns {Controller<CountData>} */
function createLine(component) {
  const root = rootOf(component, "[data-testid=token-count-line]");
  const [line, live] = /** @type {HTMLElement[]} */ ([...root.children]);
  let lastText = "";

  /** @type {Controller<CountData>["update"]} */
  function update({ data: { number, noun, rest } }) {
    root.dataset.theme = themeOf(root);
    const text = `${number} ${noun}${rest}`;
    if (text === lastText) return;
    lastText = text;
    const tokens = make("b", "", {}, make("span", "", { "data-testid": "token-count" }, number), ` ${noun}`);
    const facts = rest.split(BETWEEN).map((fact) => make("span", "", {}, fact));
    line.replaceChildren(tokens, ...facts.flatMap((fact, at) => (at ? [BETWEEN, fact] : [fact])));
    setTimeout(() => (live.textContent = text), SAID_AFTER);
  }

  return { update };
}

export default mount(createLine);
