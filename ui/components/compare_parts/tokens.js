// Tokens as Python sent them: labels and colour numbers, each once, referred to by place.

// "2:AAEC…" -> numbers; as ui/token_grid/packing.py writes them
function unpack(text) {
  const bytes = Uint8Array.from(atob(text.slice(2)), (letter) => letter.charCodeAt(0));
  return text[0] === "1" ? bytes : text[0] === "2" ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}

const MARKERS = new Set(["</w>", "_", "▁"]);

// -> chip(place): an element, in the theme's colours
function chipMaker(tokens, theme) {
  const colours = new Map();
  return (place, small = true) => {
    const shade = tokens.shades[place];
    const label = tokens.labels[place];
    if (!colours.has(shade)) colours.set(shade, COLOURINGS.identity.chip(theme, { id: shade }));
    return chipElement(label, colours.get(shade), `${small ? "small" : ""} ${MARKERS.has(label) ? "marker" : ""}`);
  };
}

const plus = () => make("span", "plus", {}, "+");
const pairElement = (chip, [left, right]) => make("span", "pair", {}, chip(left), plus(), chip(right));
const pairWords = (tokens, [left, right]) => `${tokens.labels[left]} + ${tokens.labels[right]}`;
const NUMBERS = new Intl.NumberFormat("en");
const number = (value) => NUMBERS.format(value);
