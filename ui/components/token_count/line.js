// How many tokens a finished tokenizer makes of a text, in one line, which is also said to screen readers.

import { make } from "../../../film/browser/shared/dom.js";

const BETWEEN_FACTS = " · "; // two facts; a line ends between them, not within the name GPT-4o
const SAID_AFTER = 150; // ms: a screen reader says what changes in a live region that it knows already

/** The number of tokens, its noun, and what follows it in the line. @typedef {{number: string, noun: string, rest: string}} CountData */

/** Make the line in an element. @param {HTMLElement} root */
export function createCountLine(root) {
  const line = make("p", "line");
  const live = make("p", "unseen", { "aria-live": "polite" });
  let written = "";
  let said = "";
  root.append(line, live);

  /**
   * Write the line.
   * @param {CountData | null} count  null empties it
   * @param {string} [when]  there are so many tokens
   */
  return (count, when = "") => {
    const text = count ? `${count.number} ${count.noun}${count.rest}` : "";
    const key = `${text} ${when}`;
    if (key === written) return;
    written = key;
    line.replaceChildren(...(count ? factsOf(count, when) : []));
    if (text === said) return;
    said = text;
    setTimeout(() => (live.textContent = said), SAID_AFTER);
  };
}

/** @param {CountData} count @param {string} when */
function factsOf({ number, noun, rest }, when) {
  const tokens = make("b", "", {}, make("span", "", { "data-testid": "token-count" }, number), ` ${noun}`);
  const facts = rest.split(BETWEEN_FACTS).map((fact) => make("span", "", {}, fact));
  return [tokens, when && ` ${when}`, ...facts.flatMap((fact, at) => (at ? [BETWEEN_FACTS, fact] : [fact]))];
}
