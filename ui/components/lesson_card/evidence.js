// The content of a lesson's beat: sentences with tokens in them, and rows of tokens.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */

import { coloursOfId, paintChip } from "../../../film/browser/shared/colour.js";
import { make, readable, tieSign } from "../../../film/browser/shared/dom.js";
import { pointed } from "../../../film/browser/shared/pointed.js";

/** A piece of a sentence: plain text with null; a token with its id, -1 for one that is no token at this step. @typedef {[text: string, id: number | null]} Piece */
/** Text, or a token. @typedef {string | [label: string, id: number, kind: string]} Item */

/**
 * A row; `pair` has the ids of the pair it is about.
 * @typedef {{items: Item[], pair?: [number, number], tied?: boolean, chosen?: boolean}} Row
 */

/** @typedef {{title: string, rows: Row[], more: string}} Evidence */

/**
 * How tokens are drawn, and the reaction to pointing at one.
 * @typedef {object} Look
 * @property {Theme} theme
 * @property {string} marker  how labels spell it
 * @property {boolean} lights  whether the grid has tokens of these ids
 * @property {(light?: Light) => void} point  highlights tokens of the grid; without an argument, those of the beat
 */

const MOST_UNSCROLLED = 5; // rows that need no scrolling, and so no focus

/**
 * Return the nodes of a sentence.
 * @param {Piece[]} pieces
 * @param {Look} look
 */
export function sentenceNodes(pieces, look) {
  return pieces.map(([text, id]) => (id === null ? text : tokenChip(text, id, "", look)));
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
 * Return the elements of a beat's content.
 * @param {Evidence} evidence
 * @param {Look} look
 */
export function evidenceElements({ title, rows, more }, look) {
  const attributes = { tabindex: rows.length > MOST_UNSCROLLED ? 0 : null, "aria-label": title };
  const list = make("ul", "rows", attributes, ...rows.map((row) => rowElement(row, look)));
  return [make("p", "title", {}, title), list, ...(more ? [make("p", "more", {}, more)] : [])];
}

/**
 * @param {string} label
 * @param {number} id
 * @param {string} kind
 * @param {Look} look
 */
export function tokenChip(label, id, kind, { theme, marker, lights, point }) {
  const name = id < 0 ? kind || "plain" : kind;
  const chip = make("span", `chip ${name}`, { dir: "auto" }, readable(label, marker));
  if (id < 0) return chip;
  const colours = coloursOfId(theme, id);
  paintChip(chip, kind === "unused" ? { ...colours, fill: "transparent", ink: "var(--soft)" } : colours);
  if (!lights) return chip;
  chip.dataset.token = String(id);
  listenToPointer(chip, () => point({ token: id }), point);
  return chip;
}

/**
 * @param {Row} row
 * @param {Look} look
 */
function rowElement({ items, pair, tied, chosen }, look) {
  const drawn = items.map((item) => {
    if (typeof item === "string") return make("span", "text", {}, item);
    return tokenChip(...item, look);
  });
  const tie = tied ? [tieSign("tied for the highest count")] : [];
  const next = chosen ? [make("span", "unseen", {}, " merged next")] : [];
  const row = make("li", chosen ? "chosen" : "", {}, ...drawn, ...tie, ...next);
  if (pair) {
    const [left, right] = pair;
    listenToPointer(row, () => look.point({ left, right }), look.point);
  }
  return row;
}

/**
 * Return the elements of a strip: a title and short rows beside each other.
 * @param {Evidence} evidence
 * @param {Look} look
 */
export function stripElements({ title, rows, more }, look) {
  const list = make("ul", "strip", { "aria-label": title }, ...rows.map((row) => rowElement(row, look)));
  return [make("span", "title", {}, title), list, ...(more ? [make("span", "more", {}, more)] : [])];
}

/**
 * @param {HTMLElement} element
 * @param {() => void} enter
 * @param {() => void} leave
 */
function listenToPointer(element, enter, leave) {
  const listeners = Object.entries(pointed(enter, () => leave()));
  for (const [kind, listener] of listeners) {
    element.addEventListener(kind, /** @type {EventListener} */ (listener));
  }
}
