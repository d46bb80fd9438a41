// The panel of "Beat the rule". It lies over the grid, so the grid keeps its step.

/** @import {Game} from "./own_merges.js" */
/** @import {Grid} from "../types.js" */

import { coloursOfId } from "../../shared/tokens/colour.js";
import { chipElement, readable, shortened } from "../../shared/tokens/chip.js";
import { make, makeButton } from "../../shared/page/dom.js";
import { formatCount, formatNumber } from "../../shared/feed/numbers.js";
import { chipLabelOf } from "../data/spelling.js";
import { gameText, hasGame, newGame, withMerge } from "./own_merges.js";

const MOST_DRAWN = 60; // drawn, the most frequent ones first; a merge joins the tokens of all words

/** A clicked token: the item of its word, and its position there. @typedef {{word: number, at: number}} Position */

/**
 * Make the panel of a grid.
 * @param {Grid} grid
 */
export function createOwnMerges(grid) {
  const text = make("p", "answer", { role: "status", "data-testid": "game-text" });
  const words = make("div", "words", { role: "group", "aria-label": "Words", keydown: walk });
  const rest = make("p", "rest", { hidden: true });
  const undo = makeButton("Undo", "game-undo", () => game.before && show(game.before));
  const again = makeButton("Start again", "game-again", () => show(newGame(grid.model)));
  const close = makeButton("Close", "game-close", () => toggle(false));
  const title = make("h2", "", {}, "Beat the rule");
  const buttons = make("div", "row", {}, undo, again, close);
  const attributes = { role: "dialog", "aria-label": "Beat the rule", hidden: true, "data-testid": "game" };
  const element = make("div", "own", attributes, title, text, words, rest, buttons);
  /** @type {Game} */
  let game;
  /** @type {Position | null} */
  let first = null;
  /** @type {number[]} */
  let order = []; // the words drawn

  /** @param {boolean} on */
  function toggle(on) {
    if (on && !hasGame(grid.model)) return;
    element.hidden = !on;
    grid.root.classList.toggle("playing-own", on);
    if (!on) return grid.elements.viewport.focus({ preventScroll: true });
    grid.playhead.pause();
    const { frequency } = grid.model.words;
    order = [...frequency.keys()].toSorted((one, other) => frequency[other] - frequency[one]);
    rest.textContent = `and ${formatCount(order.length - MOST_DRAWN, "rarer word")}, where your merges are applied too`;
    rest.hidden = order.length <= MOST_DRAWN;
    order = order.slice(0, MOST_DRAWN);
    show(newGame(grid.model));
    focusOn(0);
  }

  /** @param {Game} next */
  function show(next) {
    game = next;
    first = null;
    text.textContent = gameText(game);
    undo.hidden = again.hidden = !game.merges;
    words.replaceChildren(...order.map(wordElement));
    words.querySelector("button")?.setAttribute("tabindex", "0");
  }

  /** @param {number} word */
  function wordElement(word) {
    const inside = game.words[word].map((token, at) => chip(token, { word, at }));
    const times = make("span", "times", {}, `${formatNumber(game.model.words.frequency[word])} ×`);
    return make("div", "word", {}, times, ...inside);
  }

  /**
   * @param {number} token
   * @param {Position} position
   */
  function chip(token, position) {
    const { bytes, label, shade } = game.tokens[token];
    const { marker_text: marker } = grid.model.feed;
    const spelling = readable(shortened(chipLabelOf(bytes, game.model.spelling)), marker);
    const fresh = game.merges > 0 && token === game.tokens.length - 1;
    const name = `${label === marker ? "marker" : ""} ${fresh ? "new" : ""}`;
    const inside = chipElement(spelling, coloursOfId(grid.theme, shade), name);
    const click = () => choose(position);
    const { word, at } = position;
    return make(
      "button",
      "",
      { type: "button", tabindex: -1, "data-word": word, "data-at": at, click },
      inside,
    );
  }

  /** @param {Position} position */
  function choose(position) {
    if (game.merges === game.last) return;
    const before = first;
    const beside = before?.word === position.word && Math.abs(before.at - position.at) === 1;
    const same = before?.word === position.word && before.at === position.at;
    first = beside || same ? null : position;
    if (before && beside) mergeAt(position.word, Math.min(before.at, position.at));
    for (const chosen of words.querySelectorAll("[aria-pressed]")) chosen.removeAttribute("aria-pressed");
    if (first) elementAt(first)?.setAttribute("aria-pressed", "true");
  }

  /**
   * @param {number} word
   * @param {number} at  position of the left token
   */
  function mergeAt(word, at) {
    const focused = words.contains(focusedChip());
    show(withMerge(game, game.words[word][at], game.words[word][at + 1]));
    if (focused) focusOn(chips().findIndex((one) => Number(one.dataset.word) === word));
  }

  /** @param {Position} position */
  function elementAt({ word, at }) {
    return words.querySelector(`[data-word="${word}"][data-at="${at}"]`);
  }

  function chips() {
    return /** @type {HTMLElement[]} */ ([...words.querySelectorAll("button")]);
  }

  function focusedChip() {
    const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
    return root.activeElement;
  }

  /** @param {number} number */
  function focusOn(number) {
    const all = chips();
    const chosen = all[Math.max(0, Math.min(all.length - 1, number))];
    for (const one of all) one.tabIndex = one === chosen ? 0 : -1;
    chosen?.focus();
  }

  // One chip has a tab stop; the arrows walk to the others.
  /** @param {KeyboardEvent} event */
  function walk(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    focusOn(chips().findIndex((one) => one === focusedChip()) + by);
  }

  // Another training ends the game; another theme only colours it.
  function follow() {
    if (element.hidden) return;
    if (game.model === grid.model) show(game);
    else toggle(false);
  }

  return { element, toggle, follow, isOpen: () => !element.hidden };
}
