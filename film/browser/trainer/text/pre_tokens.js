// Pre-tokens: how a variant splits a text, as bpe/text/variants.py and bpe/text/patterns.py do it.

/** @import {Live, LiveVariant} from "../live_types.js" */

import { rangesOfClass, characterTable } from "./unicode_table.js";

/** A part of a text and where it starts, in UTF-16 units; -1 if a space was put in front of it. @typedef {[string, number]} PreToken */

/** @typedef {(text: string) => Iterable<PreToken>} Splitter */

/** @type {Record<string, (live: Live, variant: LiveVariant) => Splitter>} */
export const SPLITS = {
  "white space": (live) => matchesOf(new RegExp(`[^${live.characters.spaces}]+`, "g")),
  lines: () => linesAtSpaces,
  "before spaces": () => beforeSpaces,
  whole: () => (text) => (text ? [[text, 0]] : []),
  pattern: (live, variant) => matchesOf(compiledPattern(live, variant.pattern)),
};

/** @type {WeakMap<Live, Map<string, RegExp>>} */
const COMPILED = new WeakMap();

/**
 * Return the pattern with Python's characters in its classes.
 * @param {Live} live
 * @param {string} pattern
 */
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

/**
 * @param {RegExp} pattern
 * @returns {Splitter}
 */
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
  for (const line of text.matchAll(/[^\n]+/g)) {
    const start = line[0].search(/[^\r ]/);
    if (start < 0) continue;
    const inside = line[0].slice(start).replace(/[\r ]+$/, "");
    for (const word of inside.matchAll(/[^ ]+/g)) yield [word[0], line.index + start + word.index];
  }
}

/**
 * Split before every space, after adding a space in front of a text that does not begin with one.
 * @type {Splitter}
 */
function* beforeSpaces(text) {
  const added = text && !text.startsWith(" ") ? 1 : 0;
  for (const match of (added ? ` ${text}` : text).matchAll(/ [^ ]*/g)) yield [match[0], match.index - added];
}
