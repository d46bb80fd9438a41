// Tokens as Python sent them: labels and colour numbers, each once, referred to by place.

import { COLOURINGS } from "../../../film/browser/shared/colour.js";
import { chipElement, make } from "../../../film/browser/shared/dom.js";

const MARKERS = new Set(["</w>", "_", "▁"]);

// -> chip(place): an element, in the theme's colours
export function chipMaker(tokens, theme) {
  const colours = new Map();
  return (place, small = true) => {
    const shade = tokens.shades[place];
    const label = tokens.labels[place];
    if (!colours.has(shade)) colours.set(shade, COLOURINGS.identity.chip(theme, { id: shade }));
    return chipElement(label, colours.get(shade), `${small ? "small" : ""} ${MARKERS.has(label) ? "marker" : ""}`);
  };
}

const plus = () => make("span", "plus", {}, "+");
export const pairElement = (chip, [left, right]) => make("span", "pair", {}, chip(left), plus(), chip(right));
export const pairWords = (tokens, [left, right]) => `${tokens.labels[left]} + ${tokens.labels[right]}`;
