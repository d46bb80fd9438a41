// The positions of cells. Words keep their lines; letters close up as their tokens fuse, so that compression is seen.

/** @import {Run} from "./runs.js" */
/** @import {Cells} from "../player/segmentation.js" */
/** @import {Runs} from "./directions.js" */

import { eachToken } from "../player/segmentation.js";
import { contextOf } from "../shared/colour.js";
import { CHIP_LOOK, TAB_LOOK } from "../shared/chip.js";
import { formatNumber } from "../shared/numbers.js";
import { directionsOf, leftToRightRuns, mirrorLine, sidesOf } from "./directions.js";
import { cellRun } from "./runs.js";

// The line of each cell. Lines are assigned once, from the widths before any merge, and a word keeps its line at every
// step, so cells move only sideways. Only a word of chips that is longer than a line is wrapped again. A text that rests at
// its end has lines from the widths there.

/** Return the width of a cell while it is a token of its own. @param {Layout} layout @param {number} cell */
function aloneWidth(layout, cell) {
  return partsOfCell(layout, cell, true, true).width;
}

/**
 * Return the width of a cell after `step` steps, with the gap behind it.
 * @param {Layout} layout
 * @param {number} cell
 * @param {number} step
 */
function widthWithGap(layout, cell, step) {
  const { cells, metrics } = layout;
  const [low, high] = step ? sidesOf(layout, cell, step) : [true, true];
  return partsOfCell(layout, cell, low, high).width + (cells.close[cell] >= step ? metrics.gap : 0);
}

/** @param {Layout} layout @param {number} item @param {number} [step] */
function wordWidth(layout, item, step = 0) {
  const { firstCell } = layout.cells;
  let width = 0;
  for (let cell = firstCell[item]; cell < firstCell[item + 1]; cell++) {
    width += widthWithGap(layout, cell, step);
  }
  return width;
}

/**
 * Assign running text to lines: words in reading order, real line breaks, long words broken between tokens.
 * @param {Layout} layout
 * @param {number} step  whose widths decide
 */
function dealText(layout, step) {
  const { cells, width, line, lineStart, metrics } = layout;
  const { symbols, breaks } = cells.model;
  let x = 0;
  let paragraph = 0;
  const begin = (/** @type {number} */ cell) => {
    lineStart.push(cell);
    layout.paragraph.push(paragraph);
    x = 0;
  };
  if (cells.size) begin(0);
  for (let item = 0; item < cells.words.length; item++) {
    const from = cells.firstCell[item];
    if (breaks.has(item)) paragraph = item;
    if (item && breaks.has(item) && lineStart[lineStart.length - 1] !== from) begin(from);
    if (x && x + wordWidth(layout, item, step) > width) begin(from);
    for (let cell = from; cell < cells.firstCell[item + 1]; cell++) {
      const wide = widthWithGap(layout, cell, step);
      if (x && x + wide - metrics.gap > width) begin(cell);
      line[cell] = lineStart.length - 1;
      x += wide;
      if (symbols[cells.symbol[cell]].kind !== "newline" || cell + 1 >= cells.size) continue;
      paragraph = cells.item[cell + 1];
      begin(cell + 1);
    }
    x += metrics.wall;
  }
}

/** Words in one column, if they need not be close together */
export const FEW = 6;

/**
 * Assign distinct words to lines: each with its count before it, in as many columns as fit.
 * @param {Layout} layout
 * @param {number} few  so many words at most are in one column
 */
function dealWords(layout, few) {
  const { cells, width, line, lineStart, left, metrics, labelWidth } = layout;
  const { words, firstCell } = cells;
  const widths = words.map((_, item) => labelWidth + wordWidth(layout, item) + metrics.wall);
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length * 0.9)] ?? width;
  const columns = words.length <= few ? 1 : Math.max(1, Math.floor(width / usual));
  const slot = width / columns;
  let column = columns;
  for (let item = 0; item < words.length; item++) {
    const slots = Math.min(columns, Math.ceil(widths[item] / slot));
    if (column + slots > columns) {
      lineStart.push(firstCell[item]);
      column = 0;
    }
    left[item] = column * slot;
    column += slots;
    let x = left[item] + labelWidth;
    for (let cell = firstCell[item]; cell < firstCell[item + 1]; cell++) {
      const wide = aloneWidth(layout, cell);
      if (x > left[item] + labelWidth && x + wide > width) {
        lineStart.push(cell);
        column = columns;
        x = labelWidth;
      }
      line[cell] = lineStart.length - 1;
      x += wide + metrics.gap;
    }
  }
}

/** Return whether an item takes more than one line. @param {Layout} layout @param {number} item */
export function isBroken({ cells, line }, item) {
  return line[cells.firstCell[item]] !== line[cells.firstCell[item + 1] - 1];
}

/** Return the items that take more than one line, each with its last line. @param {Layout} layout */
function brokenItems(layout) {
  const { words, firstCell } = layout.cells;
  const items = [...words.keys()].filter((item) => isBroken(layout, item));
  return items.map((item) => ({ item, lastLine: layout.line[firstCell[item + 1] - 1] }));
}

/**
 * Wrap the words that are longer than a line again within their lines, as after `step` steps.
 * @param {Layout} layout
 * @param {number} step
 */
function reflow(layout, step) {
  for (const { item, lastLine } of layout.longItems) reflowItem(layout, step, item, lastLine);
  if (layout.longItems.length) findLineStarts(layout);
}

/**
 * @param {Layout} layout
 * @param {number} step
 * @param {number} item
 * @param {number} lastLine  the last one that the word has; cells that do not fit overflow it
 */
function reflowItem(layout, step, item, lastLine) {
  const { cells, line, width, metrics } = layout;
  const from = cells.firstCell[item];
  const indent = cells.distinct ? layout.labelWidth : 0;
  let x = (cells.distinct ? layout.left[item] : 0) + indent;
  let at = line[from];
  const nextLine = () => {
    if (at === lastLine) return;
    at += 1;
    x = indent;
  };
  eachToken(cells, step, from, cells.firstCell[item + 1], (start, end) => {
    const widthOfCell = (/** @type {number} */ cell) =>
      partsOfCell(layout, cell, cell === start, cell === end - 1).width;
    let wide = 0;
    for (let cell = start; cell < end; cell++) wide += widthOfCell(cell);
    if (x + wide > width && x > indent && indent + wide <= width) nextLine();
    for (let cell = start; cell < end; cell++) {
      const own = widthOfCell(cell);
      if (x > indent && x + own > width) nextLine();
      line[cell] = at;
      x += own;
    }
    x += metrics.gap;
    for (let cell = start; cell < end; cell++) {
      const { kind } = cells.model.symbols[cells.symbol[cell]];
      if (!cells.distinct && x !== indent && kind === "newline") nextLine();
    }
  });
}

/** Find where lines begin; an empty line begins at the next cell. @param {Layout} layout */
function findLineStarts({ lineStart, line, cells }) {
  let cell = 0;
  for (let at = 0; at < lineStart.length; at++) {
    while (cell < cells.size && line[cell] < at) cell += 1;
    lineStart[at] = cell;
  }
}

// The sizes of letters and boxes in one drawing, and the widths of texts.

/** Size of bytes and markers, as a share of the letters' */
export const SMALL = 0.72;
/** px between the abbreviation of an invisible character and the dashed box round it */
const DASHED = 3;
const BELOW_COUNT = 6; // px from the counts of tied pairs to the next line's boxes

/** How far a text's ink reaches from the middle of its line, in px. @typedef {{side: number, up: number, down: number}} Reach */

/**
 * The measures of one drawing, in px.
 * @typedef {object} Metrics
 * @property {number} size  height of a letter
 * @property {string} letter  font of letters
 * @property {string} small  font of bytes and markers
 * @property {number} pad  beside the letters at a chip's ends
 * @property {number} cellPad  beside the letters of a cell that does not move
 * @property {number} height  of a box
 * @property {number} pitch  from line to line
 * @property {number} wall  room between words
 * @property {number} gap  room between tokens
 * @property {number} edge  width of a border
 * @property {number} drop  from a line's top to its boxes; whole pixels keep edges sharp
 * @property {number} pill  height of the counts of tied pairs, which stand on the boxes' feet; 0 without
 * @property {number} pillType  height of their letters
 * @property {number} curve  radius of a box's corners
 * @property {number} tab  width of the tab that stands for a marker
 * @property {number} beside  room between a tab and the letters beside it
 * @property {Map<string, number>} widths  of the texts measured so far
 * @property {Map<string, Reach>} reaches  of the texts measured so far
 */

/**
 * Return the measures of a drawing.
 * @param {number} size  height of a letter in px
 * @param {string} family  of the font
 * @param {number} [leastPill]  least height of the letters of the counts of tied pairs; 0 if there are none
 * @param {boolean} [tight]  whether chips and lines are close together
 * @param {number} [below]  least room below a line's boxes
 * @returns {Metrics}
 */
export function metricsOf(size, family, leastPill = 0, tight = false, below = 0) {
  const height = Math.round(size * CHIP_LOOK.height);
  const pillType = leastPill && Math.max(leastPill, Math.round(size * 0.5));
  const pill = pillType && Math.ceil(pillType * 1.2) + 2;
  const pitch = Math.max(
    Math.round(size * (tight ? 1.9 : 2.42)),
    pill && height + Math.ceil(pill / 2) + BELOW_COUNT,
    height + below,
  );
  return {
    size,
    letter: `${CHIP_LOOK.weight} ${size}px ${family}`,
    small: `${CHIP_LOOK.weight} ${Math.max(9, Math.round(size * SMALL))}px ${family}`,
    pad: Math.max(3, Math.round(size * (tight ? 0.14 : CHIP_LOOK.pad))),
    cellPad: Math.max(2, Math.round(size * 0.24)),
    height,
    pitch,
    wall: Math.round(size * (tight ? 0.6 : 0.8)),
    gap: Math.max(3, Math.round(size * 0.12)),
    edge: size > 28 ? 2.5 : 1.5,
    drop: Math.floor((pitch - height) / 2),
    pill,
    pillType,
    curve: Math.max(5, Math.min(14, size * CHIP_LOOK.curve)),
    tab: Math.max(6, Math.round(size * TAB_LOOK.width)),
    beside: Math.max(1, Math.round(size * TAB_LOOK.beside)),
    widths: new Map(),
    reaches: new Map(),
  };
}

/** Return the font that a run is written in. @param {Metrics} metrics @param {Run["kind"]} kind */
export function fontOf(metrics, kind) {
  return kind === "char" || kind === "space" ? metrics.letter : metrics.small;
}

/** @type {CanvasRenderingContext2D | null} */
let measuring = null; // made when first needed, so that node can read this file

/** Return the width of a text in px. @param {string} font @param {string} text */
export function measureText(font, text) {
  measuring ??= contextOf(document.createElement("canvas"));
  measuring.font = font;
  return measuring.measureText(text).width;
}

/**
 * Return how far the ink of a text reaches. The metrics cache it.
 * @param {Metrics} metrics
 * @param {string} font
 * @param {string} text
 */
export function reachOf(metrics, font, text) {
  const key = font + text;
  let reach = metrics.reaches.get(key);
  if (!reach) {
    measuring ??= contextOf(document.createElement("canvas"));
    Object.assign(measuring, { font, textAlign: "center", textBaseline: "middle" });
    const ink = measuring.measureText(text);
    reach = {
      side: Math.max(ink.actualBoundingBoxLeft, ink.actualBoundingBoxRight),
      up: ink.actualBoundingBoxAscent,
      down: ink.actualBoundingBoxDescent,
    };
    metrics.reaches.set(key, reach);
  }
  return reach;
}

/**
 * Return the width of a run in px. The metrics cache it.
 * @param {Metrics} metrics
 * @param {Pick<Run, "text" | "kind">} run
 */
export function widthOf(metrics, { text, kind }) {
  const key = kind + text;
  let width = metrics.widths.get(key);
  if (width === undefined) {
    width = Math.max(4, Math.ceil(measureText(fontOf(metrics, kind), text)));
    if (kind === "invisible") width += 2 * DASHED;
    metrics.widths.set(key, width);
  }
  return width;
}

/** Return the width of a cell's letters: 0 for a marker, which is a tab. @param {Metrics} metrics @param {Run} run */
function runWidth(metrics, run) {
  return run.kind === "marker" ? 0 : widthOf(metrics, run);
}

/**
 * Cells laid out in lines; lengths in px.
 * @typedef {object} Layout
 * @property {Cells} cells
 * @property {Metrics} metrics
 * @property {number} width
 * @property {boolean} drawsChips
 * @property {Float32Array} x  left edge of each cell
 * @property {Float32Array} w  width of each cell
 * @property {Int32Array} line  of each cell
 * @property {Float32Array} textWidth  of what each cell shows alone, without a tab
 * @property {Int8Array} tabs  of each cell: ALONE for a marker, AT_LEFT or AT_RIGHT for a letter with one on that side, or 0
 * @property {Float32Array} left  where each distinct word begins
 * @property {number} labelWidth  room for the frequency before each distinct word
 * @property {number[]} lineStart  first cell of each line
 * @property {number[]} paragraph  for each line the item that its paragraph began with
 * @property {number} top  where the layout begins on the stage
 * @property {number} height
 * @property {{item: number, lastLine: number}[]} longItems  drawn as chips: words of more than one line
 * @property {Int8Array | null} direction  see directionsOf
 * @property {Runs | null} ltrRuns  see leftToRightRuns
 */

/** A rectangle with the cells [from, to) in it. @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * Lay out cells.
 * @param {Cells} cells
 * @param {Metrics} metrics
 * @param {number} width  in px
 * @param {boolean} drawsChips
 * @param {number} [few]  so many distinct words at most are in one column
 * @param {number} [step]  whose widths decide where the lines of a text end
 * @returns {Layout}
 */
export function layOutCells(cells, metrics, width, drawsChips, few = FEW, step = 0) {
  const { size } = cells;
  const direction = directionsOf(cells);
  /** @type {Layout} */
  const layout = {
    cells,
    metrics,
    width,
    drawsChips,
    x: new Float32Array(size),
    w: new Float32Array(size),
    line: new Int32Array(size),
    textWidth: textWidths(cells, metrics),
    tabs: new Int8Array(size),
    left: new Float32Array(cells.words.length),
    labelWidth: cells.distinct ? frequencyWidth(cells, metrics) : 0,
    lineStart: [],
    paragraph: [],
    top: 0,
    height: 0,
    longItems: [],
    direction,
    ltrRuns: leftToRightRuns(cells, direction),
  };
  findTabs(layout);
  if (cells.distinct) dealWords(layout, few);
  else dealText(layout, step);
  if (drawsChips) layout.longItems = brokenItems(layout);
  layout.height = layout.lineStart.length * metrics.pitch;
  if (!drawsChips) arrange(layout, 0);
  return layout;
}

/** @param {Cells} cells @param {Metrics} metrics */
function textWidths(cells, metrics) {
  /** @type {Map<number, number>} */
  const known = new Map();
  const widths = new Float32Array(cells.size);
  for (let cell = 0; cell < cells.size; cell++) {
    const key = cells.symbol[cell] * 8 + cells.charCells[cell];
    const width = known.get(key) ?? runWidth(metrics, cellRun(cells, cell));
    known.set(key, width);
    widths[cell] = width;
  }
  return widths;
}

/** A cell that is a marker: a tab. */
export const ALONE = 2;
const AT_LEFT = -1;
const AT_RIGHT = 1;

/** Find the cells with tabs, and on which side of their letters these are. @param {Layout} layout */
function findTabs({ cells, tabs, direction, ltrRuns }) {
  const { symbols, spelling } = cells.model;
  if (spelling.markerByte < 0) return;
  const kinds = symbols.map(({ bytes }) => tabKind(bytes, spelling.markerByte));
  for (let cell = 0; cell < cells.size; cell++) {
    const kind = kinds[cells.symbol[cell]];
    const mirrored = direction?.[cells.item[cell]] === 1 && !ltrRuns?.to[cell];
    tabs[cell] = mirrored && kind !== ALONE ? -kind : kind;
  }
}

/**
 * @param {number[]} bytes  of an initial symbol
 * @param {number} markerByte
 */
function tabKind(bytes, markerByte) {
  if (bytes.length === 1) return bytes[0] === markerByte ? ALONE : 0;
  if (bytes[bytes.length - 1] === markerByte) return AT_RIGHT;
  return bytes[0] === markerByte ? AT_LEFT : 0;
}

/**
 * Return how wide a cell is, and where in it its letters and its tab begin; `tab` is -1 without one.
 * @param {Pick<Layout, "tabs" | "textWidth" | "metrics" | "drawsChips">} layout
 * @param {number} cell
 * @param {boolean} low  whether its token ends at its left side
 * @param {boolean} high
 */
export function partsOfCell({ tabs, textWidth, metrics, drawsChips }, cell, low, high) {
  const pad = drawsChips ? metrics.pad : metrics.cellPad;
  const { tab, beside } = metrics;
  const side = tabs[cell];
  const wide = textWidth[cell];
  if (side === 0) {
    const letters = low ? pad : 0;
    return { width: letters + wide + (high ? pad : 0), letters, tab: -1 };
  }
  const before = low ? 0 : beside;
  const after = high ? 0 : beside;
  if (side === ALONE) return { width: before + tab + after, letters: before, tab: before };
  if (side === AT_LEFT) {
    const letters = before + tab + beside;
    return { width: letters + wide + (high ? pad : 0), letters, tab: before };
  }
  const letters = low ? pad : 0;
  return { width: letters + wide + beside + tab + after, letters, tab: letters + wide + beside };
}

/**
 * Return the tabs of the cells [start, end) of a token, as boxes, and whether the token ends at their left and right side.
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 * @param {number} step
 * @returns {{box: Box, ends: [boolean, boolean]}[]}
 */
export function tabsIn(layout, start, end, step) {
  const { line, metrics, top, tabs } = layout;
  const areas = [];
  for (let cell = start; cell < end; cell++) {
    if (!tabs[cell]) continue;
    const [low, high] = sidesOf(layout, cell, step);
    const x = layout.x[cell] + partsOfCell(layout, cell, low, high).tab;
    const y = top + line[cell] * metrics.pitch + metrics.drop;
    const ends = /** @type {[boolean, boolean]} */ ([
      low && tabs[cell] !== AT_RIGHT,
      high && tabs[cell] !== AT_LEFT,
    ]);
    areas.push({ box: { x, y, w: metrics.tab, h: metrics.height }, ends });
  }
  return areas;
}

/**
 * Return the box of the letters of cells [from, to) on the first of their lines, without the tabs beside them.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} step
 */
export function letterBox(layout, from, to, step) {
  const [box] = boxesOf(layout, from, to);
  const { tab, beside } = layout.metrics;
  for (let cell = from; cell < to; cell++) {
    const side = layout.tabs[cell];
    if (!side) continue;
    const [low, high] = sidesOf(layout, cell, step);
    const parts = partsOfCell(layout, cell, low, high);
    const left = side === AT_LEFT ? parts.letters : 0;
    const right = side === AT_RIGHT ? beside + tab + (high ? 0 : beside) : 0;
    box.x += left;
    box.w -= left + right;
  }
  return box;
}

/**
 * Return where the letters of cells [from, to) rest on the first of their lines, without tabs and the room beside them:
 * those of a token are evenly spaced. On a canvas, `letterBox` follows cells in motion.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} step
 */
export function restingLetters(layout, from, to, step) {
  const [box] = boxesOf(layout, from, to);
  let [left, right] = [Infinity, -Infinity];
  for (let cell = from; cell < to; cell++) {
    if (layout.line[cell] !== layout.line[from]) continue;
    const x = layout.x[cell] + partsOfCell(layout, cell, ...sidesOf(layout, cell, step)).letters;
    left = Math.min(left, x);
    right = Math.max(right, x + layout.textWidth[cell]);
  }
  return { ...box, x: left, w: right - left };
}

/** Return the label of a word's frequency, drawn before the word. @param {number} count */
export function frequencyText(count) {
  return `${formatNumber(count)} ×`;
}

/** @param {Cells} cells @param {Metrics} metrics */
function frequencyWidth({ words, model }, metrics) {
  let most = 0;
  for (const word of words) most = Math.max(most, model.words.frequency[word]);
  return Math.ceil(measureText(metrics.letter, frequencyText(most)) * 0.92) + 12;
}

/** Return the cell after the last one of a line. @param {Layout} layout @param {number} line */
export function lineEnd({ lineStart, cells }, line) {
  return lineStart[line + 1] ?? cells.size;
}

/** Move the cells to their positions after `step` steps. @param {Layout} layout @param {number} step */
export function arrange(layout, step) {
  reflow(layout, step);
  arrangeLines(layout, step, 0, layout.lineStart.length);
}

/**
 * Move the cells of the lines [first, last) to their positions after `step` steps.
 * @param {Layout} layout
 * @param {number} step
 * @param {number} first
 * @param {number} last
 */
export function arrangeLines(layout, step, first, last) {
  for (let line = first; line < last; line++) {
    arrangeLine(layout, step, line, layout.lineStart[line], lineEnd(layout, line));
  }
}

/** @param {Layout} layout @param {number} step @param {number} line @param {number} from @param {number} to */
function arrangeLine(layout, step, line, from, to) {
  const { cells, x, w, metrics, drawsChips, textWidth, tabs } = layout;
  if (from >= to) return;
  const pad = drawsChips ? metrics.pad : metrics.cellPad;
  let at = 0;
  for (let cell = from; cell < to; cell++) {
    const item = cells.item[cell];
    const begins = cell === cells.firstCell[item];
    if (cells.distinct) {
      if (begins || cell === from) at = (begins ? layout.left[item] : 0) + layout.labelWidth;
    } else if (begins && cell > from) at += metrics.wall;
    const [low, high] = sidesOf(layout, cell, step);
    x[cell] = at;
    if (tabs[cell]) w[cell] = partsOfCell(layout, cell, low, high).width;
    else w[cell] = textWidth[cell] + (low ? pad : 0) + (high ? pad : 0);
    at += w[cell] + (cells.close[cell] >= step ? metrics.gap : 0);
  }
  mirrorLine(layout, line, from, to, at);
}

/**
 * Find the walls between the words of a line of cells [from, to), as they are seen from left to right: words of two
 * directions do not stand as they are read.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @returns {Map<number, number>}  first cell of each word that begins on the line, after its first word -> x
 */
export function wallsOf({ cells, x, w, direction }, from, to) {
  /** @type {{item: number, low: number, high: number}[]} */
  const extents = [];
  const firstCells = [];
  for (let cell = from; cell < to; cell++) {
    const last = extents[extents.length - 1];
    if (last && last.item === cells.item[cell]) {
      last.low = Math.min(last.low, x[cell]);
      last.high = Math.max(last.high, x[cell] + w[cell]);
      continue;
    }
    if (last) firstCells.push(cell);
    extents.push({ item: cells.item[cell], low: x[cell], high: x[cell] + w[cell] });
  }
  if (direction) extents.sort((a, b) => a.low - b.low);
  return new Map(firstCells.map((cell, at) => [cell, (extents[at].high + extents[at + 1].low) / 2]));
}

/**
 * Find the ends of words of the first of two stages in a line of cells [from, to), as long as that stage lasts.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} step
 * @returns {Map<number, number>}  first cell after each end -> x
 */
export function endsOf({ cells, x, w }, from, to, step) {
  /** @type {Map<number, number>} */
  const ends = new Map();
  if (step >= (cells.model.stage?.after ?? 0)) return ends;
  for (let cell = from + 1; cell < to; cell++) {
    if (!cells.ends[cell - 1] || cells.close[cell - 1] < step) continue;
    const [low, high] = x[cell - 1] < x[cell] ? [cell - 1, cell] : [cell, cell - 1];
    ends.set(cell, (x[low] + w[low] + x[high]) / 2);
  }
  return ends;
}

/**
 * Return the left and right end of cells of one line. In words of one direction these are the ends of the outer cells.
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function extentOf({ x, w, ltrRuns }, from, to) {
  let low = Math.min(x[from], x[to - 1]);
  let high = Math.max(x[from] + w[from], x[to - 1] + w[to - 1]);
  if (!ltrRuns) return [low, high];
  for (let cell = from; cell < to; cell++) {
    low = Math.min(low, x[cell]);
    high = Math.max(high, x[cell] + w[cell]);
  }
  return [low, high];
}

/**
 * Return the boxes of cells [start, end), one for each of their lines; y from the stage's top.
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 */
export function boxesOf(layout, start, end) {
  const { line, metrics, top } = layout;
  /** @type {Box[]} */
  const boxes = [];
  for (let cell = start; cell < end;) {
    let to = cell + 1;
    while (to < end && line[to] === line[cell]) to += 1;
    const [low, high] = extentOf(layout, cell, to);
    const y = top + line[cell] * metrics.pitch + metrics.drop;
    boxes.push({ x: low, y, w: high - low, h: metrics.height });
    cell = to;
  }
  return boxes;
}
