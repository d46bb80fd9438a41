// The style sheets of the parts of a stage, by the names that `createParts` knows.

import { sheetText } from "../shared/sheet.js";
import { GRID_SHEET } from "./grid_sheet.js";

/** @type {Record<string, string>} */
export const SHEETS = {
  stage: sheetText("./stage.css"),
  "token-grid": GRID_SHEET,
  "pair-table": sheetText("../pair_table/main.css"),
  "every-way": sheetText("../every_way/main.css"),
};
