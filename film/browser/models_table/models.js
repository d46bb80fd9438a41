// The table of models and their tokenizers.

/** @import {Component, Controller} from "../shared/mount.js" */

import { themeOf } from "../shared/colour.js";
import { make, largestSize } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { groupNamed, hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";

/**
 * One model: its cells in the order of COLUMNS, and the preset that trains in its way.
 * @typedef {object} ModelRow
 * @property {string[]} cells
 * @property {string} note  a correction, or ""
 * @property {string} source
 * @property {string} preset  its title, or ""
 * @property {string} link  the address of Watch with that preset
 * @property {string} differs  what the preset leaves out
 * @property {boolean} marked  whether the lesson's text is about it
 */
/** @typedef {{label: string, rows: ModelRow[], group: string}} TableData */

const LEAST_LETTERS = 0.02; // share of the window's height
const MOST_LETTERS = 0.04;
const COLUMNS = ["Model", "Algorithm", "Library", "Vocabulary", "Unknown characters"];

/** @param {Component<TableData>} component @returns {Controller<TableData>} */
export function createModels(component) {
  const root = rootOf(component, "[data-testid=models-table]");
  const lifetime = new AbortController();
  const group = groupNamed(component.data.group);
  const present = (/** @type {boolean} */ on) => {
    setPresenting(root, on);
    showMarked();
  };
  hear("present", group.name, lifetime.signal, ({ on }) => present(on));
  hear("asked", group.name, lifetime.signal, hide);
  if (group.presenting) present(true);

  // The corrections would answer a question of the lesson.
  function hide() {
    root.classList.toggle("asked", group.asks === true);
    showMarked();
  }

  /** @type {Controller<TableData>["update"]} */
  function update({ data }) {
    root.dataset.theme = themeOf(root);
    const head = COLUMNS.map((title) => make("th", "", { scope: "col" }, title));
    const models = data.rows.map(modelElement);
    const table = make(
      "table",
      "",
      { "aria-label": data.label },
      make("thead", "", {}, make("tr", "", {}, ...head)),
    );
    table.append(...models);
    root.replaceChildren(table);
    hide();
  }

  // A clicker cannot scroll: the rows that the text is about are as large as all of them fit.
  function fit() {
    if (!root.classList.contains("presenting")) return root.style.removeProperty("--letters");
    const { innerHeight } = window;
    const size = largestSize(LEAST_LETTERS * innerHeight, MOST_LETTERS * innerHeight, (letters) => {
      root.style.setProperty("--letters", `${letters}px`);
      return root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth;
    });
    root.style.setProperty("--letters", `${size}px`);
  }

  function showMarked() {
    fit();
    const first = /** @type {HTMLElement | null} */ (root.querySelector("tbody.marked"));
    root.scrollTop = first ? first.offsetTop : 0;
    if (!first) return;
    // The head covers rows that are scrolled under it; a narrow table has no head.
    const head = root.querySelector("thead th");
    const edge = head?.clientHeight ? head.getBoundingClientRect().bottom : root.getBoundingClientRect().top;
    root.scrollTop += first.getBoundingClientRect().top - edge;
  }

  const observer = new ResizeObserver(showMarked); // another window size
  observer.observe(root);

  function remove() {
    lifetime.abort();
    observer.disconnect();
  }
  return { update, remove };
}

/** Return the two rows of a model: its cells, then the source and what else there is to say. @param {ModelRow} row */
function modelElement({ cells, note, source, preset, link, differs, marked }) {
  const [name, ...others] = cells;
  const data = others.map((text, number) => make("td", "", { "data-title": COLUMNS[number + 1] }, text));
  const about = [make("span", "source", {}, source)];
  if (note) about.unshift(make("span", "note", {}, note));
  if (preset) {
    const open = make("a", "", {}, preset);
    open.href = link;
    open.target = "_blank";
    about.push(make("span", "train", {}, "Train this way: ", open, `. ${differs}.`));
  }
  const below = make("td", "about", {}, ...about);
  below.colSpan = cells.length;
  const title = make("th", "", { scope: "row" }, name);
  const rows = [make("tr", "", {}, title, ...data), make("tr", "", {}, below)];
  return make("tbody", marked ? "marked" : "", { "data-marked": String(marked) }, ...rows);
}
