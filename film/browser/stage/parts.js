// Parts of a stage: elements whose shadow roots hold the content of a component's main.html and main.css, and the line that
// says how many tokens the text has.

/** @import {Component} from "../shared/mount.js" */

import { make } from "../shared/dom.js";
import { dress } from "../shared/sheet.js";

/** @typedef {{host: HTMLElement, root: ShadowRoot}} ShadowPart */
/** Makes a part. Unless named, its style sheet has the name of its data-testid. @typedef {(name: string, testId: string, style?: string) => ShadowPart} MakePart */
/** The same; its root need not be a shadow root. @typedef {(...part: Parameters<MakePart>) => {host: HTMLElement, root: HTMLElement | ShadowRoot}} MakeAnyPart */

/**
 * Return the function that makes the parts.
 * @param {Record<string, string>} styles  by name
 * @param {string} [hosts]  class of the elements: a style sheet leaves out of a `part` what only a server answers
 * @returns {MakePart}
 */
export function createParts(styles, hosts = "part") {
  return (name, testId, style = testId) => {
    const host = make("div", hosts);
    const root = host.attachShadow({ mode: "open" });
    dress(root, styles[style] ?? "");
    root.append(make("div", name, { "data-testid": testId }));
    return { host, root };
  };
}

/**
 * Return a component that no server listens to.
 * @template Data
 * @param {HTMLElement | ShadowRoot} root
 * @param {Data} data
 * @param {Record<string, (value: unknown) => void>} [listeners]  to what it sends, by name
 * @returns {Component<Data>}
 */
export function componentOf(root, data, listeners = {}) {
  /** @type {(name: string, value: unknown) => void} */
  const send = (name, value) => listeners[name]?.(value);
  return { parentElement: root, data, setStateValue: send, setTriggerValue: send };
}

// How many tokens a finished tokenizer makes of a text, in one line, which is also said to screen readers.

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
