// What the viewport shows of the sheets, and the canvases laid over just that part: marks (outlines, dots, light) are
// drawn on one for both drawings, tokens on another when they are drawn as cells.

import { make } from "../shared/dom.js";
import { EDGE, drawMarks } from "./painting.js";

export function createSight(grid) {
  const sight = { top: 0, width: 0, height: 0, ratio: 1, seen: true };
  const contexts = [];
  const { viewport, stage } = grid.parts;

  function layer(name) {
    const canvas = make("canvas", `layer ${name}`, { "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    contexts.push(context);
    stage.prepend(canvas); // marks come first, and stay over what comes later
    return context;
  }

  function fit() {
    sight.ratio = Math.min(2, window.devicePixelRatio || 1);
    sight.width = grid.width + 2 * EDGE;
    sight.height = viewport.clientHeight;
    sight.top = viewport.scrollTop;
    for (const context of contexts) {
      const { canvas } = context;
      const wide = Math.round(sight.width * sight.ratio);
      const high = Math.round(sight.height * sight.ratio);
      if (canvas.width !== wide) canvas.width = wide;
      if (canvas.height !== high) canvas.height = high;
      canvas.style.width = `${sight.width}px`;
      canvas.style.height = `${sight.height}px`;
      canvas.style.transform = `translateY(${sight.top}px)`;
      context.setTransform(sight.ratio, 0, 0, sight.ratio, EDGE * sight.ratio, -sight.top * sight.ratio);
    }
  }

  // Cells in sight of one place, as [from, to).
  function cells(place) {
    const { pitch } = place.metrics;
    const first = Math.max(0, Math.floor((sight.top - place.top) / pitch) - 1);
    const last = Math.min(place.lineStart.length, Math.ceil((sight.top + sight.height - place.top) / pitch) + 1);
    if (first >= last) return [0, 0];
    return [place.lineStart[first], place.lineStart[last] ?? place.sheet.size];
  }

  // A lane out of the window's sight waits while the scrubber is dragged, until it comes into it.
  new IntersectionObserver((entries) => {
    sight.seen = entries[entries.length - 1].isIntersecting; // several may come at once, the newest last
    if (sight.seen && grid.head.scrubbing) grid.mark();
  }).observe(viewport);

  const clear = (context) => context.clearRect(-EDGE, sight.top, sight.width, sight.height);
  const marks = layer("marks");

  function paintMarks() {
    clear(marks);
    for (const place of grid.places) drawMarks(marks, grid, place, ...cells(place));
  }

  const drop = (context) => {
    contexts.splice(contexts.indexOf(context), 1);
    context.canvas.remove();
  };

  return {
    layer, drop, fit, cells, clear, paintMarks, marks: marks.canvas,
    get seen() { return sight.seen; },
    get height() { return sight.height; },
  };
}
