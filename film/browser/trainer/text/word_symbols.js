// Symbols: how a pre-token becomes a word of initial symbols, as bpe/text/variants.py does it. A symbol is a text with one
// character per byte, so that comparing two texts compares their bytes.

/** @import {Hex} from "../../shared/feed/feed_types.js" */
/** @import {LiveVariant} from "../live_types.js" */

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

/**
 * Return the UTF-8 bytes of a text, one character each.
 * @param {string} text
 */
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

/**
 * @param {string} symbol
 * @returns {Hex}
 */
export function hexOfSymbol(symbol) {
  let hex = "";
  for (let at = 0; at < symbol.length; at++) hex += symbol.charCodeAt(at).toString(16).padStart(2, "0");
  return hex;
}

/** @param {Hex} hex */
export function symbolOfHex(hex) {
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
