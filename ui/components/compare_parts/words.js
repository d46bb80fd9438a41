// Words under every lane, one row per lane, aligned word by word. Words with different tokens are framed.

/** @import {Theme} from "../../../film/browser/shared/tokens/colour.js" */
/** @import {PartData} from "./tokens.js" */

import { make } from "../../../film/browser/shared/page/dom.js";
import { chipMaker } from "./tokens.js";

/** @typedef {PartData & {words: {word: string, rows: number[][], differs: boolean}[]}} WordsData */

const LETTERS = "ABCDEFGH"; // names of the lanes

/**
 * @param {HTMLElement} root
 * @param {WordsData} data
 * @param {Theme} theme
 */
export function drawWords(root, { titles, tokens, words }, theme) {
  const chip = chipMaker(tokens, theme);
  const entries = titles.map((title, lane) => {
    return make("span", "entry", {}, make("b", "by", {}, LETTERS[lane]), title);
  });
  const items = words.map(({ word, rows, differs }) => {
    const lines = rows.map((positions, lane) => {
      const letter = make("b", "by", { "aria-label": titles[lane] }, LETTERS[lane]);
      return make("span", "line", {}, letter, ...positions.map(chip));
    });
    const label = `${word}: ${differs ? "split differently" : "split the same way"}`;
    const attributes = { "aria-label": label, "data-differs": differs || null };
    return make("li", `word ${differs ? "x" : ""}`, attributes, ...lines);
  });
  const list = make("ul", "words", { "data-testid": "cuts" }, ...items);
  root.replaceChildren(make("p", "legend", {}, ...entries), list);
}
