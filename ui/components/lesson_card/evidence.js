// The content of a lesson's beat: sentences with tokens in them, and rows of tokens.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Chart} from "./chart.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */

import { chartElements } from "./chart.js";
import { coloursOfId, paintChip } from "../../../film/browser/shared/colour.js";
import { make, readable, tieSign } from "../../../film/browser/shared/dom.js";
import { pointed } from "../../../film/browser/shared/pointed.js";
import { groupsOf, withWholeSums } from "./together.js";

/** A piece of a sentence: plain text with null, and perhaps the term it is; a token with its id, -1 for one that is no token at this step. @typedef {[text: string, id: number | null, term?: string]} Piece */
/** Text, or a token. @typedef {string | [label: string, id: number, kind: string]} Item */

/**
 * A row; `pair` has the ids of the pair it is about, `alternative` the number of the part of a pattern.
 * @typedef {{items: Item[], pair?: [number, number], tied?: boolean, chosen?: boolean, alternative?: number}} Row
 */

/** @typedef {{title: string, rows: Row[], more: string, chart?: Chart}} Evidence */

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
const MOST_UNSCROLLED = 5; // rows that need no scrolling, and so no focus

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
function pieceNode([text, id, slug], look) {
  if (id !== null) return tokenChip(text, id, "", look);
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
 * Return the elements of a beat's content.
 * @param {Evidence} evidence
 * @param {Look} look
 */
export function evidenceElements({ title, rows, more, chart }, look) {
  const attributes = { tabindex: rows.length > MOST_UNSCROLLED ? 0 : null, "aria-label": title };
  const whole = rows.some(({ alternative }) => alternative !== undefined) ? " whole" : "";
  const list = make("ul", `rows${whole}`, attributes, ...rows.map((row) => rowElement(row, look)));
  const figure = chart ? chartElements(chart, title) : [];
  return [make("p", "title", {}, title), ...figure, list, ...(more ? [make("p", "more", {}, more)] : [])];
}

/**
 * @param {string} label
 * @param {number} id
 * @param {string} kind
 * @param {Look} look
 */
export function tokenChip(label, id, kind, { theme, marker, lights, point }) {
  if (kind.startsWith(ALTERNATIVE)) return pieceElement(label, id, kind, theme);
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
 * A piece of a text, or a part of a pattern: both have the colour and the letter of that part.
 * @param {string} label
 * @param {number} part
 * @param {string} kind
 * @param {Theme} theme
 */
function pieceElement(label, part, kind, theme) {
  const letter = String.fromCodePoint(LETTER_A + part);
  const sign = make("sup", "", {}, letter);
  const chip = make("span", `chip ${kind}`, { dir: "auto", "data-part": part }, readable(label, ""), sign);
  paintChip(chip, coloursOfId(theme, part));
  return chip;
}

/**
 * Highlight the pieces that one part of the pattern matched, or all.
 * @param {HTMLElement} row
 * @param {number | null} part
 */
function lightPart(row, part) {
  for (const piece of row.parentElement?.querySelectorAll("[data-part]") ?? []) {
    const other = part !== null && piece.getAttribute("data-part") !== String(part);
    piece.classList.toggle("unlit", other);
  }
}

/**
 * @param {Row} row
 * @param {Look} look
 */
function rowElement({ items, pair, tied, chosen, alternative }, look) {
  const tokens = items.map((item) => {
    if (typeof item === "string") return make("span", "text", {}, item);
    return tokenChip(...item, look);
  });
  const tie = tied ? [tieSign("tied for the highest count")] : [];
  const next = chosen ? [make("span", "unseen", {}, " merged next")] : [];
  const row = make("li", chosen ? "chosen" : "", {}, ...tokens, ...tie, ...next);
  if (pair) {
    const [left, right] = pair;
    listenToPointer(row, () => look.point({ left, right }), look.point);
  }
  if (alternative !== undefined) {
    listenToPointer(
      row,
      () => lightPart(row, alternative),
      () => lightPart(row, null),
    );
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

/**
 * Make the dot of a beat.
 * @param {number} number  of the beat, from 0
 * @param {number} at  the beat on the card
 * @param {(number: number) => void} go
 */
export function dotElement(number, at, go) {
  return make("button", `dot ${number < at ? "seen" : ""}`, {
    type: "button",
    "aria-label": `Step ${number + 1}`,
    "aria-current": number === at ? "step" : null,
    click: () => go(number),
  });
}

/** Return the keys that go on and that present, for beside the buttons. */
export function keyHints() {
  const key = (/** @type {string} */ name) => make("kbd", "", {}, name);
  const forth = make("span", "key", {}, key("→"), " or ", key("Space"));
  return [forth, make("span", "key stage", {}, key("P"), " present")];
}
