// A ruler beside a text too long for its viewport: where the next merge strikes, or what is lit stands, in all of it.

import { make } from "../shared/dom.js";
import { litRanges } from "./marking.js";
import { tokensMade } from "./segmentation.js";

export function createRuler(grid) {
  const canvas = make("canvas", "ruler", { "aria-hidden": "true", title: "Where it stands in the text", "data-testid": "ruler" });
  canvas.addEventListener("click", (event) => {
    const { viewport } = grid.parts;
    viewport.scrollTop = (event.offsetY / canvas.clientHeight) * grid.height - viewport.clientHeight / 2;
  });

  const context = canvas.getContext("2d");
  let fitted = "";

  // Asking for a place or a size lays the page out anew: only when the drawing was.
  function fit() {
    const { viewport } = grid.parts;
    const { height } = grid.sight;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const sizes = `${grid.width} ${height} ${grid.height} ${ratio}`;
    if (sizes !== fitted) {
      fitted = sizes;
      canvas.style.top = `${viewport.offsetTop}px`;
      canvas.style.height = `${height}px`;
      canvas.width = 9 * ratio;
      canvas.height = height * ratio;
      context.scale(ratio, (height * ratio) / grid.height);
    }
    context.clearRect(0, 0, 9, grid.height);
    return height;
  }

  function draw() {
    canvas.hidden = !grid.parts.viewport.classList.contains("scrolls") || grid.head.beat === "fast";
    if (canvas.hidden) return;
    const height = fit();
    context.fillStyle = grid.colours[grid.lit ? "ink" : "accent"];
    const high = Math.max(grid.places[0].metrics.pitch * 0.5, (3 * grid.height) / height);
    for (const place of grid.places) {
      const ranges = grid.lit ? litRanges(grid, place, 0, place.sheet.size) : grid.shows.winner ? tokensMade(place.sheet, grid.step) : [];
      for (const [start] of ranges) context.fillRect(1, place.top + place.line[start] * place.metrics.pitch, 7, high);
    }
  }

  return { element: canvas, draw };
}
