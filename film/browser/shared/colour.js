// Colours of tokens: one source for the grid, the pair table and whatever else draws a chip.
// Hue follows the vocabulary id by the golden angle, so neighbours in id are far apart in hue and a token keeps its
// colour at every step and on every page. Lightness varies too (plastic number), so identities differ for a
// deuteranope. Text is 7:1 or more on every fill, an edge 3:1 or more against its fill and against the page.

const PALETTES = {
  light: { l: 0.9, spread: 0.12, c: 0.065, edgeL: 0.52, edgeC: 0.11, ink: "#14161c", soft: "#2b3140" },
  dark: { l: 0.335, spread: 0.13, c: 0.07, edgeL: 0.75, edgeC: 0.09, ink: "#f5f6fb", soft: "#e3e7f2" },
};
const GREY = { hue: 265, chroma: 0.012 };
const LENGTHS = [1, 2, 3, 4, 6, 9, 13]; // lower ends of the classes of the colouring by length
const AGES = 6;

function hueOf(id) {
  return (((id * 137.508 + 20) % 360) + 360) % 360;
}

function fraction(value) {
  return value - Math.floor(value);
}

// CSS's oklch() as #rrggbb, which a canvas reads eight times as fast: Björn Ottosson, “A perceptual color space for image processing”
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const coded = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  const byte = (value) => Math.round(255 * Math.min(1, Math.max(0, coded(value))));
  return `#${light.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

// (theme, lightness offset -0.5 … 0.5, chroma factor, hue) -> {fill, edge, ink, soft}
function chipOf(theme, offset, chroma, hue) {
  const palette = PALETTES[theme];
  return {
    fill: oklch(palette.l + palette.spread * offset, palette.c * chroma, hue),
    edge: oklch(palette.edgeL, palette.edgeC * chroma, hue),
    ink: palette.ink,
    soft: palette.soft,
  };
}

export const COLOURINGS = {
  identity: {
    label: "token",
    chip: (theme, { id, shade = id }) => chipOf(theme, fraction(shade * 0.7548776662) - 0.5, 1, hueOf(shade)),
    legend: () => [],
  },
  age: {
    label: "age",
    chip: (theme, token) => {
      if (token.born < 0) return chipOf(theme, 0.2, GREY.chroma / 0.065, GREY.hue);
      const age = token.last > 1 ? token.born / (token.last - 1) : 1;
      return chipOf(theme, theme === "light" ? 0.4 - age * 0.9 : age * 0.9 - 0.4, 1.1, 270 - age * 230);
    },
    legend: (last) => [
      { born: -1, last, text: "alphabet" },
      ...Array.from({ length: Math.min(AGES, last) }, (_, at, n = Math.min(AGES, last)) => {
        const born = n === 1 ? 0 : Math.round(((last - 1) * at) / (n - 1));
        return { born, last, text: at === 0 ? `merge ${born}` : String(born) };
      }),
    ],
  },
  length: {
    label: "length",
    chip: (theme, token) => {
      const at = LENGTHS.findLastIndex((length) => length <= Math.max(1, token.length));
      return chipOf(theme, theme === "light" ? 0.4 - at * 0.13 : at * 0.13 - 0.4, at ? 1 : 0.2, 265 - at * 52);
    },
    legend: () => LENGTHS.map((length, at) => {
      const next = LENGTHS[at + 1];
      const text = next === undefined ? `${length} or more` : next - 1 > length ? `${length}–${next - 1}` : String(length);
      return { length, text };
    }),
  },
};

// light | dark, from the page behind the element as Streamlit paints it.
export function themeOf(element) {
  const style = getComputedStyle(element);
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = "#fff";
  probe.fillStyle = style.getPropertyValue("--st-background-color").trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
}

export function paintChip(element, colours) {
  element.style.background = colours.fill;
  element.style.borderColor = colours.edge;
  element.style.color = colours.ink;
}
