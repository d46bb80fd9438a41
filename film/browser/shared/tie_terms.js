// What an order of tied pairs can compare: `TERMS` of bpe/settings/tie_breaking.py. A rule's order names them.

/**
 * What a term reads of the tokens of a pair and of its positions.
 * @typedef {object} TiedTokens
 * @property {(token: number) => string} symbol  its bytes, one character each
 * @property {(token: number) => string} spelled  the same, with markers as they are written
 * @property {(token: number) => number} length  in bytes or characters
 * @property {(token: number) => string} name  what the code calls it
 * @property {(pair: number) => number} firstPosition
 * @property {(pair: number) => number} lastPosition
 */

/** @typedef {(tied: TiedTokens, left: number, right: number, pair: number) => number | string} TieTerm */

/** @type {Record<string, TieTerm>} */
const TIE_TERMS = {
  "first position": (tied, _, __, pair) => tied.firstPosition(pair),
  "last position": (tied, _, __, pair) => tied.lastPosition(pair),
  "left id": (_, left) => left,
  "right id": (_, __, right) => right,
  left: (tied, left) => tied.symbol(left),
  right: (tied, _, right) => tied.symbol(right),
  "left spelled": (tied, left) => tied.spelled(left),
  "right spelled": (tied, _, right) => tied.spelled(right),
  "merged spelled": (tied, left, right) => tied.spelled(left) + tied.spelled(right),
  length: (tied, left, right) => tied.length(left) + tied.length(right),
  "left name": (tied, left) => tied.name(left),
  "right name": (tied, _, right) => tied.name(right),
};

/** Return the term that an order names, with or without "-". @param {string} name */
export function tieTerm(name) {
  return TIE_TERMS[name.replace(/^-/, "")];
}
