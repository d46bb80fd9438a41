// Cells on a canvas, for texts of any size: letters do not move, boundaries vanish. Only visible cells are painted, and
// a step repaints only the tokens that it changes.

/** @import {Layout} from "./layout.js" */
/** @import {Drawing, Grid} from "./types.js" */

import { boxesOf } from "./layout.js";
import { drawToken, drawWalls } from "./painting.js";
import { eachToken, tokensMade } from "./segmentation.js";

/** A token that a step makes. @typedef {{layout: Layout, start: number, end: number}} MadeToken */

/**
 * Draw the grid's layouts as cells.
 * @param {Grid} grid
 * @returns {Drawing}
 */
export function createCellDrawing(grid) {
  const { visibleArea } = grid;
  const paper = visibleArea.addLayer("cells");
  let running = 0;

  function paintAll() {
    cancelAnimationFrame(running);
    running = 0;
    visibleArea.clear(paper);
    for (const layout of grid.layouts) {
      const [from, to] = visibleArea.cellsIn(layout);
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
   * Return the visible tokens that a step makes.
   * @param {number} step
   * @returns {MadeToken[]}
   */
  function visibleMade(step) {
    return grid.layouts.flatMap((layout) => {
      const [from, to] = visibleArea.cellsIn(layout);
      const tokens = tokensMade(layout.cells, step).map(([start, end]) => ({ layout, start, end }));
      return tokens.filter(({ start, end }) => end > from && start < to);
    });
  }

  /** @param {MadeToken} token */
  function erase({ layout, start, end }) {
    for (const { x, y, w, h } of boxesOf(layout, start, end)) paper.clearRect(x - 1, y - 1, w + 2, h + 2);
  }

  /**
   * Paint tokens between the steps `older` and `older + 1`.
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {number} share  0 to 1: how far their boundaries have vanished
   */
  function drawChange(tokens, older, share) {
    for (const token of tokens) {
      erase(token);
      if (share < 1) drawTokens(token.layout, older, token.start, token.end);
      paper.globalAlpha = share;
      if (share > 0) drawToken(paper, grid, token.layout, token.start, token.end);
      paper.globalAlpha = 1;
    }
  }

  /**
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {boolean} forwards
   * @param {number} duration
   */
  function animate(tokens, older, forwards, duration) {
    const begin = performance.now();
    const frame = (/** @type {number} */ now) => {
      const share = eased(Math.min(1, Math.max(0, (now - begin) / duration)));
      drawChange(tokens, older, forwards ? share : 1 - share);
      running = share < 1 ? requestAnimationFrame(frame) : 0;
    };
    frame(begin);
  }

  /** @type {Drawing["follow"]} */
  function follow(from, step, duration) {
    if (running) paintAll();
    if (Math.abs(step - from) !== 1) return paintAll();
    const older = Math.min(from, step);
    const tokens = visibleMade(older);
    if (duration) animate(tokens, older, step > from, duration);
    else drawChange(tokens, older, step > from ? 1 : 0);
  }

  function remove() {
    cancelAnimationFrame(running);
    visibleArea.removeLayer(paper);
  }

  return { chips: false, paintAll, follow, finish: () => void (running && paintAll()), remove };
}

/**
 * Return the eased share of a movement, slow at both ends.
 * @param {number} share  0 to 1
 */
function eased(share) {
  return share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
}
