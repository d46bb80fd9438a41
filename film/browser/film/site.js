// What surrounds a film on a website: links to the other films, and code that embeds it elsewhere.

/** @import {CodeLine, EveryWay, Feed} from "../shared/feed_types.js" */
/** @import {Live, Recipe} from "../trainer/live_types.js" */
/** @import {GridData} from "../token_grid/types.js" */

import { copyText, hasModifier, make } from "../shared/dom.js";
import { typing } from "../shared/groups.js";
import { unpackElement } from "../shared/packed_bytes.js";
import { adoptSheet } from "../shared/sheet.js";

// Light or dark: the system's choice, until the viewer presses the button. On paper it is always light.

const DARK = "(prefers-color-scheme: dark)";

/** Make the button that switches the theme. */
export function themeButton() {
  const page = document.documentElement;
  const system = matchMedia(DARK);
  const button = make("button", "theme", {
    type: "button",
    "data-testid": "theme",
    click: () => show(!isDark()),
  });
  let chosen = false;
  const isDark = () => page.classList.contains("dark");

  /** @param {boolean} dark @param {boolean} [byHand] */
  function show(dark, byHand = true) {
    chosen ||= byHand;
    page.classList.toggle("dark", dark);
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
  }

  system.addEventListener("change", () => chosen || show(system.matches, false));
  let before = false;
  window.addEventListener("beforeprint", () => {
    before = isDark();
    page.classList.remove("dark");
  });
  window.addEventListener("afterprint", () => page.classList.toggle("dark", before));
  show(system.matches, false);
  return button;
}

// The hash of a film's address: #step=12 rests there, #play=1 plays once, #from=3&to=9&play=1 plays a part. It may begin
// with the viewer's own words, as own_settings.js writes them.

/**
 * The playback that an address requests.
 * @typedef {object} Asked
 * @property {number} start  the step to begin with
 * @property {number} end  the step to stop at
 * @property {boolean} play
 */

/**
 * Read a hash. Ignores values that are no numbers.
 * @param {string} hash
 * @param {number} step  first step if the hash names none
 * @returns {Asked}
 */
export function askedFor(hash, step) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (/** @type {string} */ name) => {
    const text = asked.get(name) ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const start = number("from") ?? number("step") ?? step;
  return { start, end: number("to") ?? Infinity, play: asked.get("play") === "1" };
}

/**
 * Write the step at which the film rests into the address, except in a frame that has no address of its own.
 * @param {number} step
 * @param {string} [own]  the viewer's own words
 */
export function writeStep(step, own = "") {
  try {
    history.replaceState(null, "", hashOf(step, own));
  } catch {
    return; // a sandboxed frame, or too many steps in a short time
  }
}

/** Return whether the address names a part of the page around the film, to which a link led. */
export function namesPart() {
  return document.getElementById(location.hash.slice(1)) !== null;
}

/** Return the hash of an address. @param {number} step @param {string} own */
export function hashOf(step, own) {
  return own ? `#${own}&step=${step}` : `#step=${step}`;
}

// The data of a film, as film/page.py writes it into the page.

/**
 * One lane: what is played, and its title.
 * @typedef {object} FilmLane
 * @property {Feed} feed
 * @property {string} title
 * @property {string} subtitle
 * @property {GridData["options"]} [options]  of its drawing
 * @property {GridData["rail"]} [rail]  what has been learned, for a new text
 * @property {Recipe | null} [recipe]  what the page needs to train on another text in the same way; null if it cannot
 */

/**
 * What a film needs to train on the viewer's own words.
 * @typedef {object} OwnData
 * @property {string} text  in the field at first
 * @property {boolean} opens  whether the panel is open from the start
 * @property {{text: string, variant: string, rule: string, way: EveryWay}[]} ways  pictures of every way to break the ties, for
 *   texts that the page offers
 * @property {Live} live  variants, rules and sentences
 * @property {string} page  an HTML file of a film, with {title} and {scripts} in its gaps
 * @property {string} scripts  its scripts, with {data}, {player} and {loader}
 * @property {string} frame  the code that embeds a page, with {address} and {title}
 */

/**
 * @typedef {object} Film
 * @property {string} title
 * @property {number} step  the step to begin with
 * @property {FilmLane[]} lanes
 * @property {number} [least]  merges of the viewer's own words that are allowed at first, also if the film has fewer
 * @property {EveryWay | null} way  every way to break the ties of the lanes
 * @property {CodeLine[]} code  of the textbook, beside a lone lane
 * @property {string} note  a sentence below the film, or ""
 * @property {Site} site  what is around the film, if it is a page of a website
 * @property {OwnData | null} own  null in a film that stays as it is
 * @property {Record<string, string>} styles  the style sheets of the page, of the grid and of what is beside it
 */

/** Read the data of the page, and give it its style sheet. @returns {Promise<Film>} */
export async function readFilm() {
  /** @type {Film} */
  const film = await unpackElement(document.getElementById("film")).json();
  adoptSheet(document.body, film.styles.film);
  return film;
}

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

/** @param {KeyboardEvent} event @param {Element} frame */
function offerKey(event, frame) {
  const [target] = event.composedPath();
  if (hasModifier(event) || (target instanceof Element && target.matches(CONTROLS))) return;
  if (typing()?.isOpen()) return; // the field over the stage has the keys until it closes
  const offered = new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true });
  if (frame.dispatchEvent(offered)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Make the links to the films beside this one; none if there are none. @param {Site} site */
export function siteLinks({ home, before, after }) {
  const links = [
    home && link(home, "home", `← ${home.title}`),
    before && link(before, "before", `Previous: ${before.title}`),
    after && link(after, "after", `Next: ${after.title}`),
  ].filter((element) => element !== null);
  return links.length ? [make("nav", "row site", { "aria-label": "Films" }, ...links)] : [];
}

/** @param {Link} to @param {string} name @param {string} text */
function link({ address }, name, text) {
  const element = make("a", name, { "data-testid": `site-${name}` }, text);
  element.href = address;
  return element;
}

/** Make the section with the code that embeds the film; none if there is no code. @param {Site} site */
export function embedSection({ embeds }) {
  if (!embeds.length) return [];
  const summary = make("summary", "", {}, "Embed");
  return [make("details", "embed", { "data-testid": "embed" }, summary, ...embeds.map(embedRow))];
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
    text.select();
    copy.textContent = (await copyText(text.value)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => (copy.textContent = "Copy"), COPIED);
  });
  const heading = make("h2", "", {}, name);
  return make("div", "how", {}, heading, make("p", "", {}, how), make("div", "code", {}, text, copy));
}
