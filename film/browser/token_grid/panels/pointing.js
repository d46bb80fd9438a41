// Pointing at a token highlights its occurrences and shows its details or merge tree. Works by mouse, touch and keys.

/** @import {Layout} from "../layout/layout.js" */
/** @import {Grid} from "../types.js" */

import { say } from "../../shared/groups.js";
import { createRest } from "../../shared/pointed.js";
import { createDetails } from "./details.js";
import { lineEnd } from "../layout/layout.js";
import { EDGE } from "../painting/painting.js";
import { endOf, idAt, startOf } from "../data/segmentation.js";

/** The token of cells [start, end) that holds a cell. @typedef {{layout: Layout, cell: number, start: number, end: number}} Span */

const SWIPE = 40; // px; a longer touch is a swipe
const STILL = 10; // px; a press that moves less is a click

/**
 * Make the tokens of a grid respond to pointing.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createPointing(grid, signal) {
  const { viewport, stage } = grid.elements;
  const details = createDetails(grid, clear);
  /** @type {Span | null} */
  let hovered = null;
  /** @type {{x: number, y: number} | null} */
  let pressed = null;
  let pinned = false; // the details stay until they are closed, or until the step changes
  let shownAt = 0; // the step that the details are of
  const rest = createRest();
  /** @type {Span | null} */
  let awaited = null; // the token below the pointer, until it has rested there for a moment

  /**
   * @param {PointerEvent} event
   * @returns {Span | null}
   */
  function tokenUnder({ clientX, clientY }) {
    const frame = stage.getBoundingClientRect();
    const x = clientX - frame.left - EDGE;
    const y = clientY - frame.top;
    for (const layout of grid.layouts) {
      const line = Math.floor((y - layout.top) / layout.metrics.pitch);
      if (line < 0 || line >= layout.lineStart.length) continue;
      const end = lineEnd(layout, line);
      for (let cell = layout.lineStart[line]; cell < end; cell++) {
        if (x >= layout.x[cell] - 1 && x <= layout.x[cell] + layout.w[cell] + 2) return spanOf(layout, cell);
      }
    }
    return null;
  }

  /**
   * @param {Layout} layout
   * @param {number} cell
   * @returns {Span}
   */
  function spanOf(layout, cell) {
    const { cells } = layout;
    return { layout, cell, start: startOf(cells, grid.step, cell), end: endOf(cells, grid.step, cell) };
  }

  /** @param {Span} span */
  function idOf({ layout, start, end }) {
    return idAt(layout.cells, start, end);
  }

  /** @param {Span | null} span */
  function light(span) {
    const id = span && idOf(span);
    const same = id === (hovered && idOf(hovered));
    hovered = span;
    if (same) return;
    const group = grid.group.name;
    say("light", id === null ? { group, none: true } : { group, token: id });
  }

  /**
   * @param {Span} span
   * @param {boolean} tree
   */
  function show(span, tree) {
    pinned = tree;
    shownAt = grid.step;
    details.show(span, idOf(span), tree);
  }

  function forgetAwaited() {
    rest.cancel();
    awaited = null;
  }

  function clear() {
    forgetAwaited();
    pinned = false;
    details.hide();
    light(null);
    grid.setCursor(null);
    grid.paintMarks();
  }

  /** @param {PointerEvent} event */
  function hover(event) {
    if (event.pointerType === "touch" || grid.playhead.playing || pinned) return;
    const span = tokenUnder(event);
    const last = awaited ?? hovered;
    if (span && last && span.layout === last.layout && span.start === last.start) return;
    forgetAwaited();
    awaited = span;
    if (span) return rest.wait(() => showAwaited(span));
    light(null);
    details.hide();
  }

  /** @param {Span} span */
  function showAwaited(span) {
    awaited = null;
    if (grid.playhead.playing || pinned || !grid.layouts.includes(span.layout)) return;
    const now = spanOf(span.layout, span.cell); // the token may have grown meanwhile
    light(now);
    show(now, false);
  }

  /** @param {PointerEvent} event */
  function release(event) {
    if (!pressed) return;
    const dx = event.clientX - pressed.x;
    const dy = event.clientY - pressed.y;
    pressed = null;
    if (event.pointerType === "touch" && Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) {
      if (dx < 0) grid.playhead.forward();
      else grid.playhead.back();
      return;
    }
    if (Math.abs(dx) + Math.abs(dy) > STILL) return;
    forgetAwaited();
    const span = tokenUnder(event);
    if (!span) return clear();
    if (grid.panels.prediction.choose(span)) return details.hide();
    light(span);
    show(span, true);
  }

  viewport.addEventListener("pointermove", hover, { signal });
  // A finger that is lifted leaves too, but what it chose stays.
  viewport.addEventListener(
    "pointerleave",
    ({ pointerType }) => pinned || pointerType === "touch" || clear(),
    {
      signal,
    },
  );
  viewport.addEventListener("pointerdown", ({ clientX, clientY }) => (pressed = { x: clientX, y: clientY }), {
    signal,
  });
  viewport.addEventListener("pointerup", release, { signal });
  viewport.addEventListener("focus", () => grid.paintMarks(), { signal });
  viewport.addEventListener("blur", () => grid.cursor && !pinned && clear(), { signal });

  /**
   * Move the cursor to the next token, or the one before.
   * @param {1 | -1} by
   */
  function walk(by) {
    const { cursor, layouts } = grid;
    const span = cursor && spanOf(cursor.layout, cursor.cell);
    const next = span ? tokenBeside(span, by) : { layout: layouts[0], cell: 0 };
    if (!next.layout.cells.size) return;
    grid.setCursor(next);
    const reached = spanOf(next.layout, next.cell);
    scrollTo(next.layout, reached.start);
    light(reached);
    show(reached, false);
    grid.panels.spoken.say(details.sentence(idOf(reached)));
  }

  /**
   * @param {Span} span
   * @param {1 | -1} by
   */
  function tokenBeside({ layout, start, end }, by) {
    const { size } = layout.cells;
    const cell = by > 0 ? end : start - 1;
    if (cell >= 0 && cell < size) return { layout, cell };
    const next = grid.layouts[grid.layouts.indexOf(layout) + by];
    if (next) return { layout: next, cell: by > 0 ? 0 : next.cells.size - 1 };
    return { layout, cell: Math.max(0, Math.min(size - 1, cell)) };
  }

  /**
   * @param {Layout} layout
   * @param {number} cell
   */
  function scrollTo({ top, line, metrics }, cell) {
    const y = top + line[cell] * metrics.pitch;
    const low = y + metrics.pitch - viewport.clientHeight;
    if (y < viewport.scrollTop) viewport.scrollTop = y;
    if (low > viewport.scrollTop) viewport.scrollTop = low;
  }

  // Predicts with the token at the cursor while the next merge is hidden; otherwise shows its merge tree, or hides it.
  function unfold() {
    if (!grid.cursor) return;
    const span = spanOf(grid.cursor.layout, grid.cursor.cell);
    if (!grid.panels.prediction.choose(span)) show(span, !pinned);
  }

  // After a step there may be another token under the pointer, and the details are those of an earlier step.
  function follow() {
    if (pinned && grid.step !== shownAt) clear();
    else if (grid.playhead.playing) {
      if (hovered || details.isOpen()) clear();
    } else if (details.isOpen() && !grid.cursor && !pinned) details.hide();
  }

  return { element: details.element, walk, unfold, clear, follow, isOpen: details.isOpen };
}
