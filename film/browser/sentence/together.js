// What stays together at the end of a line: the tokens of one word or pair, the full stop or comma behind a token, and a
// sum.

/** @import {Piece} from "./chips.js" */

import { labelText } from "../shared/tokens/chip.js";

const WITHIN_WORD = /^ ?\+? ?$/; // text between two tokens of one word, or of a pair
const SUM = /\d[\d,.]*(?: [-+−×÷=/] \d[\d,.]*)+/g;
const NO_BREAK = "\u00a0";
const CLOSING = /^[.,;:!?)\]’”]+/;

/**
 * Return the pieces of a sentence in groups. No line should end within a group.
 * @param {Piece[]} pieces
 * @returns {Piece[][]}
 */
export function groupsOf(pieces) {
  /** @type {Piece[][]} */
  const groups = [];
  for (let at = 0; at < pieces.length; at++) {
    const group = [pieces[at]];
    groups.push(group);
    if (!isBox(pieces[at])) continue;
    while (isToken(pieces[at])) {
      if (isToken(pieces[at + 1])) group.push(pieces[++at]);
      else if (isBetween(pieces[at + 1]) && isToken(pieces[at + 2]))
        group.push(...pieces.slice(at + 1, (at += 2) + 1));
      else break;
    }
    const [label, id, term] = pieces[at + 1] ?? ["", 0];
    const text = labelText(label);
    const [closing] = (id === null && !term && text.match(CLOSING)) || [""];
    if (!closing) continue;
    group.push([closing, null]);
    const rest = text.slice(closing.length);
    at++;
    if (rest) groups.push([[rest, null]]);
  }
  return groups;
}

/**
 * Return the text with sums that no line ends in.
 * @param {string} text
 */
export function withWholeSums(text) {
  return text.replace(SUM, (sum) => sum.replaceAll(" ", NO_BREAK));
}

/** @param {Piece | undefined} piece */
function isToken(piece) {
  return piece !== undefined && piece[1] !== null;
}

/** @param {Piece} piece */
function isBox(piece) {
  return isToken(piece) || Boolean(piece[2]); // a term is a button
}

/** @param {Piece | undefined} piece */
function isBetween(piece) {
  return piece !== undefined && piece[1] === null && !piece[2] && WITHIN_WORD.test(labelText(piece[0]));
}
