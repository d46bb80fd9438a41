// Colours of tokens, for the grid, the pair table and all other chips.
// A token's colour follows from what its label says, so it is the same at every step, under every rule, in every lane and
// tokenizer, and on every page. Lightness varies besides hue, so tokens differ for a deuteranope. Text is 7:1 or more on
// every fill, an edge 3:1 or more against its fill and against the page.

/** @import {ChipLabel} from "./feed_types.js" */

import { mergeName, mergeNumber } from "./numbers.js";
import { isOnPaper } from "./paper.js";

/** @typedef {"light" | "dark"} Theme */

/**
 * The colours of one chip. `unknown`: the vocabulary has no such token, so the edge is dashed.
 * @typedef {{fill: string, edge: string, ink: string, soft: string, unknown?: boolean}} ChipColours
 */

/**
 * The properties of a token that its colour may depend on.
 * @typedef {object} ColouredToken
 * @property {string} name  as `tokenName` returns it
 * @property {number} born  rank of the merge that made it; -1 for the alphabet
 * @property {number} last  number of merges
 * @property {number} length  in bytes or characters
 */

/**
 * A way to colour tokens.
 * @typedef {object} Colouring
 * @property {string} label
 * @property {(theme: Theme, token: ColouredToken) => ChipColours} chip
 * @property {(theme: Theme, last: number) => {text: string, colours: ChipColours}[]} legend  for `last` merges
 */

const PALETTES = {
  light: { l: 0.9, spread: 0.12, c: 0.065, edgeL: 0.52, edgeC: 0.11, ink: "#14161c", soft: "#2b3140" },
  dark: { l: 0.335, spread: 0.13, c: 0.07, edgeL: 0.75, edgeC: 0.09, ink: "#f5f6fb", soft: "#e3e7f2" },
};
const GREY = { hue: 265, chroma: 0.012 };
const HUELESS = 0.005; // chroma below which a colour has no hue of its own
const LENGTHS = [1, 2, 3, 4, 6, 9, 13]; // lower ends of the classes of the colouring by length
const AGES = 6; // entries of its legend

// The shade of a label: a hash of its letters, as FNV-1a makes one. A search found the SEED and the FACTOR that keep
// neighbours apart: in the first 30 merges of the first screen's text, under every rule, in characters and in bytes,
// two neighbours are 0.069 apart or more (fill and edge in OKLab; 31° of hue are as much). In all samples, 2.2% of
// neighbours are less than 0.045 apart (20° of hue). When the vocabulary id made the hue it was 0.014, and 7% to 16%.
const SEED = 0x83a47018;
const FACTOR = 0x3610fb2f;
const END = 6; // letters; `short_chip_label` in Python leaves as many

/**
 * Return what a label says: the same for a token in every lane, tokenizer and page. A mark of a word's start counts as the
 * space that it stands for, and how the mark of an end is written does not count.
 * @param {ChipLabel} label
 */
export function tokenName(label) {
  const text = typeof label === "string" ? label : label.join("\0");
  return text
    .replaceAll(/[\u2066-\u2069]/g, "") // those of `readable`
    .replaceAll(/\ufffe?▁\uffff?/g, "·")
    .replaceAll(/\ufffe[^\uffff]*\uffff/g, "\uffff");
}

/**
 * Return the number by which a label is coloured, from 0 to 4095. Of a long label only both ends count, since
 * tables write no more of it.
 * @param {ChipLabel} label
 */
export function shadeOf(label) {
  const name = tokenName(label);
  const ends = name.slice(0, END) + name.slice(END).slice(-END);
  let sum = SEED;
  for (let at = 0; at < ends.length; at++) sum = Math.imul(sum ^ ends.charCodeAt(at), FACTOR);
  return sum >>> 20; // its highest 12 bits, which depend on all letters
}

/** @param {number} value */
function fraction(value) {
  return value - Math.floor(value);
}

/**
 * Convert CSS's oklch() to #rrggbb, which a canvas reads eight times as fast.
 * Source: Björn Ottosson, “A perceptual color space for image processing”.
 *
 * @param {number} lightness  0 to 1
 * @param {number} chroma
 * @param {number} hue  in degrees
 */
export function oklch(lightness, chroma, hue) {
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
  return `#${light.map(hexOfLight).join("")}`;
}

/**
 * Return the colour between two, at a share of the way. Lightness, chroma and hue change one by one, the hue on the
 * shorter way round, so that blue to orange does not pass through grey. Other notations than #rrggbb do not blend.
 * @param {string} one
 * @param {string} other
 * @param {number} share  0 to 1
 */
export function blend(one, other, share) {
  const [from, to] = [one, other].map(oklchOf);
  if (!from || !to || share <= 0 || share >= 1) return share < 0.5 ? one : other;
  if (from.chroma < HUELESS) from.hue = to.hue;
  if (to.chroma < HUELESS) to.hue = from.hue;
  const turn = ((to.hue - from.hue + 540) % 360) - 180;
  const mix = (/** @type {"lightness" | "chroma"} */ name) => from[name] + (to[name] - from[name]) * share;
  return oklch(mix("lightness"), mix("chroma"), from.hue + turn * share);
}

/**
 * Return the colours of a chip between two others.
 * @param {ChipColours} one
 * @param {ChipColours} other
 * @param {number} share  0 to 1
 * @returns {ChipColours}
 */
export function blendChips(one, other, share) {
  const { fill, edge } = other;
  return { ...one, fill: blend(one.fill, fill, share), edge: blend(one.edge, edge, share) };
}

/**
 * Return a colour's coordinates in OKLCH, the inverse of `oklch`; null for other notations than #rrggbb.
 * @param {string} colour
 */
export function oklchOf(colour) {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return null;
  const [red, green, blue] = [1, 3, 5].map((at) => lightOfHex(colour.slice(at, at + 2)));
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

/** @param {string} hex  two digits */
function lightOfHex(hex) {
  const coded = parseInt(hex, 16) / 255;
  return coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4;
}

/** @param {number} value  linear light, 0 to 1 */
function hexOfLight(value) {
  const coded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  const byte = Math.round(255 * Math.min(1, Math.max(0, coded)));
  return byte.toString(16).padStart(2, "0");
}

/**
 * @param {Theme} theme
 * @param {number} offset  of the lightness, -0.5 to 0.5
 * @param {number} chroma  factor of the palette's
 * @param {number} hue
 * @returns {ChipColours}
 */
function chipOf(theme, offset, chroma, hue) {
  const palette = PALETTES[theme];
  return {
    fill: oklch(palette.l + palette.spread * offset, palette.c * chroma, hue),
    edge: oklch(palette.edgeL, palette.edgeC * chroma, hue),
    ink: palette.ink,
    soft: palette.soft,
  };
}

/**
 * Return the colours of a token by its label, the default colouring everywhere.
 * @param {Theme} theme
 * @param {ChipLabel} label
 */
export function coloursOf(theme, label) {
  return coloursOfShade(theme, shadeOf(label));
}

/**
 * Return the colours of a number. By the golden angle, neighbours are far apart in hue; by the plastic number, in lightness.
 * @param {Theme} theme
 * @param {number} shade
 */
export function coloursOfShade(theme, shade) {
  return chipOf(theme, fraction(shade * 0.7548776662) - 0.5, 1, (shade * 137.508 + 20) % 360);
}

/**
 * Return the colours of a token's chip by its kind: an outline for one that is not used, and null for a chip without.
 * @param {Theme} theme
 * @param {ChipLabel} label
 * @param {string} kind
 */
export function coloursOfKind(theme, label, kind) {
  if (kind === "plain" || kind === "unknown") return null;
  const own = coloursOf(theme, label);
  return kind === "unused" ? { ...own, fill: "transparent", ink: "var(--soft)" } : own;
}

/** @param {Theme} theme @param {number} born @param {number} last */
function coloursOfAge(theme, born, last) {
  if (born < 0) return chipOf(theme, 0.2, GREY.chroma / 0.065, GREY.hue);
  const age = last > 1 ? born / (last - 1) : 1;
  return chipOf(theme, theme === "light" ? 0.4 - age * 0.9 : age * 0.9 - 0.4, 1.1, 270 - age * 230);
}

/** @param {Theme} theme @param {number} length */
function coloursOfLength(theme, length) {
  const at = LENGTHS.findLastIndex((lowest) => lowest <= Math.max(1, length));
  return chipOf(theme, theme === "light" ? 0.4 - at * 0.13 : at * 0.13 - 0.4, at ? 1 : 0.2, 265 - at * 52);
}

/** @type {Record<string, Colouring>} */
export const COLOURINGS = {
  identity: {
    label: "token",
    chip: (theme, { name }) => coloursOf(theme, name),
    legend: () => [],
  },
  age: {
    label: "age",
    chip: (theme, { born, last }) => coloursOfAge(theme, born, last),
    legend: (theme, last) => {
      const entries = Math.min(AGES, last);
      const merges = Array.from({ length: entries }, (_, at) => {
        const born = entries === 1 ? 0 : Math.round(((last - 1) * at) / (entries - 1));
        return {
          text: at === 0 ? mergeName(born) : mergeNumber(born),
          colours: coloursOfAge(theme, born, last),
        };
      });
      return [{ text: "alphabet", colours: coloursOfAge(theme, -1, last) }, ...merges];
    },
  },
  length: {
    label: "length",
    chip: (theme, { length }) => coloursOfLength(theme, length),
    legend: (theme) =>
      LENGTHS.map((length, at) => ({ text: classText(at), colours: coloursOfLength(theme, length) })),
  },
};

/** @param {number} at  position in LENGTHS */
function classText(at) {
  const next = LENGTHS[at + 1];
  if (next === undefined) return `${LENGTHS[at]} or more`;
  return next - 1 > LENGTHS[at] ? `${LENGTHS[at]}–${next - 1}` : String(LENGTHS[at]);
}

/** Return the theme of the page behind an element; paper is light. @param {Element} element @returns {Theme} */
export function themeOf(element) {
  if (isOnPaper()) return "light";
  const colour = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  if (!colour) return isDark(getComputedStyle(document.documentElement).colorScheme) ? "dark" : "light";
  const theme = THEMES.get(colour) ?? themeOn(colour);
  THEMES.set(colour, theme);
  return theme;
}

/** Return whether a page is dark that has this `color-scheme`: "light dark" is the system's. @param {string} scheme */
function isDark(scheme) {
  return scheme.includes("light dark")
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : scheme.includes("dark");
}

/** By background colour: every lane asks several times, and reading a pixel takes a millisecond. @type {Map<string, Theme>} */
const THEMES = new Map();

/**
 * Return the theme of a page with this background.
 * @param {string} colour  of the background, as a style sheet writes it
 * @returns {Theme}
 */
function themeOn(colour) {
  const probe = contextOf(document.createElement("canvas"));
  probe.fillStyle = "#fff";
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
}

/**
 * Call `listen` when the page may have changed its theme, until the signal aborts.
 * @param {() => void} listen
 * @param {AbortSignal} signal
 */
export function followTheme(listen, signal) {
  const observer = new MutationObserver(listen);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["class", "style", "data-theme"],
  });
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Return the drawing context of a canvas. @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser has no 2D canvas");
  return context;
}

/** @param {HTMLElement} element @param {Pick<ChipColours, "fill" | "edge" | "ink">} colours */
export function paintChip(element, colours) {
  element.style.background = colours.fill;
  element.style.borderColor = colours.edge;
  element.style.color = colours.ink;
}
