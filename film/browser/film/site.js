// What surrounds a film on a website: links to the other films, and code that embeds it elsewhere.

import { hasModifier, make } from "../shared/dom.js";

const COPIED = 2000; // ms that the button says so
const CONTROLS = "a, button, input, select, summary, textarea"; // which have keys of their own

/** @typedef {{title: string, address: string}} Link */
/** @typedef {{name: string, how: string, code: string}} Embed */
/** @typedef {{home: Link | null, before: Link | null, after: Link | null, embeds: Embed[]}} Site */

/** Return whether the film is in a frame of another page, which needs neither links nor code. */
export function isEmbedded() {
  return window.top !== window;
}

/** Return whether the page is in a frame that has no origin, such as a notebook's, where nothing can be saved. */
export function isSandboxed() {
  return window.top !== window && window.origin === "null" && location.protocol !== "file:";
}

/**
 * Share the keys with the page around the film. A frame with data-asks-for-keys is offered each key first, and the film
 * leaves what that page takes; any other page gets the keys back when Escape has nothing left to close. Slides go on so.
 * Call this before anything in the film listens to keys.
 */
export function shareKeys() {
  const frame = window.frameElement; // null if the page around is of another origin
  if (frame?.hasAttribute("data-asks-for-keys")) {
    window.addEventListener("keydown", (event) => offerKey(event, frame), { capture: true });
  }
  window.addEventListener("keydown", ({ key, defaultPrevented }) => {
    if (key === "Escape" && !defaultPrevented) window.parent.focus();
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {Element} frame
 */
function offerKey(event, frame) {
  const [target] = event.composedPath();
  if (hasModifier(event) || (target instanceof Element && target.matches(CONTROLS))) return;
  const offered = new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true });
  if (frame.dispatchEvent(offered)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Make the links to the films beside this one; null if there are none.
 * @param {Site} site
 */
export function siteLinks({ home, before, after }) {
  const links = [
    home && link(home, "home", `← ${home.title}`),
    before && link(before, "before", `Previous: ${before.title}`),
    after && link(after, "after", `Next: ${after.title}`),
  ].filter((element) => element !== null);
  return links.length ? make("nav", "site", { "aria-label": "Films" }, ...links) : null;
}

/**
 * @param {Link} to
 * @param {string} name
 * @param {string} text
 */
function link({ address }, name, text) {
  const element = make("a", name, { "data-testid": `site-${name}` }, text);
  element.href = address;
  return element;
}

/**
 * Make the section with the code that embeds the film; null if there is none.
 * @param {Site} site
 */
export function embedSection({ embeds }) {
  if (!embeds.length) return null;
  const rows = embeds.map((embed) => embedRow(embed));
  return make("details", "embed", { "data-testid": "embed" }, make("summary", "", {}, "Embed"), ...rows);
}

/** @param {Embed} embed */
function embedRow({ name, how, code }) {
  const text = make("textarea", "", { "aria-label": `Code for ${name}`, focus: () => text.select() });
  text.readOnly = true;
  text.spellcheck = false;
  text.rows = code.split("\n").length + 1; // for the bar below long lines
  text.wrap = "off";
  text.value = code;
  const copy = make("button", "turn", { type: "button", "aria-label": `Copy for ${name}` }, "Copy");
  copy.addEventListener("click", async () => {
    await copyText(text);
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), COPIED);
  });
  const heading = make("h2", "", {}, name);
  return make("div", "row", {}, heading, make("p", "", {}, how), make("div", "code", {}, text, copy));
}

/**
 * Copy the text of a field. If the browser refuses the clipboard, the text stays selected, so that a key can copy it.
 * @param {HTMLTextAreaElement} field
 */
async function copyText(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
}
