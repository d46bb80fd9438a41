// Functions that make elements. They set text by textContent, so user text is never read as markup.

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

/**
 * Make an element of a picture.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const ICONS = {
  start: "M3 2h2.5v12H3zM13 2v12L6 8z",
  back: "M11 2v12L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M4 2h3v12H4zM9 2h3v12H9z",
  next: "M5 2v12l7-6z",
  present: "M1 2h14v9H9v2h3v1.5H4V13h3v-2H1zM2.5 3.5v6h11v-6z",
  view: "M1 3.2h7v1.6H1zM12 3.2h3v1.6h-3zM9 1.5h2v5H9zM1 11.2h3v1.6H1zM8 11.2h7v1.6H8zM5 9.5h2v5H5z",
};
/** @typedef {keyof typeof ICONS} IconName */

/** Make an icon. @param {IconName} name */
export function icon(name) {
  const svg = makeSvg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, makeSvg("path", {}));
  setIcon(svg, name);
  return svg;
}

/** Change the picture of an icon. @param {Element} svg @param {IconName} name */
export function setIcon(svg, name) {
  svg.firstElementChild?.setAttribute("d", ICONS[name]);
}

/** Make the mark of a tied pair. @param {string} title */
export function tieSign(title) {
  return make("span", "tie", { title, role: "img", "aria-label": "tied" }, "◆");
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

/** Return the focused element in the document or shadow root of an element. @param {Element} element */
export function focusedBeside(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
}

// A file for the viewer, made on the page.

const KEPT = 60_000; // ms until the browser may forget the file

/**
 * Offer a file under a name, as a download.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}

/**
 * Copy a text. Select it first: without HTTPS, browsers copy only what is selected. Return whether the browser let it.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

// Rows that do not fit on a screen without scrolling are left out, and a note says how many.

/**
 * Hide the last rows of a list until an element needs no scrolling.
 * @param {HTMLElement | null} frame  that must not scroll; null: show all
 * @param {HTMLElement[]} rows  all rows, of which the first stays
 * @param {HTMLElement} note  says how many are left out
 */
export function fitRows(frame, rows, note) {
  for (const row of rows) row.hidden = false;
  note.hidden = true;
  let left = rows.length;
  if (!frame) return;
  while (left > 1 && frame.scrollHeight > frame.clientHeight + 1) {
    left -= 1;
    rows[left].hidden = true;
    note.hidden = false;
    note.textContent = `and ${rows.length - left} more`;
  }
}

// The largest type, or distance, with which all of a stage fits.

/**
 * Return the largest size between two at which something fits; the least one if it never does. What fits at a size
 * must also fit at every smaller one.
 * @param {number} least
 * @param {number} most
 * @param {(size: number) => boolean} fits
 * @param {number} [precision]  px
 */
export function largestSize(least, most, fits, precision = 0.5) {
  if (most <= least || !fits(least)) return least;
  if (fits(most)) return most;
  let [low, high] = [least, most];
  while (high - low > precision) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
