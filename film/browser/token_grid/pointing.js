// Pointing at a token highlights its occurrences and shows its details or merge tree. Works by mouse, touch and keys.

/** @import {Model, Token} from "../player/feed.js" */
/** @import {Grid} from "./types.js" */
/** @import {Layout} from "./layout.js" */

import { make } from "../shared/dom.js";
import { mergeName, mergeNumber, formatCount } from "../shared/numbers.js";
import { countNow, isReplayed, tokenOf } from "../player/feed.js";
import { boxesOf, lineEnd } from "./layout.js";
import { litRanges } from "./marking.js";
import { EDGE } from "./painting.js";
import { hexOf, invisibleNames, markerMeaning } from "../player/spelling.js";
import { say, typing } from "../shared/groups.js";
import { createRest } from "../shared/pointed.js";
import { endOf, idAt, startOf } from "../player/segmentation.js";

// The details of a token: string, id, bytes, the merge that made it, current occurrences, and its merge tree.

const MOST_BYTES = 24; // written out
const MOST_NAMES = 4; // invisible characters named

/**
 * Describe a token after `step` steps in short sentences.
 * @param {Model} model
 * @param {number} id
 * @param {number} step
 */
export function tokenFacts(model, id, step) {
  const token = tokenOf(model, id);
  const { markerByte, markerText } = model.spelling;
  const bytes = token.bytes.filter((byte) => byte !== markerByte); // the marker is no byte of the text
  const marked = bytes.length < token.bytes.length;
  const count = countNow(model, id, step);
  return [
    ...(marked ? [`${markerText}, ${markerMeaning(model.spelling)}`] : []),
    id < 0 || token.unknown ? "no id" : `id ${id}`,
    ...(bytes.length ? [bytesText(bytes)] : []),
    ...invisibleNames(token.bytes, model.spelling).slice(0, MOST_NAMES),
    originText(model, token),
    ...(count === null ? [] : [`occurs ${formatCount(count, "time")} now`]),
  ];
}

/** @param {number[]} bytes */
function bytesText(bytes) {
  const rest = bytes.length > MOST_BYTES ? " …" : "";
  return `${formatCount(bytes.length, "byte")}: ${bytes.slice(0, MOST_BYTES).map(hexOf).join(" ")}${rest}`;
}

/** @param {Model} model @param {Token} token */
function originText(model, { id, born, unknown }) {
  if (unknown) return "not in the vocabulary: <unk>";
  if (model.taken && id >= 0) return "in the vocabulary";
  if (born < 0) return id >= 0 ? "in the alphabet" : "not a token";
  const { replay } = model;
  const isListed = replay && isReplayed(model, born);
  const listed = isListed ? ` (${mergeName(replay.ranks[born])} of the tokenizer)` : "";
  return `created by ${mergeName(rankOf(model, born))}${listed}`;
}

/** @param {Model} model @param {number} born */
function rankOf({ steps }, born) {
  return steps.ranks ? steps.ranks[born] : born;
}

/**
 * Make the card with a token's details. `close` is called when its cross is pressed.
 * @param {Grid} grid
 * @param {() => void} close
 */
function createDetails(grid, close) {
  const attributes = { role: "group", "aria-label": "Token", hidden: true, "data-testid": "token-details" };
  const element = make("div", "details", attributes);
  let lastKey = ""; // what the drawn card depends on

  /** @param {number} id */
  function sentence(id) {
    const facts = tokenFacts(grid.model, id, grid.step);
    const { label } = tokenOf(grid.model, id);
    const isMarker = label === grid.model.spelling.markerText; // its first fact is its name
    return [...(isMarker ? [] : [`token ${label}`]), ...facts].join(", ");
  }

  /**
   * Show a token. With `tree`, show its merge tree too, until the card is closed.
   * @param {Span} span
   * @param {number} id
   * @param {boolean} tree
   */
  function show(span, id, tree) {
    const key = `${id} ${tree} ${grid.step} ${span.start} ${grid.theme} ${grid.group.presenting}`;
    if (lastKey === key && !element.hidden) return;
    lastKey = key;
    const facts = tokenFacts(grid.model, id, grid.step).map((text) => make("span", "", {}, text));
    const isMade = tokenOf(grid.model, id).born >= 0;
    const top = make("div", "row facts", {}, grid.chipFor(id), ...facts);
    element.replaceChildren(top);
    element.classList.toggle("pinned", tree);
    if (tree) {
      const cross = make(
        "button",
        "quiet close",
        { type: "button", "aria-label": "Close", click: close },
        "×",
      );
      element.append(cross, ...(isMade ? [mergeTree(grid, id)] : []));
    } else if (fieldOnStage(grid) || isMade) {
      const does = fieldOnStage(grid) ? "click to type a text" : "click for its merge tree";
      top.append(make("span", "hint", {}, does));
    }
    element.hidden = false;
    moveBeside(span, tree);
  }

  /**
   * Put the card below the token; but if it would cover one of the highlighted tokens, above it or below the grid.
   * @param {Span} span
   * @param {boolean} tree  a merge tree may cover others: the viewer asked for it
   */
  function moveBeside({ layout, start, end }, tree) {
    const [box] = boxesOf(layout, start, end);
    const { viewport, card, stage } = grid.elements;
    const frame = card.getBoundingClientRect();
    const origin = stage.getBoundingClientRect();
    const x = origin.left - frame.left + EDGE + box.x;
    const below = origin.top - frame.top + box.y + box.h + 8;
    const lowest = viewport.getBoundingClientRect().top - frame.top;
    element.style.maxWidth = `${Math.max(220, frame.width - 16)}px`;
    const left = Math.max(8, Math.min(x, frame.width - element.offsetWidth - 8));
    const top = Math.max(lowest, below);
    const above = below - box.h - 16 - element.offsetHeight;
    const outside = viewport.getBoundingClientRect().bottom - frame.top + 8;
    const covers = (/** @type {number} */ y) => coversLit(left + frame.left, y + frame.top);
    element.style.left = `${left}px`;
    element.style.top = `${tree ? top : ([top, above].find((y) => !covers(y)) ?? outside)}px`;
  }

  /**
   * Return whether the card would cover a highlighted token if its corner were here in the window.
   * @param {number} left
   * @param {number} top
   */
  function coversLit(left, top) {
    const origin = grid.elements.stage.getBoundingClientRect();
    const [right, bottom] = [left + element.offsetWidth, top + element.offsetHeight];
    return grid.layouts.some((layout) => {
      const ranges = litRanges(grid, layout, ...grid.visibleArea.cellsIn(layout));
      return ranges
        .flatMap(([start, end]) => boxesOf(layout, start, end))
        .some(({ x, y, w, h }) => {
          const [boxLeft, boxTop] = [origin.left + EDGE + x, origin.top + y];
          return boxLeft < right && boxLeft + w > left && boxTop < bottom && boxTop + h > top;
        });
    });
  }

  function hide() {
    element.hidden = true;
  }
  return { element, show, sentence, hide, isOpen: () => !element.hidden };
}

const DEEPEST = 24; // levels drawn
const MOST_NODES = 600; // tokens drawn; a sentence says how many are left out

/**
 * Draw an icicle: the token above, its left and right part below, down to the alphabet; each as wide as its letters.
 * @param {Grid} grid
 * @param {number} id
 */
function mergeTree(grid, id) {
  const label = `How ${tokenOf(grid.model, id).label} was built`;
  return make(
    "div",
    "tree",
    { role: "tree", "aria-label": label, tabindex: 0 },
    treeNode(grid, id, 1, { left: MOST_NODES }),
  );
}

/**
 * @param {Grid} grid
 * @param {number} id
 * @param {number} depth
 * @param {{left: number}} room  how many nodes may still be drawn
 * @returns {HTMLElement}
 */
function treeNode(grid, id, depth, room) {
  room.left -= 1;
  const { born, label } = tokenOf(grid.model, id);
  const { left, right } = grid.model.steps;
  const bar = grid.chipFor(id);
  const node = make(
    "div",
    "stack node",
    { role: "treeitem", "aria-level": depth, "aria-selected": "false" },
    bar,
  );
  if (born < 0) return node;
  const rank = rankOf(grid.model, born);
  bar.append(make("small", "", {}, ` ${mergeNumber(rank)}`));
  node.setAttribute("aria-label", `${label}, ${mergeName(rank)}`);
  if (depth >= DEEPEST || room.left < 2) {
    bar.append(make("small", "", {}, " and more below"));
    return node;
  }
  const parts = [left[born], right[born]].map((part) => treeNode(grid, part, depth + 1, room));
  node.append(make("div", "parts", { role: "group" }, ...parts));
  return node;
}

/**
 * Return the field that a press on the text of a stage opens; null without one, and where a press answers an exercise or
 * predicts a merge.
 * @param {Grid} grid
 */
function fieldOnStage({ group, playhead }) {
  return group.presenting && !group.answer && !playhead.predicting ? typing() : null;
}

/** The token of cells [start, end) that holds a cell. @typedef {{layout: Layout, cell: number, start: number, end: number}} Span */

const SWIPE = 40; // px; a longer touch is a swipe
const STILL = 10; // px; a press that moves less is a click

/** Make the tokens of a grid respond to pointing. @param {Grid} grid @param {AbortSignal} signal */
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

  /** @param {PointerEvent} event @returns {Span | null} */
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

  /** @param {Layout} layout @param {number} cell @returns {Span} */
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
    if (id === null) return say("light", { group, none: true });
    const name = grid.group.lanes.size > 1 ? tokenOf(grid.model, id).name : undefined;
    say("light", { group, token: id, name });
  }

  /** @param {Span} span @param {boolean} tree */
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
    const field = fieldOnStage(grid);
    if (field) {
      clear();
      return field.open(); // as T does
    }
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
  // The card would ride along with its token, out of the grid. One that was asked for by a press or by a key stays.
  const leave = () => pinned || grid.cursor || (!hovered && !awaited) || clear();
  viewport.addEventListener("wheel", leave, { passive: true, signal });
  for (const scrolled of [viewport, window])
    scrolled.addEventListener("scroll", leave, { capture: true, passive: true, signal });
  viewport.addEventListener("focus", () => grid.paintMarks(), { signal });
  viewport.addEventListener("blur", () => grid.cursor && !pinned && clear(), { signal });

  /** Move the cursor to the next token, or the one before. @param {1 | -1} by */
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

  /** @param {Span} span @param {1 | -1} by */
  function tokenBeside({ layout, start, end }, by) {
    const { size } = layout.cells;
    const cell = by > 0 ? end : start - 1;
    if (cell >= 0 && cell < size) return { layout, cell };
    const next = grid.layouts[grid.layouts.indexOf(layout) + by];
    if (next) return { layout: next, cell: by > 0 ? 0 : next.cells.size - 1 };
    return { layout, cell: Math.max(0, Math.min(size - 1, cell)) };
  }

  /** @param {Layout} layout @param {number} cell */
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
