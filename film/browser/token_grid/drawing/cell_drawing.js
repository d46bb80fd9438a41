// Cells on a canvas, for texts of any size: letters do not move, boundaries vanish. Only visible cells are painted, and
// a step repaints only the tokens that it changes. A ring lights up round each new one.

/** @import {ChipColours} from "../../shared/colour.js" */
/** @import {Layout} from "../layout/layout.js" */
/** @import {Drawing, Grid} from "../types.js" */

import { blendChips } from "../../shared/colour.js";
import { PHASES } from "./chip_motion.js";
import { boxesOf } from "../layout/layout.js";
import { drawRing, drawToken } from "../painting/painting.js";
import { eachToken, idAt, tokensMadeBetween } from "../data/segmentation.js";
import { drawEnds, drawWalls } from "../painting/wall_painting.js";

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
   * Return whether tokens hold most of the visible cells.
   * @param {MadeToken[]} tokens
   */
  function areMost(tokens) {
    let visible = 0;
    for (const layout of grid.layouts) {
      const [from, to] = visibleArea.cellsIn(layout);
      visible += to - from;
    }
    return tokens.reduce((cells, { start, end }) => cells + end - start, 0) > MOST_CHANGED * visible;
  }

  /** @param {MadeToken} token */
  function erase({ layout, start, end }) {
    for (const { x, y, w, h } of boxesOf(layout, start, end)) paper.clearRect(x - 1, y - 1, w + 2, h + 2);
  }

  // They are as near as the edge that `erase` clears, and above the tokens.
  function drawVisibleEnds() {
    for (const layout of grid.layouts) drawEnds(paper, grid, layout, ...visibleArea.cellsIn(layout));
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
   * Paint tokens between the steps `older` and `older + 1`.
   * @param {MadeToken[]} tokens
   * @param {number} older
   * @param {number} share  0 to 1: how far their boundaries have vanished
   */
  function drawChange(tokens, older, share) {
    for (const token of tokens) {
      erase(token);
      if (share < 1) drawParts(token, older, share);
      paper.globalAlpha = share;
      if (share > 0) drawToken(paper, grid, token.layout, token.start, token.end);
      paper.globalAlpha = 1;
    }
    drawVisibleEnds();
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

  /**
   * Paint tokens as they are at the grid's step, in place of those that were there.
   * @param {MadeToken[]} tokens
   */
  function replace(tokens) {
    for (const token of tokens) {
      erase(token);
      drawTokens(token.layout, grid.step, token.start, token.end);
    }
    drawVisibleEnds();
  }

  /** @type {Drawing["follow"]} */
  function follow(from, step, duration) {
    endRings();
    if (running) paintAll();
    const [older, newer] = from < step ? [from, step] : [step, from];
    const { after = 0 } = grid.model.stage ?? {};
    const tokens = visibleMade(older, newer);
    if (older < after && newer >= after) paintAll(); // the ends of words vanish
    else if (!duration && areMost(tokens)) return paintAll();
    if (!duration) return replace(tokens);
    if (step < from) return animate(tokens, older, false, duration);
    animate(tokens, older, true, duration * (1 - PHASES.flash));
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
