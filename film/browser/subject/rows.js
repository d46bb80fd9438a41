// Rows of tokens on the stage of a lesson: what several trainings or methods give, each a row with its name, or one word.

/** @import {Item, Look} from "../sentence/chips.js" */
/** @import {Row, Subject} from "./types.js" */

import { tokenChip } from "../sentence/chips.js";
import { labelText } from "../shared/tokens/chip.js";
import { coloursOfId, paintChip } from "../shared/tokens/colour.js";
import { make } from "../shared/page/dom.js";

const BETWEEN_WORDS = "|"; // between two words of a row
const COLOURS = 9973; // tokens without an id share so many

/**
 * Return the elements of a table.
 * @param {Subject} subject
 * @param {Look} look
 */
export function rowsElements({ title, rows, more, waits }, look) {
  const methods = rows.map((row, at) => methodElement(row, look, at >= rows.length - waits));
  const list = make("ul", "methods", { "aria-label": title }, ...methods);
  return [make("p", "title", {}, title), list, ...(more ? [make("p", "more", {}, more)] : [])];
}

/**
 * @param {Row} row
 * @param {Look} look
 * @param {boolean} waits
 */
function methodElement({ name, items }, look, waits) {
  /** @type {HTMLElement[]} */
  const words = [];
  let word = make("span", "word");
  for (const item of items) {
    if (item === BETWEEN_WORDS) {
      words.push(word);
      word = make("span", "word");
    } else word.append(typeof item === "string" ? make("span", "text", {}, item) : colouredChip(item, look));
  }
  words.push(word);
  const label = name ? [make("span", "name", {}, name)] : [];
  return make("li", waits ? "method waits" : "method", {}, ...label, make("span", "words", {}, ...words));
}

/**
 * Make a chip with a colour of its own also for a token that the lesson's training does not have: equal ones are alike.
 * @param {Exclude<Item, string>} item
 * @param {Look} look
 */
function colouredChip([label, id, kind], look) {
  if (id >= 0 || kind) return tokenChip(label, id, kind, look);
  const chip = tokenChip(label, id, "other", look);
  paintChip(chip, coloursOfId(look.theme, numberOf(labelText(label))));
  return chip;
}

/**
 * Return a number for a text, the same for equal texts.
 * @param {string} text
 */
export function numberOf(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % COLOURS, 7);
}
