// One row of a table with chips, as elements. A film has no more of that table than this.

/** @import {Attributes} from "../shared/dom.js" */
/** @import {Below, Cell, TableData} from "./columns.js" */

import { make } from "../shared/dom.js";

/**
 * Make the cells of a row, and what stands below them.
 * @param {Pick<TableData, "columns" | "rows" | "pale" | "marked" | "below">} data
 * @param {number} position  of the row
 * @param {(cell: Cell, column: number) => (Node | string)[]} contentOf
 * @param {Attributes} [attributes]  of the row
 */
export function rowElements({ columns, rows, pale, marked, below }, position, contentOf, attributes) {
  const name = marked?.includes(position) ? "marked" : pale.includes(position) ? "pale" : "";
  const cells = rows[position].map((cell, at) => {
    const [title, kind, , , , group] = columns[at];
    const named = below ? { role: at ? null : "rowheader", "data-title": title } : {};
    const element = make("td", kind, named, ...contentOf(cell, at));
    if (group && group !== columns[at - 1]?.[5]) element.classList.add("first");
    if (kind === "text" || kind === "tokens") element.title = element.textContent ?? ""; // it may end in “…”
    return element;
  });
  const row = make("tr", name, attributes, ...cells);
  if (!below) return [row];
  const lines = make("td", "", {}, ...below[position].map(lineBelow));
  lines.colSpan = cells.length;
  return [row, make("tr", `below ${name}`, {}, lines)];
}

/** @param {Below} line */
function lineBelow({ kind, text, link }) {
  if (!link) return make("span", kind, {}, text);
  const [title, address] = link;
  const anchor = Object.assign(make("a", "", {}, title), { href: address, target: "_blank" });
  return make("span", kind, {}, `${text} `, anchor);
}
