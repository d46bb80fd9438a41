// A pattern on the stage of a lesson: a sentence in the pieces that it makes, and below it its alternatives. Those that
// the lesson speaks of are lit; pointing at one lights the pieces that it matched.

/** @import {Look} from "../sentence/chips.js" */
/** @import {Row, Subject} from "./types.js" */

import { listenToPointer, tokenChip } from "../sentence/chips.js";
import { make } from "../shared/page/dom.js";

/**
 * Return the elements of a pattern. Its first row holds the pieces of the sentence.
 * @param {Subject} subject
 * @param {Look} look
 */
export function patternElements({ title, rows: [sentence, ...alternatives] }, look) {
  const chips = sentence.items.map((item) => (typeof item === "string" ? item : tokenChip(...item, look)));
  const pieces = make("p", "pieces", {}, ...chips);
  const lines = alternatives.map((row) => alternativeElement(row, look, pieces));
  const list = make("ul", "alternatives", { "aria-label": "The alternatives of the pattern" }, ...lines);
  return [make("p", "title", {}, title), pieces, list];
}

/**
 * @param {Row} row
 * @param {Look} look
 * @param {HTMLElement} pieces
 */
function alternativeElement({ items, alternative = -1 }, look, pieces) {
  const dim = items.some((item) => typeof item !== "string" && item[2].endsWith("dim"));
  const parts = items.map((item) => {
    return typeof item === "string" ? make("span", "meaning", {}, item) : tokenChip(...item, look);
  });
  const line = make("li", dim ? "dim" : "lit", {}, ...parts);
  listenToPointer(
    line,
    () => lightPart(pieces, alternative),
    () => lightPart(pieces, null),
  );
  return line;
}

/**
 * Light the pieces that one part of the pattern matched, or all.
 * @param {HTMLElement} pieces
 * @param {number | null} part
 */
function lightPart(pieces, part) {
  for (const piece of pieces.querySelectorAll("[data-part]")) {
    const other = part !== null && piece.getAttribute("data-part") !== String(part);
    piece.classList.toggle("unlit", other);
  }
}
