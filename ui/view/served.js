// What the scripts of all components share, beside the modules: each style sheet is on the page once, and so is each
// release of the scripts.

/** @import {Component} from "../../film/browser/shared/mount.js" */

import { dress, setBase, sheetText } from "../../film/browser/shared/sheet.js";

const AGAIN = 1_000; // ms until a server that does not answer is asked again
const TRIED = "merge-by-merge releases"; // for which this tab was loaded anew

setBase(sheetText("../../film/browser/shared/base.css"));

/** @typedef {(component: Component<any>) => unknown} Draw  what `mount` returns */

/**
 * Return the same function of a component, which first gives an element its style sheet.
 * @param {Draw} draw
 * @param {string} rules
 * @returns {Draw}
 */
export function styled(draw, rules) {
  return (component) => {
    const root = component.parentElement.getRootNode();
    if (root instanceof ShadowRoot) dress(root, rules);
    return draw(component);
  };
}

// A page that is being left gets none of the scripts that it waits for, and to load it anew would keep the visitor on it.
const LEFT_WITHIN = 10_000; // ms: a link to a file to save leads nowhere
let leftAt = -Infinity;
window.addEventListener("beforeunload", () => (leftAt = performance.now()));
const isLeft = () => performance.now() - leftAt < LEFT_WITHIN;

// A server that has begun anew may have another release, and then sends elements whose scripts are not those of the page:
// what the two share would be there twice. So the page is loaded anew, once for each release. A text that is typed stays,
// as with any reload.

const RELEASE = new URL(".", import.meta.url).href;
const html = document.documentElement.dataset;
html.scripts ??= RELEASE;
if (html.scripts !== RELEASE) {
  if (!loadAnew(RELEASE)) throw new Error("This page is older than its server. Reload it.");
  await new Promise(() => {}); // nothing of the other release begins
}

// An element asks for a script that the server no longer has.
window.addEventListener("mbm:missing", (event) => {
  if (isLeft() || loadAnew(/** @type {CustomEvent<string>} */ (event).detail)) event.preventDefault();
});

/**
 * Load the page anew as soon as its server answers. Return false if this was tried before.
 * @param {string} release  that the page does not have
 */
function loadAnew(release) {
  try {
    const tried = sessionStorage.getItem(TRIED) ?? "";
    if (tried.includes(release)) return false;
    sessionStorage.setItem(TRIED, `${tried} ${release}`);
  } catch {
    return false; // without a memory, it could go on for ever
  }
  void reload();
  return true;
}

async function reload() {
  const isThere = await fetch(location.href, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isLeft()) return;
  if (isThere) location.reload();
  else setTimeout(reload, AGAIN);
}
