// Words under every lane, one row each, aligned word by word; those cut differently are framed.

import { make } from "../../../film/browser/shared/dom.js";
import { chipMaker } from "./tokens.js";

const LETTERS = "ABCDEFGH";

export function drawCuts(root, data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const legend = make("p", "legend", {}, ...data.titles.map((title, lane) => make("span", "entry", {}, make("b", "by", {}, LETTERS[lane]), title)));
  const words = data.words.map(({ word, rows, differs }) => {
    const lines = rows.map((tokens, lane) => make("span", "line", {}, make("b", "by", { "aria-label": data.titles[lane] }, LETTERS[lane]), ...tokens.map((place) => chip(place))));
    return make("li", `word ${differs ? "x" : ""}`, { "aria-label": `${word}: ${differs ? "cut differently" : "cut alike"}`, "data-differs": differs || null }, ...lines);
  });
  root.replaceChildren(legend, make("ul", "words", { "data-testid": "cuts" }, ...words));
  return () => undefined;
}
