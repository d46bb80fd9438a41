// The colours and fonts of the grid, read from its style sheet.

/** @import {Colours, Grid} from "../types.js" */

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
