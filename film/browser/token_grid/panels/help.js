// The list of keys, and the line below the grid that names the most important ones.

/** @import {Grid} from "../types.js" */

import { focusedBeside, make } from "../../shared/dom.js";
import { pageNames } from "../playing/page_keys.js";
import { unitOf } from "../headline/wording.js";

/** A row of the list: keys, and what they do. @typedef {[keys: string, does: string]} KeyRow */

/** @type {(unit: string) => KeyRow[]} */
const keysOfPlaying = (unit) => [
  ["Space", "play or pause"],
  ["← →", `one ${unit} back or forward; also Page Up and Page Down`],
];
/** @type {(unit: string) => KeyRow[]} */
const keysOfBeats = (unit) => [
  ["Space →", "next step; also Page Down"],
  ["←", "previous step; also Page Up"],
  ["Shift+← Shift+→", `one whole ${besideSteps(unit)} back or forward`],
];
/** @type {KeyRow[]} */
const KEYS_ANYWHERE = [
  ["Home End", "to the start, to the end"],
  ["− +", "slower, faster"],
  ["↑ ↓", "move between tokens; Enter opens a token's history"],
];
/** @type {KeyRow[]} */
const KEYS_ON_STAGE = [
  ["F", "step by step, or as a film"],
  ["V", "let the room vote on the next pair; press again for the answer"],
  ["B .", "black screen, and back"],
  ["Esc F5", "leave the presenter view"],
];
/** @type {KeyRow} */
const KEY_OF_ENDING = ["W", "the words that the lanes split differently; also after the last merge"];
/** @type {KeyRow[]} */
const KEYS_OF_PAGE = [["P F5", "presenter view"]];

/**
 * Return a step's name beside the steps of a lesson or a presentation.
 * @param {string} unit
 */
function besideSteps(unit) {
  return unit === "step" ? "step of the encoding" : unit;
}

/**
 * Return the rows of the list for the view that a grid is in.
 * @param {{presenting: boolean, lesson: boolean, film: boolean, ending?: boolean, unit?: string}} view  as in
 *   key_map.js; `ending` is whether lanes show what became of the merges, `unit` what `unitOf` returns
 * @param {string[]} pages  titles of the pages that number keys open in the presenter view
 * @returns {KeyRow[]}
 */
export function keyRows({ presenting, lesson, film, ending = false, unit = "merge" }, pages) {
  const beats = lesson || (presenting && !film);
  const switches = presenting ? KEYS_ON_STAGE.filter(([keys]) => keys !== "F" || !lesson) : KEYS_OF_PAGE;
  /** @type {KeyRow[]} */
  const numbered = presenting ? pages.map((title, at) => [String(at + 1), title]) : [];
  return [
    ...(beats ? keysOfBeats(unit) : keysOfPlaying(unit)),
    ...KEYS_ANYWHERE,
    ...(presenting && ending ? [KEY_OF_ENDING] : []),
    ...switches,
    ...numbered,
    ["?", "this list"],
  ];
}

/**
 * Make the list of keys.
 * @param {Grid} grid
 */
export function createHelp(grid) {
  const { viewport } = grid.elements;
  const list = make("dl");
  const close = make("button", "quiet", { type: "button", click: () => toggle(false) }, "Close");
  const attributes = { role: "dialog", "aria-label": "Keys", hidden: true, "data-testid": "help" };
  const element = make("div", "help", attributes, make("h2", "", {}, "Keys"), list, close);
  /** @type {Element | null} */
  let focused = null; // before it was opened

  function toggle(on = element.hidden) {
    if (on === !element.hidden) return;
    if (on) {
      focused = focusedBeside(viewport);
      draw();
    }
    element.hidden = !on;
    if (on) close.focus({ preventScroll: true }); // the list shows its first line
    else (focused instanceof HTMLElement ? focused : viewport).focus({ preventScroll: true });
  }

  function draw() {
    const { group, playhead, panels, model } = grid;
    const presenting = panels.presenter.isOn();
    const ending = group.stage?.hasEnding() ?? false;
    const unit = unitOf(model);
    const view = { presenting, lesson: Boolean(group.next), film: playhead.film, ending, unit };
    const rows = keyRows(view, pageNames()).flatMap(([keys, does]) => [
      make("dt", "", {}, ...keys.split(" ").map((key) => make("kbd", "", {}, key))),
      make("dd", "", {}, does),
    ]);
    list.replaceChildren(...rows);
  }
  return { element, toggle, isOpen: () => !element.hidden };
}

/**
 * Make the line that names the most important keys; on a touch screen, what a finger does. With the class "guesses" it
 * says that a tap guesses.
 * @param {boolean} beatwise  whether keys go from beat to beat
 * @param {string} unit  what a step is called
 * @param {() => void} showHelp
 * @param {() => void} present
 */
export function keyLegend(beatwise, unit, showHelp, present) {
  const key = (/** @type {string} */ name) => make("kbd", "", {}, name);
  const moves = beatwise
    ? [key("←"), key("→"), " one step", key("Shift+→"), ` one ${besideSteps(unit)}`]
    : [key("Space"), " play", key("←"), key("→"), ` one ${unit}`];
  const buttons = [
    legendButton("present", "P", " present", present),
    legendButton("keys", "?", " all keys", showHelp),
  ];
  const hints = make("span", "hints", {}, ...moves, key("Home"), key("End"));
  const tap = make("span", "touch", {}, `Tap a token to see what it is made of. Swipe for one ${unit}.`);
  const guess = make(
    "span",
    "touch guess",
    {},
    `Tap two neighbouring tokens to guess. Swipe for one ${unit}.`,
  );
  return make("div", "keys", {}, hints, tap, guess, ...buttons);
}

/**
 * @param {string} testid
 * @param {string} key
 * @param {string} text
 * @param {() => void} act
 */
function legendButton(testid, key, text, act) {
  const attributes = { type: "button", "data-testid": testid, title: text.trim(), click: () => act() };
  return make("button", "quiet", attributes, make("kbd", "", {}, key), text);
}
