// A sheet is a row of cells, one per initial symbol, in drawing order; a boundary stands after each cell and closes at
// one step. The segmentation at step k is therefore read off, never replayed: a token is a run of cells whose inner
// boundaries closed before k.

import { NEVER, tokenOf } from "./feed.js";
import { characterLength, decodeBytes } from "./spelling.js";

// model, word indexes -> sheet; `rows`: each word stands for itself with its frequency (the distinct words)
export function makeSheet(model, order, rows) {
  const { starts, symbol, close } = model.words;
  let size = 0;
  for (const word of order) size += starts[word + 1] - starts[word];
  const sheet = {
    model, rows, order, size,
    symbol: new Uint32Array(size),
    close: new Int32Array(size),
    place: new Uint32Array(size), // which item of `order` a cell belongs to
    first: new Uint32Array(order.length + 1), // first cell of each item
  };
  let cell = 0;
  order.forEach((word, place) => {
    sheet.first[place] = cell;
    for (let at = starts[word]; at < starts[word + 1]; at++, cell++) {
      sheet.symbol[cell] = symbol[at];
      sheet.close[cell] = at + 1 < starts[word + 1] ? close[at] : NEVER;
      sheet.place[cell] = place;
    }
  });
  sheet.first[order.length] = size;
  sheet.closing = indexBySteps(sheet.close, model.last);
  sheet.bytesFrom = characterGroups(sheet);
  return sheet;
}

// step -> the boundaries that close at it, as one flat list
function indexBySteps(close, last) {
  const starts = new Uint32Array(last + 2);
  for (const step of close) if (step < last) starts[step + 1] += 1;
  for (let step = 0; step <= last; step++) starts[step + 1] += starts[step];
  const fill = starts.slice();
  const boundaries = new Uint32Array(starts[last]);
  close.forEach((step, cell) => {
    if (step < last) boundaries[fill[step]++] = cell;
  });
  return { starts, boundaries };
}

export function boundariesOf(sheet, step) {
  const { starts, boundaries } = sheet.closing;
  return step < 0 || step >= sheet.model.last ? boundaries.subarray(0, 0) : boundaries.subarray(starts[step], starts[step + 1]);
}

export function tokensAt(sheet, k) {
  return sheet.size - sheet.closing.starts[Math.min(k, sheet.model.last)];
}

export function startOf(sheet, k, cell) {
  while (cell > 0 && sheet.close[cell - 1] < k) cell -= 1;
  return cell;
}

export function endOf(sheet, k, cell) {
  while (sheet.close[cell] < k) cell += 1;
  return cell + 1;
}

// Identity of the token of cells [start, end): its youngest closed boundary names the merge that made it.
export function idAt(sheet, start, end) {
  if (end - start === 1) return sheet.model.symbols[sheet.symbol[start]].id;
  if (sheet.model.names) return sheet.model.names[hexAt(sheet, start, end)] ?? -1;
  let youngest = -1;
  for (let cell = start; cell < end - 1; cell++) if (sheet.close[cell] > youngest) youngest = sheet.close[cell];
  return sheet.model.steps.ids[youngest];
}

function hexAt(sheet, start, end) {
  let hex = "";
  for (let cell = start; cell < end; cell++) for (const byte of sheet.model.symbols[sheet.symbol[cell]].bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

// Calls draw(start, end) for every token that touches cells [from, to).
export function eachToken(sheet, k, from, to, draw) {
  let start = from < sheet.size ? startOf(sheet, k, from) : to;
  while (start < to) {
    const end = endOf(sheet, k, start);
    draw(start, end);
    start = end;
  }
}

// The tokens step `step` makes (seen after it), as [start, end, boundary]; several boundaries of one token come once.
export function tokensMade(sheet, step) {
  const made = [];
  let after = -1;
  for (const boundary of boundariesOf(sheet, step)) {
    if (boundary < after) continue;
    const end = endOf(sheet, step + 1, boundary);
    made.push([startOf(sheet, step + 1, boundary), end, boundary]);
    after = end - 1;
  }
  return made;
}

// Where cells are the bytes of one character: for each cell how many cells its character has if it is the first, else 0.
function characterGroups(sheet) {
  const { symbols } = sheet.model;
  const groups = new Uint8Array(sheet.size);
  if (sheet.model.feed.unit !== "bytes") return groups;
  const bytes = Uint8Array.from(sheet.symbol, (symbol) => symbols[symbol].bytes[0]);
  for (let cell = 0; cell < sheet.size; ) {
    const end = sheet.first[sheet.place[cell] + 1];
    const length = characterLength(bytes, cell, end);
    if (length) groups[cell] = length;
    cell += length || 1;
  }
  return groups;
}

// The drawn frame's text, joined back from the tokens' own bytes as `Variant.decode` does.
export function joinedText(sheet, k) {
  const { model } = sheet;
  const bytes = [];
  eachToken(sheet, k, 0, sheet.size, (start, end) => {
    const own = [];
    for (let cell = start; cell < end; cell++) own.push(...model.symbols[sheet.symbol[cell]].bytes);
    const token = end - start > 1 ? tokenOf(model, idAt(sheet, start, end)).bytes : own;
    // At a window's edge a token may be cut: what stands in the window is then its cells only.
    for (const byte of token.length === own.length ? token : own) bytes.push(byte);
  });
  const spaced = model.markerByte < 0 ? bytes : bytes.map((byte) => (byte === model.markerByte ? 32 : byte));
  const text = decodeBytes(spaced);
  if (model.feed.marker === "ff") return text.replace(/ $/, "");
  return model.feed.marker === "fe" ? text.replace(/^ /, "") : text;
}
