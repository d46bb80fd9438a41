// The style sheets of the parts of a stage, by the names that `createParts` knows. `film/modules.py` puts the text of each
// in the place of its path.

/** @type {Record<string, string>} */
export const SHEETS = {
  stage: sheetText("./stage.css"),
  "token-grid": sheetText("../token_grid/main.css"),
  "pair-table": sheetText("../pair_table/main.css"),
  "every-way": sheetText("../every_way/main.css"),
};

/** @param {string} path */
function sheetText(path) {
  return path;
}
