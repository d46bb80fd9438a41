// The table of models and their tokenizers, which fills the stage of a lesson.

/** @import {TableData} from "../chip_table/columns.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { rowElements } from "../chip_table/row.js";
import { themeOf } from "../shared/colour.js";
import { largestSize, make } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { groupNamed, hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";

/** @typedef {TableData & {group: string}} ModelsData */

const LEAST_LETTERS = 0.02; // share of the window's height
const MOST_LETTERS = 0.04;

/** @param {Component<ModelsData>} component @returns {Controller<ModelsData>} */
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

  /** @type {Controller<ModelsData>["update"]} */
  function update({ data }) {
    root.dataset.theme = themeOf(root);
    const heads = data.columns.map(([title, kind]) => {
      return make("th", kind, { scope: "col" }, make("span", "head", {}, title));
    });
    const rows = data.rows.flatMap((_, at) => rowElements(data, at, (cell) => [String(cell)]));
    const parts = [make("thead", "", {}, make("tr", "", {}, ...heads)), make("tbody", "", {}, ...rows)];
    const table = make("table", "wraps", { "aria-label": data.label }, ...parts);
    root.replaceChildren(make("div", "sight", {}, table));
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
    const [sight, head, first] = [".sight", "thead th", ".marked"].map((name) => root.querySelector(name));
    if (!sight || !first) return;
    // The head covers rows that are scrolled under it; a narrow table has no head.
    const edge = head?.clientHeight ? head.getBoundingClientRect().bottom : sight.getBoundingClientRect().top;
    sight.scrollTop += first.getBoundingClientRect().top - edge;
  }

  const observer = new ResizeObserver(showMarked); // another window size
  observer.observe(root);

  function remove() {
    lifetime.abort();
    observer.disconnect();
  }
  return { update, remove };
}
