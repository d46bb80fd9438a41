// The first merge at which lanes diverge: tied pairs, counts, each lane's choice, and a button that goes there.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {MakeChip} from "../../../film/browser/chip_table/tokens.js" */
/** @import {PartData, SentPair} from "../compare_parts/tokens.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { say } from "../../../film/browser/shared/groups.js";
import { formatNumber, mergeName, mergeNumber } from "../../../film/browser/shared/numbers.js";
import { chipMaker } from "../../../film/browser/chip_table/tokens.js";
import { pairElement } from "../compare_parts/tokens.js";

/** The pair that a lane merged, how many pairs tied, and why it won. @typedef {{pair: SentPair, count: number, tied: number, why: string}} Choice */

/**
 * The first merge at which lanes diverge.
 * @typedef {object} Parting
 * @property {number} rank
 * @property {boolean} one_tie  whether the lanes chose from the same tied pairs
 * @property {SentPair[]} tied  the first of them
 * @property {number} more  how many more there are
 * @property {(Choice | null)[]} choices  of each lane; null if it had ended
 */

/** @typedef {PartData & (Parting | {rank: null, merges: number})} DivergenceData */

/**
 * Draw it.
 * @param {HTMLElement} root
 * @param {string} group  of the lanes
 * @param {DivergenceData} data
 * @param {Theme} theme
 */
export function drawDivergence(root, group, data, theme) {
  if (data.rank === null) {
    const sets = "All lanes make the same merges.";
    const lead = data.merges ? sets : "There are no pairs to merge.";
    const attributes = { "data-testid": "divergence" };
    root.replaceChildren(make("section", "card divergence", attributes, make("h2", "row lead", {}, lead)));
    return;
  }
  const { rank, choices, titles } = data;
  const chip = chipMaker(data.tokens, theme);
  const one = data.one_tie && new Set(choices.map((choice) => choice?.count)).size === 1;
  const lead = make("h2", "row lead", {}, make("b", "", {}, `Merge ${mergeNumber(rank)}`));
  lead.append(...(one ? tieSentence(data, chip) : [" · the lanes choose from different pairs here"]));
  const items = titles.map((title, lane) => {
    return make("div", "", {}, make("dt", "", {}, title), choiceElement(choices[lane], one, chip));
  });
  const jump = () => say("jump", { group, step: rank });
  const button = { type: "button", "data-testid": "go-to-divergence", click: jump };
  const go = make("button", "go", button, `Go to ${mergeName(rank)}`);
  const sides = make(
    "div",
    "row sides",
    {},
    make("div", "", {}, lead, make("dl", "choices", {}, ...items)),
    go,
  );
  const section = { "aria-label": "First divergence", "data-testid": "divergence", "data-rank": rank };
  root.replaceChildren(make("section", "card divergence", section, sides));
}

/** @param {Parting} parting @param {MakeChip} chip */
function tieSentence({ tied, more, choices }, chip) {
  const count = formatNumber(choices[0]?.count ?? 0);
  const badge = make("span", "badge", {}, `${formatNumber(tied.length + more)} pairs tied at ${count}`);
  const pairs = tied.flatMap((pair) => [" ", pairElement(chip, pair)]);
  return [" · ", badge, ...pairs, ...(more ? [` and ${formatNumber(more)} more`] : [])];
}

/**
 * @param {Choice | null} choice
 * @param {boolean} brief  whether count and ties are shown elsewhere
 * @param {MakeChip} chip
 */
function choiceElement(choice, brief, chip) {
  if (!choice) return make("dd", "", {}, "already finished");
  const element = make("dd", "", {}, "picks ", pairElement(chip, choice.pair));
  const others = `tied with ${formatNumber(choice.tied - 1)} other${choice.tied > 2 ? "s" : ""}`;
  const text = ` ${formatNumber(choice.count)} times, ${choice.tied > 1 ? others : "no tie"}`;
  if (!brief) element.append(make("span", "aside", {}, text));
  if (choice.why) element.append(make("span", "aside", {}, `: ${choice.why}`));
  return element;
}
