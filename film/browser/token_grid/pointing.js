// Pointing at tokens: light its occurrences, say what it is, unfold its merge tree. Mouse, touch and keys alike.

import { say } from "../shared/groups.js";
import { createDetails } from "./details.js";
import { EDGE } from "./painting.js";
import { endOf, idAt, startOf } from "./segmentation.js";

export function createPointing(grid, signal) {
  const { viewport } = grid.parts;
  const details = createDetails(grid);
  let hovered = null;
  let pinned = false;
  let pressed = null;

  // The token under a point of the viewport, as {place, cell, start, end} or null.
  function tokenUnder(event) {
    const frame = grid.parts.stage.getBoundingClientRect();
    const x = event.clientX - frame.left - EDGE;
    const y = event.clientY - frame.top;
    for (const place of grid.places) {
      const line = Math.floor((y - place.top) / place.metrics.pitch);
      if (line < 0 || line >= place.lineStart.length) continue;
      const to = place.lineStart[line + 1] ?? place.sheet.size;
      for (let cell = place.lineStart[line]; cell < to; cell++) {
        if (x >= place.x[cell] - 1 && x <= place.x[cell] + place.w[cell] + 2) return spanOf(place, cell);
      }
    }
    return null;
  }

  function spanOf(place, cell) {
    return { place, cell, start: startOf(place.sheet, grid.step, cell), end: endOf(place.sheet, grid.step, cell) };
  }

  const idOf = (span) => idAt(span.place.sheet, span.start, span.end);

  function light(span) {
    const id = span ? idOf(span) : null;
    if (id === (hovered && idOf(hovered))) return void (hovered = span);
    hovered = span;
    if (span) say("light", { group: grid.group.name, token: id });
    else say("light", { group: grid.group.name, none: true });
  }

  function show(span, tree) {
    pinned = tree;
    details.show(span, idOf(span), tree);
  }

  function clear() {
    pinned = false;
    details.hide();
    light(null);
    grid.cursor = null;
    grid.paintMarks();
  }

  viewport.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || grid.head.playing || pinned) return;
    const span = tokenUnder(event);
    if (span && hovered && span.place === hovered.place && span.start === hovered.start) return;
    light(span);
    if (span) show(span, false);
    else details.hide();
  }, { signal });
  viewport.addEventListener("pointerleave", () => pinned || clear(), { signal });
  viewport.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }), { signal });
  viewport.addEventListener("pointerup", (event) => {
    if (!pressed) return;
    const dx = event.clientX - pressed.x;
    const dy = event.clientY - pressed.y;
    pressed = null;
    if (event.pointerType === "touch" && Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) return dx < 0 ? grid.head.forward() : grid.head.back();
    if (Math.abs(dx) + Math.abs(dy) > 10) return;
    const span = tokenUnder(event);
    if (!span) return clear();
    light(span);
    show(span, true);
  }, { signal });
  viewport.addEventListener("focus", () => grid.paintMarks(), { signal });
  viewport.addEventListener("blur", () => (grid.cursor && !pinned ? clear() : undefined), { signal });

  function walk(by) {
    const { cursor } = grid;
    const span = cursor ? spanOf(cursor.place, cursor.cell) : null;
    let place = span?.place ?? grid.places[0];
    let cell = span ? (by > 0 ? span.end : span.start - 1) : 0;
    if (cell < 0 || cell >= place.sheet.size) {
      place = grid.places[grid.places.indexOf(place) + by] ?? place;
      cell = Math.max(0, Math.min(place.sheet.size - 1, by > 0 && place !== span?.place ? 0 : by < 0 && place !== span?.place ? place.sheet.size - 1 : cell));
    }
    if (!place.sheet.size) return;
    grid.cursor = { place, cell };
    const next = spanOf(place, cell);
    grid.scrollTo(place, next.start);
    light(next);
    show(next, false);
    grid.spoken.say(details.sentence(idOf(next)));
  }

  function unfold() {
    const span = grid.cursor ? spanOf(grid.cursor.place, grid.cursor.cell) : null;
    if (span) show(span, !pinned);
  }

  // After a step the pointed token may be another one.
  function follow() {
    if (grid.head.playing) {
      if (hovered || details.open()) clear();
    } else if (details.open() && !grid.cursor && !pinned) details.hide();
  }

  return { walk, unfold, clear, follow, details, open: details.open };
}
