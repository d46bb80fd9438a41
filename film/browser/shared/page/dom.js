// Functions that make elements. They set text by textContent, so user text is never read as markup.

import { present } from "./behind.js";

/** What setTimeout and setInterval return; undefined for none. @typedef {ReturnType<typeof setTimeout> | undefined} Timer */
/** null, undefined and false leave the attribute out. @typedef {string | number | boolean | null | undefined} Value */
/** @typedef {{[Kind in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Kind]) => void}} Listeners */
/** @typedef {"role" | "type" | "title" | "tabindex" | "dir" | "hidden" | "id" | "style" | "scope" | "popover"} AnyAttribute */
/** @typedef {"min" | "max" | "step" | "value" | "inputmode" | "disabled"} ControlAttribute */
/** @typedef {{[Name in AnyAttribute | ControlAttribute]?: Value}} NamedAttributes */
/** @typedef {{[name: `aria-${string}`]: Value, [name: `data-${string}`]: Value}} PrefixedAttributes */
/** @typedef {Listeners & NamedAttributes & PrefixedAttributes} Attributes */

/**
 * Make an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [name]  its class
 * @param {Attributes} [attributes]  a value that is a function is a listener
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, name = "", attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Make a button with a text.
 * @param {string} text
 * @param {string} name  its data-testid
 * @param {() => void} click
 */
export function makeButton(text, name, click) {
  return make("button", "", { type: "button", "data-testid": name, click: () => click() }, text);
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  first: "M3 2h2v12H3zM14 2v12L6 8z",
  back: "M11 2v12L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M4 2h3v12H4zM9 2h3v12H9z",
  next: "M5 2v12l7-6z",
  last: "M11 2h2v12h-2zM2 2v12l8-6z",
  present: "M1 2h14v9H9v2h3v1.5H4V13h3v-2H1zM2.5 3.5v6h11v-6z",
  view: "M1 3.2h7v1.6H1zM12 3.2h3v1.6h-3zM9 1.5h2v5H9zM1 11.2h3v1.6H1zM8 11.2h7v1.6H8zM5 9.5h2v5H5z",
};
/** @typedef {keyof typeof ICONS} IconName */

/**
 * Make an icon.
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  setIcon(svg, name);
  return svg;
}

/**
 * Change the picture of an icon.
 * @param {Element} svg
 * @param {IconName} name
 */
export function setIcon(svg, name) {
  svg.firstElementChild?.setAttribute("d", ICONS[name]);
}

/**
 * Make the mark of a tied pair.
 * @param {string} title
 */
export function tieSign(title) {
  return make("span", "tie", { title, role: "img", "aria-label": "tied" }, "◆");
}

/**
 * Move an element into the browser's top layer for the presenter view, or back.
 * @param {HTMLElement} root
 * @param {boolean} on
 */
export function setPresenting(root, on) {
  root.classList.toggle("presenting", on);
  if (on) root.setAttribute("popover", "manual");
  else root.removeAttribute("popover");
  if (on && !root.isConnected) return queueMicrotask(() => raise(root)); // it may be on its way into the page
  if (on) root.showPopover?.();
  present(root, on);
}

/**
 * Bring an element to the top layer, if it has reached the page and is still part of the presenter view.
 * @param {HTMLElement} root
 */
function raise(root) {
  if (root.isConnected && root.classList.contains("presenting")) setPresenting(root, true);
}

/**
 * Hide an element, or show it. Nothing is written if it is so already: the browser would style the element again.
 * @param {HTMLElement} element
 * @param {boolean} hidden
 */
export function setHidden(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

/**
 * Return whether a key is pressed together with Control, Meta or Alt, and so belongs to the browser.
 * @param {KeyboardEvent} event
 */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/**
 * Return the focused element in the document or shadow root of an element.
 * @param {Element} element
 */
export function focusedBeside(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
}
