// The grid's elements, built once, and how its room is dealt out: which sheets are drawn, how large, as what.

import { make } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { MOST_CHIPS } from "./chips.js";
import { createHeadline } from "./headline.js";
import { createHelp, keyLegend } from "./keys.js";
import { metricsOf, placeSheet, spans } from "./layout.js";
import { createOptions } from "./options.js";
import { EDGE } from "./painting.js";
import { createPointing } from "./pointing.js";
import { createPresenter } from "./presenter.js";
import { createRuler } from "./ruler.js";
import { makeSheet } from "./segmentation.js";
import { createSight } from "./sight.js";
import { createSpoken } from "./spoken.js";
import { createTransport } from "./transport.js";

export function buildParts(grid, signal) {
  const { root } = grid;
  const stage = make("div", "stage");
  const viewport = make("div", "viewport", { tabindex: 0, role: "group", "aria-label": "Token grid", "aria-describedby": "frame-text", "data-testid": "viewport" }, stage);
  grid.parts = { stage, viewport, card: make("div", "card"), title: make("div", "lane", {}, make("h3"), make("p")) };
  grid.sight = createSight(grid);
  grid.ruler = createRuler(grid);
  grid.headline = createHeadline(grid);
  grid.spoken = createSpoken(grid);
  grid.help = createHelp(grid);
  grid.presenter = createPresenter(grid, signal);
  grid.pointing = createPointing(grid, signal);
  grid.settings = createOptions(grid);
  grid.window = createWindowControls(grid);
  grid.parts.card.append(grid.parts.title, viewport, grid.ruler.element, grid.window.element, grid.pointing.details.element);
  root.append(grid.headline.element, grid.parts.card);
  if (grid.data.transport) {
    grid.transport = createTransport(grid);
    grid.parts.controls = [grid.transport.element, keyLegend(grid), grid.settings.element];
    root.append(...grid.parts.controls);
  }
  grid.parts.above = [...grid.spoken.elements, grid.help.element, grid.presenter.element];
  root.append(...grid.parts.above);
}

// What the lane is called, and how many stand beside each other: both change while the grid stays.
export function drawLane({ root, parts, lane }) {
  root.classList.toggle("narrow", (lane?.beside ?? 1) > 2);
  parts.title.hidden = !lane?.title;
  const [name, about] = parts.title.children;
  name.textContent = lane?.title ?? "";
  about.textContent = lane?.subtitle ?? "";
}

// Where the window of a long text stands, and the way to move it.
function createWindowControls(grid) {
  const element = make("div", "window", { hidden: true, "data-testid": "window" });

  function draw() {
    const { start, end, total } = grid.model.feed.text;
    element.hidden = !total || (start === 0 && end >= total);
    if (element.hidden) return;
    const size = end - start;
    const move = (to) => grid.move(Math.max(0, Math.min(to, total - 1)));
    const where = `showing characters ${formatNumber(start)}–${formatNumber(end)} of ${formatNumber(total)}`;
    const slider = make("input", "range", { type: "range", min: 0, max: Math.max(0, total - 1), step: Math.max(1, Math.floor(size / 2)), value: start, "aria-label": "Start of the window", change: () => move(Number(slider.value)) });
    slider.value = start;
    element.replaceChildren(
      make("span", "", {}, where),
      make("button", "quiet", { type: "button", disabled: start === 0, click: () => move(start - size) }, "← earlier"),
      slider,
      make("button", "quiet", { type: "button", disabled: end >= total, click: () => move(end) }, "later →"));
  }
  return { element, draw };
}

const MOST_ROWS = 16; // distinct words
const SIZES = [[700, [17, 15]], [3000, [15]], [Infinity, [13]]]; // cells -> letter heights in px, the next if one does not fit
const UNBROKEN = [17, 15, 14, 13]; // distinct words rather shrink than break, where that helps
const PRESENTED = [72, 64, 57, 51, 46, 41, 37, 34, 31, 28, 26, 24, 22, 20, 18, 16];

// Sets grid.places, grid.text, grid.width, grid.asChips.
export function layOut(grid) {
  const { model, parts, options, presenting } = grid;
  const words = Array.from(model.words.frequency.keys());
  const wanted = viewOf(model, options.view, presenting);
  const sheets = sheetsOf(grid, words);
  const shown = [];
  if (wanted !== "text") shown.push(sheets.words);
  if (wanted !== "words") shown.push(sheets.text);
  const cells = shown.reduce((sum, sheet) => sum + sheet.size, 0);
  grid.text = model.text.length ? sheets.text : sheets.words;
  grid.asChips = cells <= MOST_CHIPS && (options.drawing === "chips" || (options.drawing === "auto" && cells <= 900));
  grid.width = parts.viewport.clientWidth - 2 * EDGE;
  const sizes = presenting ? PRESENTED : SIZES.find(([most]) => cells <= most)[1];
  const room = presenting ? parts.viewport.clientHeight : parseFloat(getComputedStyle(parts.viewport).maxHeight);
  const placed = (among, holds) => among.some((size) => {
    placeAll(grid, shown, size);
    return grid.height <= room && holds();
  });
  const whole = () => grid.places.every((place) => !place.sheet.rows || place.sheet.order.every((_, item) => !spans(place, item)));
  const shrinks = shown.some((sheet) => sheet.rows) && cells <= SIZES[0][0];
  if (!shrinks || !placed(presenting ? PRESENTED : UNBROKEN, whole)) placed(sizes, () => true);
  parts.stage.style.height = `${grid.height}px`;
  grid.windowHeight = window.innerHeight;
  markScrolling(grid);
  grid.window.draw();
}

const markScrolling = ({ parts, height }) => parts.viewport.classList.toggle("scrolls", height > parts.viewport.clientHeight + 1);

// Room for other lines, or in another window for letters of another size: everything anew. Where only the sentence above
// took a line more or less, letters keep their size.
export function followSize(grid, signal) {
  const { viewport } = grid.parts;
  const observer = new ResizeObserver(() => {
    if (!grid.model || !viewport.clientWidth) return;
    const high = viewport.clientHeight !== grid.sight.height;
    if (viewport.clientWidth - 2 * EDGE !== grid.width || (high && window.innerHeight !== grid.windowHeight)) return grid.relayout();
    if (!high) return;
    markScrolling(grid);
    grid.look();
  });
  observer.observe(viewport);
  signal.addEventListener("abort", () => observer.disconnect());
}

// words | text | both: what there is, and where the choice is ours, words as long as the text below them stays in sight.
function viewOf({ text, feed, words }, chosen, presenting) {
  if (!text.length) return "words";
  if (!feed.rows) return "text";
  if (chosen !== "auto") return chosen;
  if (words.frequency.length > MOST_ROWS || words.frequency.length === text.length) return "text";
  return presenting ? "words" : "both"; // for the last row, each word once and large
}

function sheetsOf(grid, words) {
  const { model } = grid;
  model.sheets ??= { words: makeSheet(model, words, true), text: makeSheet(model, model.text, false) };
  return model.sheets;
}

function placeAll(grid, sheets, size) {
  const metrics = metricsOf(size, grid.code);
  let top = 4;
  grid.places = sheets.map((sheet) => {
    const place = placeSheet(sheet, { ...metrics, widths: metrics.widths }, grid.width, grid.asChips);
    place.top = top;
    top += place.height + Math.round(size * 1.1);
    return place;
  });
  grid.height = top - Math.round(size * 1.1) + 8;
}
