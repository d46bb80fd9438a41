// Sentences with tokens in them, and the chips of tokens: on a lesson's card, on its stage, and in its film.

/** @import {Theme} from "../shared/tokens/colour.js" */
/** @import {ChipLabel} from "../shared/feed/feed_types.js" */
/** @import {Light} from "../shared/groups.js" */

import { chipElement, labelText, readable } from "../shared/tokens/chip.js";
import { coloursOfId } from "../shared/tokens/colour.js";
import { make } from "../shared/page/dom.js";
import { pointed } from "../shared/page/pointed.js";
import { groupsOf, withWholeSums } from "./together.js";

/** A piece of a sentence: plain text with null, and perhaps the term it is; a token with its id, -1 for one that is no token at this step. @typedef {[text: ChipLabel, id: number | null, term?: string]} Piece */
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

/**
 * Return the nodes of a sentence.
 * @param {Piece[]} pieces
 * @param {Look} look
 */
export function sentenceNodes(pieces, look) {
  return groupsOf(pieces).map((group) => {
    const nodes = group.map((piece) => pieceNode(piece, look));
    return nodes.length > 1 ? make("span", "together", {}, ...nodes) : nodes[0];
  });
}

/**
 * @param {Piece} piece
 * @param {Look} look
 */
function pieceNode([label, id, slug], look) {
  if (id !== null) return tokenChip(label, id, "", look);
  const text = labelText(label);
  return slug && look.term ? look.term(text, slug) : withWholeSums(text);
}

/**
 * Make a paragraph of a sentence.
 * @param {string} kind
 * @param {Piece[]} pieces
 * @param {Look} look
 */
export function paragraph(kind, pieces, look) {
  return make("p", kind, {}, ...sentenceNodes(pieces, look));
}

/**
 * @param {ChipLabel} label
 * @param {number} id
 * @param {string} kind
 * @param {Look} look
 */
export function tokenChip(label, id, kind, { theme, marker, lights, point }) {
  if (kind.startsWith(ALTERNATIVE)) return pieceElement(label, id, kind, theme);
  const name = id < 0 ? kind || "plain" : kind;
  const own = id < 0 ? null : coloursOfId(theme, id);
  const colours = own && kind === "unused" ? { ...own, fill: "transparent", ink: "var(--soft)" } : own;
  const chip = chipElement(readable(label, marker), colours, name);
  if (!own || !lights) return chip;
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
  return chipElement(readable(label, ""), coloursOfId(theme, part), kind, { "data-part": part }, sign);
}

/**
 * Call a function while the pointer is on an element, and another one when it leaves.
 * @param {HTMLElement} element
 * @param {() => void} enter
 * @param {() => void} leave
 */
export function listenToPointer(element, enter, leave) {
  const listeners = Object.entries(pointed(enter, () => leave()));
  for (const [kind, listener] of listeners) {
    element.addEventListener(kind, /** @type {EventListener} */ (listener));
  }
}
