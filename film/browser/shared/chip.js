// A token as a chip in running markup: everywhere but on the grid, which the token grid paints, and in saved pictures,
// which picture/ makes of shapes.

/** @import {ChipColours} from "./colour.js" */
/** @import {ChipLabel} from "./feed_types.js" */

import { paintChip } from "./colour.js";
import { make } from "./dom.js";

/** What a chip is made of, in em; the letters' weight. The grid, pictures and style sheets (`var(--chip-curve)`) read it. */
export const CHIP_LOOK = { height: 1.76, pad: 0.45, curve: 0.38, weight: 500 };

/** The tab that stands for a marker: its width and the room to the letters beside it in em, and how pale it is, 0 to 1. */
export const TAB_LOOK = { width: 0.58, beside: 0.2, pale: 0.7 };

const SPACE = /^(\ufffe?[·▁]\uffff?)?$/; // what a space is written as, or nothing

// A label encloses a marker in two noncharacters, which it shows as code points where a text has them: so a chip tells the
// marker from letters that look like it. `chip_label` in Python writes the same.
const SIGNS = /[\ufffe\uffff]/g;
const TABS = /(\ufffe.*?\uffff)/;
const UNITS = /\ufffe.*?\uffff|./gsu; // a tab, or a character

/** Return a marker as labels of chips hold it. @param {string} marker  how it is spelled */
export function tabLabel(marker) {
  return `\ufffe${marker}\uffff`;
}

/** Return whether a label is that of a marker alone. @param {ChipLabel} label */
export function isTab(label) {
  return typeof label === "string" && /^\ufffe.*?\uffff$/.test(label) && label.split(TABS).length === 3;
}

/** Return the letters of a label, and whether a marker stands before and after them. @param {ChipLabel} label */
export function tabsOf(label) {
  const text = typeof label === "string" ? label : label.join("");
  const parts = text.split(TABS);
  const before = parts.length > 1 && !parts[0];
  const after = parts.length > (before ? 3 : 1) && !parts[parts.length - 1];
  const letters = parts.slice(before ? 2 : 0, after ? -2 : undefined).join("");
  return { before, letters: letters.replaceAll(SIGNS, ""), after };
}

/**
 * Return a chip's label as text, for sentences, names and titles: its bytes as digits, with a space to the letters beside
 * them. `sentence_label` in Python writes the same.
 * @param {ChipLabel} label
 */
export function labelText(label) {
  if (typeof label === "string") return label.replaceAll(SIGNS, "");
  const text = label.reduce((before, part) => before + (SPACE.test(before) || !part ? "" : " ") + part, "");
  return text.replaceAll(SIGNS, "");
}

/** Return the letters in a chip, bytes as their digits and markers spelled. @param {ChipLabel} label */
export function chipText(label) {
  return (typeof label === "string" ? label : label.join("")).replaceAll(SIGNS, "");
}

/** Return how many letters a chip has, a tab being as wide as one. @param {ChipLabel} label */
export function chipLength(label) {
  return (typeof label === "string" ? label : label.join("")).match(UNITS)?.length ?? 0;
}

/** Return whether a chip shows nothing but bytes, perhaps after a space or a marker. @param {ChipLabel} label */
export function isPartOfCharacter(label) {
  return typeof label !== "string" && label.length === 2 && SPACE.test(label[0]);
}

/**
 * Keep markers and code points readable from left to right beside right-to-left letters (U+2066 … U+2069).
 * @template {ChipLabel} Label
 * @param {Label} label
 * @param {string} marker  how labels spell it; "" without one
 * @returns {Label}
 */
export function readable(label, marker) {
  if (typeof label !== "string") {
    return /** @type {Label} */ (label.map((part, at) => (isBytes(at) ? part : readable(part, marker))));
  }
  if (!/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(label)) return label;
  const left = (/** @type {string} */ text) => `\u2066${text}\u2069`;
  const spelled = label.replace(/<(0x|U\+)[0-9A-F]+>/g, left);
  return /** @type {Label} */ (marker ? spelled.replaceAll(marker, left(marker)) : spelled);
}

const LONGEST = 40; // characters of a label beside other text; tokens of a repetitive text grow far longer
const MOST_PARTS = 6; // texts and runs of bytes

/**
 * Leave out the middle of a long label; of one with many runs of bytes, the end.
 * @template {ChipLabel} Label
 * @param {Label} label
 * @returns {Label}
 */
export function shortened(label) {
  if (typeof label !== "string") {
    const parts = label.slice(0, MOST_PARTS).map((part) => shortened(part));
    return /** @type {Label} */ (label.length > MOST_PARTS ? [...parts, " …"] : parts);
  }
  const letters = label.match(UNITS) ?? [];
  if (letters.length <= LONGEST) return label;
  return /** @type {Label} */ (`${letters.slice(0, 24).join("")} … ${letters.slice(-12).join("")}`);
}

/** @param {number} at  position in a label with bytes */
function isBytes(at) {
  return at % 2 === 1;
}

/**
 * Return what a chip holds: text; bytes as their digits, small as on the grid; markers as tabs, spelled for those who listen.
 * @param {ChipLabel} label
 * @returns {(Node | string)[]}
 */
export function chipContent(label) {
  if (typeof label === "string" && !TABS.test(label)) return [label];
  const parts = (typeof label === "string" ? [label] : label).flatMap((part, at) =>
    isBytes(at)
      ? make("span", "lone-bytes", { dir: "ltr" }, part)
      : part.split(TABS).filter(Boolean).map(tabOrText),
  );
  const before = parts.findIndex((part) => !isTabElement(part));
  if (before < 0) return parts;
  const after = parts.findLastIndex((part) => !isTabElement(part)) + 1;
  // One element for all between: a chip is a flex box, in which a space of its own is lost.
  const letters = make("span", "", {}, ...parts.slice(before, after));
  return [...parts.slice(0, before), letters, ...parts.slice(after)];
}

/**
 * Return the nodes of a sentence in which the marker is a tab, as in the chips beside it.
 * @param {string} text
 * @param {string} marker  how the text spells it; "" without one
 */
export function withTabs(text, marker) {
  if (!marker) return [text];
  return text.replaceAll(marker, tabLabel(marker)).split(TABS).filter(Boolean).map(tabOrText);
}

/** @param {string} text */
function tabOrText(text) {
  if (!TABS.test(text)) return text;
  const spelled = text.replaceAll(SIGNS, "");
  return make(
    "span",
    "tab",
    { title: spelled.replaceAll(/[\u2066\u2069]/g, "") },
    make("span", "unseen", {}, spelled),
  );
}

/** @param {Node | string} part */
function isTabElement(part) {
  return typeof part !== "string" && /** @type {HTMLElement} */ (part).className === "tab";
}

/**
 * Make a token's chip.
 * @param {ChipLabel} label
 * @param {Pick<ChipColours, "fill" | "edge" | "ink"> | null} colours  null for a chip without colours of its own
 * @param {string} [kind]  more classes
 * @param {Parameters<typeof make>[2]} [attributes]
 * @param {...Node} more  what follows the label in the chip
 */
export function chipElement(label, colours, kind = "", attributes = {}, ...more) {
  const look = isTab(label) ? `${kind} marker` : kind;
  const chip = make("span", `chip ${look}`, { dir: "auto", ...attributes }, ...chipContent(label), ...more);
  if (colours) paintChip(chip, colours);
  return chip;
}
