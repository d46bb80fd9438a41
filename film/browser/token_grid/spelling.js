// From a symbol's bytes to what is shown: markers spelled, bytes that are no whole character as <0xE2>, white space
// visible. The same rules as `Variant.label` in bpe/variants.py; tests/browser compares the two.


const GLYPHS = { " ": "·", "\n": "↵", "\t": "→", "\r": "␍", "\u00a0": "⍽" };
const UNPRINTABLE = /[\p{C}\p{Z}]/u;
export const COMBINING = /\p{M}/u;
// Characters that change shape or place with their neighbours: drawn together when one token holds them.
export const JOINING =
  /[\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\u200c\u200d\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}]/u;
export const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
export const LEFT_TO_RIGHT = /\p{L}/u;

export function bytesOf(hex) {
  return Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

export const hexOf = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

// How many bytes the character starting here has if it is whole and well-formed, or 0.
export function characterLength(bytes, at, end = bytes.length) {
  const lead = bytes[at];
  const length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (!length || at + length > end) return 0;
  for (let next = at + 1; next < at + length; next++) if ((bytes[next] & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1];
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return length;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
export const decodeBytes = (bytes) => UTF8.decode(bytes instanceof Uint8Array ? bytes : Uint8Array.from(bytes));

// bytes -> [{text, kind: "char" | "byte" | "marker"}], in order
export function partsOf(bytes, markerByte, markerText) {
  const parts = [];
  for (let at = 0; at < bytes.length; ) {
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

// A label within a sentence: right-to-left letters must not turn the sentence round (U+2068 … U+2069).
export const isolated = (label) => (RIGHT_TO_LEFT.test(label) ? `\u2068${label}\u2069` : label);

export function glyphOf(character, atEdge) {
  if (GLYPHS[character]) return GLYPHS[character];
  if (/\p{Cf}/u.test(character) && !atEdge) return character;
  return UNPRINTABLE.test(character) ? `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>` : character;
}

export function labelOf(bytes, markerByte, markerText) {
  const parts = partsOf(bytes, markerByte, markerText);
  const atEdge = (at) => [at - 1, at + 1].some((next) => !parts[next] || parts[next].kind === "marker");
  return parts
    .map((part, at) => {
      if (part.kind !== "char") return part.text;
      const first = at === 0 || parts[at - 1].kind === "marker";
      return (first && COMBINING.test(part.text) ? "◌" : "") + glyphOf(part.text, atEdge(at));
    })
    .join("");
}
