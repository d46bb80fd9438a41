// A text spelled in its initial symbols, with a button at every boundary. The explanation of the pressed one is below.

/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Theme} from "../../../film/browser/shared/colour.js" */

import { coloursOf, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { chipContent, chipElement, labelText } from "../../../film/browser/shared/chip.js";
import { hasModifier, make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { mergeName } from "../../../film/browser/shared/numbers.js";

/** @typedef {"merged" | "open" | "wall"} Boundary */
/** A label, and whether the vocabulary has the token. @typedef {[label: ChipLabel, isKnown: boolean]} LabelledToken */

/**
 * Why two neighbours were merged or not.
 * @typedef {object} Answer
 * @property {number} place  the boundary asked about
 * @property {string} kind
 * @property {string} title
 * @property {string} sentence
 * @property {LabelledToken} left
 * @property {LabelledToken} right
 * @property {[rank: number, left: LabelledToken, right: LabelledToken, merged: LabelledToken][]} merges
 */

/**
 * What Python sends.
 * @typedef {object} PickerData
 * @property {[label: ChipLabel, token: ChipLabel | null][]} symbols  with the token that holds each in the end; null if the
 *   vocabulary lacks it
 * @property {Boundary[]} boundaries  after each symbol but the last
 * @property {Answer} answer
 */

/** @type {Record<Boundary, string>} */
const NAMES = { merged: "merged", open: "not merged", wall: "wall" };
const WHILE_WALKING = 180; // ms after which the boundary reached by keys is explained

/** @param {Component<PickerData>} component @returns {Controller<PickerData>} */
function createPicker(component) {
  const root = rootOf(component, "[data-testid=inspector]");
  const label = "Boundaries of the text: choose one";
  const words = make("div", "words", { role: "radiogroup", "aria-label": label, keydown: walk });
  const answer = make("div", "answer card", { "aria-live": "polite", "data-testid": "inspector-answer" });
  root.replaceChildren(words, answer);
  let { data } = component;
  let lastText = ""; // symbols, boundaries and theme, as text
  /** @type {HTMLElement[]} */
  let buttons = [];
  /** @type {Timer} */
  let timer;

  /** @type {Controller<PickerData>["update"]} */
  function update(next) {
    component = next;
    data = next.data;
    const theme = themeOf(root);
    const text = JSON.stringify([data.symbols, data.boundaries, theme]);
    if (text !== lastText) {
      lastText = text;
      root.dataset.theme = theme;
      spell(theme);
    }
    mark(data.answer.place);
    drawAnswer(data.answer, theme);
  }

  /** @param {Theme} theme */
  function spell(theme) {
    const { symbols, boundaries } = data;
    buttons = boundaries.map(boundaryButton);
    const wordElements = [make("span", "word")];
    symbols.forEach(([symbolLabel, token], at) => {
      const begins = boundaries[at - 1] === "merged" ? "" : " begins";
      const ends = boundaries[at] === "merged" ? "" : " ends";
      const kind = `symbol${begins}${ends}${token === null ? " unknown" : ""}`;
      const symbol = make("span", kind, { dir: "auto" }, ...chipContent(symbolLabel));
      const colours = token === null ? null : coloursOf(theme, token);
      const button = buttons[at];
      if (colours) paintChip(symbol, colours);
      wordElements[wordElements.length - 1].append(symbol);
      if (!button) return;
      if (!ends && colours) paintChip(button, colours);
      wordElements[wordElements.length - 1].append(button);
      if (boundaries[at] === "wall") wordElements.push(make("span", "word"));
    });
    words.replaceChildren(...wordElements);
  }

  /** @param {Boundary} kind @param {number} at */
  function boundaryButton(kind, at) {
    const [left, right] = [at, at + 1].map((symbol) => labelText(data.symbols[symbol][0]));
    return make("button", `boundary ${kind}`, {
      type: "button",
      role: "radio",
      tabindex: -1,
      "data-place": at,
      "aria-label": `between ${left} and ${right}: ${NAMES[kind]}`,
      click: () => ask(at),
    });
  }

  /** @param {number} at */
  function ask(at) {
    mark(at);
    if (at !== data.answer.place) component.setStateValue("place", at);
  }

  /** @param {number} at */
  function mark(at) {
    buttons.forEach((button, number) => {
      button.classList.toggle("chosen", number === at);
      button.tabIndex = number === at ? 0 : -1;
      button.setAttribute("aria-checked", String(number === at));
    });
  }

  /** @param {Answer} told @param {Theme} theme */
  function drawAnswer({ kind, title, sentence, left, right, merges }, theme) {
    const chip = (/** @type {LabelledToken} */ token) => tokenChip(token, theme);
    const rows = merges.map(([rank, one, other, merged]) => {
      const parts = [chip(one), sign("+"), chip(other), sign("→"), chip(merged)];
      return make("li", "", {}, make("span", "rank", {}, mergeName(rank)), ...parts);
    });
    const isMerged = kind === "merged";
    const verdict = make("b", `kind ${isMerged ? "yes" : "no"}`, {}, title);
    answer.replaceChildren(
      make("div", "row asked", {}, chip(left), sign(isMerged ? "+" : "¦"), chip(right), verdict),
      make("p", "sentence", { dir: "auto" }, sentence),
      ...(rows.length ? [make("ul", "", { "aria-label": "The merges involved" }, ...rows)] : []),
    );
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const at = buttons.findIndex((button) => button === event.target);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const to = targets[event.key];
    if (at < 0 || to === undefined || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const button = buttons[to];
    if (!button) return;
    mark(to);
    button.focus();
    clearTimeout(timer);
    timer = setTimeout(() => ask(to), WHILE_WALKING);
  }
  return { update };
}

/** @param {string} text */
function sign(text) {
  return make("span", "sign", {}, text);
}

/** @param {LabelledToken} token @param {Theme} theme */
function tokenChip([label, isKnown], theme) {
  const plain = { fill: "transparent", edge: "currentColor", ink: "inherit" };
  return chipElement(label, isKnown ? coloursOf(theme, label) : plain);
}

export default mount(createPicker);
