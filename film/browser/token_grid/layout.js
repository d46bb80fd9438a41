// Where cells stand. Lines are dealt out once, from the widths before any merge, and a word keeps its line at every
// step: what moves, moves sideways only. `cells` never move at all; `chips` close up as they fuse.

import { formatNumber } from "../shared/numbers.js";
import { directionsOf, mirrorLine, sidesOf, turnedRuns } from "./directions.js";
import { cellRun } from "./runs.js";
import { eachToken } from "./segmentation.js";

const MEASURE = document.createElement("canvas").getContext("2d");

// size: letter height in px -> the measures of one drawing
export function metricsOf(size, family) {
  return {
    size, family,
    letter: `500 ${size}px ${family}`,
    small: `500 ${Math.max(9, Math.round(size * 0.72))}px ${family}`,
    pad: Math.max(3, Math.round(size * 0.45)),
    cellPad: Math.max(2, Math.round(size * 0.24)),
    height: Math.round(size * 1.76),
    pitch: Math.round(size * 2.42),
    wall: Math.round(size * 0.8),
    gap: Math.max(3, Math.round(size * 0.12)),
    edge: size > 28 ? 2.5 : 1.5, // width of a border
    drop: Math.floor((Math.round(size * 2.42) - Math.round(size * 1.76)) / 2), // of a box in its line; whole pixels keep edges sharp
    widths: new Map(),
  };
}

export const fontOf = (metrics, kind) => (kind === "byte" || kind === "marker" ? metrics.small : metrics.letter);

function widthOf(metrics, text, kind) {
  const key = kind + text;
  let width = metrics.widths.get(key);
  if (width === undefined) {
    MEASURE.font = fontOf(metrics, kind);
    width = Math.max(4, Math.ceil(MEASURE.measureText(text).width));
    metrics.widths.set(key, width);
  }
  return width;
}

// sheet, metrics, width in px -> place: lines, and room for the x and w of every cell
export function placeSheet(sheet, metrics, width, chips) {
  const { size } = sheet;
  const place = {
    sheet, metrics, width, chips,
    x: new Float32Array(size), w: new Float32Array(size), line: new Int32Array(size),
    text: new Float32Array(size), // width of what a cell shows alone
    left: new Float32Array(sheet.order.length), // where an item of the distinct words begins
    lineStart: [], paragraph: [], top: 0, height: 0, // paragraph: for each line the item its paragraph began with
  };
  const cache = new Map();
  for (let cell = 0; cell < size; cell++) {
    const key = sheet.symbol[cell] * 8 + sheet.bytesFrom[cell];
    if (!cache.has(key)) {
      const run = cellRun(sheet, cell);
      cache.set(key, widthOf(metrics, run.text, run.kind));
    }
    place.text[cell] = cache.get(key);
  }
  (sheet.rows ? dealRows : dealLines)(place);
  place.long = chips ? sheet.order.map((_, item) => item).filter((item) => spans(place, item)) : [];
  place.height = place.lineStart.length * metrics.pitch;
  place.direction = directionsOf(place);
  place.turned = turnedRuns(place);
  if (!chips) arrange(place, 0);
  return place;
}

const aloneWidth = (place, cell) => place.text[cell] + 2 * (place.chips ? place.metrics.pad : place.metrics.cellPad);

function wordWidth(place, item) {
  const { metrics } = place;
  let width = 0;
  for (let cell = place.sheet.first[item]; cell < place.sheet.first[item + 1]; cell++) width += aloneWidth(place, cell) + metrics.gap;
  return width;
}

// Running text: words in reading order, real line breaks, long words broken between cells.
function dealLines(place) {
  const { sheet, width, line, lineStart, metrics } = place;
  const { symbols, breaks } = sheet.model;
  let x = 0;
  let paragraph = 0;
  const fresh = (cell) => {
    lineStart.push(cell);
    place.paragraph.push(paragraph);
    x = 0;
  };
  if (sheet.size) fresh(0);
  sheet.order.forEach((_, item) => {
    const from = sheet.first[item];
    if (breaks.has(item)) paragraph = item;
    if (item && breaks.has(item) && lineStart[lineStart.length - 1] !== from) fresh(from);
    if (x && x + wordWidth(place, item) > width) fresh(from);
    for (let cell = from; cell < sheet.first[item + 1]; cell++) {
      const wide = aloneWidth(place, cell);
      if (x && x + wide > width) fresh(cell);
      line[cell] = lineStart.length - 1;
      x += wide + metrics.gap;
      if (symbols[sheet.symbol[cell]].kind !== "newline" || cell + 1 >= sheet.size) continue;
      paragraph = sheet.place[cell + 1];
      fresh(cell + 1);
    }
    x += metrics.wall;
  });
}

// Distinct words: each with its count before it, in as many columns as fit.
function dealRows(place) {
  const { sheet, width, line, lineStart, left, metrics } = place;
  const label = (metrics.label = frequencyWidth(sheet, metrics));
  const widths = sheet.order.map((_, item) => label + wordWidth(place, item) + metrics.wall);
  const usual = [...widths].sort((a, b) => a - b)[Math.floor(widths.length * 0.9)] ?? width;
  const columns = sheet.order.length <= 6 ? 1 : Math.max(1, Math.floor(width / usual));
  const slot = width / columns;
  let column = columns;
  sheet.order.forEach((_, item) => {
    const slots = Math.min(columns, Math.ceil(widths[item] / slot));
    if (column + slots > columns) {
      lineStart.push(sheet.first[item]);
      column = 0;
    }
    left[item] = column * slot;
    column += slots;
    let x = left[item] + label;
    for (let cell = sheet.first[item]; cell < sheet.first[item + 1]; cell++) {
      const wide = aloneWidth(place, cell);
      if (x > left[item] + label && x + wide > width) {
        lineStart.push(cell);
        column = columns;
        x = label;
      }
      line[cell] = lineStart.length - 1;
      x += wide + metrics.gap;
    }
  });
}

export const frequencyText = (count) => `${formatNumber(count)} ×`;

function frequencyWidth(sheet, metrics) {
  let most = 0;
  for (const word of sheet.order) most = Math.max(most, sheet.model.words.frequency[word]);
  MEASURE.font = metrics.letter;
  return Math.ceil(MEASURE.measureText(frequencyText(most)).width * 0.92) + 12;
}

export const spans = ({ sheet, line }, item) => line[sheet.first[item]] !== line[sheet.first[item + 1] - 1];

// Chips: a word longer than a line flows anew at each step within its own lines, token by token.
function redeal(place, k, item) {
  const { sheet, line, width, metrics } = place;
  const from = sheet.first[item];
  const indent = sheet.rows ? metrics.label : 0;
  let x = (sheet.rows ? place.left[item] : 0) + indent;
  let at = line[from];
  eachToken(sheet, k, from, sheet.first[item + 1], (start, end) => {
    let wide = 2 * metrics.pad + metrics.gap;
    for (let cell = start; cell < end; cell++) wide += place.text[cell];
    const fits = x + wide <= width;
    if (!fits && x > indent && indent + wide <= width) {
      at += 1;
      x = indent;
    }
    for (let cell = start; cell < end; cell++) {
      const own = place.text[cell] + (cell === start ? metrics.pad : 0) + (cell === end - 1 ? metrics.pad : 0);
      if (x > indent && x + own > width) {
        at += 1;
        x = indent;
      }
      line[cell] = at;
      x += own;
    }
    x += metrics.gap;
    for (let cell = start; cell < end; cell++) {
      if (sheet.rows || x === indent || sheet.model.symbols[sheet.symbol[cell]].kind !== "newline") continue;
      at += 1;
      x = indent;
    }
  });
}

// Lines may be empty then; each starts where the next cell stands.
function findLineStarts(place) {
  const { lineStart, line, sheet } = place;
  let cell = 0;
  for (let at = 0; at < lineStart.length; at++) {
    while (cell < sheet.size && line[cell] < at) cell += 1;
    lineStart[at] = cell;
  }
}

// Sets x and w of the cells of lines [from, to) as they stand after k merges.
export function arrange(place, k, from = 0, to = place.lineStart.length) {
  for (const item of place.long) redeal(place, k, item);
  if (place.long.length) findLineStarts(place);
  for (let line = from; line < to; line++) {
    arrangeLine(place, k, line, place.lineStart[line], place.lineStart[line + 1] ?? place.sheet.size);
  }
}

function arrangeLine(place, k, line, from, to) {
  const { sheet, x, w, metrics, chips } = place;
  if (from >= to) return;
  let at = 0;
  for (let cell = from; cell < to; cell++) {
    const item = sheet.place[cell];
    const begins = cell === sheet.first[item];
    if (sheet.rows) {
      if (begins || cell === from) at = (begins ? place.left[item] : 0) + metrics.label;
    } else if (begins && cell > from) at += metrics.wall;
    const shuts = !chips || sheet.close[cell] >= k;
    const [low, high] = chips ? sidesOf(place, cell, k) : [true, true];
    const pad = chips ? metrics.pad : metrics.cellPad;
    x[cell] = at;
    w[cell] = place.text[cell] + (low ? pad : 0) + (high ? pad : 0);
    at += w[cell] + (shuts ? metrics.gap : 0);
  }
  if (place.direction) mirrorLine(place, line, from, to, at);
}

// x of the walls between the words of a line, for the words that begin on it after its first: as they are seen, from
// left to right, since words of two directions do not stand as they are read. -> Map of first cell to x
export function wallsOf(place, from, to) {
  const { sheet, x, w } = place;
  const extents = [];
  const begun = [];
  for (let cell = from; cell < to; cell++) {
    const last = extents[extents.length - 1];
    if (last && last.item === sheet.place[cell]) {
      last.low = Math.min(last.low, x[cell]);
      last.high = Math.max(last.high, x[cell] + w[cell]);
      continue;
    }
    if (last) begun.push(cell);
    extents.push({ item: sheet.place[cell], low: x[cell], high: x[cell] + w[cell] });
  }
  if (place.direction) extents.sort((a, b) => a.low - b.low);
  return new Map(begun.map((cell, at) => [cell, (extents[at].high + extents[at + 1].low) / 2]));
}

// Left and right end of cells of one line; in words of one direction the outer cells have them.
function extentOf({ x, w, turned }, from, to) {
  let low = Math.min(x[from], x[to - 1]);
  let high = Math.max(x[from] + w[from], x[to - 1] + w[to - 1]);
  if (!turned) return [low, high];
  for (let cell = from; cell < to; cell++) {
    low = Math.min(low, x[cell]);
    high = Math.max(high, x[cell] + w[cell]);
  }
  return [low, high];
}

// The boxes of cells [start, end): one per line they stand on, [{x, y, w, h, from, to}], y from the sheet's top.
export function boxesOf(place, start, end) {
  const boxes = [];
  for (let cell = start; cell < end; ) {
    let to = cell + 1;
    while (to < end && place.line[to] === place.line[cell]) to += 1;
    const [low, high] = extentOf(place, cell, to);
    const y = place.line[cell] * place.metrics.pitch + place.metrics.drop;
    boxes.push({ x: low, y, w: high - low, h: place.metrics.height, from: cell, to });
    cell = to;
  }
  return boxes;
}
