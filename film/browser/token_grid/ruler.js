// A ruler beside a text that is too long for its viewport. It shows where the next merge applies or where the
// highlighted tokens are in the whole text.

/** @import {Grid} from "./types.js" */

import { contextOf } from "../shared/colour.js";
import { make, setHidden } from "../shared/dom.js";
import { litRanges } from "./marking.js";
import { tokensMade } from "../player/segmentation.js";

const WIDTH = 9; // px, of which 7 are marked

/** Make the ruler of a grid. @param {Grid} grid */
export function createRuler(grid) {
  const title = "Where it occurs in the text";
  const canvas = make("canvas", "ruler", { "aria-hidden": "true", title, "data-testid": "ruler" });
  const context = contextOf(canvas);
  let fitted = ""; // the sizes that the canvas was fitted to

  canvas.addEventListener("click", ({ offsetY }) => {
    const { viewport } = grid.elements;
    viewport.scrollTop = (offsetY / canvas.clientHeight) * grid.height - viewport.clientHeight / 2;
  });

  // Reading an element's position makes the browser lay out the page, so do it only after a new drawing.
  function fit() {
    const height = grid.visibleArea.height();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const sizes = `${grid.width} ${height} ${grid.height} ${ratio}`;
    if (sizes !== fitted) {
      fitted = sizes;
      canvas.style.top = `${grid.elements.viewport.offsetTop}px`;
      canvas.style.height = `${height}px`;
      canvas.width = WIDTH * ratio;
      canvas.height = height * ratio;
      context.scale(ratio, (height * ratio) / grid.height);
    }
    context.clearRect(0, 0, WIDTH, grid.height);
    return height;
  }

  function draw() {
    const { lit, layouts, visibleMarks, step } = grid;
    const scrolls = grid.elements.viewport.classList.contains("scrolls");
    setHidden(canvas, !scrolls || grid.playhead.beat === "fast");
    if (canvas.hidden) return;
    const height = fit();
    context.fillStyle = grid.colours[lit ? "ink" : "accent"];
    const high = Math.max(layouts[0].metrics.pitch * 0.5, (3 * grid.height) / height);
    for (const layout of layouts) {
      const winners = visibleMarks.winner ? tokensMade(layout.cells, step) : [];
      for (const [start] of lit ? litRanges(grid, layout, 0, layout.cells.size) : winners) {
        context.fillRect(1, layout.top + layout.line[start] * layout.metrics.pitch, WIDTH - 2, high);
      }
    }
  }

  return { element: canvas, draw };
}
