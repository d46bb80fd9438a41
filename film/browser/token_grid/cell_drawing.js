// Cells on a canvas, for texts of any size: boundaries vanish, letters close up, and the rest of the line follows. Only
// visible cells are painted, and a step repaints only the lines that it changes. A ring lights up round each new token.

/** @import {Layout} from "./layout.js" */
/** @import {Context} from "./painting.js" */
/** @import {Grid, Drawing} from "./types.js" */
/** @import {ChipColours} from "../shared/colour.js" */

import { endsOf, frequencyText, lineEnd, wallsOf, arrangeLines } from "./layout.js";
import { blendChips } from "../shared/colour.js";
import { PHASES } from "./chip_motion.js";
import { EDGE, drawRing, drawToken } from "./painting.js";
import { eachToken, idAt, tokensMadeBetween } from "../player/segmentation.js";

// Painting what separates words on a canvas: walls between the words of a text, frequencies before distinct words, and
// the ends of words within a longer one, as long as the first of two stages lasts.

/**
 * Paint what separates the words of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawWalls(context, grid, layout, from, to) {
  if (from >= to) return;
  if (layout.cells.distinct) drawFrequencies(context, grid, layout, from, to);
  else drawBars(context, grid, layout, from, to, (first, end) => wallsOf(layout, first, end));
  drawEnds(context, grid, layout, from, to);
}

/**
 * Paint the ends of words in the lines of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawEnds(context, grid, layout, from, to) {
  if (from >= to || grid.step >= (grid.model.stage?.after ?? 0)) return;
  drawBars(context, grid, layout, from, to, (first, end) => endsOf(layout, first, end, grid.step));
}

/**
 * Paint bars in the lines of cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(first: number, end: number) => Map<number, number>} barsOf  x of the bars between the cells of a line
 */
function drawBars(context, grid, layout, from, to, barsOf) {
  const { metrics, line: lines } = layout;
  const { a: ratio, e: left, f: top } = context.getTransform();
  const wide = Math.floor(2 * ratio);
  const high = Math.round(metrics.height * 0.76 * ratio);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0); // whole pixels of the screen: a bar that is painted twice looks the same
  context.fillStyle = grid.colours.wall;
  for (let line = lines[from]; line <= lines[to - 1]; line++) {
    const y = layout.top + line * metrics.pitch + metrics.drop + metrics.height * 0.12;
    for (const x of barsOf(layout.lineStart[line], lineEnd(layout, line)).values()) {
      context.fillRect(Math.round(x * ratio + left - wide / 2), Math.round(y * ratio + top), wide, high);
    }
  }
  context.restore();
}

/** @param {Context} context @param {Grid} grid @param {Layout} layout @param {number} from @param {number} to */
function drawFrequencies(context, grid, layout, from, to) {
  const { cells, metrics, left, labelWidth } = layout;
  context.fillStyle = grid.colours.soft;
  context.textAlign = "right";
  context.direction = "ltr"; // not that of the last token
  context.textBaseline = "middle";
  context.font = `400 ${Math.round(metrics.size * 0.92)}px ${grid.font}`;
  for (let item = cells.item[from]; item < cells.words.length && cells.firstCell[item] < to; item++) {
    if (cells.firstCell[item] < from) continue;
    const y = layout.top + (layout.line[cells.firstCell[item]] + 0.5) * metrics.pitch;
    const text = frequencyText(cells.model.words.frequency[cells.words[item]]);
    context.fillText(text, left[item] + labelWidth - 10, y);
  }
}

// The lines of a layout that a step changes, and where their cells are on the way. A merge makes its tokens narrower, so
// everything behind them in the line moves up.

/**
 * Neighbouring lines [first, last) of a layout with the cells [from, to), and where these are at both ends of a motion.
 * @typedef {object} LinesInMotion
 * @property {Layout} layout
 * @property {number} first
 * @property {number} last
 * @property {number} from
 * @property {number} to
 * @property {Positions} older
 * @property {Positions} newer
 */

/** @typedef {{x: Float32Array, w: Float32Array}} Positions */

/**
 * Return the lines that hold these tokens, which exist after `newer` steps, and every line that shares a token with one
 * of them. The layout then stands as it is after `step` steps.
 * @param {Layout} layout
 * @param {[start: number, end: number][]} tokens
 * @param {number} older
 * @param {number} newer
 * @param {number} step  one of the two
 * @returns {LinesInMotion[]}
 */
export function linesInMotion(layout, tokens, older, newer, step) {
  const lines = new Set(
    tokens.flatMap(([start, end]) => linesBetween(layout.line[start], layout.line[end - 1])),
  );
  for (const line of lines) {
    // A set is walked through with what is added meanwhile.
    if (sharesToken(layout, line, newer)) lines.add(line + 1);
    if (line && sharesToken(layout, line - 1, newer)) lines.add(line - 1);
  }
  return together([...lines].toSorted((one, other) => one - other)).map(([first, last]) => {
    const [from, to] = [layout.lineStart[first], lineEnd(layout, last - 1)];
    const at = (/** @type {number} */ some) => {
      arrangeLines(layout, some, first, last);
      return { x: layout.x.slice(from, to), w: layout.w.slice(from, to) };
    };
    const positions = {
      [step === older ? newer : older]: at(step === older ? newer : older),
      [step]: at(step),
    };
    return { layout, first, last, from, to, older: positions[older], newer: positions[newer] };
  });
}

/**
 * Put the cells of lines between their older and their newer positions.
 * @param {LinesInMotion} lines
 * @param {number} share  0 to 1
 */
export function placeBetween({ layout, from, to, older, newer }, share) {
  for (let cell = from; cell < to; cell++) {
    const at = cell - from;
    layout.x[cell] = older.x[at] + (newer.x[at] - older.x[at]) * share;
    layout.w[cell] = older.w[at] + (newer.w[at] - older.w[at]) * share;
  }
}

/**
 * Return whether a token goes on from a line to the next one.
 * @param {Layout} layout
 * @param {number} line
 * @param {number} step
 */
function sharesToken(layout, line, step) {
  const { cells, lineStart } = layout;
  const next = lineStart[line + 1];
  return next > 0 && next < cells.size && cells.close[next - 1] < step;
}

/** @param {number} first @param {number} last */
function linesBetween(first, last) {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Return runs of neighbouring numbers, each as [first, behind its last). @param {number[]} sorted */
function together(sorted) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const number of sorted) {
    const last = runs[runs.length - 1];
    if (last && last[1] === number) last[1] += 1;
    else runs.push([number, number + 1]);
  }
  return runs;
}

/** Share of the visible cells; if more of them change, painting everything is faster. */
const MOST_CHANGED = 0.7;

/** A token that a step makes. @typedef {{layout: Layout, start: number, end: number}} MadeToken */

/** Draw the grid's layouts as cells. @param {Grid} grid @returns {Drawing} */
export function createCellDrawing(grid) {
  const { visibleArea } = grid;
  const rings = visibleArea.addLayer("rings");
  const paper = visibleArea.addLayer("cells");
  let running = 0;
  /** @type {Animation | null} */
  let shine = null; // of the rings

  function paintAll() {
    cancelAnimationFrame(running);
    running = 0;
    endRings();
    visibleArea.clear(paper);
    for (const layout of grid.layouts) {
      const [from, to] = visibleArea.cellsIn(layout);
      if (from < to) arrangeLines(layout, grid.step, layout.line[from], layout.line[to - 1] + 1);
      drawTokens(layout, grid.step, from, to);
      drawWalls(paper, grid, layout, from, to);
    }
  }

  /** @param {Layout} layout @param {number} step @param {number} from @param {number} to */
  function drawTokens(layout, step, from, to) {
    eachToken(layout.cells, step, from, to, (start, end) => drawToken(paper, grid, layout, start, end));
  }

  /**
   * Return the visible tokens that the steps [older, newer) make.
   * @param {number} older
   * @param {number} newer
   * @returns {MadeToken[]}
   */
  function visibleMade(older, newer) {
    return grid.layouts.flatMap((layout) => {
      const [from, to] = visibleArea.cellsIn(layout);
      const tokens = tokensMadeBetween(layout.cells, older, newer).map(([start, end]) => ({
        layout,
        start,
        end,
      }));
      return tokens.filter(({ start, end }) => end > from && start < to);
    });
  }

  /**
   * Return the lines that these tokens change between two steps.
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {number} newer
   */
  function changedLines(tokens, older, newer) {
    return grid.layouts.flatMap((layout) => {
      const own = tokens.filter((token) => token.layout === layout);
      const ranges = own.map(({ start, end }) => /** @type {[number, number]} */ ([start, end]));
      return linesInMotion(layout, ranges, older, newer, grid.step);
    });
  }

  /** Return whether lines hold most of the visible cells. @param {LinesInMotion[]} changed */
  function areMost(changed) {
    let visible = 0;
    for (const layout of grid.layouts) {
      const [from, to] = visibleArea.cellsIn(layout);
      visible += to - from;
    }
    return changed.reduce((cells, { from, to }) => cells + to - from, 0) > MOST_CHANGED * visible;
  }

  /** @param {LinesInMotion} lines */
  function erase({ layout, first, last }) {
    const { pitch } = layout.metrics;
    paper.clearRect(-EDGE, layout.top + first * pitch, grid.width + 2 * EDGE, (last - first) * pitch);
  }

  /**
   * Paint the tokens that a new one is made of, in colours on the way to its own. The new one is painted over them: the
   * two colours that the browser then mixes are near each other, and the mixture is clear.
   * @param {MadeToken} token
   * @param {number} older
   * @param {number} share
   */
  function drawParts({ layout, start, end }, older, share) {
    const { cells } = layout;
    const colours = grid.chip(idAt(cells, start, end));
    eachToken(cells, older, start, end, (from, to) => {
      const part = grid.chip(idAt(cells, from, to));
      drawToken(paper, grid, layout, from, to, mixed(part, colours, share));
    });
  }

  /** @type {Map<string, ChipColours>} */
  const mixtures = new Map(); // of this frame: one step's tokens all have the same colours
  let sharedBy = 0; // the share of the mixtures

  /** @param {ChipColours} from @param {ChipColours} to @param {number} share */
  function mixed(from, to, share) {
    if (!share) return from;
    if (share !== sharedBy) mixtures.clear();
    sharedBy = share;
    const key = `${from.fill} ${to.fill}`;
    const mixture = mixtures.get(key) ?? blendChips(from, to, share);
    mixtures.set(key, mixture);
    return mixture;
  }

  /**
   * Light rings up when the boundaries have vanished; they fade by themselves.
   * @param {MadeToken[]} tokens
   * @param {number} duration
   */
  function showRings(tokens, duration) {
    for (const { layout, start, end } of tokens) drawRing(rings, grid, layout, start, end);
    const timing = {
      delay: duration * (1 - PHASES.flash),
      duration: duration * PHASES.flash,
      easing: "ease-in",
    };
    shine = rings.canvas.animate([{ opacity: 1 }, { opacity: 0 }], timing);
    shine.onfinish = endRings;
  }

  function endRings() {
    if (!shine) return;
    shine.cancel();
    shine = null;
    visibleArea.clear(rings);
  }

  /**
   * Paint lines between the steps `older` and `older + 1`.
   * @param {LinesInMotion[]} changed
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {number} share  0 to 1: how far the boundaries of these tokens have vanished
   */
  function drawChange(changed, tokens, older, share) {
    const forwards = grid.step > older;
    for (const lines of changed) {
      const { layout, from, to } = lines;
      const byStart = new Map(tokens.filter((one) => one.layout === layout).map((one) => [one.start, one]));
      erase(lines);
      placeBetween(lines, share);
      eachToken(layout.cells, older + 1, from, to, (start, end) => {
        const token = byStart.get(start);
        if (token && share < 1) drawParts(token, older, share);
        paper.globalAlpha = token ? share : 1;
        if (paper.globalAlpha > 0) drawToken(paper, grid, layout, start, end);
        paper.globalAlpha = 1;
      });
      drawWalls(paper, grid, layout, from, to);
      placeBetween(lines, forwards ? 1 : 0); // where marks and the pointer look for the cells
    }
  }

  /**
   * @param {LinesInMotion[]} changed
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {boolean} forwards
   * @param {number} duration
   */
  function animate(changed, tokens, older, forwards, duration) {
    const begin = performance.now();
    const frame = (/** @type {number} */ now) => {
      const share = eased(Math.min(1, Math.max(0, (now - begin) / duration)));
      drawChange(changed, tokens, older, forwards ? share : 1 - share);
      running = share < 1 ? requestAnimationFrame(frame) : 0;
    };
    frame(begin);
  }

  /** Paint lines as they are at the grid's step. @param {LinesInMotion[]} changed */
  function replace(changed) {
    for (const lines of changed) {
      erase(lines);
      drawTokens(lines.layout, grid.step, lines.from, lines.to);
      drawWalls(paper, grid, lines.layout, lines.from, lines.to);
    }
  }

  /** @type {Drawing["follow"]} */
  function follow(from, step, duration) {
    endRings();
    if (running) paintAll();
    const [older, newer] = from < step ? [from, step] : [step, from];
    const { after = 0 } = grid.model.stage ?? {};
    const tokens = visibleMade(older, newer);
    if (older < after && newer >= after) paintAll(); // the ends of words vanish
    const changed = changedLines(tokens, older, newer);
    if (!duration) return areMost(changed) ? paintAll() : replace(changed);
    if (step < from) return animate(changed, tokens, older, false, duration);
    animate(changed, tokens, older, true, duration * (1 - PHASES.flash));
    showRings(tokens, duration);
  }

  function remove() {
    cancelAnimationFrame(running);
    endRings();
    visibleArea.removeLayer(paper);
    visibleArea.removeLayer(rings);
  }

  function finish() {
    endRings();
    if (running) paintAll();
  }

  return { chips: false, paintAll, follow, finish, remove, looks: () => null, moveFrom: () => undefined };
}

/** Return the eased share of a movement, slow at both ends. @param {number} share  0 to 1 */
function eased(share) {
  return share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
}
