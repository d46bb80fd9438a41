// The lines of a layout that a step changes, and where their cells are on the way. A merge makes its tokens narrower, so
// everything behind them in the line moves up.

/** @import {Layout} from "./layout.js" */

import { arrangeLines, lineEnd } from "./layout.js";

/**
 * Neighbouring lines [first, last) of a layout with the cells [from, to), and where these are at both ends of a motion.
 * @typedef {object} LinesInMotion
 * @property {Layout} layout
 * @property {number} first
 * @property {number} last
 * @property {number} from
 * @property {number} to
 * @property {Positions} older
 * @property {Positions} newer
 */

/** @typedef {{x: Float32Array, w: Float32Array}} Positions */

/**
 * Return the lines that hold these tokens, which exist after `newer` steps, and every line that shares a token with one
 * of them. The layout then stands as it is after `step` steps.
 * @param {Layout} layout
 * @param {[start: number, end: number][]} tokens
 * @param {number} older
 * @param {number} newer
 * @param {number} step  one of the two
 * @returns {LinesInMotion[]}
 */
export function linesInMotion(layout, tokens, older, newer, step) {
  const lines = new Set(
    tokens.flatMap(([start, end]) => linesBetween(layout.line[start], layout.line[end - 1])),
  );
  for (const line of lines) {
    // A set is walked through with what is added meanwhile.
    if (sharesToken(layout, line, newer)) lines.add(line + 1);
    if (line && sharesToken(layout, line - 1, newer)) lines.add(line - 1);
  }
  return together([...lines].toSorted((one, other) => one - other)).map(([first, last]) => {
    const [from, to] = [layout.lineStart[first], lineEnd(layout, last - 1)];
    const at = (/** @type {number} */ some) => {
      arrangeLines(layout, some, first, last);
      return { x: layout.x.slice(from, to), w: layout.w.slice(from, to) };
    };
    const positions = {
      [step === older ? newer : older]: at(step === older ? newer : older),
      [step]: at(step),
    };
    return { layout, first, last, from, to, older: positions[older], newer: positions[newer] };
  });
}

/**
 * Put the cells of lines between their older and their newer positions.
 * @param {LinesInMotion} lines
 * @param {number} share  0 to 1
 */
export function placeBetween({ layout, from, to, older, newer }, share) {
  for (let cell = from; cell < to; cell++) {
    const at = cell - from;
    layout.x[cell] = older.x[at] + (newer.x[at] - older.x[at]) * share;
    layout.w[cell] = older.w[at] + (newer.w[at] - older.w[at]) * share;
  }
}

/**
 * Return whether a token goes on from a line to the next one.
 * @param {Layout} layout
 * @param {number} line
 * @param {number} step
 */
function sharesToken(layout, line, step) {
  const { cells, lineStart } = layout;
  const next = lineStart[line + 1];
  return next > 0 && next < cells.size && cells.close[next - 1] < step;
}

/**
 * @param {number} first
 * @param {number} last
 */
function linesBetween(first, last) {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/**
 * Return runs of neighbouring numbers, each as [first, behind its last).
 * @param {number[]} sorted
 */
function together(sorted) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const number of sorted) {
    const last = runs[runs.length - 1];
    if (last && last[1] === number) last[1] += 1;
    else runs.push([number, number + 1]);
  }
  return runs;
}
