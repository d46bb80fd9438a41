// The marks on tokens, for both drawings.

/** @import {Beat, Tells} from "../shared/groups.js" */
/** @import {Grid, VisibleMarks, Colours} from "./types.js" */
/** @import {Layout} from "./layout.js" */

import { pairName } from "../player/pair_counts.js";
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
  const winner = pairName(model.steps.left[step], model.steps.right[step]);
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
  let before = -1;
  let idBefore = -1;
  eachToken(cells, grid.step, from, to, (start, end) => {
    const id = idAt(cells, start, end);
    if (before >= 0 && cells.item[before] === cells.item[start]) visit(pairName(idBefore, id), before, end);
    before = start;
    idBefore = id;
  });
}

/**
 * Return the highlighted tokens in cells [from, to) of a layout, or both tokens of highlighted pairs, as [start, end].
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function litRanges(grid, layout, from, to) {
  /** @type {[number, number][]} */
  const ranges = [];
  if (!grid.lit) return ranges;
  const { token, left = -1, right = -1 } = grid.lit;
  const tokens = grid.lit.tokens ?? (token === undefined ? null : [token]);
  if (tokens) {
    eachToken(layout.cells, grid.step, from, to, (start, end) => {
      if (tokens.includes(idAt(layout.cells, start, end))) ranges.push([start, end]);
    });
    return ranges;
  }
  const name = pairName(left, right);
  eachPair(grid, layout, from, to, (pair, start, end) => pair === name && ranges.push([start, end]));
  return ranges;
}

// The colours and fonts of the grid, read from its style sheet.

const NAMES = /** @type {const} */ (["ink", "soft", "wall", "accent", "tie", "panel", "line"]);

/**
 * Read the colours and fonts of a grid.
 * @param {HTMLElement} root
 * @returns {Pick<Grid, "colours" | "font" | "codeFont">}
 */
export function styleOf(root) {
  const style = getComputedStyle(root);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    colours: /** @type {Colours} */ (Object.fromEntries(NAMES.map((name) => [name, read(`--${name}`)]))),
    font: read("--st-font") || "sans-serif",
    codeFont: read("--st-code-font") || "ui-monospace, monospace",
  };
}
