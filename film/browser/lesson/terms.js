// The terms of the glossary in a lesson's sentences: a dotted line below each, and its meaning when it is pressed.

/** @import {Theme} from "../shared/colour.js" */
/** @import {ChipLabel} from "../shared/feed_types.js" */
/** @import {Piece} from "../shared/sentence.js" */

import { chipElement } from "../shared/chip.js";
import { coloursOfKind, themeOf } from "../shared/colour.js";
import { make, makeButton } from "../shared/dom.js";
import { listenToNumbers, moveNumbers } from "../shared/moving_numbers.js";
import { paragraph } from "../shared/sentence.js";

/** A row of a term's picture; an item is a text, or a token. @typedef {{name: string, items: (string | [label: ChipLabel, kind: string])[], remark: string}} PictureRow */

/** A sentence with a number to drag, and the picture after each number of merges. @typedef {{sentence: Piece[], frames: PictureRow[][], at: number}} MovingPicture */

/** A picture, and how it moves; null if it stands still. @typedef {{picture: PictureRow[], moving: MovingPicture | null}} TermPicture */

/** A term: its meaning, its picture, and the lesson about it; no lesson if it is the one on the card. @typedef {TermPicture & {term: string, means: string, lesson: string | null, title: string}} TermData */

const WALL = "|"; // between two words of a row

/**
 * Make the picture of a term. Above one that moves is a sentence with the number to drag.
 * @param {TermPicture} term @param {Theme} theme
 */
export function pictureElements({ picture, moving }, theme) {
  if (!moving) return [pictureElement(picture, theme)];
  const { sentence, frames, at } = moving;
  const text = paragraph("moves", sentence, { theme, marker: "", lights: false, point: () => {} });
  const pictures = frames.map((rows) => pictureElement(rows, theme));
  const show = (/** @type {number} */ step) => {
    moveNumbers(text, step);
    pictures.forEach((one, number) => one.classList.toggle("now", number === step));
  };
  listenToNumbers(text, show);
  show(at);
  return [text, make("div", "frames", {}, ...pictures)];
}

/** @param {PictureRow[]} rows @param {Theme} theme */
function pictureElement(rows, theme) {
  return make("ul", "picture", {}, ...rows.map((row) => pictureRow(row, theme)));
}

/** @param {PictureRow} row @param {Theme} theme */
function pictureRow({ name, items, remark }, theme) {
  const parts = items.map((item) => {
    if (item === WALL) return make("span", "wall", { "aria-hidden": "true" });
    if (typeof item === "string") return make("span", "text", {}, item);
    const [label, kind] = item;
    return chipElement(label, coloursOfKind(theme, label, kind), kind);
  });
  const before = name ? [make("span", "name", {}, name)] : [];
  const behind = remark ? [make("span", "remark", {}, remark)] : [];
  return make("li", "", {}, ...before, make("span", "row tokens", {}, ...parts, ...behind));
}

const TERM_GAP = 6; // px between a term and its meaning

/**
 * Make what opens the meaning of a term.
 * @param {HTMLElement} root  of the card
 * @param {() => Record<string, TermData>} terms
 * @param {(name: "lesson" | "term", slug: string) => void} leave  opens a lesson, or the glossary at a term
 */
export function createTerms(root, terms, leave) {
  const note = make("div", "meaning", { popover: "auto", role: "note", "data-testid": "meaning" });
  /** @type {HTMLElement | null} */
  let opened = null; // the term whose meaning is open
  note.addEventListener("toggle", () => {
    const isOpen = note.matches(":popover-open");
    opened?.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) opened = null;
  });
  root.append(note);

  /** @param {string} slug @param {HTMLElement} button */
  function open(slug, button) {
    const { term, means, picture, moving, lesson, title } = terms()[slug];
    const go = (/** @type {"lesson" | "term"} */ name, /** @type {string} */ to) => () => {
      note.hidePopover();
      leave(name, to);
    };
    const see = lesson ? [makeButton(`See “${title}”`, "meaning-lesson", go("lesson", lesson))] : [];
    const all = makeButton("Glossary", "meaning-glossary", go("term", slug));
    note.replaceChildren(
      make("p", "", {}, make("strong", "", {}, term)),
      make("p", "", {}, means),
      ...pictureElements({ picture, moving }, themeOf(root)),
      make("div", "row", {}, ...see, all),
    );
    note.showPopover();
    opened = button;
    const { left, bottom, top } = button.getBoundingClientRect();
    const { width, height } = note.getBoundingClientRect();
    const below = bottom + TERM_GAP + height <= window.innerHeight;
    note.style.left = `${Math.max(TERM_GAP, Math.min(left, window.innerWidth - width - TERM_GAP))}px`;
    note.style.top = `${below ? bottom + TERM_GAP : Math.max(TERM_GAP, top - TERM_GAP - height)}px`;
    button.setAttribute("aria-expanded", "true");
  }

  /** Make a term in a sentence. @param {string} text @param {string} slug */
  return (text, slug) => {
    const button = make("button", "term", { type: "button", "aria-expanded": "false" }, text);
    button.addEventListener("click", () => open(slug, button));
    return button;
  };
}
