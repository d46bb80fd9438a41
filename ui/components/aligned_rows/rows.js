// The rows in bands that fit the page. Pointing at a cell, or reaching it by keys, lights what is over and under it.

import { COLOURINGS, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { CELL, bandsOf, isPart, shownLabel } from "./bands.js";

const TITLES = 128; // pixels for the rows' names beside them
const NARROW = 560; // below it the names stand over their rows
const SAMPLES = { ascii: "41", lead: "F0", continuation: "9F", unknown: "?" }; // what the legend's cells hold
const HINT = "Point at a cell, or Tab into the rows and walk with the arrow keys, to see what it is made of.";

export function createRows(parentElement) {
  const root = parentElement.querySelector("[data-testid=aligned-rows]");
  const state = { data: null, width: 0, theme: "", cells: [], here: null };
  const note = make("p", "note", { "aria-live": "polite", "data-testid": "aligned-note" }, HINT);
  const bands = make("div", "bands");
  const legend = make("div", "legend");
  root.replaceChildren(bands, note, legend);

  function update({ data }) {
    const theme = themeOf(root);
    const same = state.data && JSON.stringify(data) === state.text;
    if (same && theme === state.theme) return;
    Object.assign(state, { data, text: JSON.stringify(data), theme });
    root.dataset.theme = theme;
    lay();
  }

  function lay() {
    if (!state.data) return;
    state.width = root.clientWidth;
    const narrow = state.width < NARROW;
    const { rows } = state.data;
    const layout = bandsOf(rows, state.width - (narrow ? 6 : TITLES + 6));
    state.cells = rows.map(() => []);
    bands.replaceChildren(...layout.bands.map(([from, to], number) => band(rows, from, to, layout, narrow, number)));
    drawLegend();
    clear();
    const first = state.cells.flat()[0];
    if (first) first.tabIndex = 0;
  }

  function band(rows, from, to, { widths, first }, narrow, number) {
    const columns = widths.slice(from - first, to - first).map((width) => `${width.toFixed(1)}px`).join(" ");
    const element = make("div", `band${narrow ? " narrow" : ""}`, { role: "grid", "aria-label": `${state.data.label}, part ${number + 1}` });
    element.style.gridTemplateColumns = narrow ? columns : `${TITLES}px ${columns}`;
    rows.forEach((row, at) => element.append(line(row, at, from, to, narrow)));
    return element;
  }

  function line(row, at, from, to, narrow) {
    const title = make("div", "title", { role: "rowheader" }, row.title);
    const drawn = row.cells.filter((cell) => cell[CELL.end] > from && cell[CELL.start] < to);
    const element = make("div", "line", { role: "row", "data-row": row.slug }, title);
    if (!narrow) title.style.gridRow = String(at + 1);
    else title.style.gridRow = String(2 * at + 1);
    for (const cell of drawn) element.append(box(cell, at, from, to, narrow));
    return element;
  }

  function box(cell, row, from, to, narrow) {
    const start = Math.max(cell[CELL.start], from);
    const end = Math.min(cell[CELL.end], to);
    const named = start === cell[CELL.start] || 2 * (end - start) >= cell[CELL.end] - cell[CELL.start]; // not the last bit of it
    const element = make("div", `cell ${cell[CELL.kind].replace(" ", "-")}`, { role: "gridcell", tabindex: -1, dir: "auto", "aria-label": `${cell[CELL.label]}: ${cell[CELL.about]}` }, make("span", "", {}, named ? shownLabel(cell) : "…"));
    const shift = (narrow ? 1 : 2) - from;
    element.style.gridColumn = `${start + shift} / ${end + shift}`;
    element.style.gridRow = String(narrow ? 2 * row + 2 : row + 1);
    if (cell[CELL.kind] === "token" && cell[CELL.id] >= 0) paintChip(element, COLOURINGS.identity.chip(state.theme, { id: cell[CELL.id] }));
    if (isPart(cell)) element.classList.add("part");
    if (cell[CELL.marked]) element.classList.add("marked");
    if (start > cell[CELL.start]) element.classList.add("goes-on");
    if (end < cell[CELL.end]) element.classList.add("cut");
    Object.assign(element, { cell, row });
    state.cells[row].push(element);
    return element;
  }

  const overlaps = (a, b) => a.cell[CELL.start] < b.cell[CELL.end] && b.cell[CELL.start] < a.cell[CELL.end];

  function light(here) {
    if (here === state.here) return;
    state.here = here;
    root.classList.toggle("linking", Boolean(here));
    const parts = [];
    state.cells.forEach((cells, row) => {
      const lit = [];
      for (const other of cells) {
        const on = Boolean(here) && (other.cell === here.cell || (other.row !== here.row && overlaps(other, here)));
        other.classList.toggle("on", on);
        other.classList.toggle("here", Boolean(here) && other.cell === here.cell);
        if (on && !lit.includes(other.cell)) lit.push(other.cell);
      }
      if (here && row !== here.row && lit.length) parts.push(make("span", "linked", {}, make("b", "", {}, `${state.data.rows[row].title} `), lit.map((cell) => cell[CELL.label]).join(" ")));
    });
    if (!here) return void note.replaceChildren(HINT);
    const [label, about] = [here.cell[CELL.label], here.cell[CELL.about]];
    note.replaceChildren(make("b", "what", { dir: "auto" }, label), ` ${about}`, ...parts);
  }

  function clear() {
    state.here = undefined;
    light(null);
  }

  function drawLegend() {
    const items = state.data.legend.map(([kind, text]) => make("span", "key", {}, make("span", `cell sample ${kind}`, { "aria-hidden": "true" }, make("span", "", {}, SAMPLES[kind] ?? "·")), text));
    if (state.data.marked) items.push(make("span", "key", {}, make("span", "cell sample token marked", { "aria-hidden": "true" }, make("span", "", {}, "a")), "cut differently in another row"));
    legend.replaceChildren(...items);
  }

  const boxOf = (event) => event.target.closest?.(".bands .cell") ?? null;

  function reach(element) {
    if (!element) return;
    for (const cells of state.cells) for (const other of cells) other.tabIndex = -1;
    element.tabIndex = 0;
    element.focus();
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function walk(event) {
    const here = boxOf(event);
    if (!here) return;
    const cells = state.cells[here.row];
    const at = cells.indexOf(here);
    const beside = (row) => state.cells[row]?.find((other) => overlaps(other, here));
    const rowAfter = (by) => {
      for (let row = here.row + by; row >= 0 && row < state.cells.length; row += by) if (beside(row)) return beside(row);
      return null;
    };
    const to = { ArrowRight: () => cells[at + 1], ArrowLeft: () => cells[at - 1], ArrowDown: () => rowAfter(1), ArrowUp: () => rowAfter(-1), Home: () => cells[0], End: () => cells.at(-1) }[event.key];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    reach(to());
  }

  bands.addEventListener("pointerover", (event) => light(boxOf(event)));
  bands.addEventListener("pointerleave", () => light(bands.contains(root.getRootNode().activeElement) ? state.here : null));
  bands.addEventListener("focusin", (event) => light(boxOf(event)));
  bands.addEventListener("focusout", (event) => bands.contains(event.relatedTarget) || light(null));
  bands.addEventListener("keydown", walk);
  const observer = new ResizeObserver(() => Math.abs(root.clientWidth - state.width) > 1 && lay());
  observer.observe(root);
  return { update, remove: () => observer.disconnect() };
}
