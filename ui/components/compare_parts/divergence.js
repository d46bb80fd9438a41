// Where the lanes part: what tied, how often it counted, what each lane took, and the way there.

import { make } from "../../../film/browser/shared/dom.js";
import { say } from "../../../film/browser/shared/groups.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";
import { chipMaker, pairElement } from "./tokens.js";

export function drawDivergence(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  if (data.rank === null) {
    const never = data.merges ? "No merge sets the lanes apart." : "No pair of tokens meets anywhere, so no merge was made.";
    root.replaceChildren(make("section", "card divergence", { "data-testid": "divergence" }, make("h2", "lead", {}, never)));
    return () => undefined;
  }
  const { rank, tied, more, choices, titles } = data;
  const counts = new Set(choices.map((choice) => choice?.count));
  const one = data.one_tie && counts.size === 1;
  const lead = make("h2", "lead", {}, make("b", "", {}, `Merge ${formatNumber(rank)}`));
  if (one) {
    lead.append(" · ", make("span", "badge", {}, `${formatNumber(tied.length + more)} pairs tied at ${formatNumber(choices[0].count)}`));
    for (const pair of tied) lead.append(" ", pairElement(chip, pair));
    if (more) lead.append(` and ${formatNumber(more)} more`);
  } else lead.append(" · the lanes do not choose from the same pairs here");
  const list = make("dl", "choices", {});
  titles.forEach((title, lane) => {
    const choice = choices[lane];
    const took = make("dd", "", {});
    if (!choice) took.append("had ended before");
    else {
      took.append("takes ", pairElement(chip, choice.pair));
      if (!one) took.append(make("span", "quietly", {}, ` ${formatNumber(choice.count)} times, ${choice.tied > 1 ? `tied with ${formatNumber(choice.tied - 1)} other${choice.tied > 2 ? "s" : ""}` : "no tie"}`));
    }
    list.append(make("div", "", {}, make("dt", "", {}, title), took));
  });
  const go = make("button", "go", { type: "button", "data-testid": "go-to-divergence", click: () => say("jump", { group: data.group, step: rank }) }, `Go to merge ${formatNumber(rank)}`);
  root.replaceChildren(make("section", "card divergence", { "aria-label": "First divergence", "data-testid": "divergence", "data-rank": rank }, make("div", "sides", {}, make("div", "", {}, lead, list), go)));
  return () => undefined;
}
