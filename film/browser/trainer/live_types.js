// What Python gives the browser: `python -m film` writes this file from film/characters.py and film/live.py.

/** @import {Hex} from "../shared/feed_types.js" */

/**
 * The classes of all characters.
 * @typedef {object} LiveCharacters
 * @property {string} runs  lengths in base 36 (none for 1), each with the letter of its class: "9CD2C"
 * @property {string[]} classes  the names of each class, with spaces between; its letter counts from A
 * @property {string} spaces  the characters at which str.split() splits
 * @property {Record<string, string[]>} names
 */

/**
 * One way to turn text into words of symbols: a row of VARIANTS.
 * @typedef {object} LiveVariant
 * @property {string} slug
 * @property {string} title
 * @property {string} brief
 * @property {"bytes" | "characters"} unit
 * @property {Hex} marker
 * @property {string} marker_text
 * @property {string} split  how the text is split: a name of `SPLITS` in text.js
 * @property {string} spell  how a pre-token becomes symbols: a name of `SPELLERS` in text.js
 * @property {string} split_code  both as Python
 * @property {string} spell_code
 */

/**
 * One tie-breaking rule: a row of TIE_BREAKS.
 * @typedef {object} LiveRule
 * @property {string} slug
 * @property {string} title
 * @property {string} brief
 * @property {string[]} order  what is compared, the least first, or with "-" the greatest; empty for a draw
 * @property {string[][]} reasons  why a pair wins, for each term: (term, words, of_all, of_some, sorted_words)
 * @property {boolean} seeded
 * @property {boolean} by_hand
 * @property {Record<string, string[]>} code  {unit of a variant: the lines of Python in which the rule chooses}
 * @property {boolean} menu  whether menus show it
 */

/**
 * The limits of film/training_feed.py and film/windows.py.
 * @typedef {object} LiveLimits
 * @property {number} tied_steps
 * @property {number} ties
 * @property {number} counted
 * @property {number} rows
 * @property {number} long
 * @property {number} film  characters of a film's window
 * @property {number} encoded  characters of an encoding's window
 */

/**
 * What a page that trains gets.
 * @typedef {object} Live
 * @property {LiveVariant[]} variants
 * @property {LiveRule[]} rules
 * @property {Record<string, Hex>} byte_orders  {slug of an alphabet: all bytes in its order}
 * @property {Record<string, string>} lines  {what the setting may be: whether lines are documents: "", "ended" or "bare"}
 * @property {LiveLimits} limits
 * @property {Record<string, string>} endings  {why a training ends: the same in words}
 * @property {Record<string, string>} sentences  with gaps such as {number}; lines of code, too
 * @property {LiveCharacters} characters
 * @property {string} elsewhere  what the page does not offer, and where it is
 */

/**
 * What every recipe has.
 * @typedef {object} Choices
 * @property {string} variant  slug
 * @property {string} tie_break  slug
 */

/**
 * The settings of one training that a page can repeat, by their names in `bpe.train`.
 * @typedef {object} Recipe
 * @property {string} variant  slug
 * @property {string} tie_break  slug
 * @property {number | null} [merges]
 * @property {number | null} [vocab_size]
 * @property {number} [min_count]
 * @property {string[]} [special_tokens]
 * @property {string | null} [unknown_token]
 * @property {boolean | string} [lines]  a key of `Live.lines`
 * @property {string | null} [alphabet]  slug
 * @property {string} [word_order]
 * @property {number} [seed]
 * @property {Record<number, number | Hex[]>} [picks]  {rank: number among the tied pairs, or the pair}
 * @property {string} [overlaps]  "count" or "skip"
 */

export {};
