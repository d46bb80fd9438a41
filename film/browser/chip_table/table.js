// The table of every page, in which tokens are chips. Only the rows in sight exist, unless some have several lines; a press
// on a column's head sorts by it.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Cell, Kind, TableData} from "./columns.js" */

import { themeOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { rootOf } from "../shared/mount.js";
import { sumOf } from "../shared/numbers.js";
import { rowElements } from "./row.js";
import { chipMaker } from "./tokens.js";
import { fitting, formatsOf, orderOf, cellText, widthsOf } from "./columns.js";

const ROW = 36; // px, as in the style sheet
const HEAD = 40;
const GROUPS = 26; // px of the row above the heads that names groups of columns
const SPARE = 1.5; // how much wider than its content a table may become
const ROWS_BEYOND = 6; // rows above and below those in sight that exist too
const MOVES = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 8],
  ["PageUp", -8],
  ["Home", -Infinity],
  ["End", Infinity],
]);

/** @param {Component<TableData>} component @returns {Controller<TableData>} */
export function createChipTable(component) {
  const root = rootOf(component, "[data-testid=chip-table]");
  let { data } = component;
  let lastText = ""; // theme and data, as text
  /** @type {number[]} */
  let order = []; // positions of the rows, in the order in which they are shown
  let sortedBy = -1; // position of a column; -1 for the order of the rows as they come
  let falls = false; // whether the largest comes first
  let current = 0; // position in the order that the Tab key leads to
  let chosen = -1; // position of a row
  let formats = formatsOf(data);
  let chip = chipMaker(data.tokens, themeOf(root));
  const colgroup = make("colgroup");
  const head = make("thead");
  const body = make("tbody");
  const table = make("table", "", {}, colgroup, head, body);
  const sight = make("div", "sight", { scroll: () => hasLines() || draw() }, table);
  body.addEventListener("keydown", follow);
  root.replaceChildren(sight);
  new ResizeObserver(fit).observe(root);

  /** @type {Controller<TableData>["update"]} */
  function update(next) {
    component = next;
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(next.data)}`;
    if (text === lastText) return;
    const sameRows = JSON.stringify(next.data.rows) === JSON.stringify(data.rows);
    lastText = text;
    ({ data } = next);
    root.dataset.theme = theme;
    chip = chipMaker(data.tokens, theme);
    if (!sameRows) [sortedBy, falls, current, chosen] = [-1, false, 0, -1];
    formats = formatsOf(data);
    table.setAttribute("role", data.chooses ? "grid" : "table"); // only a grid's rows can be selected
    table.setAttribute("aria-label", data.label);
    table.setAttribute("aria-rowcount", String(data.rows.length + 1));
    sight.style.height = hasLines()
      ? ""
      : `${Math.min(data.height, headHeight() + ROW * data.rows.length + 2)}px`;
    sight.style.maxHeight = `${data.height}px`;
    fit();
    sort();
  }

  /** Make the columns as wide as the page allows. */
  function fit() {
    const needed = widthsOf(data);
    const kinds = data.columns.map(([, kind]) => kind);
    const room = root.clientWidth - 2;
    const { widths, isClose } = fitting(needed, kinds, room > 0 ? room : Infinity);
    table.classList.toggle("close", isClose);
    colgroup.replaceChildren(...widths.map((width) => make("col", "", { style: `width: ${width}px` })));
    const least = sumOf(widths);
    table.style.minWidth = `${least}px`;
    sight.style.width = `min(100%, ${Math.round((hasLines() ? 2 * SPARE : SPARE) * least) + 2}px)`;
  }

  function headHeight() {
    return data.columns.some(([, , , , , group]) => group) ? HEAD + GROUPS : HEAD;
  }

  /** Return whether rows may have several lines. */
  function hasLines() {
    return data.columns.some(([, kind]) => kind === "prose");
  }

  function sort() {
    order = orderOf(data, sortedBy, falls);
    const isGrouped = headHeight() > HEAD;
    const cells = data.columns.map(([title, kind, meaning, , , group], at) =>
      headCell(title, kind, meaning, at, isGrouped && !group),
    );
    const [above, below] = [make("tr", "groups"), make("tr")];
    let named = ""; // the group whose name stands above the column before
    cells.forEach((cell, at) => {
      const group = data.columns[at][5] ?? "";
      if (isGrouped && !group) above.append(cell);
      else below.append(cell);
      const last = /** @type {HTMLTableCellElement | null} */ (above.lastElementChild);
      if (group && group === named && last) last.colSpan += 1;
      else if (group) {
        cell.classList.add("first");
        above.append(make("th", "group", { scope: "colgroup" }, group));
      }
      named = group;
    });
    head.replaceChildren(...(isGrouped ? [above] : []), below);
    draw();
  }

  /** @param {string} title @param {Kind} kind @param {string} meaning @param {number} at @param {boolean} isHigh */
  function headCell(title, kind, meaning, at, isHigh) {
    const isSorted = at === sortedBy;
    const sorted = isSorted ? (falls ? "descending" : "ascending") : "none";
    const sign = isSorted ? (falls ? " ▾" : " ▴") : "";
    const button = make(
      "button",
      "head",
      { type: "button", title: meaning || null, click: press },
      title + sign,
    );
    const attributes = { scope: "col", "aria-sort": sorted, rowspan: isHigh ? 2 : null, "data-at": at };
    return make("th", kind, attributes, button);

    function press() {
      // One way, the other way, and back to the order of the rows.
      if (!isSorted) [sortedBy, falls] = [at, kind === "number"];
      else if (falls === (kind === "number")) falls = !falls;
      else sortedBy = -1;
      sort();
      const pressed = head.querySelector(`[data-at="${at}"] button`);
      if (pressed instanceof HTMLElement) pressed.focus();
    }
  }

  function draw() {
    const all = hasLines();
    const first = all ? 0 : Math.max(0, Math.floor((sight.scrollTop - headHeight()) / ROW) - ROWS_BEYOND);
    const size = all ? order.length : Math.ceil(data.height / ROW) + 2 * ROWS_BEYOND;
    const last = Math.min(order.length, first + size);
    const focused = root.getRootNode();
    const hadFocus = focused instanceof ShadowRoot && body.contains(focused.activeElement);
    body.replaceChildren(
      spacer(first),
      ...order.slice(first, last).flatMap((position, at) => drawnRow(position, first + at)),
      spacer(order.length - last),
    );
    if (hadFocus) rowAt(current)?.focus({ preventScroll: true });
  }

  /** @param {number} rows */
  function spacer(rows) {
    return make("tr", "spacer", { "aria-hidden": "true", style: `height: ${ROW * rows}px` });
  }

  /** @param {number} position @param {number} row */
  function drawnRow(position, row) {
    const chooses = data.chooses
      ? {
          tabindex: row === current ? 0 : -1,
          "aria-selected": String(position === chosen),
          click: () => choose(row),
        }
      : {};
    const contentOf = (/** @type {Cell} */ cell, /** @type {number} */ at) => {
      return Array.isArray(cell) ? cell.map(chip) : [cellText(cell, formats[at])];
    };
    return rowElements(data, position, contentOf, { "data-row": row, "aria-rowindex": row + 2, ...chooses });
  }

  /** @param {number} row */
  function rowAt(row) {
    return /** @type {HTMLElement | null} */ (body.querySelector(`[data-row="${row}"]`));
  }

  /** @param {number} row */
  function choose(row) {
    current = row;
    chosen = order[row];
    component.setTriggerValue("chosen", chosen);
    draw();
    rowAt(row)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  function follow(event) {
    const move = MOVES.get(event.key);
    if (event.key === "Enter" || event.key === " ") choose(current);
    else if (move === undefined) return;
    else {
      current = Math.max(0, Math.min(order.length - 1, current + move));
      const top = current * ROW;
      const room = sight.clientHeight - headHeight() - ROW;
      if (!hasLines()) sight.scrollTop = Math.max(Math.min(sight.scrollTop, top), top - room);
      draw();
      rowAt(current)?.focus({ preventScroll: !hasLines() });
    }
    event.preventDefault();
    event.stopPropagation(); // the keys of a grid are not for the table
  }

  return { update };
}
