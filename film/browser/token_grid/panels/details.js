// The details of a token: string, id, bytes, the merge that made it, current occurrences, and its merge tree.

/** @import {Model, Token} from "../data/feed.js" */
/** @import {Span} from "./pointing.js" */
/** @import {Grid} from "../types.js" */

import { make } from "../../shared/dom.js";
import { mergeName, mergeNumber, formatCount } from "../../shared/numbers.js";
import { countNow, isReplayed, tokenOf } from "../data/feed.js";
import { boxesOf } from "../layout/layout.js";
import { litRanges } from "../painting/marking.js";
import { EDGE } from "../painting/painting.js";
import { hexOf, invisibleNames } from "../data/spelling.js";

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
  const bytes = token.bytes.filter((byte) => byte !== model.spelling.markerByte); // the marker is no byte of the text
  const count = countNow(model, id, step);
  return [
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

/**
 * @param {Model} model
 * @param {Token} token
 */
function originText(model, { id, born, unknown }) {
  if (unknown) return "not in the vocabulary: <unk>";
  if (model.taken && id >= 0) return "in the vocabulary";
  if (born < 0) return id >= 0 ? "in the alphabet" : "not a token";
  const { replay } = model;
  const isListed = replay && isReplayed(model, born);
  const listed = isListed ? ` (${mergeName(replay.ranks[born])} of the tokenizer)` : "";
  return `created by ${mergeName(rankOf(model, born))}${listed}`;
}

/**
 * @param {Model} model
 * @param {number} born
 */
function rankOf({ steps }, born) {
  return steps.ranks ? steps.ranks[born] : born;
}

/**
 * Make the card with a token's details. `close` is called when its cross is pressed.
 * @param {Grid} grid
 * @param {() => void} close
 */
export function createDetails(grid, close) {
  const attributes = { role: "group", "aria-label": "Token", hidden: true, "data-testid": "token-details" };
  const element = make("div", "details", attributes);
  let lastKey = ""; // what the drawn card depends on

  /** @param {number} id */
  function sentence(id) {
    return [`token ${tokenOf(grid.model, id).label}`, ...tokenFacts(grid.model, id, grid.step)].join(", ");
  }

  /**
   * Show a token. With `tree`, show its merge tree too, until the card is closed.
   * @param {Span} span
   * @param {number} id
   * @param {boolean} tree
   */
  function show(span, id, tree) {
    const key = `${id} ${tree} ${grid.step} ${span.start} ${grid.theme}`;
    if (lastKey === key && !element.hidden) return;
    lastKey = key;
    const facts = tokenFacts(grid.model, id, grid.step).map((text) => make("span", "", {}, text));
    const top = make("div", "facts", {}, grid.chipFor(id), ...facts);
    element.replaceChildren(top);
    element.classList.toggle("pinned", tree);
    if (tree) {
      const cross = make(
        "button",
        "quiet close",
        { type: "button", "aria-label": "Close", click: close },
        "×",
      );
      element.append(cross, mergeTree(grid, id));
    } else if (tokenOf(grid.model, id).born >= 0) {
      top.append(make("span", "hint", {}, "click for its merge tree"));
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
  const node = make("div", "node", { role: "treeitem", "aria-level": depth, "aria-selected": "false" }, bar);
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
