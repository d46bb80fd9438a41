// Walls as elements: the lines between the words of running text, and those where words of a first stage end.

/** @import {Layout} from "../layout/layout.js" */

import { make } from "../../shared/dom.js";
import { endsOf, lineEnd, wallsOf } from "../layout/layout.js";

/**
 * Draw the walls between the words of running text.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
export function createWalls(layout, layer) {
  const { words, firstCell } = layout.cells;
  const lines = createLines(
    layout,
    layer,
    [...words.keys()].slice(1).map((item) => firstCell[item]),
  );

  /** @param {Carry} [carry] */
  function draw(carry) {
    lines.draw((from, to) => wallsOf(layout, from, to), carry);
  }
  return { draw };
}

/**
 * Draw the ends of the words of the first of two stages, in text and words.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 */
export function createEnds(layout, layer) {
  const { ends, size } = layout.cells;
  const after = Array.from({ length: size }, (_, cell) => cell).filter((cell) => cell && ends[cell - 1]);
  const lines = createLines(layout, layer, after);

  /**
   * @param {number} step
   * @param {Carry} [carry]
   */
  function draw(step, carry) {
    if (after.length) lines.draw((from, to) => endsOf(layout, from, to, step), carry);
  }
  return { draw };
}

/** Move an element with its cell. @typedef {(element: HTMLElement, cell: number) => void} Carry */

/**
 * Make a line before each of some cells.
 * @param {Layout} layout
 * @param {HTMLElement} layer
 * @param {number[]} cells
 */
function createLines(layout, layer, cells) {
  const { metrics } = layout;
  const elements = cells.map((cell) => ({ element: make("span", "wall"), cell }));
  layer.append(...elements.map(({ element }) => element));

  /**
   * Draw the lines at their positions, and hide those that have none.
   * @param {(from: number, to: number) => Map<number, number>} positions  of the cells of a line -> x
   * @param {Carry} [carry]
   */
  function draw(positions, carry) {
    /** @type {Map<number, number>} */
    const walls = new Map();
    layout.lineStart.forEach((from, line) => {
      for (const [cell, x] of positions(from, lineEnd(layout, line))) walls.set(cell, x);
    });
    for (const { element, cell } of elements) {
      const y = layout.top + layout.line[cell] * metrics.pitch + metrics.drop;
      const x = Math.round(walls.get(cell) ?? 0) - 1;
      carry?.(element, cell);
      element.hidden = !walls.has(cell);
      element.style.height = `${Math.round(metrics.height * 0.76)}px`;
      element.style.translate = `${x}px ${y + Math.round(metrics.height * 0.12)}px`;
    }
  }
  return { draw };
}
