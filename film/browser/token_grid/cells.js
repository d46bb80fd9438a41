// Cells on a canvas, for texts of any size: letters stand still, boundaries vanish. Only what is in sight is painted,
// and a step repaints only the tokens it changes.

import { boxesOf } from "./layout.js";
import { drawToken, drawWalls } from "./painting.js";
import { eachToken, tokensMade } from "./segmentation.js";

export function createCells(grid, sight) {
  const paper = sight.layer("cells");
  let running = 0;

  function paintAll() {
    cancelAnimationFrame(running);
    running = 0;
    sight.clear(paper);
    for (const place of grid.places) {
      const [from, to] = sight.cells(place);
      eachToken(place.sheet, grid.step, from, to, (start, end) => drawToken(paper, grid, place, start, end));
      drawWalls(paper, grid, place, from, to);
    }
  }

  // The tokens one step makes that are in sight.
  function changed(step) {
    return grid.places.flatMap((place) => {
      const [from, to] = sight.cells(place);
      return tokensMade(place.sheet, step).filter(([start, end]) => end > from && start < to).map((token) => [place, ...token]);
    });
  }

  function erase(place, start, end) {
    for (const box of boxesOf(place, start, end)) paper.clearRect(box.x - 1, place.top + box.y - 1, box.w + 2, box.h + 2);
  }

  // share: 0 … 1, how far the boundary between steps `older` and `older + 1` has vanished
  function drawChange(made, older, share) {
    for (const [place, start, end] of made) {
      erase(place, start, end);
      if (share < 1) eachToken(place.sheet, older, start, end, (from, to) => drawToken(paper, grid, place, from, to));
      paper.globalAlpha = share;
      if (share > 0) drawToken(paper, grid, place, start, end);
      paper.globalAlpha = 1;
    }
  }

  function animate(made, older, forwards, duration) {
    const begin = performance.now();
    const frame = (now) => {
      const share = eased(Math.min(1, Math.max(0, (now - begin) / duration)));
      drawChange(made, older, forwards ? share : 1 - share);
      running = share < 1 ? requestAnimationFrame(frame) : 0;
    };
    frame(begin);
  }

  function follow(from, step, duration) {
    if (running) paintAll();
    if (Math.abs(step - from) !== 1) return paintAll();
    const older = Math.min(from, step);
    const made = changed(older);
    if (duration) animate(made, older, step > from, duration);
    else drawChange(made, older, step > from ? 1 : 0);
  }

  return { chips: false, paintAll, follow, finish: () => running && paintAll(), remove: () => (cancelAnimationFrame(running), sight.drop(paper)) };
}

const eased = (share) => (share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2);
