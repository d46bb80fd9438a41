// Keys, including those of a presentation clicker. They have no effect while the viewer types or uses a control that
// needs them. Keys used here are stopped, and so are single letters inside the grid (R and C are Streamlit's
// shortcuts).

/** @import {Panels} from "./elements.js" */
/** @import {Grid} from "./types.js" */

import { focusedBeside, hasModifier, make } from "../shared/dom.js";
import { activate, isActive } from "../shared/groups.js";
import { leadsGroup } from "./lanes.js";

const KEYS = [
  ["Space", "play, pause; beat by beat in the presenter view and in lessons"],
  ["← →", "one merge back, forward; also Page Up, Page Down"],
  ["Home End", "first, last"],
  ["− +", "slower, faster"],
  ["↑ ↓", "walk over the tokens; Enter unfolds one"],
  ["P", "presenter view, Esc leaves it"],
  ["B", "black screen in the presenter view"],
  ["?", "this list"],
];

/** @type {Record<string, (grid: Grid) => void>} */
const ACTS = {
  " ": ({ group, playhead }) => (group.next ? group.next() : playhead.toggle()), // a lesson has beats of its own
  ArrowRight: ({ playhead }) => playhead.forward(),
  PageDown: ({ playhead }) => playhead.forward(),
  ArrowLeft: ({ playhead }) => playhead.back(),
  PageUp: ({ playhead }) => playhead.back(),
  Home: ({ playhead }) => playhead.seek(0),
  End: ({ playhead }) => playhead.seek(playhead.last()),
  "+": ({ playhead }) => playhead.faster(1),
  "=": ({ playhead }) => playhead.faster(1),
  "-": ({ playhead }) => playhead.faster(-1),
  ArrowDown: ({ panels }) => panels.pointing.walk(1),
  ArrowUp: ({ panels }) => panels.pointing.walk(-1),
  Enter: ({ panels }) => panels.pointing.unfold(),
  p: ({ panels }) => panels.presenter.toggle(),
  P: ({ panels }) => panels.presenter.toggle(),
  b: ({ panels }) => panels.presenter.blackOut(),
  B: ({ panels }) => panels.presenter.blackOut(),
  ".": ({ panels }) => panels.presenter.blackOut(),
  "?": ({ panels }) => panels.help.toggle(),
  Escape: ({ panels }) => closeTopmost(panels),
};
const ONLY_ON_THE_GRID = new Set(["ArrowDown", "ArrowUp", "Enter"]);
const ONLY_PRESENTING = new Set(["b", "B", "."]);
const PRESSES = new Set([" ", "Enter"]);

// Elements to type into.
const TYPING = [
  "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button])",
  "textarea, select, [contenteditable=''], [contenteditable=true]",
  "[role=textbox], [role=combobox], [role=searchbox]",
].join();
// Elements that Space and Enter press.
const PRESSED = [
  "button, a[href], summary, select, [role=button], [role=option], [role=menuitem], [role=switch], [role=checkbox]",
  "input[type=checkbox], input[type=radio]",
].join();
// Elements that arrow keys move.
const MOVED_BY_ARROWS = [
  "[role=slider], [role=tab], [role=radio], [role=radiogroup], [role=listbox], [role=menu], [role=grid]",
  "[role=spinbutton], [data-testid=stDataFrame], input[type=radio]",
  "input[type=range]:not([data-testid=scrubber]), .js-plotly-plot",
].join();

/**
 * Listen to keys anywhere on the page, until the signal aborts.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function listenToKeys(grid, signal) {
  /** @param {KeyboardEvent} event */
  function listen(event) {
    const { key } = event;
    const path = event.composedPath();
    const target = path.find((node) => node instanceof Element) ?? document.body;
    const inside = path.includes(grid.root);
    if (hasModifier(event) || event.isComposing) return;
    if (target.matches(TYPING)) return;
    if (inside && key.length === 1) event.stopPropagation();
    if (!leadsGroup(grid) || !isActive(grid.group)) return;
    const act = ACTS[key];
    if (!act || (ONLY_PRESENTING.has(key) && !grid.panels.presenter.isOn())) return;
    if (ONLY_ON_THE_GRID.has(key) && target !== grid.elements.viewport) return;
    if (PRESSES.has(key) && target.matches(PRESSED)) return;
    if (!inside && target.closest(MOVED_BY_ARROWS)) return;
    if (key === "Escape" && !isAnythingOpen(grid.panels)) return;
    event.preventDefault();
    event.stopPropagation();
    const { presenter } = grid.panels;
    if (presenter.isBlack()) presenter.blackOut(); // whatever the key; the next key acts with the screen visible
    else act(grid);
  }
  window.addEventListener("keydown", listen, { capture: true, signal });
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

/**
 * Make the list of keys.
 * @param {HTMLElement} viewport  element that gets the focus back
 */
export function createHelp(viewport) {
  const rows = KEYS.flatMap(([keys, does]) => [
    make("dt", "", {}, ...keys.split(" ").map((key) => make("kbd", "", {}, key))),
    make("dd", "", {}, does),
  ]);
  const close = make("button", "quiet", { type: "button", click: () => toggle(false) }, "Close");
  const attributes = { role: "dialog", "aria-label": "Keys", hidden: true, "data-testid": "help" };
  const element = make(
    "div",
    "help",
    attributes,
    make("h2", "", {}, "Keys"),
    make("dl", "", {}, ...rows),
    close,
  );
  /** @type {Element | null} */
  let focused = null; // before it was opened

  function toggle(on = element.hidden) {
    if (on === !element.hidden) return;
    if (on) focused = focusedBeside(viewport);
    element.hidden = !on;
    if (on) close.focus();
    else (focused instanceof HTMLElement ? focused : viewport).focus({ preventScroll: true });
  }
  return { element, toggle, isOpen: () => !element.hidden };
}

/**
 * Make the line that names the most important keys.
 * @param {boolean} beatwise  whether Space goes from beat to beat
 * @param {() => void} showHelp
 * @param {() => void} present
 */
export function keyLegend(beatwise, showHelp, present) {
  const [space, left, right, home, end] = ["Space", "←", "→", "Home", "End"].map((name) =>
    make("kbd", "", {}, name),
  );
  const play = beatwise ? " next beat" : " play";
  const buttons = [
    legendButton("present", "P", " present", present),
    legendButton("keys", "?", " all keys", showHelp),
  ];
  return make("div", "keys", {}, space, play, left, right, " one merge", home, end, ...buttons);
}

/**
 * @param {string} testid
 * @param {string} key
 * @param {string} text
 * @param {() => void} act
 */
function legendButton(testid, key, text, act) {
  const attributes = { type: "button", "data-testid": testid, click: () => act() };
  return make("button", "quiet", attributes, make("kbd", "", {}, key), text);
}
