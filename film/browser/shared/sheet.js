// Style sheets whose text stands in a script.

/** Name a style sheet: `film/modules.py` puts its text in the place of its path. @param {string} path */
export function sheetText(path) {
  return path;
}

/** @type {Map<string, CSSStyleSheet>} */
const ADOPTED = new Map();

/** Give the document or shadow root that an element has come to a style sheet. @param {Element} element @param {string} rules */
export function adoptSheet(element, rules) {
  let sheet = ADOPTED.get(rules);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    ADOPTED.set(rules, sheet);
  }
  const root = element.getRootNode();
  const adopts = root instanceof ShadowRoot || root instanceof Document;
  if (adopts && !root.adoptedStyleSheets.includes(sheet)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
}
