// The characters that labels do not show unchanged, as film/windows.py lists them.

/** @import {Characters} from "../../shared/feed/feed_types.js" */
/** @import {Live} from "../live_types.js" */

import { classesOfCharacter, characterTable } from "./unicode_table.js";

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
    if (live.characters.names[character]) special.names[character] = live.characters.names[character];
  }
  return special;
}
