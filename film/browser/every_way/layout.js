// Where everything is in the picture of every way. Merges run to the right, splits after as many merges are one below
// the other, and x grows along every strand. So the y of a line follows from its x.

/** @import {EveryWay, WayStrand} from "../shared/feed_types.js" */

export const CHIP = 28; // height of a chip
const CHIP_PADDING = 9; // in a chip, left and right
const TAB = 8; // width of the tab at the end of a word
const CHIPS_APART = 3; // chips of one node
const GAP = 40; // least length of a strand
const MOST_GAP = 96; // of a picture that is narrower than its room
const PITCH = 52; // from one node to the one below
const NARROW_PITCH = 40; // where many are one below the other
const LENS_PITCH = 70; // where a lens may be one of them
const MANY_ROWS = 6;
const LENS = 18; // of a lens, left and right of its chips
const WAYS_MARGIN = 26;
const ABOVE_NODES = 34; // the first node
const IN_CLOSED = 3; // chips of a lens that is not open
const MOST_RUN = 150;
export const DOT = 6.5;

/** A point of a strand. @typedef {{x: number, y: number}} Point */
/** `text` is the letters of the token at position `token`; -1 for a note such as “+2”. @typedef {{token: number, text: string, x: number, width: number}} LaidChip */
/** Its middle, its chips from left to right, and the position of its column. @typedef {{x: number, y: number, width: number, chips: LaidChip[], column: number}} LaidNode */

/**
 * A strand, from point to point. `body`: the box that holds its chips or its label.
 * @typedef {object} LaidStrand
 * @property {Point[]} points
 * @property {{x: number, y: number, width: number, height: number, chips: LaidChip[]} | null} body
 * @property {string} label
 */

/** The way of a training; `knots`: from where to where the dot goes with the merges. @typedef {{points: Point[], knots: {merges: number, x: number}[]}} LaidLine */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {number} bottom  y of the lowest node's edge
 * @property {{merges: number, x: number}[]} columns
 * @property {LaidNode[]} nodes
 * @property {LaidStrand[]} strands
 * @property {LaidLine[]} lines
 */

/** A node in a column, or a point of a strand that goes past. @typedef {{node: number, strand: number, row: number}} Cell */

/**
 * Lay the picture out.
 * @param {EveryWay} way
 * @param {(position: number) => string} textOf  the letters of a token
 * @param {(text: string) => number} measure  the width of letters
 * @param {{room: number, opened: ReadonlySet<number>, least?: number}} view  the width to fill, the strands that are open, and
 *   the least length of a strand
 * @returns {Layout}
 */
export function layOutWays(way, textOf, measure, { room, opened, least: shortest = GAP }) {
  const merges = [...new Set(way.nodes.map((node) => node.merges))].toSorted((a, b) => a - b);
  const columnOf = new Map(merges.map((number, column) => [number, column]));
  const chipsOf = (/** @type {number[]} */ positions, /** @type {number} */ more) =>
    chipRow(positions, more, (position) => way.tokens[position].ends, textOf, measure);
  const chipRows = way.nodes.map((node) => chipsOf(node.tokens, node.more));
  const widths = chipRows.map(({ width }) => Math.max(width, 2 * DOT));
  const column = way.nodes.map((node) => columnOf.get(node.merges) ?? 0);
  const cells = orderedCells(way, column, merges.length);
  const bodies = way.strands.map((strand, number) => {
    if (strand.kind === "merge") return null;
    const visible = opened.has(number)
      ? strand.tokens
      : strand.kind === "lens"
        ? strand.tokens.slice(0, IN_CLOSED)
        : [];
    const hidden = strand.more + strand.tokens.length - visible.length;
    return chipsOf(visible, visible.length ? hidden : 0);
  });
  const needs = way.strands.map((strand, number) => needOf(strand, bodies[number]?.width ?? 0, measure));
  const gap = (/** @type {number} */ least) =>
    columnMiddles(way, column, widths, needs, merges.length, least);
  let x = gap(shortest);
  const wide = room - 2 * WAYS_MARGIN;
  const natural = x.ends - x.starts;
  if (natural < wide && merges.length > 1) {
    x = gap(Math.min(MOST_GAP, shortest + (wide - natural) / (merges.length - 1)));
  }
  const shift = WAYS_MARGIN - x.starts;
  const at = x.middles.map((middle) => middle + shift);
  const hasLens = way.strands.some(({ kind }) => kind === "lens" || kind === "knot");
  const pitchOf = (/** @type {number} */ rows) =>
    rows > MANY_ROWS ? NARROW_PITCH : hasLens ? LENS_PITCH : PITCH;
  const bulge = Math.max(...cells.map(({ length }) => ((length - 1) * pitchOf(length)) / 2), 12);
  const middle = ABOVE_NODES + bulge + CHIP / 2;
  /** @type {Map<string, number>} */
  const levels = new Map();
  for (const [c, some] of cells.entries()) {
    for (const [row, { node, strand }] of some.entries()) {
      levels.set(`${node} ${strand} ${c}`, middle + (row - (some.length - 1) / 2) * pitchOf(some.length));
    }
  }
  const level = (/** @type {number} */ node, /** @type {number} */ strand, /** @type {number} */ c) =>
    levels.get(`${node} ${strand} ${c}`) ?? middle;
  const nodes = way.nodes.map((_, number) => {
    const left = at[column[number]] - widths[number] / 2;
    const chips = chipRows[number].chips.map((chip) => ({ ...chip, x: chip.x + left }));
    return {
      x: at[column[number]],
      y: level(number, -1, column[number]),
      width: widths[number],
      chips,
      column: column[number],
    };
  });
  const strands = way.strands.map((strand, number) => {
    const past = [];
    for (let c = column[strand.source] + 1; c < column[strand.target]; c += 1)
      past.push({ x: at[c], y: level(-1, number, c) });
    return laidStrand(strand, nodes[strand.source], nodes[strand.target], past, bodies[number], measure);
  });
  const lines = way.lines.map((line) => laidLine(way, line.strands, nodes, strands));
  const width = shift + x.ends + WAYS_MARGIN;
  const bottom = middle + bulge + CHIP / 2;
  const columns = merges.map((number, c) => ({ merges: number, x: at[c] }));
  return { width, height: bottom + 52, bottom, columns, nodes, strands, lines };
}

/**
 * Return chips side by side, the first one from 0 on.
 * @param {number[]} positions
 * @param {number} more  chips that are left out
 * @param {(position: number) => boolean} ends
 * @param {(position: number) => string} textOf
 * @param {(text: string) => number} measure
 */
function chipRow(positions, more, ends, textOf, measure) {
  /** @type {LaidChip[]} */
  const chips = [];
  let x = 0;
  for (const token of positions) {
    const text = textOf(token);
    const width = Math.max(measure(text), 10) + 2 * CHIP_PADDING + (ends(token) ? TAB : 0);
    chips.push({ token, text, x, width });
    x += width + CHIPS_APART;
  }
  if (more) {
    const text = `+${more}`;
    const width = 0.86 * measure(text) + 8;
    chips.push({ token: -1, text, x, width });
    x += width + CHIPS_APART;
  }
  return { chips, width: Math.max(0, x - CHIPS_APART) };
}

/**
 * Return the room that a strand needs between its nodes.
 * @param {WayStrand} strand
 * @param {number} inside  width of its chips
 * @param {(text: string) => number} measure
 */
function needOf(strand, inside, measure) {
  const label = 0.9 * measure(strandLabel(strand));
  if (strand.kind === "lens") return Math.max(inside + 2 * LENS, label) + GAP;
  if (strand.kind === "run")
    return Math.max(inside ? inside + 2 * LENS : 0, label + 24, Math.min(MOST_RUN, 4 * strand.merges)) + GAP;
  if (strand.kind === "knot" || strand.kind === "fray") return Math.max(150, label + 30);
  return 0;
}

/** Return what is written at a strand. @param {WayStrand} strand */
function strandLabel({ kind, merges, splits }) {
  if (kind === "lens") return `${merges} pairs, in any order`;
  if (kind === "run") return `${merges} merges`;
  if (kind === "knot") return `${merges} merges, up to ${splits.toLocaleString("en")} splits`;
  if (kind === "fray") return "";
  return "";
}

/**
 * Return the middles of the columns, and where the first begins and the last ends.
 * @param {EveryWay} way
 * @param {number[]} column  of each node
 * @param {number[]} widths  of each node
 * @param {number[]} needs  of each strand
 * @param {number} count  of columns
 * @param {number} gap  between columns
 */
function columnMiddles(way, column, widths, needs, count, gap) {
  const halves = Array.from({ length: count }, () => 0);
  for (const [number, width] of widths.entries())
    halves[column[number]] = Math.max(halves[column[number]], width / 2);
  /** @type {number[]} */
  const middles = [];
  for (let c = 0; c < count; c += 1) {
    let x = c ? middles[c - 1] + halves[c - 1] + gap + halves[c] : 0;
    for (const [number, { source, target }] of way.strands.entries()) {
      if (column[target] === c && needs[number]) {
        const from = column[source];
        x = Math.max(x, middles[from] + halves[from] + needs[number] + halves[c]);
      }
    }
    middles.push(x);
  }
  return { middles, starts: -halves[0], ends: middles[count - 1] + halves[count - 1] };
}

/**
 * Return the cells of each column from top to bottom, so ordered that strands cross little.
 * @param {EveryWay} way
 * @param {number[]} column
 * @param {number} count
 */
function orderedCells(way, column, count) {
  /** @type {Cell[][]} */
  const cells = Array.from({ length: count }, () => []);
  way.nodes.forEach((_, node) => cells[column[node]].push({ node, strand: -1, row: 0 }));
  way.strands.forEach(({ source, target }, strand) => {
    for (let c = column[source] + 1; c < column[target]; c += 1) cells[c].push({ node: -1, strand, row: 0 });
  });
  const isBeside = (/** @type {Cell} */ one, /** @type {Cell} */ other) =>
    way.strands.some(({ source, target }, strand) => {
      const starts = one.node === source || one.strand === strand;
      const ends = other.node === target || other.strand === strand;
      return starts && ends;
    });
  const number = () => {
    for (const some of cells)
      for (const [row, cell] of some.entries()) cell.row = row - (some.length - 1) / 2;
  };
  const sort = (/** @type {Cell[]} */ some, /** @type {(cell: Cell) => Cell[]} */ neighbours) => {
    const wanted = new Map(
      some.map((cell) => {
        const rows = neighbours(cell).map(({ row }) => row);
        return [cell, rows.length ? rows.reduce((sum, row) => sum + row, 0) / rows.length : cell.row];
      }),
    );
    some.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
    number();
  };
  number();
  for (let sweep = 0; sweep < 2; sweep += 1) {
    for (let c = 1; c < count; c += 1)
      sort(cells[c], (cell) => cells[c - 1].filter((before) => isBeside(before, cell)));
    for (let c = count - 2; c > 0; c -= 1)
      sort(cells[c], (cell) => cells[c + 1].filter((after) => isBeside(cell, after)));
  }
  return cells;
}

/**
 * @param {WayStrand} strand
 * @param {LaidNode} source
 * @param {LaidNode} target
 * @param {Point[]} past  where it passes other columns
 * @param {{chips: LaidChip[], width: number} | null} inside
 * @param {(text: string) => number} measure
 * @returns {LaidStrand}
 */
function laidStrand(strand, source, target, past, inside, measure) {
  const start = { x: source.x + source.width / 2, y: source.y };
  const end = { x: target.x - target.width / 2, y: target.y };
  const label = strandLabel(strand);
  if (!inside || strand.kind === "fray") return { points: [start, ...past, end], body: null, label };
  // Where it goes past other columns it has a row of its own.
  const level = past.length ? past[Math.floor(past.length / 2)].y : (start.y + end.y) / 2;
  const middle = { x: (start.x + end.x) / 2, y: level };
  const chips = inside.chips.map((chip) => ({ ...chip, x: chip.x + middle.x - inside.width / 2 }));
  const needed =
    strand.kind === "lens"
      ? Math.max(inside.width, 0.75 * measure(label) - 2 * LENS)
      : Math.max(inside.width, 0.8 * measure(label));
  const width = Math.min(needed + 2 * LENS, end.x - start.x - 12);
  const height = strand.kind === "run" && !inside.width ? 24 : CHIP + 14;
  const points = [
    start,
    { x: middle.x - width / 2, y: middle.y },
    { x: middle.x + width / 2, y: middle.y },
    end,
  ];
  return { points, body: { ...middle, width, height, chips }, label };
}

/**
 * @param {EveryWay} way
 * @param {number[]} numbers  of the line's strands
 * @param {LaidNode[]} nodes
 * @param {LaidStrand[]} strands
 * @returns {LaidLine}
 */
function laidLine(way, numbers, nodes, strands) {
  const first = nodes[0];
  /** @type {Point[]} */
  const points = [{ x: first.x + first.width / 2, y: first.y }];
  const knots = [{ merges: way.nodes[0].merges, x: points[0].x }];
  for (const number of numbers) {
    const { target } = way.strands[number];
    const node = nodes[target];
    points.push(...strands[number].points);
    if (way.nodes[target].open) continue;
    points.push({ x: node.x + node.width / 2, y: node.y });
    knots.push({ merges: way.nodes[target].merges, x: node.x + node.width / 2 });
  }
  return { points, knots };
}

/** Return the x of a line's dot after so many merges, whole or not. @param {LaidLine} line @param {number} step */
export function dotX({ knots }, step) {
  const next = knots.findIndex(({ merges }) => merges >= step);
  if (next === 0) return knots[0].x;
  if (next < 0) return knots[knots.length - 1].x;
  const [one, other] = [knots[next - 1], knots[next]];
  return one.x + ((other.x - one.x) * (step - one.merges)) / (other.merges - one.merges);
}

/** Return the y of a curve through points at an x. @param {Point[]} points @param {number} x */
export function curveY(points, x) {
  const next = points.findIndex((point) => point.x >= x);
  if (next === 0) return points[0].y;
  if (next < 0) return points[points.length - 1].y;
  const [one, other] = [points[next - 1], points[next]];
  const share = other.x > one.x ? (x - one.x) / (other.x - one.x) : 1;
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 24; turn += 1) {
    const t = (low + high) / 2;
    if (1.5 * t * (1 - t) + t ** 3 < share) low = t;
    else high = t;
  }
  return one.y + (other.y - one.y) * (3 * low ** 2 - 2 * low ** 3);
}

/**
 * Return a curve through points as the data of an SVG path. It is level at each of them.
 * @param {Point[]} points
 * @param {number} [down]  moves all of it
 */
export function curve(points, down = 0) {
  const write = (/** @type {number} */ x, /** @type {number} */ y) =>
    `${x.toFixed(1)} ${(y + down).toFixed(1)}`;
  return points
    .map(({ x, y }, number) => {
      if (!number) return `M${write(x, y)}`;
      const before = points[number - 1];
      if (before.y === y) return `L${write(x, y)}`;
      const half = (before.x + x) / 2;
      return `C${write(half, before.y)} ${write(half, y)} ${write(x, y)}`;
    })
    .join(" ");
}
