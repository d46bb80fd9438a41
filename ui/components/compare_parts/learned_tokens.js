// The tokens that only one lane learned, and those that all learned.

/** @import {Theme} from "../../../film/browser/shared/tokens/colour.js" */
/** @import {PartData} from "./tokens.js" */

import { make } from "../../../film/browser/shared/page/dom.js";
import { mergeName } from "../../../film/browser/shared/tokens/merge_names.js";
import { formatNumber } from "../../../film/browser/shared/feed/numbers.js";
import { chipMaker } from "./tokens.js";

/**
 * Tokens that the same lanes learned.
 * @typedef {object} TokenGroup
 * @property {string} title
 * @property {number} size
 * @property {number[]} tokens  the first of them
 * @property {(number | null)[][]} ranks  for each of them the merge by which each lane learned it
 * @property {number[]} pale  which of them are stepping stones
 */

const MOST_COLUMNS = 3;
const STEPPING_STONE = "\nA stepping stone: no longer in use after the last merge.";

/**
 * @param {HTMLElement} root
 * @param {PartData & {groups: TokenGroup[]}} data
 * @param {Theme} theme
 */
export function drawLearnedTokens(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const cards = data.groups.map(({ title, size, tokens, ranks, pale }) => {
    const items = tokens.map((position, at) => {
      const isPale = pale.includes(at);
      const about = `${ranksText(data.titles, ranks[at])}${isPale ? STEPPING_STONE : ""}`;
      return make("li", isPale ? "pale" : "", { title: about }, chip(position));
    });
    const heading = make("h3", "", {}, title, make("span", "size", {}, formatNumber(size)));
    const attributes = { "aria-label": title, "data-testid": "fate", "data-size": size };
    const card = make("section", "card learned-by", attributes, heading);
    card.append(items.length ? make("ul", "chips", {}, ...items) : make("p", "quietly", {}, "none"));
    const more = `and ${formatNumber(size - tokens.length)} more, in the table of tokens`;
    if (size > tokens.length) card.append(make("p", "quietly", {}, more));
    return card;
  });
  const style = `--columns: ${Math.min(MOST_COLUMNS, cards.length)}`;
  root.replaceChildren(make("div", "learned-tokens", { style }, ...cards));
}

/**
 * @param {string[]} titles
 * @param {(number | null)[]} ranks
 */
function ranksText(titles, ranks) {
  const words = ranks.map((rank) => (rank === null ? "never" : mergeName(rank)));
  return words.map((text, lane) => `${titles[lane]}: ${text}`).join("\n");
}
