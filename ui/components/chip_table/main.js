// A table in which tokens are chips. Only the rows in sight exist; a press on a column's head sorts by it.

/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {MakeChip, Tokens} from "../compare_parts/tokens.js" */

import { chipLength, labelText } from "../../../film/browser/shared/chip.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";
import { chipMaker } from "../compare_parts/tokens.js";

// The order of a table's rows, and the widths of its columns.

const LETTER = 8; // px of a letter, and a little more
const CHIP_LETTER = 9.1; // the same in the code font
const BESIDE_LETTERS = 20; // px that a chip needs beside its letters
const LEAST_WIDTH = 64; // px of a column
const MOST_WIDTH = 420;

/**
 * Return the positions of the rows, sorted by a column. Empty cells come last; equal ones stay as they come.
 * @param {Pick<TableData, "rows" | "tokens">} data
 * @param {number} column  -1 for the order in which they come
 * @param {boolean} falls  whether the largest comes first
 */
function orderOf({ rows, tokens }, column, falls) {
  const positions = rows.map((_, at) => at);
  if (column < 0) return positions;
  const keys = rows.map((row) => keyOf(row[column], tokens.labels));
  return positions.toSorted((one, other) => {
    const [low, high] = [keys[one], keys[other]];
    if (low === null || high === null) return Number(low === null) - Number(high === null) || one - other;
    const order = typeof low === "number" && typeof high === "number" ? low - high : compare(low, high);
    return (falls ? -order : order) || one - other;
  });
}

/** @param {Cell} cell @param {ChipLabel[]} labels */
function keyOf(cell, labels) {
  if (!Array.isArray(cell)) return cell;
  return cell.length ? cell.map((position) => labelText(labels[position])).join("") : null;
}

/** @param {string | number} one @param {string | number} other */
function compare(one, other) {
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

/**
 * Return the width of each column in px, for its widest cell.
 * @param {Pick<TableData, "columns" | "rows" | "tokens">} data
 */
function widthsOf({ columns, rows, tokens: { labels } }) {
  const lengths = labels.map(chipLength);
  const widthOf = (/** @type {Cell} */ cell) => {
    if (!Array.isArray(cell)) return LETTER * [...String(cell ?? "")].length;
    return cell.reduce((sum, position) => sum + BESIDE_LETTERS + CHIP_LETTER * lengths[position], 0);
  };
  return columns.map(([title], at) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at])), LETTER * (title.length + 2));
    return Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, widest + 24)));
  });
}

/** @typedef {"text" | "number" | "tokens"} Kind */
/** A text, a number, the positions of tokens, or nothing. @typedef {string | number | number[] | null} Cell */

/**
 * What Python sends.
 * @typedef {object} TableData
 * @property {[title: string, kind: Kind, meaning: string][]} columns
 * @property {Cell[][]} rows
 * @property {number[]} pale  positions of rows
 * @property {Tokens} tokens
 * @property {string} label
 * @property {number} height  px, at most
 * @property {boolean} chooses  whether a row can be chosen
 */

const ROW = 36; // px, as in the style sheet
const HEAD = 40;
const BEYOND = 6; // rows above and below those in sight that exist too
const MOVES = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 8],
  ["PageUp", -8],
  ["Home", -Infinity],
  ["End", Infinity],
]);

/** @param {Component<TableData>} component @returns {Controller<TableData>} */
function createTable(component) {
  const root = rootOf(component, "[data-testid=chip-table]");
  let { data } = component;
  let lastText = ""; // theme and data, as text
  /** @type {number[]} */
  let order = []; // positions of the rows, in the order in which they are shown
  let sortedBy = -1; // position of a column; -1 for the order of the rows as they come
  let falls = false; // whether the largest comes first
  let current = 0; // position in the order that the Tab key leads to
  let chosen = -1; // position of a row
  let chip = chipMaker(data.tokens, themeOf(root));
  const colgroup = make("colgroup");
  const head = make("tr");
  const body = make("tbody");
  const table = make("table", "", {}, colgroup, make("thead", "", {}, head), body);
  const sight = make("div", "sight", { scroll: draw }, table);
  body.addEventListener("keydown", follow);
  root.replaceChildren(sight);

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
    table.setAttribute("role", data.chooses ? "grid" : "table"); // only a grid's rows can be selected
    table.setAttribute("aria-label", data.label);
    table.setAttribute("aria-rowcount", String(data.rows.length + 1));
    const widths = widthsOf(data);
    colgroup.replaceChildren(...widths.map((width) => make("col", "", { style: `width: ${width}px` })));
    table.style.minWidth = `${widths.reduce((sum, width) => sum + width, 0)}px`;
    sight.style.height = `${Math.min(data.height, HEAD + ROW * data.rows.length + 2)}px`;
    sort();
  }

  function sort() {
    order = orderOf(data, sortedBy, falls);
    head.replaceChildren(
      ...data.columns.map(([title, kind, meaning], at) => headCell(title, kind, meaning, at)),
    );
    draw();
  }

  /** @param {string} title @param {Kind} kind @param {string} meaning @param {number} at */
  function headCell(title, kind, meaning, at) {
    const isSorted = at === sortedBy;
    const sorted = isSorted ? (falls ? "descending" : "ascending") : "none";
    const sign = isSorted ? (falls ? " ▾" : " ▴") : "";
    const button = make(
      "button",
      "head",
      { type: "button", title: meaning || null, click: press },
      title + sign,
    );
    return make("th", kind, { scope: "col", "aria-sort": sorted }, button);

    function press() {
      // One way, the other way, and back to the order of the rows.
      if (!isSorted) [sortedBy, falls] = [at, kind === "number"];
      else if (falls === (kind === "number")) falls = !falls;
      else sortedBy = -1;
      sort();
      head.querySelectorAll("button")[at].focus();
    }
  }

  function draw() {
    const first = Math.max(0, Math.floor((sight.scrollTop - HEAD) / ROW) - BEYOND);
    const last = Math.min(order.length, first + Math.ceil(data.height / ROW) + 2 * BEYOND);
    const focused = root.getRootNode();
    const hadFocus = focused instanceof ShadowRoot && body.contains(focused.activeElement);
    body.replaceChildren(
      spacer(first),
      ...order.slice(first, last).map((position, at) => rowElement(position, first + at)),
      spacer(order.length - last),
    );
    if (hadFocus) rowAt(current)?.focus({ preventScroll: true });
  }

  /** @param {number} rows */
  function spacer(rows) {
    return make("tr", "spacer", { "aria-hidden": "true", style: `height: ${ROW * rows}px` });
  }

  /** @param {number} position @param {number} row */
  function rowElement(position, row) {
    const pale = data.pale.includes(position) ? "pale" : "";
    const attributes = data.chooses
      ? {
          tabindex: row === current ? 0 : -1,
          "aria-selected": position === chosen,
          click: () => choose(row),
        }
      : {};
    const cells = data.rows[position].map((cell, at) => {
      return make("td", data.columns[at][1], {}, ...contentOf(cell, chip));
    });
    return make("tr", pale, { "data-row": row, "aria-rowindex": row + 2, ...attributes }, ...cells);
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
      const room = sight.clientHeight - HEAD - ROW;
      sight.scrollTop = Math.max(Math.min(sight.scrollTop, top), top - room);
      draw();
      rowAt(current)?.focus({ preventScroll: true });
    }
    event.preventDefault();
    event.stopPropagation(); // the keys of a grid are not for the table
  }

  return { update };
}

/** @param {Cell} cell @param {MakeChip} chip */
function contentOf(cell, chip) {
  if (Array.isArray(cell)) return cell.map(chip);
  if (cell === null) return [];
  return [typeof cell === "number" ? formatNumber(cell) : cell];
}

export default mount(createTable);
