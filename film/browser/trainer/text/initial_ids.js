// Alphabets: which initial symbol gets which id, as bpe/settings/alphabets.py orders them.

/** @import {Live, LiveVariant} from "../live_types.js" */
/** @import {SymbolReader} from "./word_symbols.js" */

import { symbolOfHex } from "./word_symbols.js";

/** @typedef {(symbols: string[], reader: SymbolReader) => string[]} CharacterOrder */

/**
 * The orders of characters. `symbols` are in order of first appearance.
 * @type {Record<string, CharacterOrder>}
 */
export const CHARACTER_ORDERS = {
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

/**
 * @param {string[]} symbols
 * @param {(symbol: string) => (string | number)[]} keyOf
 */
function inOrder(symbols, keyOf) {
  const keyed = symbols.map((symbol) => ({ symbol, key: keyOf(symbol) }));
  keyed.sort(({ key: one }, { key: other }) => {
    const at = one.findIndex((part, index) => part !== other[index]);
    if (at < 0) return 0;
    return one[at] < other[at] ? -1 : 1;
  });
  return keyed.map(({ symbol }) => symbol);
}
