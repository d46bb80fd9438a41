// Style sheets whose text stands in a script.

/** Name a style sheet: `film/modules.py` puts its text in the place of its path. @param {string} path */
export function sheetText(path) {
  return path;
}

let base = ""; // rules of all parts

/** Say what all parts look like: the rules of base.css, without which the sheets that import it are joined. @param {string} rules */
export function setBase(rules) {
  base = rules;
}

/** By their text. @type {Map<string, CSSStyleSheet>} */
const ADOPTED = new Map();

/** Return the style sheet of these rules, which is on the page once. @param {string} rules */
function sheetOf(rules) {
  const known = ADOPTED.get(rules);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  ADOPTED.set(rules, sheet);
  return sheet;
}

/** Give the document or shadow root that an element has come to a style sheet. @param {Element} element @param {string} rules */
export function adoptSheet(element, rules) {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot || root instanceof Document)) return;
  const all = new Set(root.adoptedStyleSheets);
  if (root instanceof ShadowRoot) all.add(sheetOf(base));
  all.add(sheetOf(rules));
  if (all.size > root.adoptedStyleSheets.length) root.adoptedStyleSheets = [...all];
}

/** Say it for a page that is all ours, to which it applies, too. @param {string} rules */
export function dressPage(rules) {
  setBase(rules);
  document.adoptedStyleSheets = [sheetOf(base), ...document.adoptedStyleSheets];
}

/** Give a shadow root these rules, and those of all parts. @param {ShadowRoot} root @param {string} rules */
export function dress(root, rules) {
  root.adoptedStyleSheets = [sheetOf(base), sheetOf(rules)];
}
