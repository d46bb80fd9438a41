// The drawing options: view, drawing, colouring, white space, motion. The browser stores them, and all grids share
// them.

/** @import {Grid} from "./types.js" */
/** @import {ChipLabel, RunningText} from "../shared/feed_types.js" */

import { talk, typing } from "../shared/groups.js";
import { COLOURINGS, coloursOf } from "../shared/colour.js";
import { chipElement, readable, tabLabel } from "../shared/chip.js";
import { icon, make, setHidden, focusedBeside } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { MOST_CHIPS } from "./chip_drawing.js";
import { isFinished } from "../player/feed.js";
import { rivalsOf } from "../player/lanes.js";
import { tokensNow } from "../player/pair_counts.js";
import { markerMeaning } from "../player/spelling.js";
import { menuKeys, pageNames } from "./page_keys.js";
import { unitOf } from "./wording.js";

/**
 * How a grid is drawn.
 * @typedef {object} Options
 * @property {"auto" | "both" | "words" | "text"} view
 * @property {"auto" | "chips" | "cells"} drawing
 * @property {string} colour  a key of COLOURINGS
 * @property {boolean} glyphs  whether white space is shown
 * @property {boolean} motion
 */

/** @typedef {"view" | "drawing" | "colour"} ChoiceName */
/** @typedef {"glyphs" | "motion"} SwitchName */

const STORE = "merge-by-merge.view";
/** @type {Record<ChoiceName, {label: string, values: Record<string, string>}>} */
const CHOICES = {
  view: {
    label: "Show",
    values: { auto: "automatic", both: "words and text", words: "different words", text: "running text" },
  },
  drawing: {
    label: "Draw as",
    values: { auto: "automatic", chips: "moving chips", cells: "fixed cells" },
  },
  colour: {
    label: "Colour by",
    values: Object.fromEntries(Object.entries(COLOURINGS).map(([slug, { label }]) => [slug, label])),
  },
};
/** @type {Record<SwitchName, string>} */
const SWITCHES = { glyphs: "white space · → ↵", motion: "motion" };
/** @type {Options} */
const DEFAULTS = { view: "auto", drawing: "auto", colour: "identity", glyphs: true, motion: true };
const SHAPES = {
  winner: "about to merge",
  tied: "tied with it (dots where there are too many)",
  fresh: "just created",
  differs: "split differently in another lane",
  rival: "also wanted by a tied pair",
};

// What the bars and the line over the slider are.
const BARS = {
  choice: "a tie, and a real choice",
  order: "a tie that decided the order only",
  height: "higher: more pairs tied",
  line: "tokens in the text",
};

const DOTTED = "tied with it (dots where counts do not fit)";

const CHOICE_NAMES = /** @type {ChoiceName[]} */ (Object.keys(CHOICES));
const SWITCH_NAMES = /** @type {SwitchName[]} */ (Object.keys(SWITCHES));

/**
 * Return the stored choices; none if the browser has no valid ones under our name.
 * @returns {Record<string, unknown>}
 */
function readStore() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * Return the options: the viewer's choices first, then the page's.
 * @param {Partial<Options>} wanted
 * @returns {Options}
 */
export function readOptions(wanted) {
  const stored = readStore();
  const options = { ...DEFAULTS, ...wanted };
  for (const name of CHOICE_NAMES) {
    const value = stored[name];
    if (typeof value === "string" && value in CHOICES[name].values) Object.assign(options, { [name]: value });
  }
  for (const name of SWITCH_NAMES) {
    const value = stored[name];
    if (typeof value === "boolean") options[name] = value;
  }
  return options;
}

/** Store a choice of the viewer's. @param {keyof Options} name @param {string | boolean} value */
export function storeOption(name, value) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readStore(), [name]: value }));
  } catch {
    return; // the choice then lasts until the viewer leaves the page
  }
}

/** Make the names of the bars and the line over the slider, as far as it has them. @param {Grid["model"]} model */
function barNames(model) {
  const isTied = !isFinished(model) && model.steps.tied.some((count) => count > 1);
  const isLined = Boolean(tokensNow(model, 0));
  return Object.entries(BARS)
    .filter(([name]) => (name === "line" ? isLined : isTied))
    .map(([name, text]) =>
      make("span", "", {}, make("span", `bar-of ${name}`, { "aria-hidden": "true" }), text),
    );
}

/** Make the controls for the options, with the legends and the most important keys. @param {Grid} grid */
export function createOptions(grid) {
  const selects = CHOICE_NAMES.map((name) => ({ name, control: createSelect(grid, name) }));
  const boxes = SWITCH_NAMES.map((name) => ({ name, control: createBox(grid, name) }));
  const labels = [
    ...selects.map(({ name, control }) => make("label", "", {}, `${CHOICES[name].label} `, control)),
    ...boxes.map(({ name, control }) => make("label", "", {}, control, ` ${SWITCHES[name]}`)),
  ];
  const [viewLabel] = labels;
  const controls = make("div", "row options", { role: "group", "aria-label": "Drawing" }, ...labels);
  const legend = make("div", "row legend", { "data-testid": "legend", hidden: true });
  const tooLong = `More than ${formatNumber(MOST_CHIPS)} letters: drawn as cells.`;
  const note = make("p", "note", { hidden: true }, tooLong);
  const shapes = Object.entries(SHAPES).map(([name, text]) => {
    return make("span", "", {}, make("span", `shape ${name}`, { "aria-hidden": "true" }), text);
  });
  const [, tied, , differs, rival] = shapes;
  const marks = make("div", "row shapes", { "data-testid": "shapes" }, ...shapes);
  const bars = make("div", "row shapes", { "data-testid": "bars" });
  /** @param {string} name @param {string} text @param {string} key @param {() => void} click @param {Element[]} [sign] */
  const door = (name, text, key, click, sign = []) => {
    const end = key ? [" ", make("kbd", "", {}, key)] : [];
    return make("button", "", { type: "button", "data-testid": name, click }, ...sign, text, ...end);
  };
  const guess = door("predict", "Guess the next merge", "", () => grid.panels.prediction.toggle());
  const doors = make(
    "div",
    "row doors",
    {},
    door("present", "Presenter view", "P", () => grid.panels.presenter.toggle(), [icon("present")]),
    guess,
    door("keys", "All keys", "?", () => grid.panels.help.toggle(true)),
  );
  const element = make(
    "div",
    "aside stack settings",
    { role: "group", "aria-label": "View" },
    doors,
    keyLine(grid.data.beatwise, unitOf(grid.model)),
    marks,
    bars,
    controls,
    note,
    legend,
  );

  function draw() {
    const { model, options, theme } = grid;
    for (const { name, control } of selects) control.value = options[name];
    for (const { name, control } of boxes) control.checked = options[name];
    setHidden(viewLabel, !model.text.length || !model.feed.rows);
    const counts = grid.layouts.some(({ metrics }) => metrics.pill > 0);
    const name = counts ? SHAPES.tied : DOTTED;
    if (tied.lastChild?.textContent !== name) tied.lastChild?.replaceWith(name);
    tied.firstElementChild?.classList.toggle("dotted", !counts);
    setHidden(tied, !model.steps.tied.some((count) => count > 1));
    bars.replaceChildren(...barNames(model));
    setHidden(guess, !model.training || grid.data.beatwise || Boolean(grid.lane?.title));
    guess.ariaPressed = String(grid.playhead.predicting);
    setHidden(rival, !model.rivals.size);
    setHidden(differs, !rivalsOf(grid, grid.group.lanes).length);
    setHidden(note, options.drawing !== "chips" || grid.drawsChips);
    const entries = COLOURINGS[options.colour].legend(theme, model.last);
    setHidden(legend, !entries.length);
    if (entries.length || legend.firstChild) {
      legend.replaceChildren(...entries.map(({ text, colours }) => chipElement(text, colours)));
    }
  }

  return { element, draw };
}

/** @param {Grid} grid @param {ChoiceName} name */
function createSelect(grid, name) {
  const change = () => grid.choose(name, /** @type {any} a key of the choice's values */ (select.value));
  const select = make("select", "", { "data-testid": `option-${name}`, change });
  const values = Object.entries(CHOICES[name].values);
  select.append(...values.map(([slug, text]) => make("option", "", { value: slug }, text)));
  return select;
}

/** @param {Grid} grid @param {SwitchName} name */
function createBox(grid, name) {
  const change = () => grid.choose(name, box.checked);
  const box = make("input", "", { type: "checkbox", "data-testid": `option-${name}`, change });
  return box;
}

// The list of keys, and the line in View that names the most important ones.

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
  ["B .", "black screen, and back"],
  ["P Esc F5", "leave the presenter view"],
];
/** @type {KeyRow} */
const KEY_OF_TYPING = ["T", "type a text and see at once what becomes of it; Enter plays it, Esc goes back"];
/** @type {KeyRow} */
const KEY_OF_NOTES = ["N", "your notes and a clock, in a second window"];
/** @type {KeyRow} */
const KEY_OF_RETURN = ["0", "back to the talk"];
/** @type {KeyRow} */
const KEY_OF_ENDING = ["W", "the words that the lanes split differently; also after the last merge"];
/** @type {KeyRow} */
const KEY_OF_WAYS = ["E", "every way to break the ties; there, − + 0 zoom"];
/** @type {KeyRow} */
const KEY_OF_CODE = ["C", "the code, or the pairs again"];
/** @type {KeyRow[]} */
const KEYS_OF_PAGE = [["P F5", "presenter view"]];

/** Return a step's name beside the steps of a lesson or a presentation. @param {string} unit */
function besideSteps(unit) {
  return unit === "step" ? "step of the encoding" : unit;
}

/**
 * Return the rows of the list for the view that a grid is in.
 * @param {{presenting: boolean, lesson: boolean, film: boolean, ending?: boolean, pictured?: boolean, coded?: boolean, types?: boolean, menus?: [key: string, holds: string][], talks?: boolean, away?: boolean, unit?: string}} view
 *   as in keys.js; `ending` is whether lanes show what became of the merges, `pictured` whether there is a picture of every
 *   way, `coded` whether there is code, `types` whether somebody can type over the stage, `menus` what `menuKeys` returns, `talks` whether a talk
 *   is given, `away` whether this page is a
 *   detour from it, `unit` what `unitOf` returns
 * @param {string[]} pages  titles of the pages that number keys open in the presenter view
 * @returns {KeyRow[]}
 */
export function keyRows(
  {
    presenting,
    lesson,
    film,
    ending = false,
    pictured = false,
    coded = false,
    types = false,
    menus = [],
    talks = false,
    away = false,
    unit = "merge",
  },
  pages,
) {
  const beats = lesson || (presenting && !film);
  const switches = presenting ? KEYS_ON_STAGE.filter(([keys]) => keys !== "F" || !lesson) : KEYS_OF_PAGE;
  /** @type {KeyRow[]} */
  const numbered =
    presenting && pages.length
      ? [[`1–${pages.length}`, `a page of the app, from ${pages[0]} to ${pages.at(-1)}`]]
      : [];
  return [
    ...(beats ? keysOfBeats(unit) : keysOfPlaying(unit)),
    ...KEYS_ANYWHERE,
    ...(presenting && ending ? [KEY_OF_ENDING] : []),
    ...(pictured ? [KEY_OF_WAYS] : []),
    ...(presenting && types ? [KEY_OF_TYPING] : []),
    ...(presenting && menus.length ? [rowOfMenus(menus)] : []),
    ...(coded ? [KEY_OF_CODE] : []),
    ...switches,
    ...(talks ? [KEY_OF_NOTES] : []),
    ...numbered,
    ...(away ? [KEY_OF_RETURN] : []),
    ["?", "this list"],
  ];
}

/** Return the row of the keys that open a menu. @param {[key: string, holds: string][]} menus @returns {KeyRow} */
function rowOfMenus(menus) {
  const held = menus.map(([, holds]) => holds);
  return [menus.map(([key]) => key).join(" "), `a menu over the stage: ${held.join(", ")}`];
}

/**
 * Make the list of keys.
 * @param {HTMLElement} home  gets the focus when the list is closed, unless something else had it
 * @param {(list: HTMLElement, bars: HTMLElement) => void} draw  writes the rows, and what the bars over the slider are
 */
export function createKeyList(home, draw) {
  const list = make("div");
  const bars = make("div", "row shapes");
  const close = make("button", "quiet", { type: "button", click: () => toggle(false) }, "Close");
  const attributes = { role: "dialog", "aria-label": "Keys", hidden: true, "data-testid": "help" };
  const element = make("div", "help", attributes, make("h2", "", {}, "Keys"), list, bars, close);
  /** @type {Element | null} */
  let focused = null; // before it was opened

  function toggle(on = element.hidden) {
    if (on === !element.hidden) return;
    if (on) {
      focused = focusedBeside(home);
      draw(list, bars);
    }
    element.hidden = !on;
    if (on) close.focus({ preventScroll: true }); // the list shows its first line
    else (focused instanceof HTMLElement ? focused : home).focus({ preventScroll: true });
  }

  return { element, toggle, isOpen: () => !element.hidden };
}

const KEYS_OF_TALK = new Set(["Space →", "←", KEY_OF_TYPING[0], KEY_OF_NOTES[0], "P Esc F5"]);

/** Return the elements of rows: in a talk those of five keys, and the others behind a press. @param {KeyRow[]} rows */
export function keyElements(rows) {
  if (!talk()) return [listOf(rows)];
  const rest = rows.filter(([keys]) => !KEYS_OF_TALK.has(keys));
  const more = make("details", "", {}, make("summary", "", {}, "All keys"), listOf(rest));
  return [listOf(rows.filter(([keys]) => KEYS_OF_TALK.has(keys))), more];
}

/** @param {KeyRow[]} rows */
function listOf(rows) {
  const elements = rows.flatMap(([keys, does]) => [
    make("dt", "", {}, ...keys.split(" ").map((key) => make("kbd", "", {}, key))),
    make("dd", "", {}, does),
  ]);
  return make("dl", "", {}, ...elements);
}

/** Make the list of the keys of a grid. @param {Grid} grid */
export function createHelp(grid) {
  return createKeyList(grid.elements.viewport, (list, bars) => {
    const { group, playhead, panels, model } = grid;
    const presenting = panels.presenter.isOn();
    const ending = group.stage?.hasEnding() ?? false;
    const unit = unitOf(model);
    const pictured = Boolean(group.ways);
    const coded = Boolean(group.code);
    const view = {
      presenting,
      lesson: Boolean(group.next),
      film: playhead.film,
      ending,
      pictured,
      types: typing() !== null || pageNames().length > 0, // another page has a field
      menus: menuKeys(),
      talks: talk() !== null,
      away: Boolean(talk()?.back),
      coded,
      unit,
    };
    list.replaceChildren(...keyElements(keyRows(view, pageNames())));
    bars.replaceChildren(...barNames(model));
  });
}

/**
 * Make the line that names the most important keys; on a touch screen, what a finger does.
 * @param {boolean} beatwise  whether keys go from beat to beat
 * @param {string} unit  what a step is called
 */
function keyLine(beatwise, unit) {
  const key = (/** @type {string} */ name) => make("kbd", "", {}, name);
  const moves = beatwise
    ? [key("←"), key("→"), " step", key("Shift+→"), ` ${besideSteps(unit)}`]
    : [key("Space"), " play", key("←"), key("→"), " step"];
  const hints = make("span", "hints", {}, ...moves);
  const tap = make("span", "touch", {}, `Tap a token to see what it is made of. Swipe for one ${unit}.`);
  return make("div", "keys", {}, hints, tap);
}

// What the eye cannot guess: the narrow box without letters. One line below the grid names it on a first visit, which lasts
// until the tab is closed.

const VISITED = "merge-by-merge.visited";

/** Return whether this browser has not been here before this tab was opened; also if it stores nothing. */
function isFirstVisit() {
  try {
    const known = localStorage.getItem(VISITED) !== null && sessionStorage.getItem(VISITED) === null;
    if (!known) for (const store of [localStorage, sessionStorage]) store.setItem(VISITED, "1");
    return !known;
  } catch {
    return true;
  }
}

/** Make the line below a grid. @param {Grid} grid */
export function createMarkerLegend(grid) {
  const element = make("p", "aside marker-legend", { "data-testid": "marker-legend", hidden: true });
  const isFirst = isFirstVisit();
  let lastKey = ""; // what the drawn line depends on

  function draw() {
    const { model, theme, lane, group, options } = grid;
    const { markerByte, markerText } = model.spelling;
    const held = model.symbols.find(({ bytes }) => bytes.includes(markerByte));
    const visible = isFirst && held && !lane?.title && !group.next && !grid.panels.presenter.isOn();
    setHidden(element, !visible);
    const key = `${model.feed.id} ${theme} ${options.colour}`;
    if (!visible || key === lastKey) return;
    lastKey = key;
    const alone = held.kind === "marker";
    const chip = alone ? grid.chipFor(held.id) : chipElement(tabLabel(markerText), null, "plain");
    const does = markerMeaning(model.spelling).replace(" of", "s a"); // "ends a word"
    element.replaceChildren(chip, ` ${does}: `, make("code", "", {}, markerText));
  }
  return { element, draw };
}

// What has been learned, below a new text: the merges in their order, or the tokens of a vocabulary. Each lights up when
// a step of the encoding uses it. Of many merges only those are shown that have been used.

/** A merge or a token: the labels of its parts, the id of the token it makes, and its number among all merges. @typedef {{parts: ChipLabel[], id: number, name: string}} Learned */
/** What Python sends. @typedef {{title: string, rows: Learned[], hides: boolean, staged?: boolean}} RailData  `hides`: until it is used; `staged`: in the presenter view only */

/**
 * Return which of the learned tokens the first `step` steps have used, and which one the next step uses.
 * @param {RailData["rows"]} rows
 * @param {ArrayLike<number>} ids  of the tokens that the steps make
 * @param {number} step
 * @param {boolean} shows  whether the next step may be seen
 */
export function statesOf(rows, ids, step, shows) {
  const used = new Set(Array.from(ids).slice(0, step));
  const next = shows ? ids[step] : undefined;
  return rows.map(({ id }) => (id === next ? "next" : used.has(id) ? "used" : ""));
}

/** Make the rail of a grid. @param {Grid} grid */
export function createRail(grid) {
  const list = make("ul", "");
  const element = make("div", "row rail", { "data-testid": "rail", hidden: true });
  /** @type {HTMLElement[]} */
  let items = [];
  let lastKey = ""; // what the drawn rail depends on

  function draw() {
    const { rail } = grid.data;
    setHidden(element, !rail || grid.model.training);
    if (!rail || element.hidden) return;
    const key = `${grid.theme} ${JSON.stringify(rail)}`;
    if (key !== lastKey) build(rail);
    lastKey = key;
    const states = statesOf(rail.rows, grid.model.steps.ids, grid.step, grid.visibleMarks.winner);
    items.forEach((item, at) => {
      if (item.dataset.state !== states[at]) item.dataset.state = states[at];
      setHidden(item, rail.hides && !states[at]);
    });
  }

  /** @param {RailData} rail */
  function build({ title, rows, staged }) {
    const marker = grid.model.feed.marker_text;
    items = rows.map(({ parts, name }) => {
      const chips = parts.map((label) => chipElement(readable(label, marker), coloursOf(grid.theme, label)));
      const signed = chips.flatMap((chip, at) => (at ? [make("span", "plus", {}, "+"), chip] : [chip]));
      return make("li", "", {}, ...(name ? [make("span", "number", {}, name)] : []), ...signed);
    });
    list.replaceChildren(...items);
    element.classList.toggle("staged", Boolean(staged));
    element.replaceChildren(make("span", "rail-title", {}, title), list);
  }

  return { element, draw };
}

// The position of the window of a long text, and the controls that move it.

/**
 * Make the controls of the window. `moveWindow` asks for another part of the text, by its first character.
 * @param {(start: number) => void} moveWindow
 */
export function createWindowControls(moveWindow) {
  let part = { start: 0, end: 0, total: 0 };
  const where = make("span");
  const earlier = windowButton("← earlier", ({ start, end }) => start - (end - start));
  const later = windowButton("later →", ({ end }) => end);
  const slider = make("input", "range", {
    type: "range",
    min: 0,
    "aria-label": "Start of the window",
    change: () => move(Number(slider.value)),
  });
  const element = make(
    "div",
    "aside row window",
    { hidden: true, "data-testid": "window" },
    where,
    earlier,
    slider,
    later,
  );

  /** @param {number} to */
  function move(to) {
    moveWindow(Math.max(0, Math.min(to, part.total - 1)));
  }

  /** @param {string} text @param {(now: typeof part) => number} to */
  function windowButton(text, to) {
    return make("button", "quiet", { type: "button", click: () => move(to(part)) }, text);
  }

  // The controls stay the same, since a key that moves them must find the focus where it was.
  /** @param {RunningText} text */
  function draw({ start, end, total }) {
    element.hidden = !total || (start === 0 && end >= total);
    if (element.hidden) return;
    part = { start, end, total };
    where.textContent = `showing characters ${formatNumber(start)}–${formatNumber(end)} of ${formatNumber(total)}`;
    slider.max = String(total - 1);
    slider.step = String(Math.max(1, Math.floor((end - start) / 2)));
    slider.value = String(start);
    const focused = focusedBeside(element);
    earlier.disabled = start === 0;
    later.disabled = end >= total;
    if ([earlier, later].some((button) => button.disabled && button === focused)) slider.focus();
  }
  return { element, draw };
}
