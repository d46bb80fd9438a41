// Lanes of one group that show the same text: which tokens of this lane stand in another lane otherwise.

import { lettersDiffer, sameLetters } from "./letters.js";
import { endOf, startOf } from "./segmentation.js";

const sameCells = (grid, other) => grid.model.feed.cells === other.model.feed.cells;

function comparable(grid, other) {
  if (other === grid || !other.model?.sheets || !grid.model?.sheets) return false;
  return sameCells(grid, other) || sameLetters(grid.model, other.model);
}

// sheet, cells [start, end) -> whether some comparable lane cuts these cells, or their letters, otherwise at its own step
export function differsFrom(grid, sheet, start, end) {
  for (const other of grid.group.lanes) {
    if (!comparable(grid, other)) continue;
    if (!sameCells(grid, other)) {
      if (lettersDiffer(grid.model, sheet, start, end, other.model, other.step)) return true;
      continue;
    }
    const twin = other.model.sheets[sheet.rows ? "words" : "text"];
    if (startOf(twin, other.step, start) !== start || endOf(twin, other.step, start) !== end) return true;
  }
  return false;
}

export const hasRivals = (grid) => [...grid.group.lanes].some((other) => comparable(grid, other));
