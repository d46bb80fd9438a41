// The style sheets of the parts of a lesson on its page, by the names that `createParts` knows.

import { GRID_SHEET, sheetText } from "../../../film/browser/stage/grid_sheet.js";

/** @type {Record<string, string>} */
export const SHEETS = {
  layout: sheetText("../../../film/browser/lesson/layout.css"),
  lesson: sheetText("./card.css"),
  "token-grid": GRID_SHEET,
  subject: sheetText("../../../film/browser/subject/main.css"),
  aligned_rows: sheetText("../../../film/browser/aligned_rows/main.css"),
  models_table: sheetText("../../../film/browser/models_table/main.css"),
  every_way: sheetText("../../../film/browser/every_way/main.css"),
  losses: sheetText("../../../film/browser/losses/main.css"),
  code: sheetText("../../../film/browser/code/main.css"),
};
