// The style sheet of the grid, which every stage has.

export const GRID_SHEET = sheetText("../token_grid/main.css");

/** Name a style sheet: `film/modules.py` puts its text in the place of its path. @param {string} path */
export function sheetText(path) {
  return path;
}
