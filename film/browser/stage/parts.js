// Parts of a stage: elements whose shadow roots hold the content of a component's main.html and main.css.

/** @import {Component} from "../shared/mount.js" */

import { make } from "../shared/dom.js";

/** @typedef {{host: HTMLElement, root: ShadowRoot}} ShadowPart */
/** Makes a part. Unless named, its style sheet has the name of its data-testid. @typedef {(name: string, testId: string, style?: string) => ShadowPart} MakePart */
/** The same; its root need not be a shadow root. @typedef {(...part: Parameters<MakePart>) => {host: HTMLElement, root: HTMLElement | ShadowRoot}} MakeAnyPart */

/**
 * Return the function that makes the parts. Equal parts share one sheet, which the browser reads once.
 * @param {Record<string, string>} styles  by name
 * @param {string} [hosts]  class of the elements: a style sheet leaves out of a `part` what only a server answers
 * @returns {MakePart}
 */
export function createParts(styles, hosts = "part") {
  /** @type {Map<string, CSSStyleSheet>} */
  const sheets = new Map();

  /** @param {string} name */
  function styleSheet(name) {
    let sheet = sheets.get(name);
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles[name] ?? "");
      sheets.set(name, sheet);
    }
    return sheet;
  }

  return (name, testId, style = testId) => {
    const host = make("div", hosts);
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet(style)];
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
