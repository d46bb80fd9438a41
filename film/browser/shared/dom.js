// Elements without markup: everything a user typed arrives through textContent.

import { paintChip } from "./colour.js";

// (tag, class, attributes, ...children) -> element; an attribute whose value is a function is a listener
export function make(tag, name = "", attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  first: "M3 2h2v12H3zM14 2v12L6 8z",
  back: "M11 2v12L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M4 2h3v12H4zM9 2h3v12H9z",
  next: "M5 2v12l7-6z",
  last: "M11 2h2v12h-2zM2 2v12l8-6z",
  present: "M1 2h14v9H9v2h3v1.5H4V13h3v-2H1zM2.5 3.5v6h11v-6z",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  setIcon(svg, name);
  return svg;
}

export function setIcon(svg, name) {
  svg.firstChild.setAttribute("d", ICONS[name]);
}

// Markers and <0xE2> read from left to right, also beside right-to-left letters (U+2066 … U+2069).
export function readable(label, marker) {
  if (!/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(label)) return label;
  const left = (text) => `\u2066${text}\u2069`;
  const spelled = label.replace(/<(0x|U\+)[0-9A-F]+>/g, left);
  return marker ? spelled.replaceAll(marker, left(marker)) : spelled;
}

const LONGEST = 40; // characters of a label written out beside others; merges of a repetitive text grow far longer

export function shortened(label) {
  const letters = [...label];
  return letters.length <= LONGEST ? label : `${letters.slice(0, 24).join("")} … ${letters.slice(-12).join("")}`;
}

// A token as a chip in running markup: headline, legend, details, pair table.
export function chipElement(label, colours, kind = "") {
  const chip = make("span", `chip ${kind}`, { dir: "auto" }, label);
  paintChip(chip, colours);
  return chip;
}
