// Merge × lane: the token that each lane made, with the next merge marked. Only visible columns are drawn.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Group} from "../../../film/browser/shared/groups.js" */
/** @import {Model, Token} from "../../../film/browser/player/feed.js" */
/** @import {Timer} from "../../../film/browser/shared/dom.js" */

import { isFinished, isReplayed, tokenOf } from "../../../film/browser/player/feed.js";
import { visibleMerges } from "../../../film/browser/player/playhead.js";
import { chipLabelOf, hexText } from "../../../film/browser/player/spelling.js";
import { chipElement, chipLength, labelText } from "../../../film/browser/shared/chip.js";
import { make, focusedBeside } from "../../../film/browser/shared/dom.js";
import { say, groupNamed, hear, lanesInOrder } from "../../../film/browser/shared/groups.js";
import { coloursOf } from "../../../film/browser/shared/colour.js";
import { mergeNumber, formatNumber } from "../../../film/browser/shared/numbers.js";
import { pointed } from "../../../film/browser/shared/pointed.js";

// Which lanes leave the majority at a merge.

/**
 * Return for each lane whether it made another token than most lanes. Without a majority, more than half of the lanes,
 * all lanes of a merge at which they differ do.
 * @param {(string | undefined)[]} tokens  of each lane, as they are compared; undefined if the lane had ended
 */
export function leavesMajority(tokens) {
  if (new Set(tokens).size < 2) return tokens.map(() => false);
  const most = tokens.find((token) => tokens.filter((other) => other === token).length > tokens.length / 2);
  return tokens.map((token) => token !== most);
}

// The columns of the strip: what one merge did in each lane.

/** A lane: its title and its training. @typedef {{title: string, model: Model}} StripLane */

/**
 * The columns of a strip, one for each merge.
 * @typedef {object} StripColumns
 * @property {number[]} all  ranks of all merges
 * @property {number[]} widths  of the columns in px, for type of the usual size
 * @property {number} hiddenWidth  of a hidden column, so that its width does not give the token away
 * @property {(rank: number) => boolean} isTied
 * @property {(rank: number) => boolean} differs
 * @property {(rank: number, now: boolean, hidden: boolean) => HTMLElement} element  the column of a merge; `now`: it is the next
 *   one; `hidden`: it does not say yet what the lanes make
 */

/**
 * Make the columns of a strip.
 * @param {string} group
 * @param {StripLane[]} lanes
 * @param {Theme} theme
 * @returns {StripColumns}
 */
function createStripColumns(group, lanes, theme) {
  const all = Array.from({ length: Math.max(...lanes.map(({ model }) => model.last)) }, (_, rank) => rank);
  const made = lanes.map(({ model }) => Array.from(model.steps.ids, (id) => tokenOf(model, id)));
  const labelOf = (/** @type {number} */ lane, /** @type {Token} */ token) =>
    chipLabelOf(token.bytes, lanes[lane].model.spelling);
  const tiedIn = (/** @type {Model} */ model, /** @type {number} */ rank) =>
    rank < model.last && !isReplayed(model, rank) ? model.steps.tied[rank] : 0;
  const tiedAt = (/** @type {number} */ rank) =>
    Math.max(0, ...lanes.map(({ model }) => tiedIn(model, rank)));
  const widths = all.map((rank) =>
    columnWidth(
      Math.max(...made.map((tokens, at) => (tokens[rank] ? chipLength(labelOf(at, tokens[rank])) : 1))),
    ),
  );
  // As `comparison_keys` in Python: by their bytes, and with different markers by how they are spelled.
  const areAlike = new Set(lanes.map(({ model }) => model.feed.marker)).size === 1;
  const keyOf = (/** @type {Token} */ { bytes, label }) => (areAlike ? hexText(bytes) : label);
  const leaving = all.map((rank) => leavesMajority(made.map(({ [rank]: token }) => token && keyOf(token))));
  const differs = (/** @type {number} */ rank) => leaving[rank].includes(true);

  /** @type {StripColumns["element"]} */
  function element(rank, now, hidden) {
    const tied = hidden ? 0 : tiedAt(rank);
    const light = () => {
      tellWhy();
      say("light", { group, from: "strip", counts: "merge", merge: rank });
    };
    const unlight = () => say("light", { group, from: "strip", none: true });
    const tie = tied > 1 ? [make("span", "tie", { title: `${formatNumber(tied)} pairs tied` }, "◆")] : [];
    const cells = lanes.map((_, at) => (hidden ? hiddenCell() : laneCell(at, rank)));
    // Why a pair won is counted anew for each merge, so only for one that somebody asks about.
    const tellWhy = () => {
      if (tied < 2) return;
      const reasons = reasonsAt(rank);
      cells.forEach((cell, at) => {
        if (reasons[at]) cell.title = `${titleOf(at, rank)}; ${reasons[at]}`;
      });
      column.setAttribute("aria-label", spoken(rank, tied, reasons));
    };
    const column = make(
      "button",
      `column ${now ? "now" : ""}`,
      {
        type: "button",
        tabindex: now ? 0 : -1,
        "data-rank": rank,
        "data-differs": (!hidden && differs(rank)) || null,
        "aria-label": hidden ? `Merge ${mergeNumber(rank)} is still hidden.` : spoken(rank, tied),
        click: () => say("jump", { group, step: rank }),
        ...(hidden ? {} : { ...pointed(light, unlight), focus: light, blur: unlight }),
      },
      make("span", "rank", {}, ...tie, mergeNumber(rank)),
      ...cells,
    );
    return column;
  }

  /** Return why each lane's pair won its tie; "" without one. @param {number} rank */
  function reasonsAt(rank) {
    const grids = lanesInOrder(groupNamed(group).lanes);
    return lanes.map(({ model }, at) => (tiedIn(model, rank) > 1 ? (grids[at]?.why(rank) ?? "") : ""));
  }

  /** @param {number} at  of the lane @param {number} rank */
  function titleOf(at, rank) {
    const { title, model } = lanes[at];
    const { left, right, count } = model.steps;
    const pair = [left[rank], right[rank]].map((id) => labelText(labelOf(at, tokenOf(model, id))));
    return `${title}: ${pair.join(" + ")}, ${formatNumber(count[rank])} times`;
  }

  /** @param {number} at  of the lane @param {number} rank */
  function laneCell(at, rank) {
    const token = made[at][rank];
    const leaves = leaving[rank][at] ? "x" : "";
    if (!token) return make("span", `cell ended ${leaves}`, {}, "—");
    const chip = chipElement(labelOf(at, token), coloursOf(theme, token.name), "small");
    return make("span", `cell ${leaves}`, { title: titleOf(at, rank) }, chip);
  }

  /**
   * @param {number} rank
   * @param {number} tied
   * @param {string[]} [reasons]  why each lane's pair won
   */
  function spoken(rank, tied, reasons = []) {
    const cells = made.map((tokens, at) => (tokens[rank] ? labelText(labelOf(at, tokens[rank])) : "—"));
    const merges = lanes.map(({ title, model }, at) => {
      const why = reasons[at] ? `, since ${reasons[at]}` : "";
      const makes = `makes ${cells[at]}, ${formatNumber(model.steps.count[rank])} times${why}`;
      return `${title} ${made[at][rank] ? makes : "already finished"}`;
    });
    const ties = tied > 1 ? ` ${tied} pairs tied.` : "";
    // A name begins with the words that are seen, so that somebody who speaks to the computer can say them.
    return `${mergeNumber(rank)} ${cells.join(" ")}.${ties} ${merges.join("; ")}.${differs(rank) ? " They differ." : ""}`;
  }

  return { all, widths, hiddenWidth: columnWidth(1), isTied: (rank) => tiedAt(rank) > 1, differs, element };
}

function hiddenCell() {
  return make("span", "cell hidden", {}, "?");
}

/** @param {number} letters  of the longest label */
function columnWidth(letters) {
  return Math.min(148, Math.max(54, letters * 7.9 + 42));
}

const BEYOND = 4; // columns drawn on either side of the visible ones
const WHILE_MOVING = 90; // ms between two updates while the playhead moves, when viewers watch the grids
const WHILE_SCRUBBING = 300; // the same while the scrubber is dragged, when all columns change at every move
const MARGIN = { left: 60, right: 160 }; // least distance in px of the next merge from the edges
const GAP = 4; // px between columns
const TYPE = 13; // px; the height of a letter that the lengths above are made for

/**
 * Draw the strip. Returns a function that removes it.
 * @param {HTMLElement} root
 * @param {Group} group
 * @param {StripLane[]} lanes
 * @param {Theme} theme
 */
export function drawStrip(root, group, lanes, theme) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const {
    all,
    widths,
    hiddenWidth,
    isTied,
    differs,
    element: columnElement,
  } = createStripColumns(group.name, lanes, theme);
  const home = root.parentNode;
  let ranks = all; // ranks of the columns that pass the filter
  let step = -1;
  let visible = Infinity; // merges from this rank on are hidden
  let lefts = [0]; // where the columns of `ranks` begin, and the last one ends
  /** @type {Map<number, HTMLElement>} */
  const elements = new Map(); // columns by their position in `ranks`
  let scale = 1; // of all lengths, by the size of the type
  const visibleRange = { left: 0, width: 1000 }; // stored, since reading them from the element would lay out the page each time

  const titles = lanes.map(({ title }) => make("div", "name", { title }, title));
  const names = make("div", "names", { "aria-hidden": "true" }, make("div", "rank", {}, "merge"), ...titles);
  const columns = make("div", "columns");
  const label = "The pick of each lane, merge by merge";
  const region = { role: "group", "aria-label": label, "data-testid": "strip", tabindex: 0 };
  const sight = make("div", "sight", region, columns);
  const none = make("p", "none", { hidden: true });
  // Nothing is counted where finished tokenizers are replayed.
  const counts = lanes.some(({ model }) => !isFinished(model));
  const buttons = [
    filterButton("all", "All merges", "", all),
    ...(counts ? [filterButton("ties", "Ties", "No merge had to break a tie.", all.filter(isTied))] : []),
    filterButton(
      "differences",
      "Differences",
      "The lanes made the same token at every merge.",
      all.filter(differs),
    ),
  ];
  const filters = make("div", "row filters", { role: "group", "aria-label": "Merges shown" }, ...buttons);
  const strip = make("div", "strip", {}, names, sight);
  root.replaceChildren(make("div", "row strip-head", {}, filters, legend()), strip, none);

  function legend() {
    const framed = lanes.length > 2 ? "a different token from most lanes" : "different tokens";
    const tie = make("span", "tie", { "aria-hidden": "true" }, "◆");
    return make(
      "p",
      "aside row legend",
      { "data-testid": "strip-legend" },
      make("span", "entry", {}, make("span", "cell x sample", { "aria-hidden": "true" }), framed),
      ...(counts ? [make("span", "entry", {}, tie, "several pairs tied")] : []),
    );
  }

  // Also goes along into the presenter view.
  function enterStage() {
    const parent = group.presenting && group.stage ? group.stage.foot : home;
    if (root.parentNode !== parent) {
      parent?.appendChild(root);
      for (const lane of group.lanes) lane.relayout(); // they have other room now
    }
    visibleRange.left = sight.scrollLeft; // an element that moves to another parent loses its scroll position
    scale = parseFloat(getComputedStyle(strip).fontSize) / TYPE || 1;
    visible = visibleNow();
    resize();
    show();
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {string} empty  sentence if no merge passes
   * @param {number[]} filtered
   */
  function filterButton(name, title, empty, filtered) {
    const click = () => {
      ranks = filtered;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      none.hidden = filtered.length > 0;
      none.textContent = empty;
      resize();
      show();
    };
    const pressed = String(filtered === all);
    const attributes = { type: "button", "data-testid": `strip-${name}`, "aria-pressed": pressed, click };
    const button = make("button", "filter", attributes, `${title} (${formatNumber(filtered.length)})`);
    return button;
  }

  function resize() {
    lefts = [0];
    for (const rank of ranks) lefts.push(lefts[lefts.length - 1] + scale * widthAt(rank));
    columns.style.width = `${lefts[ranks.length]}px`;
    columns.replaceChildren();
    elements.clear();
    draw();
  }

  /** @param {number} rank */
  function widthAt(rank) {
    return rank < visible ? widths[rank] : hiddenWidth;
  }

  // While a merge is undone its column stays; the beat after it decides.
  function visibleNow() {
    const { playhead } = group;
    if (!playhead) return Infinity;
    const now = visibleMerges(playhead);
    return playhead.beat === "fuse" && visible < Infinity ? Math.max(visible, now) : now;
  }

  // A column that has the focus is drawn anew, so the new one gets it.
  function reveal() {
    const focused = focusedBeside(sight);
    const rank = focused && sight.contains(focused) ? focused.getAttribute("data-rank") : null;
    resize();
    const column = [...elements.values()].find((other) => other.dataset.rank === rank);
    column?.focus({ preventScroll: true });
  }

  function draw() {
    const from = Math.max(0, columnAt(visibleRange.left) - BEYOND);
    const to = Math.min(ranks.length, columnAt(visibleRange.left + visibleRange.width) + 1 + BEYOND);
    for (const [at, element] of elements) {
      if (at >= from && at < to) continue;
      element.remove();
      elements.delete(at);
    }
    /** @type {HTMLElement | null} */
    let after = null; // the column to the right: a screen reader reads the columns in the order of the merges
    for (let at = to - 1; at >= from; at--) {
      const before = elements.get(at);
      const element = before ?? columnElement(ranks[at], ranks[at] === step, ranks[at] >= visible);
      if (!before) {
        element.style.left = `${lefts[at]}px`;
        element.style.width = `${scale * widthAt(ranks[at]) - GAP}px`;
        columns.insertBefore(element, after);
        elements.set(at, element);
      }
      after = element;
    }
  }

  /** Return the column at `x` pixels from the left, by binary search. @param {number} x */
  function columnAt(x) {
    let low = 0;
    let high = ranks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lefts[middle + 1] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Brings the next merge, or the first column after it, into sight.
  function show() {
    const next = ranks.findIndex((rank) => rank >= step);
    const left = lefts[Math.max(0, next < 0 ? ranks.length - 1 : next)];
    if (
      left < visibleRange.left + MARGIN.left ||
      left > visibleRange.left + visibleRange.width - MARGIN.right
    ) {
      sight.scrollLeft = left - visibleRange.width / 3;
      visibleRange.left = sight.scrollLeft; // the browser does not scroll beyond the ends
    }
    draw();
  }

  /** @param {number} now */
  function follow(now) {
    const visibleBefore = visible;
    visible = visibleNow();
    if (now === step && visible === visibleBefore) return;
    step = now;
    if (visible !== visibleBefore) reveal();
    for (const element of elements.values()) {
      const here = Number(element.dataset.rank) === step;
      element.classList.toggle("now", here);
      element.tabIndex = here ? 0 : -1;
    }
    show();
  }

  // One update after the playhead moved, however often it moves meanwhile.
  let latest = 0;
  let due = Infinity;
  /** @type {Timer} */
  let timer;
  hear("step", group.name, signal, (detail) => {
    latest = detail.step;
    const wait = group.playhead?.scrubbing ? WHILE_SCRUBBING : WHILE_MOVING;
    if (due <= performance.now() + wait) return;
    clearTimeout(timer);
    due = performance.now() + wait;
    timer = setTimeout(() => {
      due = Infinity;
      if (!signal.aborted) follow(latest);
    }, wait);
  });
  sight.addEventListener(
    "scroll",
    () => {
      visibleRange.left = sight.scrollLeft;
      draw();
    },
    { signal, passive: true },
  );
  const observer = new ResizeObserver(([entry]) => {
    visibleRange.width = entry.contentRect.width;
    show();
  });
  observer.observe(sight);
  signal.addEventListener("abort", () => observer.disconnect());
  strip.style.setProperty("--lanes", String(lanes.length));
  hear("present", group.name, signal, () => queueMicrotask(() => signal.aborted || enterStage()));
  enterStage();
  follow(group.playhead?.step ?? 0);
  return () => {
    lifetime.abort();
    if (root.parentNode !== home) home?.appendChild(root);
  };
}
