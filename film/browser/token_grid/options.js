// How the grid is drawn: view, drawing, colouring, white space, motion. Kept in the browser, shared by all grids.

import { COLOURINGS } from "../shared/colour.js";
import { chipElement, make } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { MOST_CHIPS } from "./chips.js";
import { hasRivals } from "./lanes.js";

const STORE = "merge-by-merge.view";
const CHOICES = {
  view: { label: "Show", values: { auto: "automatic", both: "words and text", words: "distinct words", text: "running text" } },
  drawing: { label: "Draw as", values: { auto: "automatic", chips: "chips that fuse", cells: "cells that stand still" } },
  colour: { label: "Colour by", values: Object.fromEntries(Object.entries(COLOURINGS).map(([slug, row]) => [slug, row.label])) },
};
const SWITCHES = { glyphs: "white space · → ↵", motion: "motion" };
const DEFAULTS = { view: "auto", drawing: "auto", colour: "identity", glyphs: true, motion: true };

export function readOptions(given = {}) {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    kept = {}; // a browser that keeps nothing, or something else under our name
  }
  const options = { ...DEFAULTS, ...given };
  for (const [name, { values }] of Object.entries(CHOICES)) if (kept[name] in values) options[name] = kept[name];
  for (const name of Object.keys(SWITCHES)) if (typeof kept[name] === "boolean") options[name] = kept[name];
  return options;
}

export function keepOption(name, value) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...JSON.parse(localStorage.getItem(STORE) ?? "{}"), [name]: value }));
  } catch {
    return; // the choice then holds until the page is left
  }
}

const SHAPES = { winner: "next", tied: "tied with it", fresh: "new", differs: "cut otherwise in another lane" };

export function createOptions(grid) {
  const controls = {};
  const element = make("div", "options", { role: "group", "aria-label": "Drawing" });
  for (const [name, { label, values }] of Object.entries(CHOICES)) {
    const select = make("select", "", { "data-testid": `option-${name}`, change: () => grid.choose(name, select.value) });
    select.append(...Object.entries(values).map(([slug, text]) => make("option", "", { value: slug }, text)));
    controls[name] = select;
    element.append(make("label", "", {}, `${label} `, select));
  }
  for (const [name, label] of Object.entries(SWITCHES)) {
    const box = make("input", "", { type: "checkbox", "data-testid": `option-${name}`, change: () => grid.choose(name, box.checked) });
    controls[name] = box;
    element.append(make("label", "", {}, box, ` ${label}`));
  }
  const legend = make("div", "legend", { "data-testid": "legend", hidden: true });
  const note = make("p", "note", { hidden: true }, `More than ${formatNumber(MOST_CHIPS)} letters: drawn as cells.`);
  const shapes = Object.entries(SHAPES).map(([name, text]) => make("span", "", {}, make("span", `shape ${name}`, { "aria-hidden": "true" }), text));
  const marks = make("div", "shapes", { "data-testid": "shapes" }, ...shapes);
  const whole = make("div", "settings", {}, marks, element, note, legend);

  function draw() {
    for (const name of Object.keys(CHOICES)) controls[name].value = grid.options[name];
    for (const name of Object.keys(SWITCHES)) controls[name].checked = grid.options[name];
    controls.view.parentElement.hidden = !grid.model.text.length || !grid.model.feed.rows;
    shapes[1].hidden = !grid.model.steps.tied.some((tied) => tied > 1);
    shapes[3].hidden = !hasRivals(grid);
    note.hidden = grid.options.drawing !== "chips" || grid.asChips;
    const entries = COLOURINGS[grid.options.colour].legend(grid.model.last);
    legend.hidden = !entries.length;
    legend.replaceChildren(...entries.map((entry) => chipElement(entry.text, COLOURINGS[grid.options.colour].chip(grid.theme, entry))));
  }

  return { element: whole, draw };
}
