// The drawing options: view, drawing, colouring, white space, motion. The browser stores them, and all grids share
// them.

/** @import {Grid} from "../types.js" */

import { COLOURINGS } from "../../shared/colour.js";
import { chipElement } from "../../shared/chip.js";
import { make, setHidden } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { MOST_CHIPS } from "../drawing/chip_drawing.js";
import { rivalsOf } from "../data/lanes.js";

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
  tied: "tied for it (dots where there are too many)",
  fresh: "just created",
  differs: "split differently in another lane",
  bar: "ties, as bars over the slider",
};

const DOTTED = "tied for it (dots where brackets do not fit)";

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

/**
 * Store a choice of the viewer's.
 * @param {keyof Options} name
 * @param {string | boolean} value
 */
export function storeOption(name, value) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readStore(), [name]: value }));
  } catch {
    return; // the choice then lasts until the viewer leaves the page
  }
}

/**
 * Make the controls for the options, with the legends.
 * @param {Grid} grid
 */
export function createOptions(grid) {
  const selects = CHOICE_NAMES.map((name) => ({ name, control: createSelect(grid, name) }));
  const boxes = SWITCH_NAMES.map((name) => ({ name, control: createBox(grid, name) }));
  const labels = [
    ...selects.map(({ name, control }) => make("label", "", {}, `${CHOICES[name].label} `, control)),
    ...boxes.map(({ name, control }) => make("label", "", {}, control, ` ${SWITCHES[name]}`)),
  ];
  const [viewLabel] = labels;
  const controls = make("div", "options", { role: "group", "aria-label": "Drawing" }, ...labels);
  const legend = make("div", "legend", { "data-testid": "legend", hidden: true });
  const tooLong = `More than ${formatNumber(MOST_CHIPS)} letters: drawn as cells.`;
  const note = make("p", "note", { hidden: true }, tooLong);
  const shapes = Object.entries(SHAPES).map(([name, text]) => {
    return make("span", "", {}, make("span", `shape ${name}`, { "aria-hidden": "true" }), text);
  });
  const [, tied, , differs, bar] = shapes;
  const marks = make("div", "shapes", { "data-testid": "shapes" }, ...shapes);
  const element = make(
    "div",
    "settings",
    { role: "group", "aria-label": "View" },
    marks,
    controls,
    note,
    legend,
  );

  function draw() {
    const { model, options, theme } = grid;
    for (const { name, control } of selects) control.value = options[name];
    for (const { name, control } of boxes) control.checked = options[name];
    setHidden(viewLabel, !model.text.length || !model.feed.rows);
    const brackets = grid.layouts.some(({ metrics }) => metrics.pill > 0);
    const name = brackets ? SHAPES.tied : DOTTED;
    if (tied.lastChild?.textContent !== name) tied.lastChild?.replaceWith(name);
    tied.firstElementChild?.classList.toggle("dotted", !brackets);
    const ties = model.steps.tied.some((count) => count > 1);
    for (const shape of [tied, bar]) setHidden(shape, !ties);
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

/**
 * @param {Grid} grid
 * @param {ChoiceName} name
 */
function createSelect(grid, name) {
  const change = () => grid.choose(name, /** @type {any} a key of the choice's values */ (select.value));
  const select = make("select", "", { "data-testid": `option-${name}`, change });
  const values = Object.entries(CHOICES[name].values);
  select.append(...values.map(([slug, text]) => make("option", "", { value: slug }, text)));
  return select;
}

/**
 * @param {Grid} grid
 * @param {SwitchName} name
 */
function createBox(grid, name) {
  const change = () => grid.choose(name, box.checked);
  const box = make("input", "", { type: "checkbox", "data-testid": `option-${name}`, change });
  return box;
}
