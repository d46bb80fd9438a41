// The marks on tokens, for both drawings.

/** @import {Beat, Tells} from "../shared/groups.js" */
/** @import {Grid, VisibleMarks, Colours} from "./types.js" */
/** @import {Layout} from "./layout.js" */

import { mergedPair, pairName } from "../player/pair_counts.js";
import { isSecond, tokenOf } from "../player/feed.js";
import { eachToken, endOf, idAt, startOf, tokensMade } from "../player/segmentation.js";

/** Marks of pairs: winner, rival, tied, tied below. Marks of tokens: fresh, differs, cursor. */
/** @typedef {"winner" | "rival" | "tied" | "tied below" | "fresh" | "differs" | "cursor"} Mark */

/** What marks depend on. @typedef {Pick<Grid, "model" | "step" | "tied" | "visibleMarks" | "cursor" | "differsAt">} Marked */

/** Counts of tied pairs in sight. With more they are a pattern that nobody reads. */
export const MOST_COUNTS = 400;

/**
 * Return the marks that are visible at a beat.
 * @param {Beat} beat
 * @param {boolean} hasRivals  whether other lanes can be compared with this one
 * @param {Pick<Tells, "winner" | "tied"> | null} [tells]  what a lesson tells of the next merge; by default all
 * @returns {VisibleMarks}
 */
export function visibleMarksAt(beat, hasRivals, tells) {
  const next = beat === "rest" || beat === "select";
  const winner = next && (tells?.winner ?? true);
  const tied = (next || beat === "count") && (tells?.tied ?? true);
  const fresh = next || beat === "count" || beat === "settle" || beat === "guess";
  return { tied, winner, fresh, differs: beat !== "fuse" && hasRivals, losersFade: beat === "select" };
}

/**
 * Call `visit(mark, start, end)` for everything that is marked in cells [from, to) of a layout.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(mark: Mark, start: number, end: number) => void} visit
 */
export function eachMark(grid, layout, from, to, visit) {
  const { cells } = layout;
  const { step, model, visibleMarks, cursor } = grid;
  const visitTokensOf = (/** @type {Mark} */ mark, /** @type {number} */ rank) => {
    for (const [start, end] of tokensMade(cells, rank)) if (end > from && start < to) visit(mark, start, end);
  };
  if (visibleMarks.tied && grid.tied.size > 1 && !hasCounts(grid, layout, from, to))
    visitTied(grid, layout, from, to, visit);
  if (visibleMarks.winner && step < model.last) visitTokensOf("winner", step);
  if (visibleMarks.winner && grid.tied.size > 1) visitRivals(grid, layout, from, to, visit);
  if (visibleMarks.fresh && step > 0) visitTokensOf("fresh", step - 1);
  if (visibleMarks.differs) {
    eachToken(cells, step, from, to, (start, end) => {
      if (grid.differsAt(cells, start, end)) visit("differs", start, end);
    });
  }
  if (cursor?.layout === layout) {
    visit("cursor", startOf(cells, step, cursor.cell), endOf(cells, step, cursor.cell));
  }
}

/**
 * Return whether counts mark the tied pairs in cells [from, to): there is room for them, and they are few enough to
 * be read. Otherwise dots mark them.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function hasCounts(grid, layout, from, to) {
  if (!layout.metrics.pill) return false;
  let pairs = 0;
  eachPair(grid, layout, from, to, (pair) => {
    if (grid.tied.has(pair)) pairs += 1;
  });
  return pairs <= MOST_COUNTS;
}

/**
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(mark: Mark, start: number, end: number) => void} visit
 */
function visitTied(grid, layout, from, to, visit) {
  let reached = -1;
  let below = false; // alternates between pairs that share a token
  eachPair(grid, layout, from, to, (pair, start, end) => {
    if (!grid.tied.has(pair)) return;
    below = start < reached && !below;
    reached = end;
    visit(below ? "tied below" : "tied", start, end);
  });
}

/**
 * Visit the tokens that both the next merge and a tied pair want, one for each place that the merge uses up.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(mark: Mark, start: number, end: number) => void} visit
 */
function visitRivals(grid, layout, from, to, visit) {
  const { model, step } = grid;
  const winner = mergedPair(model, step);
  const rivals = new Set((model.rivals.get(step) ?? []).map(({ pair }) => pairName(...pair)));
  let before = { pair: "", end: -1 };
  eachPair(grid, layout, from, to, (pair, start, end) => {
    const shares = start < before.end;
    const wanted =
      shares &&
      ((before.pair === winner && rivals.has(pair)) || (pair === winner && rivals.has(before.pair)));
    if (wanted) visit("rival", start, before.end);
    before = { pair, end };
  });
}

/**
 * Call `visit(name, start, end)` for every two neighbouring tokens of one word.
 * @param {Pick<Marked, "step">} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(name: string, start: number, end: number) => void} visit
 */
export function eachPair(grid, { cells }, from, to, visit) {
  const inWords = !isSecond(cells.model, grid.step); // in the first of two stages no pair reaches across its words
  let before = -1;
  let idBefore = -1;
  eachToken(cells, grid.step, from, to, (start, end) => {
    const id = idAt(cells, start, end);
    const apart =
      before < 0 || cells.item[before] !== cells.item[start] || (inWords && cells.ends[start - 1]);
    if (!apart) visit(pairName(idBefore, id), before, end);
    before = start;
    idBefore = id;
  });
}

/** What the highlighted places depend on. @typedef {Pick<Grid, "model" | "step" | "tied" | "visibleMarks" | "layouts" | "lit">} Lit */

/**
 * Return the highlighted tokens in cells [from, to) of a layout, or both tokens of highlighted pairs, as [start, end].
 * Of a seam, both cells beside it.
 * @param {Lit} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @returns {[number, number][]}
 */
export function litRanges(grid, layout, from, to) {
  const { lit, model } = grid;
  if (!lit) return [];
  const { token, name, left, right, counts, merge } = lit;
  const tokens = lit.tokens ?? (token === undefined ? [] : [token]);
  if (counts === "tokens") return tokenRanges(grid, layout, from, to, () => true);
  if (counts === "vocabulary") return firstPlaces(grid, layout, from, to);
  if (counts === "ties") return tiedSeams(grid, layout, from, to);
  if (merge !== undefined)
    return tokensMade(layout.cells, merge).filter(([start, end]) => end > from && start < to);
  if (counts === "tied") return pairRanges(grid, layout, from, to, grid.tied);
  if (name !== undefined)
    return tokenRanges(grid, layout, from, to, (id) => tokenOf(model, id).name === name);
  if (tokens.length) return tokenRanges(grid, layout, from, to, (id) => tokens.includes(id));
  const next = grid.visibleMarks.winner && mergedPair(model, grid.step);
  const pair = left === undefined || right === undefined ? next : pairName(left, right);
  return pair ? pairRanges(grid, layout, from, to, new Set([pair])) : [];
}

/**
 * @param {Lit} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(id: number) => boolean} isLit
 */
function tokenRanges({ step }, { cells }, from, to, isLit) {
  /** @type {[number, number][]} */
  const ranges = [];
  eachToken(cells, step, from, to, (start, end) => {
    if (isLit(idAt(cells, start, end))) ranges.push([start, end]);
  });
  return ranges;
}

/**
 * Return the places of pairs that are counted: where overlaps do not count, only every other one of `aaa`.
 * @param {Lit} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {Set<string>} pairs  names
 */
function pairRanges(grid, layout, from, to, pairs) {
  const { firstCell, item } = layout.cells;
  /** @type {[number, number][]} */
  const ranges = [];
  let before = { pair: "", end: -1 };
  eachPair(grid, layout, from < to ? firstCell[item[from]] : from, to, (pair, start, end) => {
    const overlaps = pair === before.pair && start < before.end;
    if (overlaps && !grid.model.overlaps) return (before = { pair: "", end: -1 });
    before = { pair, end };
    if (pairs.has(pair) && end > from) ranges.push([start, end]);
  });
  return ranges;
}

/**
 * Return the first place of each different token of the vocabulary, in all layouts together.
 * @param {Lit} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function firstPlaces(grid, layout, from, to) {
  /** @type {Set<number>} */
  const known = new Set();
  /** @type {[number, number][]} */
  let ranges = [];
  for (const one of grid.layouts.slice(0, grid.layouts.indexOf(layout) + 1)) {
    ranges = tokenRanges(grid, one, 0, one.cells.size, (id) => {
      const isFirst = id >= 0 && !known.has(id) && !tokenOf(grid.model, id).unknown;
      known.add(id);
      return isFirst;
    });
  }
  return ranges.filter(([start, end]) => end > from && start < to);
}

/**
 * Return the seams that merges with a tie close; while the next merge is hidden, those that they have closed.
 * @param {Lit} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function tiedSeams({ model, step, visibleMarks }, { cells }, from, to) {
  const known = visibleMarks.winner ? model.last : step;
  /** @type {[number, number][]} */
  const ranges = [];
  for (let cell = from; cell < Math.min(to, cells.size - 1); cell++) {
    const closed = cells.close[cell];
    if (closed < known && model.steps.tied[closed] > 1) ranges.push([cell, cell + 2]);
  }
  return ranges;
}

// The colours and fonts of the grid, read from its style sheet.

const NAMES = /** @type {const} */ (["ink", "soft", "wall", "accent", "tie", "panel", "line"]);

/**
 * Read the colours and fonts of a grid.
 * @param {HTMLElement} root
 * @param {Grid["theme"]} theme
 * @returns {Pick<Grid, "colours" | "font" | "codeFont">}
 */
export function styleOf(root, theme) {
  const style = getComputedStyle(root);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const at = theme === "dark" ? 1 : 0; // of the two that the palette has for each
  const colour = (/** @type {string} */ name) => read(`--${name}`).match(/#\w+/g)?.[at] ?? "";
  return {
    colours: /** @type {Colours} */ (Object.fromEntries(NAMES.map((name) => [name, colour(name)]))),
    font: read("--st-font") || "sans-serif",
    codeFont: read("--st-code-font") || "ui-monospace, monospace",
  };
}
