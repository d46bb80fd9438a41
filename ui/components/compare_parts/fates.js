// What became of the tokens: which only one lane learned, which all did.

import { make } from "../../../film/browser/shared/dom.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";
import { chipMaker } from "./tokens.js";

export function drawFates(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const cards = data.groups.map(({ title, size, tokens, ranks }) => {
    const list = make("ul", "chips", {}, ...tokens.map((place, at) => make("li", "", { title: whens(ranks[at]) }, chip(place))));
    const heading = make("h3", "", {}, title, make("span", "size", {}, formatNumber(size)));
    const card = make("section", "card fate", { "aria-label": title, "data-testid": "fate", "data-size": size }, heading);
    card.append(tokens.length ? list : make("p", "quietly", {}, "none"));
    if (size > tokens.length) card.append(make("p", "quietly", {}, `and ${formatNumber(size - tokens.length)} more, in the table of tokens`));
    return card;
  });
  root.replaceChildren(make("div", "fates", { style: `--columns: ${Math.min(3, cards.length)}` }, ...cards));

  function whens(found) {
    return found.map((rank, lane) => `${data.titles[lane]}: ${rank === null ? "never" : `merge ${formatNumber(rank)}`}`).join("\n");
  }
  return () => undefined;
}
