// Symbols: how a pre-token becomes a word of initial symbols, as bpe/text/variants.py does it. A symbol is a text with one
// character per byte, so that comparing two texts compares their bytes.

/** @import {Hex, Characters} from "../shared/feed_types.js" */
/** @import {LiveVariant, LiveCharacters, Live} from "./live_types.js" */

/** @type {Record<string, (preToken: string, marker: string) => string[]>} */
export const SPELLERS = {
  bytes: (preToken) => [...bytesOfText(preToken)],
  characters: (preToken) => Array.from(preToken, bytesOfCharacter),
  "marker last": (preToken, marker) => [...Array.from(preToken, bytesOfCharacter), marker],
  "last marked": (preToken, marker) => {
    const symbols = Array.from(preToken, bytesOfCharacter);
    symbols[symbols.length - 1] += marker;
    return symbols;
  },
  "marker first": (preToken, marker) => {
    const symbols = Array.from(preToken, bytesOfCharacter);
    if (preToken.startsWith(" ")) symbols[0] = marker;
    return symbols;
  },
};

const ENCODER = new TextEncoder();

/** Return the UTF-8 bytes of a text, one character each. @param {string} text */
export function bytesOfText(text) {
  let bytes = "";
  for (const byte of ENCODER.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** @type {Map<string, string>} */
const SEEN = new Map();

/** @param {string} character */
function bytesOfCharacter(character) {
  let bytes = SEEN.get(character);
  if (bytes === undefined) {
    bytes = bytesOfText(character);
    SEEN.set(character, bytes);
  }
  return bytes;
}

/** @param {string} symbol @returns {Hex} */
export function hexOfSymbol(symbol) {
  let hex = "";
  for (let at = 0; at < symbol.length; at++) hex += symbol.charCodeAt(at).toString(16).padStart(2, "0");
  return hex;
}

/** @param {Hex} hex */
function symbolOfHex(hex) {
  return String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16)));
}

/**
 * Return how symbols of a variant are read: spelled with the marker's text, and measured in its unit.
 * @param {LiveVariant} variant
 */
export function symbolReader(variant) {
  const marker = symbolOfHex(variant.marker);
  const markerText = bytesOfText(variant.marker_text);
  return {
    marker,
    /** @param {string} symbol */
    spelled: (symbol) => (marker ? symbol.replaceAll(marker, markerText) : symbol),
    /** @param {string} symbol */
    length: (symbol) =>
      variant.unit === "bytes" ? symbol.length : symbol.replace(/[\x80-\xbf]/g, "").length,
    /** @param {string} symbol */
    isMarked: (symbol) => marker !== "" && symbol.includes(marker),
  };
}

/** @typedef {ReturnType<typeof symbolReader>} SymbolReader */

/**
 * Return the number of characters: of code points, as Python counts them.
 * @param {string} text  without lone surrogates
 */
export function characterCount(text) {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

// Python's classes of characters. A browser may know another version of Unicode, and would then split, and show, other
// tokens than `bpe.train`: so the page brings Python's own table along and never asks the browser.

/** @typedef {{starts: number[], names: string[][]}} CharacterTable  where each run of one class starts, and its names */

/** @type {WeakMap<LiveCharacters, CharacterTable>} */
const TABLES = new WeakMap();

/** Return the table that Python wrote. It is read once. @param {LiveCharacters} characters */
function characterTable(characters) {
  const table = TABLES.get(characters) ?? readTable(characters);
  TABLES.set(characters, table);
  return table;
}

/** @param {LiveCharacters} characters @returns {CharacterTable} */
function readTable({ runs, classes }) {
  const names = classes.map((line) => line.split(" ").filter(Boolean));
  /** @type {CharacterTable} */
  const table = { starts: [], names: [] };
  let start = 0;
  for (const [, length, letter] of runs.matchAll(/([0-9a-z]*)([A-Z])/g)) {
    table.starts.push(start);
    table.names.push(names[letter.charCodeAt(0) - 65]);
    start += length ? parseInt(length, 36) : 1;
  }
  return table;
}

/** Return the names of a character's classes. @param {CharacterTable} table @param {number} codePoint */
function classesOfCharacter({ starts, names }, codePoint) {
  let low = 0;
  for (let high = starts.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= codePoint) low = middle;
    else high = middle;
  }
  return names[low];
}

/**
 * Return the characters of a class as ranges for a regular expression: "\u{41}-\u{5a}\u{61}-\u{7a}".
 * @param {CharacterTable} table
 * @param {string} name
 */
function rangesOfClass({ starts, names }, name) {
  let text = "";
  let from = -1;
  for (let run = 0; run <= starts.length; run++) {
    const inside = names[run]?.includes(name);
    if (inside && from < 0) from = starts[run];
    if (inside || from < 0) continue;
    text += `${codePointEscape(from)}-${codePointEscape((starts[run] ?? 0x110000) - 1)}`;
    from = -1;
  }
  return text;
}

/** @param {number} codePoint */
function codePointEscape(codePoint) {
  return `\\u{${codePoint.toString(16)}}`;
}

// Pre-tokens: how a variant splits a text, as bpe/text/variants.py and bpe/text/patterns.py do it.

/** A part of a text and where it starts, in UTF-16 units; -1 if a space was put in front of it. @typedef {[string, number]} PreToken */

/** @typedef {(text: string) => Iterable<PreToken>} Splitter */

/** @type {Record<string, (live: Live) => Splitter>} */
export const SPLITS = {
  "white space": (live) => matchesOf(new RegExp(`[^${live.characters.spaces}]+`, "g")),
  lines: () => linesAtSpaces,
  "before spaces": () => beforeSpaces,
  whole: () => (text) => (text ? [[text, 0]] : []),
  "GPT-2's pattern": (live) => matchesOf(compiledPattern(live, GPT2_PATTERN)),
  "GPT-4's pattern": (live) => matchesOf(compiledPattern(live, GPT4_PATTERN)),
};

/** What `\\s` means to Python's package `regex`. A browser counts U+FEFF, too. */
const WHITE_SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

// The patterns of bpe/text/patterns.py, with the same matches. JavaScript has no possessive repeats, but nothing that
// follows them here wants a character back. A long s is an s without regard to case.
const GPT2_PATTERN = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^${WHITE_SPACE}\p{L}\p{N}]+|[${WHITE_SPACE}]+(?![^${WHITE_SPACE}])|[${WHITE_SPACE}]+`;
const GPT4_PATTERN = String.raw`'(?:[SsDdMmTt\u017f]|[Ll][Ll]|[Vv][Ee]|[Rr][Ee])|[^\r\n\p{L}\p{N}]?[\p{L}]+|[\p{N}]{1,3}| ?[^${WHITE_SPACE}\p{L}\p{N}]+[\r\n]*|[${WHITE_SPACE}]*[\r\n]|[${WHITE_SPACE}]+(?![^${WHITE_SPACE}])|[${WHITE_SPACE}]+`;

/** @type {WeakMap<Live, Map<string, RegExp>>} */
const COMPILED = new WeakMap();

/** Return the pattern with Python's characters in its classes. @param {Live} live @param {string} pattern */
export function compiledPattern(live, pattern) {
  const compiled = COMPILED.get(live) ?? new Map();
  COMPILED.set(live, compiled);
  if (!compiled.has(pattern)) {
    const table = characterTable(live.characters);
    const source = pattern.replace(/\\p\{(\w+)\}/g, (_, name) => rangesOfClass(table, name));
    compiled.set(pattern, new RegExp(source, "gu"));
  }
  return /** @type {RegExp} */ (compiled.get(pattern));
}

/** @param {RegExp} pattern @returns {Splitter} */
function matchesOf(pattern) {
  return function* (text) {
    for (const match of text.matchAll(pattern)) yield [match[0], match.index];
  };
}

/**
 * Split at plain spaces, line by line.
 * @type {Splitter}
 */
function* linesAtSpaces(text) {
  for (const word of text.matchAll(/[^\r\n ]+/g)) yield [word[0], word.index];
}

/**
 * Split before every space, after adding a space in front of a text that does not begin with one.
 * @type {Splitter}
 */
function* beforeSpaces(text) {
  const added = text && !text.startsWith(" ") ? 1 : 0;
  for (const match of (added ? ` ${text}` : text).matchAll(/ [^ ]*/g)) yield [match[0], match.index - added];
}

// The characters that labels do not show unchanged, as film/windows.py lists them.

// A byte order mark is a character too.
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Return the special characters that occur in texts and symbols, in order of code points.
 * @param {Live} live
 * @param {Iterable<string>} texts
 * @param {string[]} symbols
 * @returns {Characters}
 */
export function specialCharacters(live, texts, symbols) {
  // A space between symbols keeps bytes of two symbols from forming a character.
  const bytes = Uint8Array.from(symbols.join(" "), (letter) => letter.charCodeAt(0));
  const characters = new Set(DECODER.decode(bytes));
  for (const text of texts) for (const character of text) characters.add(character);
  const table = characterTable(live.characters);
  /** @type {Characters} */
  const special = { hidden: "", joining: "", marks: "", selectors: "", names: {} };
  const codePoints = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  for (const codePoint of codePoints.toSorted((one, other) => one - other)) {
    const character = String.fromCodePoint(codePoint);
    for (const name of classesOfCharacter(table, codePoint)) {
      if (name === "hidden" || name === "joining" || name === "marks" || name === "selectors")
        special[name] += character;
    }
    const names =
      live.characters.names[character] ?? (special.selectors.endsWith(character) && selectorNames(codePoint));
    if (names) special.names[character] = names;
  }
  return special;
}

/** Return the names of a variation selector, which is one of 1 to 16 or of 17 to 256. @param {number} codePoint */
function selectorNames(codePoint) {
  const number = codePoint - (codePoint < 0xe0100 ? 0xfdff : 0xe00ef);
  return [`VS${number}`, `variation selector ${number}`];
}

// Alphabets: which initial symbol gets which id, as bpe/settings/alphabets.py orders them.

/** @typedef {(symbols: string[], reader: SymbolReader) => string[]} CharacterOrder */

/** The orders of characters. `symbols` are in order of first appearance. @type {Record<string, CharacterOrder>} */
const CHARACTER_ORDERS = {
  value: (symbols, reader) => inOrder(symbols, (symbol) => [Number(reader.isMarked(symbol)), symbol]),
  spelling: (symbols, reader) => inOrder(symbols, (symbol) => [reader.spelled(symbol), symbol]),
  appearance: (symbols, reader) => inOrder(symbols, (symbol) => [Number(reader.isMarked(symbol))]),
  "unmarked-first": (symbols, reader) => {
    const unmarked = symbols.map((symbol) => symbol.replaceAll(reader.marker, "")).filter(Boolean);
    const all = [...new Set([...unmarked, ...symbols])];
    return CHARACTER_ORDERS.value(all, reader);
  },
};

/**
 * Return the initial symbols in id order. An order of bytes does not fit characters: theirs is "value" then, so that one
 * can choose another variant for a recipe.
 * @param {Live} live
 * @param {LiveVariant} variant
 * @param {string} order  slug
 * @param {string[]} symbols  those of the corpus, in order of first appearance
 * @param {SymbolReader} reader
 */
export function orderAlphabet(live, variant, order, symbols, reader) {
  if (variant.unit === "characters")
    return (CHARACTER_ORDERS[order] ?? CHARACTER_ORDERS.value)(symbols, reader);
  const bytes = [...symbolOfHex(live.byte_orders[order] ?? live.byte_orders.value)];
  return live.byte_orders[order] ? bytes : [...new Set([...symbols, ...bytes])];
}

/** @param {string[]} symbols @param {(symbol: string) => (string | number)[]} keyOf */
function inOrder(symbols, keyOf) {
  const keyed = symbols.map((symbol) => ({ symbol, key: keyOf(symbol) }));
  keyed.sort(({ key: one }, { key: other }) => {
    const at = one.findIndex((part, index) => part !== other[index]);
    if (at < 0) return 0;
    return one[at] < other[at] ? -1 : 1;
  });
  return keyed.map(({ symbol }) => symbol);
}

// The error for a text or a recipe that cannot be trained.

/** Its message is one sentence for whoever typed: what must hold, and what it got. It is the one that Python writes. */
export class TrainerError extends Error {
  /** @param {string} message @param {number} [rank]  of the pick that no longer ties, if this is the reason */
  constructor(message, rank) {
    super(message);
    this.name = "TrainerError";
    this.rank = rank;
  }
}
