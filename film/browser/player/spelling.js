// From a symbol's bytes to its label: markers spelled, bytes that are no whole character as <0xE2>, white space
// visible. The rules are those of `Variant.label` in Python; tests/js compares the two.

/** @import {Characters, ChipLabel} from "../shared/feed_types.js" */

import { END_MARKER } from "../shared/feed_types.js";
import { tabLabel } from "../shared/chip.js";

/** @typedef {ArrayLike<number> & {slice(from: number, to: number): ArrayLike<number>}} Bytes */

/**
 * The settings that labels depend on besides the bytes.
 * @typedef {object} Spelling
 * @property {number} markerByte  the byte that marks a word's start or end; -1 in a variant without one
 * @property {string} markerText
 * @property {Set<string>} hidden  characters always shown by their names
 * @property {Set<string>} joining  characters shown as they are between two others only
 * @property {Set<string>} marks  characters shown after ◌ where no character stands before them
 * @property {Set<string>} selectors  characters shown as they are after another one only
 * @property {Map<string, string[]>} names  {invisible character: abbreviation and name}
 */

/** A character, a byte of no whole character, or a marker. @typedef {{text: string, kind: "char" | "byte" | "marker"}} Part */

/** @type {Record<string, string>} */
const GLYPHS = { " ": "·", "\n": "↵", "\t": "→", "\r": "␍" };

/** Right-to-left letters. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Decode the part of a feed that labels depend on.
 * @param {number} markerByte
 * @param {string} markerText
 * @param {Characters} characters
 * @returns {Spelling}
 */
export function spellingOf(markerByte, markerText, { hidden, joining, marks, selectors, names }) {
  return {
    markerByte,
    markerText,
    hidden: new Set(hidden),
    joining: new Set(joining),
    marks: new Set(marks),
    selectors: new Set(selectors),
    names: new Map(Object.entries(names)),
  };
}

/** Say what a marker marks, in three words: "end of word". @param {Pick<Spelling, "markerByte">} spelling */
export function markerMeaning({ markerByte }) {
  return markerByte === END_MARKER ? "end of word" : "start of word";
}

/** Decode bytes that are written with two hexadecimal digits each. @param {string} hex */
export function bytesOf(hex) {
  return Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

/** Write bytes as in a feed: "c3a9" for é. @param {number[]} bytes */
export function hexText(bytes) {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Write one byte as a label does: "C3". @param {number} byte */
export function hexOf(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/** Write a character's code point as Unicode does: "U+200B". @param {string} character */
export function codePointText(character) {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Return the short name of a character that nobody could see: its abbreviation, or its code point if it has none. Labels
 * write it in angle brackets, and the grid in a dashed box. `character_name` in Python returns the same.
 * @param {string} character
 * @param {Pick<Spelling, "names">} spelling
 */
export function characterName(character, { names }) {
  return names.get(character)?.[0] ?? codePointText(character);
}

/**
 * Return how many bytes the UTF-8 character has that starts here; 0 unless it is whole and well-formed.
 * @param {ArrayLike<number>} bytes
 * @param {number} at
 * @param {number} [end]
 */
export function characterLength(bytes, at, end = bytes.length) {
  const lead = bytes[at];
  const length = lengthByLead(lead);
  if (!length || at + length > end) return 0;
  for (let next = at + 1; next < at + length; next++) if ((bytes[next] & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1];
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return length;
}

/** @param {number} lead */
function lengthByLead(lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decode UTF-8. @param {ArrayLike<number>} bytes */
export function decodeBytes(bytes) {
  return UTF8.decode(Uint8Array.from(bytes));
}

/**
 * Split a symbol's bytes into characters, single bytes and markers, in order.
 * @param {Bytes} bytes
 * @param {Spelling} spelling
 */
export function partsOf(bytes, { markerByte, markerText }) {
  /** @type {Part[]} */
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === markerByte) {
      parts.push({ text: markerText, kind: "marker" });
      at += 1;
      continue;
    }
    const length = characterLength(bytes, at);
    if (length) parts.push({ text: decodeBytes(bytes.slice(at, at + length)), kind: "char" });
    else parts.push({ text: `<0x${hexOf(bytes[at])}>`, kind: "byte" });
    at += length || 1;
  }
  return parts;
}

/**
 * Return the label of one character: white space as a glyph, an invisible character by its name.
 * @param {string} character
 * @param {Spelling} spelling
 * @param {boolean} [atEdge]  whether it has nothing to join: at an end of a label, beside a marker or a lone byte
 */
export function glyphOf(character, spelling, atEdge = true) {
  const named = spelling.hidden.has(character) || (atEdge && spelling.joining.has(character));
  return GLYPHS[character] ?? (named ? `<${characterName(character, spelling)}>` : character);
}

/** Return the label of a symbol, as `Variant.label` does. @param {Bytes} bytes @param {Spelling} spelling */
export function labelOf(bytes, spelling) {
  return labelParts(bytes, spelling)
    .map(({ text }) => text)
    .join("");
}

/**
 * Return how a chip writes a symbol, as `chip_label` in Python does.
 * @param {Bytes} bytes
 * @param {Spelling} spelling
 * @returns {ChipLabel}
 */
export function chipLabelOf(bytes, spelling) {
  /** @type {string[]} */
  const runs = [];
  for (const { text: spelled, kind } of labelParts(bytes, spelling)) {
    const text = kind === "marker" ? tabLabel(spelled) : spelled;
    const isByte = kind === "byte";
    const digits = text.slice(3, 5);
    if (isByte && !runs.length) runs.push("");
    const follows = runs.length > 0 && isByte === (runs.length % 2 === 0); // a part of the same kind
    if (follows) runs[runs.length - 1] += isByte ? ` ${digits}` : text;
    else runs.push(isByte ? digits : text);
  }
  return runs.length > 1 ? runs : (runs[0] ?? "");
}

/** Return the parts of a symbol, each as the label shows it. @param {Bytes} bytes @param {Spelling} spelling */
function labelParts(bytes, spelling) {
  const parts = partsOf(bytes, spelling);
  const isEdge = (/** @type {number} */ at) => parts[at]?.kind !== "char";
  /** Return whether a character is shown as it is, so that a joiner or a selector may stand beside it. @param {number} at */
  const isShown = (at) => !isEdge(at) && !GLYPHS[parts[at].text] && !spelling.hidden.has(parts[at].text);
  return parts.map(({ text, kind }, at) => {
    if (kind !== "char") return { text, kind };
    if (spelling.selectors.has(text) && !isShown(at - 1))
      return { text: `<${characterName(text, spelling)}>`, kind };
    const circle = isEdge(at - 1) && spelling.marks.has(text) ? "◌" : "";
    return { text: circle + glyphOf(text, spelling, !isShown(at - 1) || !isShown(at + 1)), kind };
  });
}

/**
 * Name the invisible characters of a symbol, each once: "NBSP: no-break space, U+00A0".
 * @param {Bytes} bytes
 * @param {Spelling} spelling
 */
export function invisibleNames(bytes, spelling) {
  const texts = new Set(partsOf(bytes, spelling).map(({ text }) => text));
  return [...texts].flatMap((text) => {
    const name = spelling.names.get(text);
    return name ? [`${name[0]}: ${name[1]}, ${codePointText(text)}`] : [];
  });
}

/**
 * Isolate a right-to-left label, so that it does not reverse its sentence (U+2068 … U+2069).
 * @param {string} label
 */
export function isolated(label) {
  return RIGHT_TO_LEFT.test(label) ? `\u2068${label}\u2069` : label;
}
