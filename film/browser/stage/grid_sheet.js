// The style sheet of the grid, which every stage has.

import { sheetText } from "../shared/sheet.js";

export const GRID_SHEET = sheetText("../token_grid/main.css");
