// Where everything is in the picture of every way. Merges run to the right, splits after as many merges are one below
// the other, and x grows along every strand. So the y of a line follows from its x.

/** @import {EveryWay, WayNode, WayStrand} from "../shared/feed_types.js" */

import { CHIP_LOOK, TAB_LOOK } from "../shared/chip.js";
import { largestSize } from "../shared/dom.js";
import { formatNumber, sumOf } from "../shared/numbers.js";

export const TYPE = 15; // px, the letters of a chip
export const CHIP = Math.round(CHIP_LOOK.height * TYPE); // height of a chip
export const TAB = TAB_LOOK.width * TYPE; // width of the tab at the end of a word
const CHIPS_APART = 3; // chips of one node
const GAP = 40; // least length of a strand
const EASY_GAP = 34; // where there is room, before runs get longer
const MOST_GAP = 96; // of a picture that is narrower than its room
const PITCH = 58; // from one node to the one below
const NARROW_PITCH = 40; // where many are one below the other
const LENS_PITCH = 70; // where a lens may be one of them
const MANY_ROWS = 6;
const LENS = 18; // of a lens, left and right of its chips
const LABEL = 22; // px, a label above a lens or a run
const WAYS_MARGIN = 26;
const ABOVE_NODES = 34; // the first node
const BELOW_NODES = 52; // for the numbers
const LEAST_STRETCH = 0.86; // of the room between nodes, where all of a high picture is to be visible
const LOW_STRETCH = 0.76; // where a picture is lower than can be read
const MOST_STRETCH = 1.9; // where there is room above and below
const STEEPEST = 3; // a strand that goes to the node below: the height by the length
const CHIPS_OF_NODE = 3;
const MORE_IN_LENS = 2; // than in a node, if it is not open
const BEADS_APART = 12; // chips in a run that is not open
const LEAST_RUN = 24; // and room for its label
const KNOT = 84; // least length of a knot
const FRAY = 56; // length of what goes on
const BRIEF = 2; // chips: with fewer, labels are short and no chips are counted
export const DOT = 6.5;
const BEFORE_CHIP = 3; // px between a dot that rests and the chip

/** A point of a strand. @typedef {{x: number, y: number}} Point */
/** The letters of a token, and whether a marker stands before and after them. @typedef {{letters: string, before: boolean, after: boolean}} Letters */
/** A token from `x` on, its letters from `x` + `inset` on; `token` is -1 for a note such as “+2”. @typedef {Letters & {token: number, x: number, width: number, inset: number}} LaidChip */
/** Its middle, its chips from left to right, and the position of its column. @typedef {{x: number, y: number, width: number, chips: LaidChip[], column: number}} LaidNode */

/**
 * A strand, from point to point. `body`: the box that holds its chips or its label.
 * @typedef {object} LaidStrand
 * @property {Point[]} points
 * @property {Body | null} body
 * @property {string} label
 */

/** The box of a strand. `named`: whether there is room for its label above it. @typedef {{x: number, y: number, width: number, height: number, chips: LaidChip[], named: boolean}} Body */

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
 * How a picture is laid out.
 * @typedef {object} WayView
 * @property {number} room  the width to fill
 * @property {ReadonlySet<string>} opened  names of the strands that are open
 * @property {number} [least]  the least length of a strand
 * @property {number} [chips]  the most chips of a node and of a closed lens
 * @property {boolean} [fills]  whether strands get longer to fill the room
 * @property {number} [height]  the height to fill, or to be kept within, as far as nodes stay apart
 * @property {number} [closest]  the least part of the room between nodes
 */

/**
 * Return the name of a strand. It stays the same when others are folded.
 * @param {{nodes: WayNode[]}} way
 * @param {{source: number, target: number}} strand
 */
export function strandName({ nodes }, { source, target }) {
  return `${nodes[source].number} ${nodes[target].number}`;
}

/**
 * Lay the picture out.
 * @param {EveryWay} way
 * @param {(position: number) => Letters} lettersOf  of a token
 * @param {(text: string) => number} measure  the width of letters
 * @param {WayView} view
 * @returns {Layout}
 */
export function layOutWays(
  way,
  lettersOf,
  measure,
  {
    room,
    opened,
    least: shortest = GAP,
    chips: most = CHIPS_OF_NODE,
    fills = true,
    height,
    closest = LEAST_STRETCH,
  },
) {
  const merges = [...new Set(way.nodes.map((node) => node.merges))].toSorted((a, b) => a - b);
  const columnOf = new Map(merges.map((number, column) => [number, column]));
  const chipsOf = (/** @type {number[]} */ positions, /** @type {number} */ more) =>
    chipRow(positions, more, lettersOf, measure);
  const silent = toldByLenses(way);
  const chipRows = way.nodes.map(({ tokens, more }, number) => {
    if (silent.has(number)) return chipsOf([], 0);
    const left = Math.max(0, tokens.length - most); // the last ones are the newest
    return chipsOf(tokens.slice(left), most < BRIEF ? 0 : more + left);
  });
  const widths = chipRows.map(({ width }) => Math.max(width, 2 * DOT));
  const column = way.nodes.map((node) => columnOf.get(node.merges) ?? 0);
  const cells = orderedCells(way, column, merges.length);
  const bodies = way.strands.map((strand) => {
    if (strand.kind === "merge") return null;
    const visible = opened.has(strandName(way, strand))
      ? strand.tokens
      : strand.kind === "lens"
        ? strand.tokens.slice(0, most < BRIEF ? most : most + MORE_IN_LENS)
        : [];
    const hidden = strand.more + strand.tokens.length - visible.length;
    return chipsOf(visible, visible.length ? hidden : 0);
  });
  const labelOf = (/** @type {WayStrand} */ strand) => strandLabel(strand, most < BRIEF);
  const labelWidth = (/** @type {WayStrand} */ strand) => 0.8 * measure(labelOf(strand));
  const arrange = (/** @type {number} */ least, /** @type {number} */ unit) => {
    const needs = way.strands.map((strand, number) =>
      needOf(strand, bodies[number]?.width ?? 0, labelWidth(strand), Math.min(least, GAP), unit),
    );
    return columnMiddles(way, column, widths, needs, merges.length, least);
  };
  const wide = room - 2 * WAYS_MARGIN;
  const fitsIn = (/** @type {number} */ least, /** @type {number} */ unit) => {
    const { starts, ends } = arrange(least, unit);
    return ends - starts <= wide;
  };
  const hasRun = way.strands.some(({ kind }) => kind === "run");
  const gap = hasRun ? largestSize(shortest, EASY_GAP, (least) => fitsIn(least, 0), PRECISELY) : shortest;
  // One merge of a run is as long as the picture then fits, so that runs are in proportion.
  const unit = hasRun ? largestSize(0, LONGEST_UNIT, (merge) => fitsIn(gap, merge), PRECISELY) : 0;
  const longest = fills ? largestSize(gap, MOST_GAP, (least) => fitsIn(least, unit), PRECISELY) : gap;
  const x = arrange(longest, unit);
  const shift = WAYS_MARGIN - x.starts;
  const at = x.middles.map((middle) => middle + shift);
  const hasLens = way.strands.some(({ kind }) => kind === "lens" || kind === "knot");
  const usualPitch = (/** @type {number} */ rows) =>
    rows > MANY_ROWS ? NARROW_PITCH : hasLens ? LENS_PITCH : PITCH;
  const bulgeAt = (/** @type {number} */ by) =>
    Math.max(...cells.map(({ length }) => ((length - 1) * usualPitch(length) * by) / 2), 12);
  const ofBulges = height === undefined ? 0 : height - ABOVE_NODES - CHIP - BELOW_NODES;
  const wanted = height === undefined ? 1 : ofBulges / (2 * bulgeAt(1));
  const steep = Math.min(MOST_STRETCH, Math.max(1, (STEEPEST * longest) / PITCH));
  const tall = Math.max(closest, Math.min(steep, wanted));
  const pitchOf = (/** @type {number} */ rows) => usualPitch(rows) * tall;
  const bulge = bulgeAt(tall);
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
    const laid = laidStrand(strand, nodes[strand.source], nodes[strand.target], past, bodies[number], {
      text: labelOf(strand),
      width: labelWidth(strand),
    });
    if (strand.kind === "run" && laid.body && !laid.body.chips.length)
      laid.body.chips = beadsOf(laid.body, strand.tokens, (token) => chipsOf([token], 0));
    return laid;
  });
  keepApart(
    strands.flatMap(({ body }) => body ?? []),
    nodes,
  );
  const lines = way.lines.map((line) => laidLine(way, line.strands, nodes, strands));
  const width = shift + x.ends + WAYS_MARGIN;
  const bottom = middle + bulge + CHIP / 2;
  const columns = merges.map((number, c) => ({ merges: number, x: at[c] }));
  return { width, height: bottom + BELOW_NODES, bottom, columns, nodes, strands, lines };
}

const LONGEST_UNIT = 12; // px for a merge
const PRECISELY = 1 / 256; // px

/**
 * Return the nodes that only a lens leads to which shows all that is new there: they need no chips of their own.
 * @param {EveryWay} way
 */
function toldByLenses({ nodes, strands }) {
  const silent = new Set();
  for (const [number, { tokens, more }] of nodes.entries()) {
    const [strand, another] = strands.filter(({ target }) => target === number);
    const isTold =
      strand?.kind === "lens" &&
      !another &&
      tokens.every((token) => strand.tokens.includes(token)) &&
      tokens.length + more <= strand.tokens.length + strand.more;
    if (isTold) silent.add(number);
  }
  return silent;
}

/**
 * Return chips along a run, each where its merge is, as many as have room there.
 * @param {{x: number, y: number, width: number}} body
 * @param {number[]} tokens  from the first merge to the last
 * @param {(token: number) => {chips: LaidChip[], width: number}} chipOf
 */
function beadsOf({ x, width }, tokens, chipOf) {
  /** @type {LaidChip[]} */
  const beads = [];
  const room = width - 2 * LENS;
  let free = x - room / 2;
  for (const [at, token] of tokens.entries()) {
    const { chips, width: wide } = chipOf(token);
    const left = x - room / 2 + ((at + 0.5) * room) / tokens.length - wide / 2;
    if (left < free || left + wide > x + room / 2) continue;
    beads.push(...chips.map((chip) => ({ ...chip, x: left })));
    free = left + wide + BEADS_APART;
  }
  return beads;
}

/**
 * Return chips side by side, the first one from 0 on.
 * @param {number[]} positions
 * @param {number} more  chips that are left out
 * @param {(position: number) => Letters} lettersOf
 * @param {(text: string) => number} measure
 */
function chipRow(positions, more, lettersOf, measure) {
  /** @type {LaidChip[]} */
  const chips = [];
  const pad = CHIP_LOOK.pad * TYPE;
  const beside = TAB + TAB_LOOK.beside * TYPE;
  let x = 0;
  for (const token of positions) {
    const { letters, before, after } = lettersOf(token);
    const inset = letters ? (before ? beside : pad) : 0;
    const width = letters ? inset + Math.max(measure(letters), 8) + (after ? beside : pad) : TAB + 2; // a marker alone
    chips.push({ token, letters, before, after, x, width, inset });
    x += width + CHIPS_APART;
  }
  if (more) {
    const letters = `+${more}`;
    const width = 0.86 * measure(letters) + 8;
    chips.push({ token: -1, letters, before: false, after: false, x, width, inset: 0 });
    x += width + CHIPS_APART;
  }
  return { chips, width: Math.max(0, x - CHIPS_APART) };
}

/**
 * Return the room that a strand needs between its nodes.
 * @param {WayStrand} strand
 * @param {number} inside  width of its chips
 * @param {number} label  width of its label
 * @param {number} gap  the least length of a strand
 * @param {number} unit  length of a merge in a run
 */
function needOf(strand, inside, label, gap, unit) {
  if (strand.kind === "lens") return Math.max(inside + 2 * LENS, label) + gap;
  if (strand.kind === "run")
    return Math.max(inside ? inside + 2 * LENS : 0, label + LEAST_RUN, unit * strand.merges) + gap;
  if (strand.kind === "knot") return Math.max(KNOT, label + gap, unit * strand.merges);
  if (strand.kind === "fray") return FRAY;
  return 0;
}

/**
 * Return the label of a strand.
 * @param {WayStrand} strand
 * @param {boolean} brief
 */
function strandLabel({ kind, merges, splits }, brief) {
  if (kind === "lens") return brief ? `${merges} pairs` : `${merges} pairs, in any order`;
  if (kind === "run") return `${merges} merges`;
  if (kind === "knot")
    return splits ? `${merges} merges, up to ${formatNumber(splits)} splits` : `${merges} merges`;
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
        return [cell, rows.length ? sumOf(rows) / rows.length : cell.row];
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
 * @param {{text: string, width: number}} label
 * @returns {LaidStrand}
 */
function laidStrand(strand, source, target, past, inside, { text: label, width: labelRoom }) {
  const start = { x: source.x + source.width / 2, y: source.y };
  const end = { x: target.x - target.width / 2, y: target.y };
  if (!inside || strand.kind === "fray" || strand.kind === "knot")
    return { points: [start, ...past, end], body: null, label };
  // Where it goes past other columns it has a row of its own.
  const level = past.length ? past[Math.floor(past.length / 2)].y : (start.y + end.y) / 2;
  const middle = { x: (start.x + end.x) / 2, y: level };
  const chips = inside.chips.map((chip) => ({ ...chip, x: chip.x + middle.x - inside.width / 2 }));
  const needed =
    strand.kind === "lens" ? Math.max(inside.width, labelRoom - 2 * LENS) : Math.max(inside.width, labelRoom);
  const whole = end.x - start.x - 12;
  const width = strand.kind === "run" && !past.length ? whole : Math.min(needed + 2 * LENS, whole);
  const height = CHIP + 14;
  const points = [
    start,
    { x: middle.x - width / 2, y: middle.y },
    { x: middle.x + width / 2, y: middle.y },
    end,
  ];
  return { points, body: { ...middle, width, height, chips, named: true }, label };
}

/**
 * Make boxes lower where one would cover another, and find those without room for a label above them.
 * @param {Body[]} bodies
 * @param {Pick<Body, "x" | "y" | "width">[]} nodes  chips beside them
 */
export function keepApart(bodies, nodes) {
  for (const body of bodies) {
    const distances = (/** @type {Pick<Body, "x" | "y" | "width">[]} */ boxes) =>
      boxes
        .filter((one) => one !== body && Math.abs(one.x - body.x) < (one.width + body.width) / 2)
        .map(({ y }) => body.y - y);
    const [others, chips] = [distances(bodies), distances(nodes)];
    body.height = Math.max(CHIP + 2, Math.min(body.height, ...others.map((by) => Math.abs(by) - 2)));
    const label = body.height / 2 + LABEL; // from the middle of the box to the top of its label
    body.named =
      !others.some((by) => by > 0 && by < label + body.height / 2) &&
      !chips.some((by) => by > 0 && by < label + CHIP / 2);
  }
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
  const points = [{ x: restX(first), y: first.y }];
  const knots = [{ merges: way.nodes[0].merges, x: points[0].x }];
  for (const number of numbers) {
    const { target } = way.strands[number];
    const node = nodes[target];
    if (way.nodes[target].open) {
      // It goes on where it is: the ways that leave the picture do not meet.
      const [from] = strands[number].points;
      points.push(from, { x: from.x + FRAY / 2, y: from.y });
      continue;
    }
    points.push(...strands[number].points);
    points.push({ x: node.x + node.width / 2, y: node.y });
    knots.push({ merges: way.nodes[target].merges, x: restX(node) });
  }
  return { points, knots };
}

/** Return where a dot rests at a node: on the path before its chips, or in its ring. @param {LaidNode} node */
function restX({ x, width, chips }) {
  return chips.length ? x - width / 2 - DOT - BEFORE_CHIP : x;
}

/**
 * Return the x of a line's dot after so many merges, whole or not.
 * @param {LaidLine} line
 * @param {number} step
 */
export function dotX({ knots }, step) {
  const next = knots.findIndex(({ merges }) => merges >= step);
  if (next === 0) return knots[0].x;
  if (next < 0) return knots[knots.length - 1].x;
  const [one, other] = [knots[next - 1], knots[next]];
  return one.x + ((other.x - one.x) * (step - one.merges)) / (other.merges - one.merges);
}

/**
 * Return the y of a curve through points at an x.
 * @param {Point[]} points
 * @param {number} x
 */
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

// What is folded of a long picture. Merges that follow each other without a choice become one run, and ways that part and
// all meet again become one knot. What is left are the forks.

/**
 * Return the picture with everything folded but what is open.
 * @param {EveryWay} way
 * @param {ReadonlySet<string>} opened  names of the folded strands that stay open
 * @param {boolean} joins  whether runs and knots that follow each other become one
 * @returns {EveryWay}
 */
function foldedWays(way, opened, joins) {
  const knots = knotsOf(way, opened);
  const inside = new Map(knots.flatMap((knot) => knot.strands.map((strand) => [strand, knot])));
  /** @type {Folded[]} */
  const folded = [];
  way.strands.forEach((strand, number) => {
    const knot = inside.get(number);
    if (!knot) folded.push({ strand, of: [number] });
    else if (knot.strands[0] === number) folded.push({ strand: knot.strand, of: knot.strands });
  });
  const runs = joined(way, folded, opened, hasNoChoice);
  if (joins)
    return withoutFolded(
      way,
      joined(way, runs, opened, (one) => one.kind === "knot" || hasNoChoice(one)),
    );
  return withoutFolded(way, runs);
}

/**
 * Return what parts at one node and wholly meets again at another, and is in nothing larger of this kind.
 * @param {EveryWay} way
 * @param {ReadonlySet<string>} opened
 */
function knotsOf(way, opened) {
  const { nodes, strands } = way;
  const order = nodes
    .map((_, number) => number)
    .toSorted((a, b) => nodes[a].merges - nodes[b].merges || a - b);
  const leaving = nodes.map((_, node) =>
    strands.flatMap((one, number) => (one.source === node ? [number] : [])),
  );
  const reaching = nodes.map((_, node) =>
    strands.flatMap((one, number) => (one.target === node ? [number] : [])),
  );
  const last = nodes.length; // after all that end
  const ends = (/** @type {number} */ node) => nodes[node].open || !leaving[node].length;
  const after = nearest(order.toReversed(), last, (node) =>
    ends(node) ? [last] : leaving[node].map((number) => strands[number].target),
  );
  const before = nearest(order, last, (node) =>
    reaching[node].length ? reaching[node].map((number) => strands[number].source) : [last],
  );
  /** @type {{strand: WayStrand, strands: number[]}[]} */
  const knots = [];
  const taken = new Set();
  for (const start of order) {
    const end = after[start];
    if (
      taken.has(start) ||
      leaving[start].length < 2 ||
      end === last ||
      nodes[end].open ||
      before[end] !== start
    )
      continue;
    const within = new Set([start]);
    for (const node of order)
      if (
        node !== end &&
        reaching[node].some((number) => within.has(strands[number].source) && strands[number].source !== end)
      )
        if (nodes[node].merges < nodes[end].merges) within.add(node);
    const inner = strands.flatMap(({ source }, number) => (within.has(source) ? [number] : []));
    const merges = nodes[end].merges - nodes[start].merges;
    /** @type {WayStrand} */
    const strand = {
      source: start,
      target: end,
      kind: "knot",
      tie: "detour",
      merges,
      tokens: [],
      more: 0,
      splits: 0,
    };
    for (const node of within) if (node !== start) taken.add(node);
    if (!opened.has(strandName(way, strand))) knots.push({ strand, strands: inner });
  }
  return knots;
}

/**
 * Return for each node the nearest one that all ways to it pass (immediate dominators, by Cooper, Harvey and Kennedy).
 * @param {number[]} order  of the nodes: each after those that lead to it
 * @param {number} root  a further node, before all others
 * @param {(node: number) => number[]} leadsFrom  returns the nodes that lead to a node
 */
function nearest(order, root, leadsFrom) {
  const rank = new Map([
    [root, -1],
    ...order.map((node, at) => /** @type {[number, number]} */ ([node, at])),
  ]);
  const rankOf = (/** @type {number} */ node) => rank.get(node) ?? -1;
  /** @type {number[]} */
  const nearby = [];
  nearby[root] = root;
  for (const node of order) {
    nearby[node] = leadsFrom(node).reduce((one, other) => {
      let [a, b] = [one, other];
      while (a !== b) {
        if (rankOf(a) > rankOf(b)) a = nearby[a];
        else b = nearby[b];
      }
      return a;
    });
  }
  return nearby;
}

/** Strands that have become one, and the positions of these. @typedef {{strand: WayStrand, of: number[]}} Folded */

/** @param {WayStrand} strand */
function hasNoChoice({ kind, tie }) {
  return ["merge", "lens", "run"].includes(kind) && (tie === "none" || tie === "order only");
}

/**
 * Join the strands of a kind that follow each other.
 * @param {EveryWay} way
 * @param {Folded[]} folded
 * @param {ReadonlySet<string>} opened
 * @param {(strand: WayStrand) => boolean} isJoined
 * @returns {Folded[]}
 */
function joined(way, folded, opened, isJoined) {
  const leaving = way.nodes.map(() => /** @type {Folded[]} */ ([]));
  const reaching = way.nodes.map(() => 0);
  for (const one of folded) {
    leaving[one.strand.source].push(one);
    reaching[one.strand.target] += 1;
  }
  const goesOn = (/** @type {number} */ node) =>
    leaving[node].length === 1 && reaching[node] === 1 && isJoined(leaving[node][0].strand);
  const all = [];
  for (const first of folded) {
    const { source } = first.strand;
    const isInside =
      goesOn(source) && folded.some(({ strand }) => strand.target === source && isJoined(strand));
    if (isInside && isJoined(first.strand)) continue; // it is found from the first one
    const run = [first];
    while (isJoined(run[run.length - 1].strand) && goesOn(run[run.length - 1].strand.target))
      run.push(leaving[run[run.length - 1].strand.target][0]);
    const target = run[run.length - 1].strand.target;
    if (run.length === 1 || opened.has(strandName(way, { source, target }))) all.push(...run);
    else {
      const strands = run.map(({ strand }) => strand);
      /** @type {WayStrand} */
      const strand = {
        source,
        target,
        kind: strands.some(({ kind }) => kind === "knot") ? "knot" : "run",
        tie: strands.some(({ tie }) => tie === "order only") ? "order only" : "none",
        merges: sumOf(strands.map((one) => one.merges)),
        tokens: strands.flatMap((one) => one.tokens),
        more: sumOf(strands.map((one) => one.more)),
        splits: 0,
      };
      all.push({ strand, of: run.flatMap(({ of }) => of) });
    }
  }
  return all;
}

/**
 * Return the picture without the nodes and strands that others have taken in.
 * @param {EveryWay} way
 * @param {Folded[]} folded
 * @returns {EveryWay}
 */
function withoutFolded(way, folded) {
  const visible = new Set([0, ...folded.flatMap(({ strand: { source, target } }) => [source, target])]);
  const numbers = [...visible].toSorted((one, other) => one - other);
  const at = new Map(numbers.map((number, position) => [number, position]));
  const positionOf = (/** @type {number} */ node) => at.get(node) ?? 0;
  const strandOf = new Map(folded.flatMap(({ of }, number) => of.map((one) => [one, number])));
  return {
    ...way,
    nodes: numbers.map((number) => way.nodes[number]),
    strands: folded.map(({ strand }) => ({
      ...strand,
      source: positionOf(strand.source),
      target: positionOf(strand.target),
    })),
    lines: way.lines.map((line) => ({
      ...line,
      strands: line.strands
        .map((strand) => strandOf.get(strand) ?? 0)
        .filter((strand, number, all) => !number || all[number - 1] !== strand),
    })),
  };
}

// How much is shown: as much as can be read in the room.

/**
 * From everything to the forks alone. Beside text, letters may be a little smaller before something is folded.
 * @type {{folds: boolean, joins: boolean, chips: number, least: number, letters?: number}[]}
 */
const DETAILS = [
  { folds: false, joins: false, chips: 3, least: GAP },
  { folds: false, joins: false, chips: 3, least: 22 },
  { folds: false, joins: false, chips: 3, least: 18, letters: 0.92 },
  { folds: false, joins: false, chips: 2, least: 22 },
  { folds: true, joins: false, chips: 3, least: 28 },
  { folds: true, joins: false, chips: 2, least: 22 },
  { folds: true, joins: false, chips: 1, least: 16 },
  { folds: true, joins: true, chips: 1, least: 14 },
];

/** A picture as it is laid out. @typedef {{way: EveryWay, layout: Layout, folds: boolean, scale: number}} ArrangedWays */

/**
 * The room of a picture.
 * @typedef {object} Room
 * @property {number} width
 * @property {number} height
 * @property {number} legible  the scale at which it can be read
 * @property {number} largest  scale
 * @property {number} [low]  the height that it has at most, even if it cannot be read then
 * @property {boolean} [whole]  whether nothing is folded, even if it cannot be read then, and the height is filled
 */

const LARGE_LETTERS_GAP = 28; // length of a strand where letters are to be large

/**
 * Return the picture with the most detail that can be read in a room, and the scale at which it is whole there.
 * @param {EveryWay} way
 * @param {(position: number) => Letters} lettersOf
 * @param {(text: string) => number} measure
 * @param {Room} room
 * @param {ReadonlySet<string>} opened
 * @returns {ArrangedWays}
 */
export function arrangedWays(way, lettersOf, measure, room, opened) {
  const { width, height, legible, largest, low, whole } = room;
  const fills = largest <= 1;
  /** @type {ArrangedWays | undefined} */
  let arranged;
  for (const { folds, joins, chips, least: longer, letters = 1 } of DETAILS) {
    if (folds && whole) break;
    const smallest = fills ? legible * letters : legible;
    const least = fills ? longer : Math.min(longer, LARGE_LETTERS_GAP);
    const visible = folds ? foldedWays(way, opened, joins) : way;
    const lay = (/** @type {Partial<WayView>} */ view) =>
      layOutWays(visible, lettersOf, measure, {
        room: width / smallest,
        opened,
        least,
        chips,
        fills,
        ...view,
      });
    let layout = lay({ height: fills ? undefined : 0 }); // as low as it can be
    const isLegible = layout.width * smallest <= width + 1 && layout.height * smallest <= height;
    let scale = Math.min(largest, width / layout.width, fills ? Infinity : height / layout.height);
    if (low && (whole || layout.height * scale > low)) {
      const closer = { closest: LOW_STRETCH };
      scale = Math.min(scale, low / lay({ ...closer, height: 0 }).height);
      layout = lay({ ...closer, room: width / scale, height: low / scale });
    }
    // On a stage it takes all the room there is.
    if (!fills) layout = lay({ room: width / scale, fills: true, height: height / scale });
    arranged = { way: visible, layout, folds, scale };
    if (isLegible) break;
  }
  return /** @type {ArrangedWays} */ (arranged);
}
