// Lanes of one group that show the same cells: which tokens of this lane stand in no other lane as they are here.

function comparable(grid, other) {
  const mine = grid.model?.feed.cells;
  return other !== grid && other.model && mine && other.model.feed.cells === mine;
}

// sheet, cells [start, end) -> whether some comparable lane cuts these cells otherwise at its own step
function differsFrom(grid, sheet, start, end) {
  for (const other of grid.group.lanes) {
    if (!comparable(grid, other)) continue;
    const twin = other.places.find((place) => place.sheet.rows === sheet.rows)?.sheet;
    if (!twin || twin.size !== sheet.size) continue;
    if (startOf(twin, other.step, start) !== start || endOf(twin, other.step, start) !== end) return true;
  }
  return false;
}

const hasRivals = (grid) => [...grid.group.lanes].some((other) => comparable(grid, other));
