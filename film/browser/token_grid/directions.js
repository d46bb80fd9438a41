// Right-to-left words: each keeps its own direction, a paragraph takes that of its first word. Digits and Latin letters
// within such a word run from left to right (as UAX #9 has it), unless a merge joins one end of them to a neighbour
// before they are whole: a token must stand in one piece.

import { NEVER } from "./feed.js";
import { LEFT_TO_RIGHT, RIGHT_TO_LEFT, decodeBytes } from "./spelling.js";

// Each item's direction (1: right to left) by its first strong character, or null where all is left to right.
export function directionsOf(place) {
  const { sheet } = place;
  const directions = new Int8Array(sheet.order.length);
  const known = new Map();
  let any = false;
  sheet.order.forEach((word, item) => {
    if (!known.has(word)) known.set(word, wordDirection(sheet, item));
    directions[item] = known.get(word);
    any ||= directions[item] === 1;
  });
  if (!any) return null;
  for (let item = 1; item < directions.length; item++) if (!directions[item]) directions[item] = directions[item - 1];
  return directions;
}

function wordDirection(sheet, item) {
  const bytes = [];
  for (let cell = sheet.first[item]; cell < sheet.first[item + 1] && bytes.length < 64; cell++) bytes.push(...sheet.model.symbols[sheet.symbol[cell]].bytes);
  for (const letter of decodeBytes(bytes)) {
    if (RIGHT_TO_LEFT.test(letter)) return 1;
    if (LEFT_TO_RIGHT.test(letter)) return -1;
  }
  return 0;
}

// Turns the right-to-left items of a line round; a paragraph that begins with one reads from the right edge altogether.
export function mirrorLine(place, line, from, to, end) {
  const { sheet, x, w, direction, width } = place;
  const rightward = !sheet.rows && direction[place.paragraph[line]] === 1;
  for (let start = from; start < to; ) {
    let stop = start + 1;
    const way = direction[sheet.place[start]];
    while (stop < to && direction[sheet.place[stop]] === way && (!sheet.rows || sheet.place[stop] === sheet.place[start])) stop += 1;
    const low = x[start];
    const high = x[stop - 1] + w[stop - 1];
    if ((way === 1) !== rightward) for (let cell = start; cell < stop; cell++) x[cell] = low + high - x[cell] - w[cell];
    start = stop;
  }
  if (rightward) for (let cell = from; cell < to; cell++) x[cell] = Math.max(end, width) - x[cell] - w[cell];
  if (place.turned) turnRuns(place, from, to);
}

// Cells of right-to-left words that run from left to right, as the run [from, to) each belongs to; null without any.
export function turnedRuns(place) {
  const { sheet, direction } = place;
  const turned = { from: new Int32Array(sheet.size), to: new Int32Array(sheet.size) };
  let any = false;
  for (let item = 0; direction && item < sheet.order.length; item++) {
    if (direction[item] !== 1) continue;
    for (const [from, to] of leftToRight(sheet, sheet.first[item], sheet.first[item + 1])) {
      if (!standsWhole(sheet, from, to)) continue;
      turned.from.fill(from, from, to);
      turned.to.fill(to, from, to);
      any = true;
    }
  }
  return any ? turned : null;
}

// Runs of cells [from, to): letters with what stands between them and digits after them; digits with their points.
function leftToRight(sheet, start, end) {
  const runs = [];
  let run = null;
  for (let cell = start; cell < end; ) {
    const length = sheet.bytesFrom[cell] || 1;
    const text = textOf(sheet, cell, cell + length);
    const letter = LEFT_TO_RIGHT.test(text) && !RIGHT_TO_LEFT.test(text);
    const next = cell + length;
    if (letter || /\p{Nd}/u.test(text)) {
      const gap = run ? textOf(sheet, run[1], cell) : "";
      const goesOn = run && (run.letters || gap === "" || (!letter && /^[.,:/]$/.test(gap)));
      if (goesOn) run[1] = next;
      else runs.push((run = [cell, next]));
      run.letters ||= letter;
    } else if (RIGHT_TO_LEFT.test(text)) run = null;
    cell = next;
  }
  return runs.filter(([from, to]) => to - from > 1);
}

function textOf(sheet, from, to) {
  const bytes = [];
  for (let cell = from; cell < to; cell++) for (const byte of sheet.model.symbols[sheet.symbol[cell]].bytes) if (byte !== sheet.model.markerByte) bytes.push(byte);
  return decodeBytes(bytes);
}

// At no step does a token hold a part of the run together with a neighbour.
function standsWhole({ close, place }, from, to) {
  let inside = -1;
  for (let cell = from; cell < to - 1; cell++) inside = Math.max(inside, close[cell]);
  const before = from && place[from - 1] === place[from] ? close[from - 1] : NEVER;
  return Math.min(before, close[to - 1]) >= inside;
}

function turnRuns({ turned, x, w }, from, to) {
  for (let cell = from; cell < to; ) {
    const end = Math.min(to, turned.to[cell] || cell + 1);
    if (turned.to[cell]) {
      const sum = Math.min(x[cell], x[end - 1]) + Math.max(x[cell] + w[cell], x[end - 1] + w[end - 1]);
      for (let at = cell; at < end; at++) x[at] = sum - x[at] - w[at];
    }
    cell = end;
  }
}

// Whether a token ends at the left and at the right side of a cell, as they are seen, after k merges.
export function sidesOf({ sheet, direction, turned }, cell, k) {
  const before = (at) => at === 0 || sheet.close[at - 1] >= k;
  const after = (at) => sheet.close[at] >= k;
  if (direction?.[sheet.place[cell]] !== 1) return [before(cell), after(cell)];
  if (!turned?.to[cell]) return [after(cell), before(cell)];
  const [from, to] = [turned.from[cell], turned.to[cell]];
  return [cell === from ? after(to - 1) : before(cell), cell === to - 1 ? before(from) : after(cell)];
}
