// The losses of language models: a row for each tokenizer, a dot for each model on its tokens, and a bar for their mean.
// Rows that wait for an answer have no dots yet; then the dots fall into place.

/** @import {Component, Controller} from "../shared/mount.js" */

import { themeOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { fillStage } from "../shared/filling.js";
import { hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";

/**
 * A tokenizer, with the places of its models in percent of the axis.
 * @typedef {object} LossRow
 * @property {string} name
 * @property {"way" | "sample"} kind  whether it differs in how ties were broken, or in the text that it has read
 * @property {number[]} places
 * @property {number} mean
 * @property {string} spread  how far the models lie apart
 * @property {string} says  the row in words
 */
/**
 * What Python sends; the last `waits` rows wait for the answer.
 * @typedef {object} LossData
 * @property {string} title
 * @property {LossRow[]} rows
 * @property {boolean} spreads  whether the rows say how far their models lie apart
 * @property {{place: number, text: string}[]} ticks  of the axis
 * @property {number} waits
 * @property {string} group
 */

const LEAST_LOSS = 0.021; // size of letters, as a share of the window's height
const MOST_LOSS = 0.03; // the numbers of the axis stay apart
const LEAST_LOSS_TEXT = 13; // px, on a page
const MOST_LOSS_TEXT = 15;

/** @param {Component<LossData>} component @returns {Controller<LossData>} */
export function createLosses(component) {
  const root = rootOf(component, "[data-testid=losses]");
  const { content, group, signal, fit, remove } = fillStage(root, component.data.group, (presents) =>
    presents
      ? [LEAST_LOSS * window.innerHeight, MOST_LOSS * window.innerHeight]
      : [LEAST_LOSS_TEXT, MOST_LOSS_TEXT],
  );
  let lastText = ""; // the data, as text

  /** @type {Controller<LossData>["update"]} */
  function update({ data }) {
    root.dataset.theme = themeOf(root);
    const text = JSON.stringify(data);
    if (text === lastText) return;
    lastText = text;
    content.replaceChildren(...lossElements(data));
    follow();
    fit();
  }

  function follow() {
    root.classList.toggle("asked", group.asks === true);
  }

  hear("asked", group.name, signal, follow);
  return { update, remove };
}

/** @param {LossData} data */
function lossElements({ title, rows, ticks, waits, spreads }) {
  const list = rows.map((row, number) => lossRow(row, number >= rows.length - waits, spreads));
  const marks = ticks.map(({ place, text }) => placedOn("span", "tick", place, text));
  const axis = make("div", "axis", { "aria-hidden": "true" }, make("span", "ticks", {}, ...marks));
  const plot = make("div", "plot", {}, make("ul", "rows", { "aria-label": title }, ...list), axis);
  plot.style.setProperty("--rows", String(rows.length));
  return [make("p", "title", {}, title), plot];
}

/** @param {LossRow} row @param {boolean} waits @param {boolean} spreads */
function lossRow({ name, kind, places, mean, spread, says }, waits, spreads) {
  const dots = places.map((place, number) => {
    const dot = placedOn("i", "dot", place);
    dot.style.setProperty("--turn", String(number));
    return dot;
  });
  const from = Math.min(...places);
  const span = placedOn("span", "span", from);
  span.dataset.spread = spread;
  span.style.width = `${Math.max(...places) - from}%`;
  const parts = [...dots, placedOn("i", "mean", mean), ...(spreads ? [span] : [])];
  const track = make("span", "track", { "aria-hidden": "true" }, ...parts);
  const text = make("span", "says unseen", {}, `: ${says}`);
  return make("li", `row ${kind}${waits ? " waits" : ""}`, {}, make("span", "name", {}, name), text, track);
}

/**
 * Make an element at a place of the axis.
 * @param {"i" | "span"} tag
 * @param {string} name
 * @param {number} place  percent
 * @param {string} [text]
 */
function placedOn(tag, name, place, text = "") {
  const element = make(tag, name, {}, text);
  element.style.left = `${place}%`;
  return element;
}
