// Keys, including those of a presentation clicker. They have no effect while the viewer types or uses a control that
// needs them. Keys used here are stopped, and so are single letters inside the grid (R and C are Streamlit's
// shortcuts).

/** @import {Panels} from "./elements.js" */
/** @import {Grid} from "./types.js" */

import { hasModifier } from "../shared/dom.js";
import { activate, isActive } from "../shared/groups.js";
import { leadsGroup } from "../player/lanes.js";
import { openPage } from "./page_keys.js";

// What each key does, depending on the view. Clickers send Page Up, Page Down, F5, Shift+F5, Escape, B and ".".

/**
 * @typedef {"next" | "previous" | "forward" | "back" | "toggle" | "first" | "last" | "faster" | "slower"} Motion
 * @typedef {"walk on" | "walk back" | "unfold" | "present" | "black" | "film" | "help" | "close" | "page" | "words" | "ways" | "code" | "zoom"} Command
 */
/** @typedef {Motion | Command} Action */

/**
 * What decides the meaning of a key.
 * @typedef {object} View
 * @property {boolean} presenting
 * @property {boolean} lesson  whether the group has beats of its own: a lesson
 * @property {boolean} film  whether the presenter view plays instead of waiting at every beat
 * @property {boolean} [ways]  whether the picture of every way fills the window: it knows merges, but no beats
 * @property {boolean} [zooms]  whether keys zoom this picture
 */

/** @type {Record<string, Action>} */
const ALWAYS = {
  Home: "first",
  End: "last",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  ArrowDown: "walk on",
  ArrowUp: "walk back",
  Enter: "unfold",
  p: "present",
  F5: "present",
  e: "ways",
  c: "code",
  "?": "help",
  Escape: "close",
};
/** @type {Record<string, Action>} */
const PRESENTING = {
  b: "black",
  ".": "black",
  f: "film",
  w: "words",
};
/** @type {Record<string, number>} */
const ZOOMS = { "+": 1, "=": 1, "-": -1, 0: 0 };
const PAGES = new Set(["PageUp", "PageDown"]); // of a clicker: choices that arrow keys change do not need them
const ONWARDS = new Set([" ", "PageDown", "ArrowRight"]);
const BACKWARDS = new Set(["PageUp", "ArrowLeft"]);

/**
 * Return what a key does; null if nothing.
 *
 * In the presenter view and in a lesson, keys go from beat to beat, and with Shift from merge to merge. If the presenter
 * view plays as a film, Space and Page Down start and stop it.
 * @param {{key: string, shiftKey: boolean}} event
 * @param {View} view
 * @returns {Action | null}
 */
export function actionOf({ key, shiftKey }, { presenting, lesson, film, ways = false, zooms = false }) {
  if (zooms && key in ZOOMS) return "zoom";
  if (ways && PAGES.has(key)) return key === "PageDown" ? "forward" : "back";
  const beats = lesson || (presenting && !film && !ways);
  if (ONWARDS.has(key)) {
    if (beats && !shiftKey) return "next";
    const plays = key === " " || (key === "PageDown" && presenting && !shiftKey);
    return plays ? "toggle" : "forward";
  }
  if (BACKWARDS.has(key)) return beats && !shiftKey ? "previous" : "back";
  if (presenting && /^[1-9]$/.test(key)) return "page";
  const name = key.length > 1 ? key : key.toLowerCase(); // Caps Lock may be on
  return (presenting ? PRESENTING[name] : undefined) ?? ALWAYS[name] ?? null;
}

// A button that picks or undoes a merge goes when the training that follows from it comes, and the focus with it. Then a
// grid takes the focus, so that the keyboard goes on where the viewer was.

const LATEST = 5_000; // ms after a press, or after a grid comes, in which the button may go
const PAUSE = 100; // ms between two looks

/** @type {WeakRef<Element> | null} */
let last = null; // the element that had the focus last

/**
 * Give an element the focus whenever the one that had it leaves the page, or is hidden, after a press, or after this call.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal
 */
export function keepFocus(element, signal) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  function watch() {
    clearInterval(timer);
    const until = performance.now() + LATEST;
    timer = setInterval(look, PAUSE, until);
    note();
  }

  /** @param {number} until */
  function look(until) {
    const active = note();
    if (!active && last && !isThere(last.deref()) && element.isConnected) {
      element.focus({ preventScroll: true });
      note();
    } else if (performance.now() > until) clearInterval(timer);
  }

  watch();
  // Also after a press: the lanes of a comparison stay when the button that undoes a branch goes.
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, watch, { capture: true, signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}

/**
 * Return whether an element can have the focus: it is on the page, and neither hidden nor in what is hidden. Streamlit's
 * tabs come back, with the focus, when the contents of the chosen one have been loaded.
 * @param {Element} [element]
 */
function isThere(element) {
  return element && (element.matches("[role=tab]") || (element.isConnected && element.checkVisibility()));
}

/** Remember and return the element that has the focus, also one within a component; null if nothing has it. */
function note() {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active === document.body) return null;
  last = new WeakRef(active);
  return active;
}

/** @type {Record<Action, (grid: Grid, key: string) => void>} */
const ACTS = {
  next: ({ group, playhead }) => (group.next ?? playhead.nextBeat)(), // a lesson has beats of its own
  previous: ({ group, playhead }) => (group.back ?? playhead.previousBeat)(),
  forward: ({ playhead }) => playhead.forward(),
  back: ({ playhead }) => playhead.back(),
  toggle: ({ playhead }) => playhead.toggle(),
  first: ({ playhead }) => playhead.seek(0),
  last: ({ playhead, group }) => {
    playhead.seek(playhead.last());
    group.stage?.showEnding(true);
  },
  faster: ({ playhead }) => playhead.faster(1),
  slower: ({ playhead }) => playhead.faster(-1),
  "walk on": ({ panels }) => panels.pointing.walk(1),
  "walk back": ({ panels }) => panels.pointing.walk(-1),
  unfold: ({ panels }) => panels.pointing.unfold(),
  present: ({ panels }) => panels.presenter.toggle(),
  black: ({ panels }) => panels.presenter.blackOut(),
  film: ({ panels }) => panels.presenter.setFilm(),
  help: ({ panels }) => panels.help.toggle(),
  close: ({ group, panels }) => (group.ways?.isOn() ? group.ways.turn() : closeTopmost(panels)),
  words: ({ group }) => void group.stage?.showEnding(),
  ways: ({ group }) => group.ways?.turn(),
  code: ({ group }) => group.code?.(),
  zoom: ({ group }, key) => group.ways?.zoom(ZOOMS[key]),
  page: (_, key) => openPage(Number(key)),
};
const ONLY_ON_THE_GRID = new Set(["ArrowDown", "ArrowUp", "Enter"]);
const PRESSES = new Set([" ", "Enter"]);
// Elements to type into: in a list, letters lead to a row.
const TYPING = [
  "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button])",
  "textarea, select, [contenteditable=''], [contenteditable=true]",
  "[role=textbox], [role=combobox], [role=searchbox], [role=listbox]",
].join();
// A menu over the presenter view, which has keys of its own.
const MENU_ON_STAGE = "[role=dialog][popover]";
// One of them: a list whose choice was made, often right before the first press of a clicker.
const CLOSED_LIST = "[role=combobox][aria-expanded=false]";
// Elements that Space and Enter press. A link is none: Space plays after the link to a page was followed.
const PRESSED = [
  "button, summary, select, [role=button], [role=option], [role=menuitem], [role=switch], [role=checkbox]",
  "input[type=checkbox], input[type=radio]",
].join();
// Elements that arrow keys move.
const MOVED_BY_ARROWS = [
  "[role=slider], [role=tab], [role=radio], [role=radiogroup], [role=listbox], [role=menu], [role=grid]",
  "[role=spinbutton], [data-testid=stDataFrame], input[type=radio]",
  "input[type=range]:not([data-testid=scrubber]), .js-plotly-plot, .every-way .node",
].join();

// Elements that Page Up and Page Down scroll or change.
const SCROLLED =
  "[role=slider], [role=listbox], [role=menu], [role=grid], [role=spinbutton], [data-testid=stDataFrame]";

/** Return whether a key belongs to the browser, to a field, or to a menu over the stage. @param {KeyboardEvent} event */
export function isTaken(event) {
  const { key } = event;
  const path = event.composedPath();
  const target = path.find((node) => node instanceof Element) ?? document.body;
  if (hasModifier(event) || event.isComposing) return true;
  if (target.matches(TYPING) && key !== "F5" && !(PAGES.has(key) && target.matches(CLOSED_LIST))) return true;
  if (path.some((node) => node instanceof Element && node.matches(MENU_ON_STAGE))) return true;
  return key === "Escape" && document.querySelector(MENU_ON_STAGE) !== null; // closes the menu, also right after it opened
}

/** Return whether a key presses what has the focus. @param {KeyboardEvent} event */
export function isPress(event) {
  const target = event.composedPath()[0];
  return PRESSES.has(event.key) && target instanceof Element && target.matches(PRESSED);
}

/** Listen to keys anywhere on the page, until the signal aborts. @param {Grid} grid @param {AbortSignal} signal */
export function listenToKeys(grid, signal) {
  /** @param {KeyboardEvent} event */
  function listen(event) {
    const { key } = event;
    const path = event.composedPath();
    const target = path.find((node) => node instanceof Element) ?? document.body;
    const inside = path.includes(grid.root);
    if (isTaken(event)) return;
    if (inside && key.length === 1) event.stopPropagation();
    if (!leadsGroup(grid) || !isActive(grid.group)) return;
    const { presenter } = grid.panels;
    const presenting = presenter.isOn();
    const ways = grid.group.ways?.isOn() ?? false;
    const zooms = ways || (Boolean(grid.group.ways) && target.closest(".every-way") !== null);
    const view = { presenting, lesson: Boolean(grid.group.next), film: grid.playhead.film, ways, zooms };
    const action = actionOf(event, view);
    const { ways: picture, code } = grid.group;
    if (!action || (action === "ways" && !picture) || (action === "code" && !code)) return;
    if (ONLY_ON_THE_GRID.has(key) && target !== grid.elements.viewport) return;
    if (isPress(event)) return;
    const isOfPicture = action === "zoom" || action === "ways" || action === "code";
    const isElsewhere = !inside || target.matches(MOVED_BY_ARROWS); // within a grid too, the window has a slider
    if (
      isElsewhere &&
      (!presenting || (target.matches(".dragged") && !PAGES.has(key))) &&
      !isOfPicture &&
      target.closest(PAGES.has(key) ? SCROLLED : MOVED_BY_ARROWS)
    )
      return;
    if (key === "Escape" && !isAnythingOpen(grid.panels) && !ways) return;
    event.preventDefault();
    event.stopPropagation();
    if (presenter.isBlack()) presenter.blackOut(); // whatever the key; the next key acts with the screen visible
    else ACTS[action](grid, key);
  }
  window.addEventListener("keydown", listen, { capture: true, signal });
  if (grid.data.transport) keepFocus(grid.elements.viewport, signal);
  for (const kind of ["pointerdown", "focusin"]) {
    grid.root.addEventListener(kind, () => activate(grid.group), { signal });
  }
}

/** @param {Panels} panels */
function isAnythingOpen({ help, presenter, pointing }) {
  return help.isOpen() || presenter.isOn() || pointing.isOpen();
}

/** @param {Panels} panels */
function closeTopmost({ help, presenter, pointing }) {
  if (help.isOpen()) help.toggle(false);
  else if (pointing.isOpen()) pointing.clear();
  else presenter.leave();
}
