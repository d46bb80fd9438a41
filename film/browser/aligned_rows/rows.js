// The rows in bands that fit the page. Pointing at a cell, or reaching it by keys, highlights the cells above and below
// it.

/** @import {Component, Controller} from "../shared/page/mount.js" */
/** @import {Cell, Columns, SentCell} from "./bands.js" */

import { chipContent, labelText } from "../shared/tokens/chip.js";
import { coloursOfId, paintChip, themeOf } from "../shared/tokens/colour.js";
import { focusedBeside, hasModifier, make, setPresenting } from "../shared/page/dom.js";
import { groupNamed, hear } from "../shared/groups.js";
import { rootOf } from "../shared/page/mount.js";
import { scalesOf } from "./scales.js";
import { bandsOf, isPart, readCell } from "./bands.js";

/**
 * What Python sends.
 * @typedef {object} RowsData
 * @property {string} label
 * @property {{slug: string, title: string, cells: SentCell[]}[]} rows
 * @property {[kind: string, text: string][]} legend
 * @property {boolean} marked  whether any cell is marked
 * @property {string} [group]  of the grid with which the rows enter the presenter view
 */

/** A drawn cell. One that is broken over two bands is drawn in both. @typedef {{element: HTMLElement, cell: Cell, row: number}} Box */

const TITLES = 128; // px for the rows' names beside them
const NARROW_ROWS = 560; // px; in less width the names are above their rows
const ROWS_MARGIN = 6; // px
/** @type {Record<string, string>} */
const ROWS_SAMPLES = { ascii: "41", lead: "F0", continuation: "9F", unknown: "?" }; // text of the legend's cells
const MADE_OF = "a cell to see what it is made of";
const HINT = `Point at ${MADE_OF}, or press Tab and move with the arrow keys.`;
const TOUCHED = "(pointer: coarse) and (hover: none)";
const TOUCH_HINT = `Tap ${MADE_OF}.`;

/**
 * Make the aligned rows.
 * @param {Component<RowsData>} component
 * @returns {Controller<RowsData>}
 */
export function createRows(component) {
  const root = rootOf(component, "[data-testid=aligned-rows]");
  const note = make("p", "note", { "aria-live": "polite", "data-testid": "aligned-note" });
  const bandList = make("div", "bands");
  const legend = make("div", "legend");
  root.replaceChildren(bandList, note, legend);
  let { data } = component;
  let lastText = ""; // the data, as text
  let theme = themeOf(root);
  let width = 0;
  /** @type {Box[][]} */
  let boxes = []; // of each row
  /** @type {Box | null} */
  let lit = null;

  /** @type {Controller<RowsData>["update"]} */
  function update(next) {
    const text = JSON.stringify(next.data);
    const themeNow = themeOf(root);
    if (text === lastText && themeNow === theme) return;
    data = next.data;
    lastText = text;
    theme = themeNow;
    root.dataset.theme = theme;
    layOut();
  }

  function layOut() {
    width = root.clientWidth;
    const rows = data.rows.map((row) => row.cells.map(readCell));
    const layOutAt = (/** @type {number} */ scale) => {
      const room = note.clientWidth / scale; // between the root's paddings
      const narrow = room < NARROW_ROWS;
      return { scale, narrow, ...bandsOf(rows, room - ROWS_MARGIN - (narrow ? 0 : TITLES)) };
    };
    drawLegend();
    const presents = root.classList.contains("presenting");
    root.classList.remove("full");
    const layouts = scalesOf(presents).map(layOutAt);
    const whole = layouts.filter(({ bands }) => bands.length === 1);
    const draw = (/** @type {ReturnType<typeof layOutAt>} */ { scale, narrow, bands, columns }) => {
      bandList.style.setProperty("zoom", String(scale));
      boxes = rows.map(() => []);
      bandList.replaceChildren(
        ...bands.map(([from, to], number) => bandElement(rows, from, to, columns, narrow, number)),
      );
      return !presents || root.scrollHeight <= root.clientHeight + 1;
    };
    // Letters as large as fit, in one band if possible; the last resort is without the legend, and close together.
    if (whole.some(draw) || layouts.some(draw)) return finish();
    root.classList.add("full");
    layouts.some(draw);
    finish();
  }

  function finish() {
    light(null);
    const [first] = boxes.flat();
    if (first) first.element.tabIndex = 0;
  }

  /**
   * @param {Cell[][]} rows
   * @param {number} from
   * @param {number} to
   * @param {Columns} columns
   * @param {boolean} narrow
   * @param {number} number
   */
  function bandElement(rows, from, to, { widths, first }, narrow, number) {
    const label = `${data.label}, part ${number + 1}`;
    const element = make("div", `band${narrow ? " narrow" : ""}`, { role: "grid", "aria-label": label });
    const columns = widths.slice(from - first, to - first).map((column) => `${column.toFixed(1)}px`);
    element.style.gridTemplateColumns = [...(narrow ? [] : [`${TITLES}px`]), ...columns].join(" ");
    rows.forEach((cells, row) => {
      const title = make("div", "title", { role: "rowheader" }, data.rows[row].title);
      const line = make("div", "line", { role: "row", "data-row": data.rows[row].slug }, title);
      title.style.gridRow = String(narrow ? 2 * row + 1 : row + 1);
      for (const cell of cells) {
        if (cell.end > from && cell.start < to) line.append(cellElement(cell, row, from, to, narrow));
      }
      element.append(line);
    });
    return element;
  }

  /**
   * @param {Cell} cell
   * @param {number} row
   * @param {number} from
   * @param {number} to
   * @param {boolean} narrow
   */
  function cellElement(cell, row, from, to, narrow) {
    const start = Math.max(cell.start, from);
    const end = Math.min(cell.end, to);
    const named = start === cell.start || 2 * (end - start) >= cell.end - cell.start; // or its larger part
    const element = make(
      "div",
      `cell ${cell.kind.replace(" ", "-")}`,
      {
        role: "gridcell",
        tabindex: -1,
        dir: "auto",
        "aria-label": `${labelText(cell.label)}: ${cell.about}`,
      },
      make("span", "", {}, ...(named ? chipContent(cell.label) : ["…"])),
    );
    const shift = (narrow ? 1 : 2) - from;
    element.style.gridColumn = `${start + shift} / ${end + shift}`;
    element.style.gridRow = String(narrow ? 2 * row + 2 : row + 1);
    if (cell.kind === "token" && cell.id >= 0) paintChip(element, coloursOfId(theme, cell.id));
    element.classList.toggle("part", isPart(cell));
    element.classList.toggle("marked", cell.marked);
    element.classList.toggle("goes-on", start > cell.start);
    element.classList.toggle("cut", end < cell.end);
    boxes[row].push({ element, cell, row });
    return element;
  }

  /** @param {Box | null} here */
  function light(here) {
    lit = here;
    root.classList.toggle("linking", Boolean(here));
    /** @type {HTMLElement[]} */
    const linked = [];
    boxes.forEach((inRow, row) => {
      /** @type {Set<Cell>} */
      const cells = new Set();
      for (const other of inRow) {
        const same = other.cell === here?.cell;
        const on = same || (here !== null && row !== here.row && overlaps(other, here));
        other.element.classList.toggle("on", on);
        other.element.classList.toggle("here", same);
        if (on) cells.add(other.cell);
      }
      if (!here || row === here.row || !cells.size) return;
      const labels = [...cells].map(({ label }) => labelText(label)).join(" ");
      linked.push(make("span", "linked", {}, make("b", "", {}, `${data.rows[row].title} `), labels));
    });
    if (!here) return note.replaceChildren(matchMedia(TOUCHED).matches ? TOUCH_HINT : HINT);
    const { label, about } = here.cell;
    note.replaceChildren(make("b", "what", { dir: "auto" }, labelText(label)), ` ${about}`, ...linked);
  }

  function drawLegend() {
    const items = data.legend.map(([kind, text]) => legendItem(kind, ROWS_SAMPLES[kind] ?? "·", text));
    if (data.marked) items.push(legendItem("token marked", "a", "split differently in another row"));
    legend.replaceChildren(...items);
  }

  /** @param {Event} event */
  function boxOf({ target }) {
    const element = target instanceof Element ? target.closest(".bands .cell") : null;
    return boxes.flat().find((box) => box.element === element) ?? null;
  }

  /** @param {Box | null} here */
  function point(here) {
    if (here !== lit) light(here);
  }

  /** @param {Box | undefined} box */
  function reach(box) {
    if (!box) return;
    for (const { element } of boxes.flat()) element.tabIndex = -1;
    box.element.tabIndex = 0;
    box.element.focus();
    box.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * Return the nearest cell above or below one, row by row.
   * @param {Box} here
   * @param {1 | -1} by
   */
  function boxBeyond(here, by) {
    for (let row = here.row + by; boxes[row]; row += by) {
      const box = boxes[row].find((other) => overlaps(other, here));
      if (box) return box;
    }
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const here = boxOf(event);
    if (!here) return;
    const inRow = boxes[here.row];
    const at = inRow.indexOf(here);
    /** @type {Record<string, () => Box | undefined>} */
    const targets = {
      ArrowRight: () => inRow[at + 1],
      ArrowLeft: () => inRow[at - 1],
      ArrowDown: () => boxBeyond(here, 1),
      ArrowUp: () => boxBeyond(here, -1),
      Home: () => inRow[0],
      End: () => inRow.at(-1),
    };
    const target = targets[event.key];
    if (!target || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    reach(target());
  }

  bandList.addEventListener("pointerover", (event) => point(boxOf(event)));
  bandList.addEventListener("pointerleave", () => {
    if (!bandList.contains(focusedBeside(root))) point(null);
  });
  bandList.addEventListener("focusin", (event) => point(boxOf(event)));
  bandList.addEventListener("focusout", ({ relatedTarget }) => {
    if (!bandList.contains(/** @type {Node | null} */ (relatedTarget))) point(null);
  });
  bandList.addEventListener("keydown", walk);
  const lifetime = new AbortController();
  if (data.group) joinGroup(data.group);

  /** @param {string} name */
  function joinGroup(name) {
    const group = groupNamed(name);
    /** @param {boolean} on */
    const present = (on) => {
      setPresenting(root, on);
      if (lastText) layOut();
    };
    const hide = () => root.classList.toggle("asked", group.asks === true);
    hear("present", name, lifetime.signal, ({ on }) => present(on));
    hear("asked", name, lifetime.signal, hide);
    if (group.presenting) present(true);
    hide();
  }

  const observer = new ResizeObserver(() => lastText && Math.abs(root.clientWidth - width) > 1 && layOut());
  observer.observe(root);
  function remove() {
    lifetime.abort();
    observer.disconnect();
  }
  return { update, remove };
}

/**
 * @param {Box} one
 * @param {Box} other
 */
function overlaps(one, other) {
  return one.cell.start < other.cell.end && other.cell.start < one.cell.end;
}

/**
 * @param {string} kind
 * @param {string} sample
 * @param {string} text
 */
function legendItem(kind, sample, text) {
  const cell = make("span", `cell sample ${kind}`, { "aria-hidden": "true" }, make("span", "", {}, sample));
  return make("span", "key", {}, cell, text);
}
