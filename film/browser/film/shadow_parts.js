// Parts of a film: elements whose shadow roots hold the content of a component's main.html and main.css.

import { make } from "../shared/dom.js";

/** @typedef {{host: HTMLElement, root: ShadowRoot}} ShadowPart */
/** Makes a part. Its style sheet has the name of its data-testid. @typedef {(name: string, testId: string) => ShadowPart} MakePart */

/**
 * Return the function that makes the parts. All lanes share one sheet, which the browser reads once.
 * @param {Record<string, string>} styles  by name
 * @returns {MakePart}
 */
export function createParts(styles) {
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

  return (name, testId) => {
    const host = make("div", "part");
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet(testId)];
    root.append(make("div", name, { "data-testid": testId }));
    return { host, root };
  };
}
