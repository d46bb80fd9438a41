// From cells to bands: how wide each column must be, and where the rows may be broken so that they fit the page.

export const CELL = { start: 0, end: 1, label: 2, about: 3, kind: 4, id: 5, marked: 6 };
const LETTER = { grapheme: 15, token: 9.2, unknown: 9.2, gap: 9.2, lost: 9.2, added: 9.2 }; // pixels a letter takes
const SMALL_LETTER = 8;
const PADDING = 17;
const NARROWEST = 27;

export const isPart = (cell) => cell[CELL.kind] === "token" && /^(<0x[0-9A-F]{2}>)+$/.test(cell[CELL.label]);

// Parts of a character as their bytes alone: the shape of the cell says the rest.
export const shownLabel = (cell) => (isPart(cell) ? cell[CELL.label].replaceAll(/<0x(..)>/g, "$1 ").trim() : cell[CELL.label]);

function neededWidth(cell) {
  const letters = [...shownLabel(cell)].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 2 : 1), 0);
  return letters * (LETTER[cell[CELL.kind]] ?? SMALL_LETTER) + PADDING;
}

// rows -> {first, last, widths: pixels per column}
function measureColumns(rows) {
  const cells = rows.flatMap((row) => row.cells);
  const first = Math.min(0, ...cells.map((cell) => cell[CELL.start]));
  const last = Math.max(first, ...cells.map((cell) => cell[CELL.end]));
  const widths = new Array(last - first).fill(NARROWEST);
  // Narrow cells first: a wide one then needs only what its columns lack.
  for (const cell of cells.toSorted((a, b) => a[CELL.end] - a[CELL.start] - (b[CELL.end] - b[CELL.start]))) {
    const from = cell[CELL.start] - first;
    const to = cell[CELL.end] - first;
    let has = 0;
    for (let at = from; at < to; at++) has += widths[at];
    const lacks = neededWidth(cell) - has;
    if (lacks > 0) for (let at = from; at < to; at++) widths[at] += lacks / (to - from);
  }
  return { first, last, widths };
}

// Columns where no row has a cell on both sides: there a band may end without cutting anything.
function breakable(rows, first, last) {
  const free = new Array(last - first + 1).fill(true);
  for (const row of rows) for (const cell of row.cells) for (let at = cell[CELL.start] + 1; at < cell[CELL.end]; at++) free[at - first] = false;
  return free;
}

// -> {bands: [[from, to], …] columns of each, widths, first}
export function bandsOf(rows, room) {
  const { first, last, widths } = measureColumns(rows);
  const free = breakable(rows, first, last);
  const all = widths.reduce((sum, width) => sum + width, 0);
  let bands = cutBands(widths, free, first, last, room);
  // No band of a few leftover columns: as many bands, about equally long.
  const [from, to] = bands.at(-1) ?? [0, 0];
  const rest = widths.slice(from - first, to - first).reduce((sum, width) => sum + width, 0);
  if (bands.length > 1 && rest < room / 3) {
    const evened = cutBands(widths, free, first, last, Math.min(room, all / bands.length + 60));
    if (evened.length === bands.length) bands = evened;
  }
  return { bands, widths, first };
}

function cutBands(widths, free, first, last, room) {
  const bands = [];
  let from = first;
  while (from < last) {
    let width = 0;
    let to = from;
    let best = from;
    while (to < last && (width + widths[to - first] <= room || to === from)) {
      width += widths[to - first];
      to += 1;
      if (free[to - first]) best = to;
    }
    if (to < last && best > from) to = best;
    bands.push([from, to]);
    from = to;
  }
  return bands;
}
