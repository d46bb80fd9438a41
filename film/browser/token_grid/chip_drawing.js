// Chips in the DOM, for short texts: every cell has one box and one letter that live as long as the layout. A merge
// closes the gap between boxes and squares their inner corners; going back undoes it. No element is replaced: only
// styles change, CSS transitions animate them, and chip_motion.js adds to that. Runs that join (Arabic, bytes of one
// character) are texts of their own.

/** @import {Layout} from "./layout.js" */
/** @import {ChipColours} from "../shared/colour.js" */
/** @import {Run} from "./runs.js" */
/** @import {Drawing, Grid} from "./types.js" */

import { make } from "../shared/dom.js";
import {
  ALONE,
  endsOf,
  lineEnd,
  wallsOf,
  arrange,
  frequencyText,
  fontOf,
  partsOfCell,
  restingLetters,
} from "./layout.js";
import { BEATS, STAGGER } from "../player/playhead.js";
import { PHASES, createChipMotion, fadeFrames } from "./chip_motion.js";
import { sidesOf } from "./directions.js";
import { cellRun, runsOf } from "./runs.js";
import { boundariesOf, eachToken, idAt, tokensMade } from "../player/segmentation.js";

// Walls as elements: the lines between the words of running text, and those where words of a first stage end.

/** Draw the walls between the words of running text. @param {Layout} layout @param {HTMLElement} layer */
function createWalls(layout, layer) {
  const { words, firstCell } = layout.cells;
  const lines = createLines(
    layout,
    layer,
    [...words.keys()].slice(1).map((item) => firstCell[item]),
  );

  /** @param {Carry} [carry] */
  function draw(carry) {
    lines.draw((from, to) => wallsOf(layout, from, to), carry);
  }
  return { draw };
}

/**
 * Draw the ends of the words of the first of two stages, in text and words.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
function createEnds(layout, layer) {
  const { ends, size } = layout.cells;
  const after = Array.from({ length: size }, (_, cell) => cell).filter((cell) => cell && ends[cell - 1]);
  const lines = createLines(layout, layer, after);

  /** @param {number} step @param {Carry} [carry] */
  function draw(step, carry) {
    if (after.length) lines.draw((from, to) => endsOf(layout, from, to, step), carry);
  }
  return { draw };
}

/** Move an element with its cell. @typedef {(element: HTMLElement, cell: number) => void} Carry */

/**
 * Make a line before each of some cells.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 * @param {number[]} cells
 */
function createLines(layout, layer, cells) {
  const { metrics } = layout;
  const elements = cells.map((cell) => ({ element: make("span", "wall"), cell }));
  layer.append(...elements.map(({ element }) => element));

  /**
   * Draw the lines at their positions, and hide those that have none.
   * @param {(from: number, to: number) => Map<number, number>} positions  of the cells of a line -> x
   * @param {Carry} [carry]
   */
  function draw(positions, carry) {
    /** @type {Map<number, number>} */
    const walls = new Map();
    layout.lineStart.forEach((from, line) => {
      for (const [cell, x] of positions(from, lineEnd(layout, line))) walls.set(cell, x);
    });
    for (const { element, cell } of elements) {
      const y = layout.top + layout.line[cell] * metrics.pitch + metrics.drop;
      const x = Math.round(walls.get(cell) ?? 0) - 1;
      carry?.(element, cell);
      element.hidden = !walls.has(cell);
      element.style.height = `${Math.round(metrics.height * 0.76)}px`;
      element.style.translate = `${x}px ${y + Math.round(metrics.height * 0.12)}px`;
    }
  }
  return { draw };
}

/** ms before a cell moves. @typedef {(cell: number) => number} DelayOf */

/** Cells. With more the DOM cannot keep 60 frames a second. */
export const MOST_CHIPS = 1500;
const BETWEEN_LINES = 90; // ms between the starts of two lines in which a pair merges, at most
const CHANGE = 600; // ms in which chips move when the text is split otherwise
const CROWDED = 300; // boundaries that close at once; with more, boxes fade instead of moving

/**
 * One change of the drawing.
 * @typedef {object} Change
 * @property {number} from  step
 * @property {number} step
 * @property {number} duration  ms
 * @property {number} wait  ms before the gaps close
 * @property {boolean} moves  whether chips move, or only change colours
 */

/** Draw the grid's layouts as chips. @param {Grid} grid @returns {Drawing} */
export function createChipDrawing(grid) {
  const layer = make("div", "layer chips", { "aria-hidden": "true" });
  const drawings = grid.layouts.map((layout) => chipLayout(grid, layout, layer));
  grid.visibleArea.marks.canvas.before(layer);

  /** @type {Drawing["follow"]} */
  function draw(from, step, duration) {
    const crowded = duration > 0 && isCrowded(Math.min(from, step));
    const fuses = step > from && !crowded;
    layer.classList.toggle("still", !duration);
    layer.classList.toggle("fade", crowded);
    layer.style.setProperty("--fuse", `${duration * (fuses ? PHASES.meet : 1)}ms`);
    layer.style.setProperty("--pace", fuses ? "ease-in" : "ease-in-out");
    const wait = fuses ? duration * PHASES.lean : 0;
    layer.style.setProperty("--wait", `${wait}ms`);
    const moves = duration > 0 && !crowded;
    for (const drawing of drawings) drawing.draw({ from, step, duration, wait, moves });
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
    finish() {
      layer.classList.add("still");
      for (const drawing of drawings) drawing.finish();
    },
    remove: () => layer.remove(),
    looks: () => drawings.map((drawing) => drawing.looks()),
    moveFrom(before) {
      drawings.forEach((drawing, at) => drawing.moveFrom(before[at] ?? []));
      const { canvas } = grid.visibleArea.marks;
      canvas.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: CHANGE });
    },
  };
}

/** Draw one layout. @param {Grid} grid @param {Layout} layout @param {HTMLElement} layer */
function chipLayout(grid, layout, layer) {
  const { cells, metrics } = layout;
  /** @type {HTMLElement[]} */
  const boxes = [];
  /** @type {HTMLElement[]} */
  const letters = [];
  /** @type {Map<string, {element: HTMLElement, wanted: boolean}>} */
  const joined = new Map();
  const walls = cells.distinct ? createFrequencies(grid, layout, layer) : createWalls(layout, layer);
  const wordEnds = createEnds(layout, layer);
  for (let cell = 0; cell < cells.size; cell++) {
    const run = cellRun(cells, cell);
    const letter = make("span", `letter ${run.kind}`, { dir: "auto" }, run.text);
    letter.style.font = fontOf(metrics, run.kind);
    boxes.push(make("span", "box", {}, ...(layout.tabs[cell] ? [make("span", "tab")] : [])));
    letters.push(letter);
  }
  layer.append(...boxes, ...letters);
  const motion = createChipMotion(grid, layout, { boxes, letters });

  /** @param {Change} change */
  function draw({ from, step, duration, wait, moves }) {
    const starts = duration ? wave(Math.min(from, step), duration) : new Map();
    const lineDelay = (/** @type {number} */ cell) => starts.get(layout.line[cell]) ?? 0;
    const delayOf = (/** @type {number} */ cell) => lineDelay(cell) + wait;
    motion.prepare(moves);
    arrange(layout, step);
    for (const text of joined.values()) text.wanted = false;
    eachToken(cells, step, 0, cells.size, (start, end) => {
      const colours = grid.chip(idAt(cells, start, end));
      for (let cell = start; cell < end; cell++) drawBox(cell, step, colours, delayOf);
      for (const run of runsOf(cells, start, end, grid.options.glyphs)) drawRun(run, colours, delayOf);
    });
    for (const text of joined.values()) text.element.style.opacity = text.wanted ? "1" : "0";
    walls.draw(motion.carry);
    wordEnds.draw(step, motion.carry);
    motion.start(from, step, duration, lineDelay);
  }

  const topOf = (/** @type {number} */ cell) => layout.top + layout.line[cell] * metrics.pitch;

  /**
   * Return when each line with an occurrence of the merge starts: a wave from top to bottom.
   * @param {number} rank  of the merge
   * @param {number} duration  ms
   * @returns {Map<number, number>}  line -> ms
   */
  function wave(rank, duration) {
    const lines = [...new Set(tokensMade(cells, rank).map(([start]) => layout.line[start]))].toSorted(
      (one, other) => one - other,
    );
    const between = Math.min(BETWEEN_LINES, STAGGER / Math.max(1, lines.length - 1));
    return new Map(lines.map((line, at) => [line, at * between * Math.min(1, duration / BEATS.fuse)]));
  }

  /** @param {number} cell @param {number} step @param {ChipColours} colours @param {DelayOf} delayOf */
  function drawBox(cell, step, colours, delayOf) {
    const { style } = boxes[cell];
    motion.carry(boxes[cell], cell);
    const [low, high] = sidesOf(layout, cell, step);
    const [left, right] = [low, high].map((ends) => (ends ? metrics.curve : 0));
    style.translate = `${layout.x[cell]}px ${topOf(cell) + metrics.drop}px`;
    style.width = `${layout.w[cell] + (high ? 0 : 1)}px`;
    style.height = `${metrics.height}px`;
    style.borderRadius = `${left}px ${right}px ${right}px ${left}px`;
    style.borderWidth = `${metrics.edge}px`;
    style.borderLeftWidth = low ? `${metrics.edge}px` : "0px";
    style.borderRightWidth = high ? `${metrics.edge}px` : "0px";
    style.background = colours.fill;
    style.borderColor = colours.edge;
    style.borderStyle = colours.unknown ? "dashed" : "solid";
    style.transitionDelay = `${delayOf(cell)}ms`;
    if (layout.tabs[cell]) drawTab(cell, low, high);
  }

  /**
   * @param {number} cell
   * @param {boolean} low  whether the token ends at the box's left side
   * @param {boolean} high
   */
  function drawTab(cell, low, high) {
    const { style } = /** @type {HTMLElement} */ (boxes[cell].firstChild);
    const { tab } = partsOfCell(layout, cell, low, high);
    const [left, right] = [low && tab === 0, high && tab + metrics.tab >= layout.w[cell] - 0.5];
    const [edge, round] = [metrics.edge, Math.max(0, metrics.curve - metrics.edge)];
    style.left = `${tab - (low ? edge : 0) + (left ? edge : 0)}px`;
    style.width = `${metrics.tab - (left ? edge : 0) - (right ? edge : 0)}px`;
    style.borderWidth = `0 ${right ? 0 : 1}px 0 ${left ? 0 : 1}px`;
    style.borderRadius = `${left ? round : 0}px ${right ? round : 0}px ${right ? round : 0}px ${left ? round : 0}px`;
  }

  /** @param {Run} run @param {ChipColours} colours @param {DelayOf} delayOf */
  function drawRun(run, colours, delayOf) {
    const several = run.to - run.from > 1;
    for (let cell = run.from; cell < run.to; cell++) drawLetter(cell, colours, delayOf, !several);
    if (several) drawJoined(run, colours, delayOf);
    else if (run.kind === "space") letters[run.from].style.opacity = run.text ? "1" : "0";
  }

  /** @param {Run} run @param {ChipColours} colours @param {DelayOf} delayOf */
  function drawJoined(run, colours, delayOf) {
    const key = `${run.from} ${run.to}`;
    let text = joined.get(key);
    if (!text) {
      const element = make("span", "letter whole", { dir: "auto" }, run.text);
      element.style.font = metrics.letter;
      element.style.opacity = "0";
      layer.append(element);
      joined.set(key, (text = { element, wanted: true }));
    }
    const box = restingLetters(layout, run.from, run.to, grid.step);
    text.wanted = true;
    text.element.textContent = run.text;
    put(text.element, run.from, box.x, box.w, colours.ink, delayOf);
  }

  /** @param {number} cell @param {ChipColours} colours @param {DelayOf} delayOf @param {boolean} visible */
  function drawLetter(cell, colours, delayOf, visible) {
    const letter = letters[cell];
    const width = layout.tabs[cell] === ALONE ? metrics.tab : layout.textWidth[cell];
    const { letters: left } = partsOfCell(layout, cell, ...sidesOf(layout, cell, grid.step));
    const ink = letter.className === "letter char" ? colours.ink : colours.soft;
    put(letter, cell, layout.x[cell] + left, width, ink, delayOf);
    letter.style.opacity = visible ? "1" : "0";
  }

  /**
   * @param {HTMLElement} element
   * @param {number} cell
   * @param {number} x
   * @param {number} width
   * @param {string} ink
   * @param {DelayOf} delayOf
   */
  function put(element, cell, x, width, ink, delayOf) {
    const { style } = element;
    motion.carry(element, cell);
    style.translate = `${x}px ${topOf(cell) + metrics.drop}px`;
    style.width = `${width}px`;
    style.lineHeight = `${metrics.height}px`;
    style.color = ink;
    style.transitionDelay = `${delayOf(cell)}ms`;
  }

  const looks = () => [...boxes, ...letters].map(({ style }) => lookOf(style));

  /** @param {Keyframe[]} before  of the same letters in another drawing */
  function moveFrom(before) {
    const now = looks();
    if (before.length !== now.length) return;
    [...boxes, ...letters].forEach((element, at) => {
      const [from, to] = [before[at], now[at]];
      const names = Object.keys(to).filter((name) => from[name] !== to[name]);
      if (!names.length) return;
      const isElsewhere = rowOf(from) !== rowOf(to); // it fades: it would slide over others
      const frames = isElsewhere ? fadeFrames(String(from.translate), String(to.translate)) : [from, to];
      element.animate(frames, { duration: CHANGE, easing: "ease-in-out" });
    });
  }

  return { draw, finish: motion.stop, looks, moveFrom };
}

/** Return what moves of an element's style. @param {CSSStyleDeclaration} style @returns {Keyframe} */
function lookOf({ translate, width, borderRadius, backgroundColor, borderColor, color, opacity }) {
  const look = { translate, width, borderRadius, backgroundColor, borderColor, color, opacity };
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value));
}

/** @param {Keyframe} look */
function rowOf({ translate }) {
  return String(translate).split(" ")[1];
}

/** Draw the counts before distinct words. @param {Grid} grid @param {Layout} layout @param {HTMLElement} layer */
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
      style.translate = `${layout.left[item]}px ${y}px`;
    });
  }
  return { draw };
}
