// Number keys open the pages of the app during a presentation, when its menu is out of sight.

/** @import {Beat} from "../shared/groups.js" */

import { hasModifier } from "../shared/dom.js";
import {
  dropTyped,
  hasLanes,
  heldTyped,
  holdTyped,
  isAnyPresenting,
  leaveFor,
  leavesFor,
  listenOnce,
  typing,
} from "../shared/groups.js";

// The presentation of this browser tab: whether there is one, and its beat. It is stored for the tab, so that a reload
// and another page continue it.

/** Where the presentation is. @typedef {{group: string, step: number, beat: Beat, film: boolean}} Position */

const STORED = "merge-by-merge.presenting";
const NOWHERE = {};

/** @param {object} position */
function storePosition(position) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(position));
  } catch {
    return; // storage is blocked: a reload then ends the presentation
  }
}

/**
 * Return the stored position, with the fields it has; null without a presentation.
 * @returns {Partial<Position> | null}
 */
export function storedPosition() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    return typeof stored === "object" ? stored : null;
  } catch {
    return null;
  }
}

export function beginPresentation() {
  storePosition(NOWHERE);
}

/** @param {Position} position */
export function notePosition(position) {
  storePosition(position);
}

export function endPresentation() {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    return;
  }
}

// Streamlit's menu of pages, which is folded on a phone; a film on a page of its own has none.
const MENU = ":is([data-testid=stTopNavLink], [data-testid=stSidebarNavLink])";

/** @returns {HTMLElement[]} */
function pageLinks() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(MENU))];
}

/** Return the titles of the pages, in the order of the menu. */
export function pageNames() {
  return pageLinks().map((link) => (link.textContent ?? "").trim());
}

/** Open a page by its number in the menu, from 1. @param {number} number */
export function openPage(number) {
  const link = pageLinks()[number - 1];
  if (!link) return;
  leaveFor(number);
  link.click();
}

/** Return the number of the page that is shown; 0 without a menu. */
function pageNumber() {
  return pageLinks().findIndex((link) => link.matches("[aria-current=page]")) + 1;
}

/** Return the title of the page that is drawn: for a moment the menu names another one. */
function drawnPage() {
  return document.querySelector("h1")?.textContent?.trim() ?? "";
}

/** Return whether another page has been asked for: the field of this one is no longer wanted. */
function isLeaving() {
  const number = leavesFor();
  return number > 0 && drawnPage() !== pageNames()[number - 1];
}

// The keys that open the menus above the page, which are out of sight in the presenter view: a name, and what it holds.
/** @type {Record<string, [name: string, holds: string]>} */
const MENU_KEYS = {
  S: ["text", "samples"],
  K: ["tokenizer", "tokenizers"],
  R: ["ties", "rules for ties"],
  M: ["merges", "numbers of merges"],
  L: ["lanes", "lanes"],
};

/** Return the button of the menu that a key opens; null if the page has none. @param {string} key */
export function menuButton(key) {
  const [name] = MENU_KEYS[key.toUpperCase()] ?? [];
  return name
    ? /** @type {HTMLElement | null} */ (document.querySelector(`[data-testid=choice-${name}]`))
    : null;
}

/** Return the keys that open a menu of this page, and what the menus hold. @returns {[key: string, holds: string][]} */
export function menuKeys() {
  return Object.entries(MENU_KEYS).flatMap(([key, [, holds]]) => (menuButton(key) ? [[key, holds]] : []));
}

const FIELDS = "input, textarea, select, [contenteditable=true]";

/**
 * Keep the number keys working on pages without a grid, where nothing else listens, until Escape ends the presentation.
 * Keep T and what is typed after it, too, while the field over the stage is on its way.
 */
export function keepPageKeys() {
  listenOnce("page keys", () => {
    // In the capture phase, and before the grids, which take single letters.
    window.addEventListener("keydown", typeOnStage, { capture: true });
    window.addEventListener("popstate", () => leaveFor(0)); // Back leads to another page than was asked for
    window.addEventListener("keydown", (event) => {
      if (hasLanes() || !storedPosition() || isForField(event)) return;
      if (event.key === "Escape") endPresentation();
      else if (/^[1-9]$/.test(event.key)) openPage(Number(event.key));
    });
  });
}

/** Return whether something is presented, also on a page without a grid. */
function isPresenting() {
  return isAnyPresenting() || storedPosition() !== null;
}

/** Return whether a key belongs to a field or to the browser. @param {KeyboardEvent} event */
function isForField(event) {
  const target = event.composedPath()[0];
  return hasModifier(event) || (target instanceof Element && target.matches(FIELDS));
}

/** T shows the field of the page, or leads to one. What is typed meanwhile is for that field. @param {KeyboardEvent} event */
function typeOnStage(event) {
  if (!isPresenting() || isForField(event)) return;
  const { key } = event;
  const held = heldTyped();
  if (!held && key.toLowerCase() !== "t") return;
  const field = typing();
  if (!held && !field && !pageLinks().length) return; // a film that only plays
  if (!held && field?.isReady() && !leavesFor()) field.open();
  else if (/^[0-9]$/.test(key) && !held?.text) return dropTyped(); // to another page, or back to the talk
  else if (!held) waitForField("");
  else if (key === "Escape" || key === "PageUp") dropTyped();
  else if (key === "Backspace") holdTyped(held.text.slice(0, -1));
  else if (key.length === 1) holdTyped(held.text + key);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

const FIELD_PAGE = "Watch"; // whose field is that of pages without one
const WITHOUT_FIELD = new Set(["Lessons", "Vocabulary", "Glossary", "Give a talk"]);
const AT_REST = ".stApp[data-test-script-state=notRunning]";
const FIELD_LOOKS = 50; // ms
const LOOKS_READY = 2; // looks at a field that is there, which it takes to show its text: Escape brings that back
const LOOKS_WORKING = 80; // looks at it while its page still works: while a page comes, fields of the one before are there
const LOOKS_AT_REST = 2; // looks at a page at rest, after which it can be left

/** Hold a text until a page has a field for it: this one when it is there, or else Watch. @param {string} text */
export function waitForField(text) {
  holdTyped(text);
  let looks = 0; // and not a clock: a busy browser looks seldom
  let readyLooks = 0;
  const looking = setInterval(() => {
    const held = heldTyped();
    const field = typing();
    if (!held) return clearInterval(looking);
    looks = document.querySelector(AT_REST) ? looks + 1 : 0;
    readyLooks = field?.isReady() && !isLeaving() ? readyLooks + 1 : 0;
    if (field && readyLooks >= (looks ? LOOKS_READY : LOOKS_WORKING)) {
      clearInterval(looking);
      dropTyped();
      return field.open(held.text, held.from);
    }
    const here = pageNumber();
    const there = pageNames().indexOf(FIELD_PAGE) + 1;
    const name = pageNames()[here - 1] ?? "";
    if (drawnPage() !== name || looks < LOOKS_AT_REST || held.from || !there || !WITHOUT_FIELD.has(name))
      return;
    holdTyped(held.text, here);
    openPage(there);
  }, FIELD_LOOKS);
}
