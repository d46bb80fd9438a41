// What has been learned, below a new text: the merges in their order, or the tokens of a vocabulary. Each lights up when
// a step of the encoding uses it. Of many merges only those are shown that have been used.

/** @import {Grid} from "../types.js" */

import { coloursOfId } from "../../shared/colour.js";
import { chipElement, readable } from "../../shared/chip.js";
import { make, setHidden } from "../../shared/dom.js";

/** A merge or a token: its parts as [label, id], the id of the token it makes, and its number among all merges. @typedef {{parts: [string, number][], id: number, name: string}} Learned */
/** What Python sends. @typedef {{title: string, rows: Learned[], hides: boolean}} RailData  `hides`: until it is used */

/**
 * Return which of the learned tokens the first `step` steps have used, and which one the next step uses.
 * @param {RailData["rows"]} rows
 * @param {ArrayLike<number>} ids  of the tokens that the steps make
 * @param {number} step
 * @param {boolean} shows  whether the next step may be seen
 */
export function statesOf(rows, ids, step, shows) {
  const used = new Set(Array.from(ids).slice(0, step));
  const next = shows ? ids[step] : undefined;
  return rows.map(({ id }) => (id === next ? "next" : used.has(id) ? "used" : ""));
}

/**
 * Make the rail of a grid.
 * @param {Grid} grid
 */
export function createRail(grid) {
  const list = make("ul", "");
  const element = make("div", "rail", { "data-testid": "rail", hidden: true });
  /** @type {HTMLElement[]} */
  let items = [];
  let lastKey = ""; // what the drawn rail depends on

  function draw() {
    const { rail } = grid.data;
    setHidden(element, !rail || grid.model.training);
    if (!rail || element.hidden) return;
    const key = `${grid.theme} ${JSON.stringify(rail)}`;
    if (key !== lastKey) build(rail);
    lastKey = key;
    const states = statesOf(rail.rows, grid.model.steps.ids, grid.step, grid.visibleMarks.winner);
    items.forEach((item, at) => {
      if (item.dataset.state !== states[at]) item.dataset.state = states[at];
      setHidden(item, rail.hides && !states[at]);
    });
  }

  /** @param {RailData} rail */
  function build({ title, rows }) {
    const marker = grid.model.feed.marker_text;
    items = rows.map(({ parts, name }) => {
      const chips = parts.map(([label, id]) => {
        return chipElement(readable(label, marker), coloursOfId(grid.theme, id));
      });
      const signed = chips.flatMap((chip, at) => (at ? [make("span", "plus", {}, "+"), chip] : [chip]));
      return make("li", "", {}, ...(name ? [make("span", "number", {}, name)] : []), ...signed);
    });
    list.replaceChildren(...items);
    element.replaceChildren(make("span", "rail-title", {}, title), list);
  }

  return { element, draw };
}
