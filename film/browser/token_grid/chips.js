// Chips in the DOM, for short texts: every cell has one box and one letter that live as long as the sheet. A merge
// closes the gap between boxes and squares their inner corners; going back undoes it. Nothing is swapped, only styles
// change, and CSS transitions move them. Runs that join (Arabic, bytes of one character) get a text of their own.

import { make } from "../shared/dom.js";
import { sidesOf } from "./directions.js";
import { arrange, boxesOf, fontOf, frequencyText, wallsOf } from "./layout.js";
import { curveOf } from "./painting.js";
import { cellRun, runsOf } from "./runs.js";
import { boundariesOf, eachToken, idAt } from "./segmentation.js";

export const MOST_CHIPS = 1500; // cells; above it the DOM cannot keep 60 frames a second
export const STAGGER = 150; // ms between the first and the last line's start

export function createChips(grid, sight) {
  const layer = make("div", "layer chips", { "aria-hidden": "true" });
  const sheets = grid.places.map((place) => chipSheet(grid, place, layer));
  sight.marks.before(layer);

  function draw(from, step, duration) {
    layer.classList.toggle("still", !duration);
    layer.classList.toggle("fade", duration > 0 && crowded(from, step));
    layer.style.setProperty("--fuse", `${duration}ms`);
    for (const sheet of sheets) sheet.draw(step, duration);
  }

  const crowded = (from, step) => boundariesOf(grid.places[grid.places.length - 1].sheet, Math.min(from, step)).length > 300;

  return {
    chips: true,
    paintAll: () => draw(grid.step, grid.step, 0),
    follow: draw,
    finish: () => layer.classList.add("still"),
    remove: () => layer.remove(),
  };
}

function chipSheet(grid, place, layer) {
  const { sheet, metrics } = place;
  const boxes = [];
  const letters = [];
  const wholes = new Map();
  const walls = wallElements(grid, place, layer);
  for (let cell = 0; cell < sheet.size; cell++) {
    const run = cellRun(sheet, cell);
    boxes.push(make("span", "box"));
    letters.push(make("span", `letter ${run.kind}`, { dir: "auto" }, run.text));
    letters[cell].style.font = fontOf(metrics, run.kind);
  }
  layer.append(...boxes, ...letters);

  function draw(step, duration) {
    arrange(place, step);
    for (const whole of wholes.values()) whole.wanted = false;
    eachToken(sheet, step, 0, sheet.size, (start, end) => drawTokenOf(step, start, end, duration));
    for (const whole of wholes.values()) whole.element.style.opacity = whole.wanted ? 1 : 0;
    walls.draw();
  }

  function drawTokenOf(step, start, end, duration) {
    const colours = grid.chip(idAt(sheet, start, end));
    for (let cell = start; cell < end; cell++) boxAt(cell, sidesOf(place, cell, step), colours, duration);
    for (const run of runsOf(sheet, start, end, grid.options.glyphs)) runAt(run, colours, duration);
  }

  const topOf = (cell) => place.top + place.line[cell] * metrics.pitch;
  const delayOf = (cell, duration) => (duration ? `${Math.min(STAGGER, place.line[cell] * 18)}ms` : "0ms");

  function boxAt(cell, [low, high], colours, duration) {
    const { style } = boxes[cell];
    style.transform = `translate(${place.x[cell]}px, ${topOf(cell) + metrics.drop}px)`;
    style.width = `${place.w[cell] + (high ? 0 : 1)}px`;
    style.height = `${metrics.height}px`;
    const curve = curveOf(metrics);
    style.borderRadius = `${low ? curve : 0}px ${high ? curve : 0}px ${high ? curve : 0}px ${low ? curve : 0}px`;
    style.borderWidth = `${metrics.edge}px`;
    style.borderLeftWidth = low ? `${metrics.edge}px` : "0px";
    style.borderRightWidth = high ? `${metrics.edge}px` : "0px";
    style.background = colours.fill;
    style.borderColor = colours.edge;
    style.borderStyle = colours.unknown ? "dashed" : "solid";
    style.transitionDelay = delayOf(cell, duration);
  }

  function runAt(run, colours, duration) {
    const several = run.to - run.from > 1;
    for (let cell = run.from; cell < run.to; cell++) letterAt(cell, colours, duration, !several);
    if (run.kind === "space" && !several) letters[run.from].style.opacity = run.text ? 1 : 0;
    if (!several) return;
    const key = `${run.from} ${run.to}`;
    if (!wholes.has(key)) {
      const element = make("span", "letter whole", { dir: "auto" }, run.text);
      element.style.font = metrics.letter;
      element.style.opacity = 0;
      layer.append(element);
      wholes.set(key, { element });
    }
    const whole = wholes.get(key);
    const [box] = boxesOf(place, run.from, run.to);
    whole.wanted = true;
    whole.element.textContent = run.text;
    put(whole.element.style, box.x, topOf(run.from), box.w, colours.ink, delayOf(run.from, duration));
  }

  function letterAt(cell, colours, duration, visible) {
    const { style } = letters[cell];
    const marked = letters[cell].className !== "letter char";
    const [padded] = sidesOf(place, cell, grid.step);
    put(style, place.x[cell] + (padded ? metrics.pad : 0), topOf(cell), place.text[cell], marked ? colours.soft : colours.ink, delayOf(cell, duration));
    style.opacity = visible ? 1 : 0;
  }

  function put(style, x, y, width, ink, delay) {
    style.transform = `translate(${x}px, ${y}px)`;
    style.width = `${width}px`;
    style.lineHeight = `${metrics.pitch}px`;
    style.color = ink;
    style.transitionDelay = delay;
  }

  return { draw };
}

// Walls between the words of running text, counts before distinct words.
function wallElements(grid, place, layer) {
  const { sheet, metrics } = place;
  const elements = [];
  const y = (cell) => place.top + place.line[cell] * metrics.pitch;
  sheet.order.forEach((word, item) => {
    const cell = sheet.first[item];
    if (!sheet.rows && !item) return;
    const element = sheet.rows
      ? make("span", "frequency", {}, frequencyText(sheet.model.words.frequency[word]))
      : make("span", "wall");
    elements.push([element, cell, item]);
    layer.append(element);
  });

  function draw() {
    const walls = new Map();
    if (!sheet.rows) place.lineStart.forEach((from, at) => wallsOf(place, from, place.lineStart[at + 1] ?? sheet.size).forEach((x, cell) => walls.set(cell, x)));
    for (const [element, cell, item] of elements) {
      if (sheet.rows) {
        element.style.font = `400 ${Math.round(metrics.size * 0.92)}px ${grid.font}`;
        element.style.width = `${metrics.label - 10}px`;
        element.style.lineHeight = `${metrics.pitch}px`;
        element.style.transform = `translate(${place.left[item]}px, ${y(cell)}px)`;
      } else {
        element.hidden = !walls.has(cell);
        element.style.height = `${Math.round(metrics.height * 0.76)}px`;
        element.style.transform = `translate(${Math.round(walls.get(cell) ?? 0) - 1}px, ${y(cell) + metrics.drop + Math.round(metrics.height * 0.12)}px)`;
      }
    }
  }
  return { draw };
}
