// What is written inside a token: its cells as runs {from, to, text, kind}. A run is one cell, or several that can
// only be drawn together: the bytes of one character, or characters that join in their script.

import { COMBINING, JOINING, decodeBytes, glyphOf, hexOf, partsOf } from "./spelling.js";

export function runsOf(sheet, start, end, glyphs) {
  const runs = [];
  for (let cell = start; cell < end; ) {
    const length = sheet.bytesFrom[cell];
    const run = length > 1 && cell + length <= end ? wholeCharacter(sheet, cell, length, glyphs) : oneCell(sheet, cell, length, glyphs);
    const before = runs[runs.length - 1];
    if (before && joins(before, run)) {
      before.to = run.to;
      before.text += run.text;
    } else runs.push(run);
    cell = run.to;
  }
  return runs.map(named);
}

// A joiner with nothing to join would be invisible: its code point is shown.
const named = (run) => (run.lone && run.text.length === 1 ? { ...run, text: run.lone, kind: "byte" } : run);

function joins(before, run) {
  if (before.kind !== "char" || run.kind !== "char") return false;
  return run.joining || before.joining;
}

function wholeCharacter(sheet, cell, length, glyphs) {
  const bytes = [];
  for (let at = cell; at < cell + length; at++) bytes.push(sheet.model.symbols[sheet.symbol[at]].bytes[0]);
  return character(decodeBytes(bytes), cell, cell + length, glyphs);
}

function oneCell(sheet, cell, length, glyphs) {
  const symbol = sheet.model.symbols[sheet.symbol[cell]];
  const bytes = symbol.bytes;
  if (symbol.kind === "byte" || (sheet.model.feed.unit === "bytes" && length !== 1)) {
    return { from: cell, to: cell + 1, text: hexOf(bytes[0]), kind: "byte" };
  }
  const parts = partsOf(bytes, sheet.model.markerByte, sheet.model.feed.marker_text);
  if (parts.length === 1 && parts[0].kind === "char") return character(parts[0].text, cell, cell + 1, glyphs);
  return { from: cell, to: cell + 1, text: symbol.label, kind: parts.length === 1 ? "marker" : "char" };
}

export function character(text, from, to, glyphs) {
  if (/^\s$/u.test(text)) return { from, to, text: glyphs ? glyphOf(text, true) : "", kind: "space" };
  const joining = JOINING.test(text);
  if (joining && /\p{Cf}/u.test(text)) return { from, to, text, kind: "char", joining, lone: text.codePointAt(0).toString(16).toUpperCase() };
  return { from, to, text: joining ? text : glyphOf(text, true), kind: "char", joining };
}

// How a cell looks while it is a token of its own: what its width is reserved for.
export function cellRun(sheet, cell) {
  const run = named(oneCell(sheet, cell, sheet.bytesFrom[cell], true));
  return run.kind === "char" && run.joining && COMBINING.test(run.text) ? { ...run, text: "◌" + run.text } : run;
}
