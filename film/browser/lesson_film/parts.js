// The parts of a lesson's film: elements whose shadow roots hold what components hold on a page of the app.

import { make } from "../shared/page/dom.js";

/** A host on the page, and its shadow root. @typedef {{host: HTMLElement, root: ShadowRoot}} Part */

/**
 * Make what makes parts.
 * @param {Record<string, string>} styles  by the name of the component
 * @returns {(style: string, name: string, testid: string) => Part}
 */
export function partMaker(styles) {
  /** By name: equal parts share one sheet, which the browser reads once. @type {Map<string, CSSStyleSheet>} */
  const sheets = new Map();

  /** @param {string} name */
  function sheetOf(name) {
    const known = sheets.get(name);
    if (known) return known;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles[name] ?? "");
    sheets.set(name, sheet);
    return sheet;
  }

  return (style, name, testid) => {
    const host = make("div", "part");
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheetOf(style)];
    root.append(make("div", name, { "data-testid": testid }));
    return { host, root };
  };
}

/**
 * Return a component that no server listens to.
 * @template Data
 * @param {ShadowRoot} root
 * @param {Data} data
 * @returns {import("../shared/page/mount.js").Component<Data>}
 */
export function componentOf(root, data) {
  return { parentElement: root, data, setStateValue: () => undefined, setTriggerValue: () => undefined };
}
