// What a lesson's beat shows below its text: rows of tokens with a title.

/** @import {Item, Look} from "../../../film/browser/sentence/chips.js" */

import { listenToPointer, tokenChip } from "../../../film/browser/sentence/chips.js";
import { make, tieSign } from "../../../film/browser/shared/page/dom.js";

/**
 * A row: perhaps the name of what gave it, and its tokens; `pair` has the ids of the pair it is about.
 * @typedef {{name?: string, items: Item[], pair?: [number, number], tied?: boolean, chosen?: boolean}} Row
 */

/** @typedef {{title: string, rows: Row[], more: string}} Evidence */

const MOST_UNSCROLLED = 5; // rows that need no scrolling, and so no focus

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
 * @param {Row} row
 * @param {Look} look
 */
function rowElement({ name, items, pair, tied, chosen }, look) {
  const tokens = (name ? [`${name}:`, ...items] : items).map((item) => {
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
  return row;
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
