// Sentences with tokens in them, and the chips of tokens: on a lesson's card, on its stage, and in its film.

/** @import {Theme} from "./colour.js" */
/** @import {ChipLabel} from "./feed_types.js" */
/** @import {Light} from "./groups.js" */
/** @import {Moving} from "./moving_numbers.js" */

import { labelText, chipElement, isTab, readable } from "./chip.js";
import { coloursOfKind, coloursOfShade } from "./colour.js";
import { make } from "./dom.js";
import { movingElement } from "./moving_numbers.js";
import { listenToPointer } from "./pointed.js";

// What stays together at the end of a line: the tokens of one word or pair, the full stop or comma behind a token, and a
// sum.

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

/** Return the text with sums that no line ends in. @param {string} text */
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

/** A piece of a sentence: plain text with null, and perhaps the term it is, or how it moves; a token with its id, -1 for one that is no token at this step. @typedef {[text: ChipLabel, id: number | null, term?: string, moving?: Moving]} Piece */
/** Text, or a token. @typedef {string | [label: ChipLabel, id: number, kind: string]} Item */

/**
 * How tokens are drawn, and the reaction to pointing at one.
 * @typedef {object} Look
 * @property {Theme} theme
 * @property {string} marker  how labels spell it
 * @property {boolean} lights  whether the grid has tokens of these ids
 * @property {(text: string, slug: string) => Node} [term]  makes a term of the glossary
 * @property {(light?: Light) => void} point  highlights tokens of the grid; without an argument, those of the beat
 */

const ALTERNATIVE = "alternative"; // the kind of a piece that a part of a pattern matched
const LETTER_A = 97;

/** Return the nodes of a sentence. @param {Piece[]} pieces @param {Look} look */
export function sentenceNodes(pieces, look) {
  return groupsOf(pieces).map((group) => {
    const nodes = group.map((piece) => pieceNode(piece, look));
    const [first, second] = group;
    if (isTab(first[0]) && !isToken(second) && !isBetween(second)) nodes.splice(1, 0, markerName(first[0]));
    return nodes.length > 1 ? make("span", "together", {}, ...nodes) : nodes[0];
  });
}

/** Return the name of a marker that a sentence is about, beside its box, which says it to those who listen. @param {ChipLabel} label */
function markerName(label) {
  return make("span", "marker-name", { "aria-hidden": "true" }, labelText(label));
}

/** @param {Piece} piece @param {Look} look */
function pieceNode([label, id, slug, moving], look) {
  if (moving) {
    return movingElement(moving, (value) => {
      return typeof value === "string" ? document.createTextNode(value) : tokenChip(...value, "", look);
    });
  }
  if (id !== null) return tokenChip(label, id, "", look);
  const text = labelText(label);
  return slug && look.term ? look.term(text, slug) : withWholeSums(text);
}

/** Make a paragraph of a sentence. @param {string} kind @param {Piece[]} pieces @param {Look} look */
export function paragraph(kind, pieces, look) {
  return make("p", kind, {}, ...sentenceNodes(pieces, look));
}

/** @param {ChipLabel} label @param {number} id @param {string} kind @param {Look} look */
export function tokenChip(label, id, kind, { theme, marker, lights, point }) {
  if (kind.startsWith(ALTERNATIVE)) return pieceElement(label, id, kind, theme);
  const name = id < 0 ? kind || "plain" : kind;
  const colours = id < 0 ? null : coloursOfKind(theme, label, kind);
  const chip = chipElement(readable(label, marker), colours, name);
  if (!colours || !lights) return chip;
  chip.dataset.token = String(id);
  listenToPointer(chip, () => point({ token: id }), point);
  return chip;
}

/**
 * A piece of a text, or a part of a pattern: both have the colour and the letter of that part.
 * @param {ChipLabel} label
 * @param {number} part
 * @param {string} kind
 * @param {Theme} theme
 */
function pieceElement(label, part, kind, theme) {
  const letter = String.fromCodePoint(LETTER_A + part);
  const sign = make("sup", "", {}, letter);
  return chipElement(readable(label, ""), coloursOfShade(theme, part), kind, { "data-part": part }, sign);
}
