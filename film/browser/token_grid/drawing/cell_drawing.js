// Cells on a canvas, for texts of any size: boundaries vanish, letters close up, and the rest of the line follows. Only
// visible cells are painted, and a step repaints only the lines that it changes. A ring lights up round each new token.

/** @import {ChipColours} from "../../shared/colour.js" */
/** @import {Layout} from "../layout/layout.js" */
/** @import {LinesInMotion} from "../layout/lines_in_motion.js" */
/** @import {Drawing, Grid} from "../types.js" */

import { blendChips } from "../../shared/colour.js";
import { PHASES } from "./chip_motion.js";
import { linesInMotion, placeBetween } from "../layout/lines_in_motion.js";
import { arrangeLines } from "../layout/layout.js";
import { EDGE, drawRing, drawToken } from "../painting/painting.js";
import { eachToken, idAt, tokensMadeBetween } from "../data/segmentation.js";
import { drawWalls } from "../painting/wall_painting.js";

/** Share of the visible cells; if more of them change, painting everything is faster. */
const MOST_CHANGED = 0.7;

/** A token that a step makes. @typedef {{layout: Layout, start: number, end: number}} MadeToken */

/**
 * Draw the grid's layouts as cells.
 * @param {Grid} grid
 * @returns {Drawing}
 */
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

  /**
   * @param {Layout} layout
   * @param {number} step
   * @param {number} from
   * @param {number} to
   */
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

  /**
   * Return whether lines hold most of the visible cells.
   * @param {LinesInMotion[]} changed
   */
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

  /**
   * @param {ChipColours} from
   * @param {ChipColours} to
   * @param {number} share
   */
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

  /**
   * Paint lines as they are at the grid's step.
   * @param {LinesInMotion[]} changed
   */
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

  return { chips: false, paintAll, follow, finish, remove };
}

/**
 * Return the eased share of a movement, slow at both ends.
 * @param {number} share  0 to 1
 */
function eased(share) {
  return share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
}
