// The rows in bands that fit the page. Pointing at a cell, or reaching it by keys, highlights the cells above and below
// it.

/** @import {ChipLabel} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { chipText, isPartOfCharacter, chipContent, labelText } from "../shared/chip.js";
import { coloursOf, paintChip, themeOf } from "../shared/colour.js";
import { focusedBeside, hasModifier, make } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { groupNamed, hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { sumOf } from "../shared/numbers.js";
import { isTouched } from "../shared/pointed.js";

// From cells to bands: computes the width of each column, and where to break the rows so that they fit the page.

/** A cell as Python sends it. @typedef {[start: number, end: number, label: ChipLabel, about: string, kind: string, marked: number]} SentCell */

/**
 * A cell over columns [start, end).
 * @typedef {object} Cell
 * @property {number} start
 * @property {number} end
 * @property {ChipLabel} label
 * @property {string} about  what the cell is
 * @property {string} kind  a slug of the legend, "token" or "grapheme"
 * @property {boolean} marked  whether another row has other cells here
 */

/** How wide a letter is at least in a cell, and the room beside the letters, in px. @typedef {{least: number, padding: number}} CellLook */

/** The columns from `first` on, with their widths in px. @typedef {{first: number, last: number, widths: number[]}} Columns */

/** @type {Record<string, number>} */
const LETTER = { grapheme: 15, token: 9.2, unknown: 9.2, gap: 9.2, lost: 9.2, added: 9.2 }; // px per letter
const SMALL_LETTER = 8;
const PADDING = 17;
/** In the presenter view letters are larger in their cells. @type {CellLook} */
const PRESENTED_LOOK = { least: 9.6, padding: 10 };
/** @type {CellLook} */
const USUAL_LOOK = { least: 0, padding: PADDING };
const NARROWEST_BAND = 27;
const WIDE_FROM = 0x2e7f; // last code point before those that are two letters wide
const MORE_ROOM = 60; // px by which bands of equal length may differ

/** @param {SentCell} cell @returns {Cell} */
export function readCell([start, end, label, about, kind, marked]) {
  return { start, end, label, about, kind, marked: Boolean(marked) };
}

/** Return whether a cell is a token of bytes that make no whole character. @param {Cell} cell */
export function isPart({ kind, label }) {
  return kind === "token" && isPartOfCharacter(label);
}

/** @param {Cell} cell @param {CellLook} look */
function neededWidth(cell, { least, padding }) {
  let letters = 0;
  for (const letter of chipText(cell.label)) letters += (letter.codePointAt(0) ?? 0) > WIDE_FROM ? 2 : 1;
  return letters * Math.max(least, LETTER[cell.kind] ?? SMALL_LETTER) + padding;
}

/** Compute the width of each column. @param {Cell[][]} rows @param {CellLook} [look] @returns {Columns} */
export function measureColumns(rows, look = USUAL_LOOK) {
  const cells = rows.flat();
  const first = Math.min(0, ...cells.map(({ start }) => start));
  const last = Math.max(first, ...cells.map(({ end }) => end));
  /** @type {number[]} */
  const widths = Array.from({ length: last - first }, () => NARROWEST_BAND);
  // Narrow cells first: a wide one then adds only the width that its columns lack.
  for (const cell of cells.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const from = cell.start - first;
    const to = cell.end - first;
    const lacks = neededWidth(cell, look) - sumOf(widths.slice(from, to));
    if (lacks > 0) for (let at = from; at < to; at++) widths[at] += lacks / (to - from);
  }
  return { first, last, widths };
}

/**
 * Return, for each column, whether a band may end before it: no row may have a cell on both sides.
 * @param {Cell[][]} rows
 * @param {Columns} columns
 */
function breakable(rows, { first, last }) {
  /** @type {boolean[]} */
  const free = Array.from({ length: last - first + 1 }, () => true);
  for (const { start, end } of rows.flat()) for (let at = start + 1; at < end; at++) free[at - first] = false;
  return free;
}

/**
 * Break rows into bands that fit.
 * @param {Cell[][]} rows
 * @param {number} room  in px
 * @param {CellLook} [look]
 * @returns {{bands: [from: number, to: number][], columns: Columns}}  the columns of each band
 */
export function bandsOf(rows, room, look) {
  const columns = measureColumns(rows, look);
  const { widths, first } = columns;
  const free = breakable(rows, columns);
  const bands = fillBands(columns, free, room);
  // Make the bands about equally long, so that no short one is left over.
  const [from, to] = bands.at(-1) ?? [0, 0];
  if (bands.length > 1 && sumOf(widths.slice(from - first, to - first)) < room / 3) {
    const evened = fillBands(columns, free, Math.min(room, sumOf(widths) / bands.length + MORE_ROOM));
    if (evened.length === bands.length) return { bands: evened, columns };
  }
  return { bands, columns };
}

/** @param {Columns} columns @param {boolean[]} free @param {number} room */
function fillBands({ first, last, widths }, free, room) {
  /** @type {[number, number][]} */
  const bands = [];
  let from = first;
  while (from < last) {
    let width = 0;
    let to = from;
    let best = from;
    while (to < last && (width + widths[to - first] <= room || to === from)) {
      width += widths[to - first];
      to += 1;
      if (free[to - first]) best = to;
    }
    if (to < last && best > from) to = best;
    bands.push([from, to]);
    from = to;
  }
  return bands;
}

// How much larger the rows are in the presenter view.

const BESIDE = [2, 1.75, 1.5, 1.3]; // factors of a short text that leaves room for the note beside it
const LEAST_BESIDE = 760; // px of the page for both
const ROWS_SHARE = 0.6; // of the page that the rows may take then
// factors in the presenter view, tried until one band is enough
const ENLARGED = Array.from({ length: 41 }, (_, number) => 4 - 0.08 * number);
const LEAST_OF_WINDOW = 0.02; // of the window's height
const SMALLEST_LETTERS = 12; // px, the smallest letters of a cell before they are enlarged

/**
 * Return the factors to try, the largest first. At the smallest one all letters can be read from the last row.
 * @param {boolean} presents
 */
function scalesOf(presents) {
  if (!presents) return [1];
  const least = Math.ceil((100 * LEAST_OF_WINDOW * window.innerHeight) / SMALLEST_LETTERS) / 100;
  return [...ENLARGED.filter((scale) => scale > least), least];
}

/**
 * What Python sends.
 * @typedef {object} RowsData
 * @property {string} label
 * @property {{slug: string, title: string, cells: SentCell[]}[]} rows
 * @property {[kind: string, text: string][]} legend
 * @property {boolean} marked  whether any cell is marked
 * @property {string} [group]  of the grid with which the rows enter the presenter view
 * @property {boolean} [large]  whether a short text is drawn large, with the note beside it
 */

/** A drawn cell. One that is broken over two bands is drawn in both. @typedef {{element: HTMLElement, cell: Cell, row: number}} Box */

const TITLES = 128; // px for the rows' names beside them
const PRESENTED_TITLES = 92;
const NARROW_ROWS = 560; // px; in less width the names are above their rows
const ROWS_MARGIN = 6; // px
/** @type {Record<string, string>} */
const ROWS_SAMPLES = { ascii: "41", lead: "F0", continuation: "9F", unknown: "?" }; // text of the legend's cells
const MADE_OF = "a cell to see what it is made of";
const HINT = `Point at ${MADE_OF}, or press Tab and move with the arrow keys.`;
const TOUCH_HINT = `Tap ${MADE_OF}.`;

/** Make the aligned rows. @param {Component<RowsData>} component @returns {Controller<RowsData>} */
export function createRows(component) {
  const root = rootOf(component, "[data-testid=aligned-rows]");
  const note = make("p", "note", { "aria-live": "polite", "data-testid": "aligned-note" });
  const bandList = make("div", "stack bands");
  const legend = make("div", "row aside legend");
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

  const titles = () => (root.classList.contains("presenting") ? PRESENTED_TITLES : TITLES);

  function layOut() {
    width = root.clientWidth;
    const presents = root.classList.contains("presenting");
    const rows = data.rows.map((row) => row.cells.map(readCell));
    root.classList.remove("beside"); // the note is as wide as the page then
    const look = presents ? PRESENTED_LOOK : USUAL_LOOK;
    const layOutAt = (/** @type {number} */ scale, share = 1) => {
      const room = (note.clientWidth * share) / scale; // between the root's paddings
      const narrow = share === 1 && room < NARROW_ROWS;
      return { scale, narrow, ...bandsOf(rows, room - ROWS_MARGIN - (narrow ? 0 : titles()), look) };
    };
    drawLegend();
    root.classList.remove("full");
    const isRoomy = data.large && !presents && width >= LEAST_BESIDE;
    const large = isRoomy ? BESIDE.map((scale) => layOutAt(scale, ROWS_SHARE)) : [];
    const layouts = scalesOf(presents).map((scale) => layOutAt(scale));
    const whole = layouts.filter(({ bands }) => bands.length === 1);
    const draw = (/** @type {ReturnType<typeof layOutAt>} */ { scale, narrow, bands, columns }) => {
      bandList.style.setProperty("zoom", String(scale));
      boxes = rows.map(() => []);
      bandList.replaceChildren(
        ...bands.map(([from, to], number) => bandElement(rows, from, to, columns, narrow, number)),
      );
      return !presents || root.scrollHeight <= root.clientHeight + 1;
    };
    if (large.filter(({ bands }) => bands.length === 1).some(draw)) {
      root.classList.add("beside");
      return finish();
    }
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
    element.style.gridTemplateColumns = [...(narrow ? [] : [`${titles()}px`]), ...columns].join(" ");
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

  /** @param {Cell} cell @param {number} row @param {number} from @param {number} to @param {boolean} narrow */
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
    if (cell.kind === "token") paintChip(element, coloursOf(theme, cell.label));
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
    if (!here) return note.replaceChildren(isTouched() ? TOUCH_HINT : HINT);
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

  /** Return the nearest cell above or below one, row by row. @param {Box} here @param {1 | -1} by */
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

  // Not when cells appear below a pointer that rests.
  bandList.addEventListener("pointermove", (event) => point(boxOf(event)));
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

/** @param {Box} one @param {Box} other */
function overlaps(one, other) {
  return one.cell.start < other.cell.end && other.cell.start < one.cell.end;
}

/** @param {string} kind @param {string} sample @param {string} text */
function legendItem(kind, sample, text) {
  const cell = make("span", `cell sample ${kind}`, { "aria-hidden": "true" }, make("span", "", {}, sample));
  return make("span", "key", {}, cell, text);
}
