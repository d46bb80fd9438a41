// Lanes of different variants show the same text in other cells: they are compared by its letters, which are the bytes
// in reading order without markers and white space. A token is a stretch of letters, whatever its cells.

import { characterLength, decodeBytes } from "./spelling.js";

const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u; // as Python's str.split

// model -> {sheet, bytes, at: letters before each cell, start: letters of the window before the first cell}
function lettersOf(model) {
  if (model.letters || model.feed.text.letters === undefined) return model.letters;
  const sheet = model.text.length ? model.sheets.text : model.sheets.words;
  const bytes = [];
  const owners = [];
  for (let cell = 0; cell < sheet.size; cell++) {
    for (const byte of model.symbols[sheet.symbol[cell]].bytes) {
      if (byte === model.markerByte) continue;
      bytes.push(byte);
      owners.push(cell);
    }
  }
  const kept = [];
  const at = new Uint32Array(sheet.size + 1);
  for (let from = 0; from < bytes.length; ) {
    const length = characterLength(bytes, from);
    const to = from + (length || 1);
    const space = length && SPACES.test(decodeBytes(bytes.slice(from, to)));
    for (; from < to; from++) {
      if (space) continue;
      kept.push(bytes[from]);
      at[owners[from] + 1] += 1;
    }
  }
  for (let cell = 0; cell < sheet.size; cell++) at[cell + 1] += at[cell];
  model.letters = { sheet, at, bytes: Uint8Array.from(kept), start: model.feed.text.letters, same: new WeakMap(), step: -1, cuts: null };
  return model.letters;
}

// Whether two models hold the same letters where both of them hold any.
export function sameLetters(model, other) {
  const mine = lettersOf(model);
  const theirs = lettersOf(other);
  if (!mine || !theirs || model.feed.text.start !== other.feed.text.start) return false;
  if (!mine.same.has(other)) {
    const from = Math.max(mine.start, theirs.start);
    const to = Math.min(mine.start + mine.bytes.length, theirs.start + theirs.bytes.length);
    let same = from < to;
    for (let at = from; same && at < to; at++) same = mine.bytes[at - mine.start] === theirs.bytes[at - theirs.start];
    mine.same.set(other, same);
  }
  return mine.same.get(other);
}

// Letters before which a token begins at this step, as flags.
function cutsAt(letters, step) {
  if (letters.step === step) return letters.cuts;
  const { sheet, at } = letters;
  const cuts = new Uint8Array(letters.bytes.length + 1);
  cuts[0] = cuts[letters.bytes.length] = 1;
  for (let cell = 0; cell < sheet.size; cell++) if (sheet.close[cell] >= step) cuts[at[cell + 1]] = 1;
  return Object.assign(letters, { step, cuts }).cuts;
}

// Cells [start, end) of a sheet as [from, to) letters of the text; a distinct word is looked up where it first stands.
function lettersAt(model, sheet, start, end) {
  const { at, sheet: reading } = lettersOf(model);
  let shift = 0;
  if (sheet !== reading) {
    model.firstPlace ??= model.text.reduceRight((places, word, place) => places.set(word, place), new Map());
    const item = sheet.place[start];
    shift = reading.first[model.firstPlace.get(sheet.order[item])] - sheet.first[item];
  }
  return [at[start + shift], at[end + shift]];
}

// Whether another lane, at its step, cuts the letters of these cells otherwise; tokens without letters never differ.
export function lettersDiffer(model, sheet, start, end, other, step) {
  const mine = lettersOf(model);
  const theirs = lettersOf(other);
  const shift = mine.start - theirs.start;
  const [from, to] = lettersAt(model, sheet, start, end).map((letter) => letter + shift);
  if (from === to || from < 0 || to > theirs.bytes.length) return false;
  const cuts = cutsAt(theirs, step);
  if (!cuts[from] || !cuts[to]) return true;
  for (let letter = from + 1; letter < to; letter++) if (cuts[letter]) return true;
  return false;
}
