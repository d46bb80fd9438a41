// Chips in the DOM, for short texts: every cell has one box and one letter that live as long as the layout. A merge
// closes the gap between boxes and squares their inner corners; going back undoes it. No element is
// replaced: only styles change, and CSS transitions animate them. Runs that join (Arabic, bytes of one character) are
// texts of their own.

/** @import {ChipColours} from "../shared/colour.js" */
/** @import {Layout} from "./layout.js" */
/** @import {Run} from "./runs.js" */
/** @import {Drawing, Grid} from "./types.js" */

import { make } from "../shared/dom.js";
import { sidesOf } from "./directions.js";
import { arrange, boxesOf, frequencyText, lineEnd, wallsOf } from "./layout.js";
import { fontOf } from "./metrics.js";
import { STAGGER } from "./playhead.js";
import { cellRun, runsOf } from "./runs.js";
import { boundariesOf, eachToken, idAt } from "./segmentation.js";

/** Cells. With more the DOM cannot keep 60 frames a second. */
export const MOST_CHIPS = 1500;
const STAGGER_OF_LINE = 18; // ms between the starts of two lines
const CROWDED = 300; // boundaries that close at once; with more, boxes fade instead of moving

/**
 * Draw the grid's layouts as chips.
 * @param {Grid} grid
 * @returns {Drawing}
 */
export function createChipDrawing(grid) {
  const layer = make("div", "layer chips", { "aria-hidden": "true" });
  const drawings = grid.layouts.map((layout) => chipLayout(grid, layout, layer));
  grid.visibleArea.marks.canvas.before(layer);

  /** @type {Drawing["follow"]} */
  function draw(from, step, duration) {
    layer.classList.toggle("still", !duration);
    layer.classList.toggle("fade", duration > 0 && isCrowded(Math.min(from, step)));
    layer.style.setProperty("--fuse", `${duration}ms`);
    for (const drawing of drawings) drawing.draw(step, duration);
  }

  /** @param {number} step */
  function isCrowded(step) {
    const { cells } = grid.layouts[grid.layouts.length - 1];
    return boundariesOf(cells, step).length > CROWDED;
  }

  return {
    chips: true,
    paintAll: () => draw(grid.step, grid.step, 0),
    follow: draw,
    finish: () => layer.classList.add("still"),
    remove: () => layer.remove(),
  };
}

/**
 * Draw one layout.
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
function chipLayout(grid, layout, layer) {
  const { cells, metrics } = layout;
  /** @type {HTMLElement[]} */
  const boxes = [];
  /** @type {HTMLElement[]} */
  const letters = [];
  /** @type {Map<string, {element: HTMLElement, wanted: boolean}>} */
  const joined = new Map();
  const walls = cells.distinct ? createFrequencies(grid, layout, layer) : createWalls(layout, layer);
  for (let cell = 0; cell < cells.size; cell++) {
    const run = cellRun(cells, cell);
    const letter = make("span", `letter ${run.kind}`, { dir: "auto" }, run.text);
    letter.style.font = fontOf(metrics, run.kind);
    boxes.push(make("span", "box"));
    letters.push(letter);
  }
  layer.append(...boxes, ...letters);

  /**
   * @param {number} step
   * @param {number} duration
   */
  function draw(step, duration) {
    arrange(layout, step);
    for (const text of joined.values()) text.wanted = false;
    eachToken(cells, step, 0, cells.size, (start, end) => {
      const colours = grid.chip(idAt(cells, start, end));
      for (let cell = start; cell < end; cell++) drawBox(cell, step, colours, duration);
      for (const run of runsOf(cells, start, end, grid.options.glyphs)) drawRun(run, colours, duration);
    });
    for (const text of joined.values()) text.element.style.opacity = text.wanted ? "1" : "0";
    walls.draw();
  }

  const topOf = (/** @type {number} */ cell) => layout.top + layout.line[cell] * metrics.pitch;

  /**
   * @param {number} cell
   * @param {number} duration
   */
  function delayOf(cell, duration) {
    return duration ? `${Math.min(STAGGER, layout.line[cell] * STAGGER_OF_LINE)}ms` : "0ms";
  }

  /**
   * @param {number} cell
   * @param {number} step
   * @param {ChipColours} colours
   * @param {number} duration
   */
  function drawBox(cell, step, colours, duration) {
    const { style } = boxes[cell];
    const [low, high] = sidesOf(layout, cell, step);
    const [left, right] = [low, high].map((ends) => (ends ? metrics.curve : 0));
    style.transform = `translate(${layout.x[cell]}px, ${topOf(cell) + metrics.drop}px)`;
    style.width = `${layout.w[cell] + (high ? 0 : 1)}px`;
    style.height = `${metrics.height}px`;
    style.borderRadius = `${left}px ${right}px ${right}px ${left}px`;
    style.borderWidth = `${metrics.edge}px`;
    style.borderLeftWidth = low ? `${metrics.edge}px` : "0px";
    style.borderRightWidth = high ? `${metrics.edge}px` : "0px";
    style.background = colours.fill;
    style.borderColor = colours.edge;
    style.borderStyle = colours.unknown ? "dashed" : "solid";
    style.transitionDelay = delayOf(cell, duration);
  }

  /**
   * @param {Run} run
   * @param {ChipColours} colours
   * @param {number} duration
   */
  function drawRun(run, colours, duration) {
    const several = run.to - run.from > 1;
    for (let cell = run.from; cell < run.to; cell++) drawLetter(cell, colours, duration, !several);
    if (several) drawJoined(run, colours, duration);
    else if (run.kind === "space") letters[run.from].style.opacity = run.text ? "1" : "0";
  }

  /**
   * @param {Run} run
   * @param {ChipColours} colours
   * @param {number} duration
   */
  function drawJoined(run, colours, duration) {
    const key = `${run.from} ${run.to}`;
    let text = joined.get(key);
    if (!text) {
      const element = make("span", "letter whole", { dir: "auto" }, run.text);
      element.style.font = metrics.letter;
      element.style.opacity = "0";
      layer.append(element);
      joined.set(key, (text = { element, wanted: true }));
    }
    const [box] = boxesOf(layout, run.from, run.to);
    text.wanted = true;
    text.element.textContent = run.text;
    put(text.element, run.from, box.x, box.w, colours.ink, duration);
  }

  /**
   * @param {number} cell
   * @param {ChipColours} colours
   * @param {number} duration
   * @param {boolean} visible
   */
  function drawLetter(cell, colours, duration, visible) {
    const letter = letters[cell];
    const [padded] = sidesOf(layout, cell, grid.step);
    const ink = letter.className === "letter char" ? colours.ink : colours.soft;
    put(letter, cell, layout.x[cell] + (padded ? metrics.pad : 0), layout.textWidth[cell], ink, duration);
    letter.style.opacity = visible ? "1" : "0";
  }

  /**
   * @param {HTMLElement} element
   * @param {number} cell
   * @param {number} x
   * @param {number} width
   * @param {string} ink
   * @param {number} duration
   */
  function put({ style }, cell, x, width, ink, duration) {
    style.transform = `translate(${x}px, ${topOf(cell) + metrics.drop}px)`;
    style.width = `${width}px`;
    style.lineHeight = `${metrics.height}px`;
    style.color = ink;
    style.transitionDelay = delayOf(cell, duration);
  }

  return { draw };
}

/**
 * Draw the walls between the words of running text.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
function createWalls(layout, layer) {
  const { cells, metrics } = layout;
  const elements = [...cells.words.keys()].slice(1).map((item) => {
    return { element: make("span", "wall"), cell: cells.firstCell[item] };
  });
  layer.append(...elements.map(({ element }) => element));

  function draw() {
    /** @type {Map<number, number>} */
    const walls = new Map();
    layout.lineStart.forEach((from, line) => {
      for (const [cell, x] of wallsOf(layout, from, lineEnd(layout, line))) walls.set(cell, x);
    });
    for (const { element, cell } of elements) {
      const y = layout.top + layout.line[cell] * metrics.pitch + metrics.drop;
      const x = Math.round(walls.get(cell) ?? 0) - 1;
      element.hidden = !walls.has(cell);
      element.style.height = `${Math.round(metrics.height * 0.76)}px`;
      element.style.transform = `translate(${x}px, ${y + Math.round(metrics.height * 0.12)}px)`;
    }
  }
  return { draw };
}

/**
 * Draw the counts before distinct words.
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
function createFrequencies(grid, layout, layer) {
  const { cells, metrics } = layout;
  const { frequency } = cells.model.words;
  const elements = cells.words.map((word) => make("span", "frequency", {}, frequencyText(frequency[word])));
  layer.append(...elements);

  function draw() {
    elements.forEach(({ style }, item) => {
      const y = layout.top + layout.line[cells.firstCell[item]] * metrics.pitch + metrics.drop;
      style.font = `400 ${Math.round(metrics.size * 0.92)}px ${grid.font}`;
      style.width = `${layout.labelWidth - 10}px`;
      style.lineHeight = `${metrics.height}px`;
      style.transform = `translate(${layout.left[item]}px, ${y}px)`;
    });
  }
  return { draw };
}
