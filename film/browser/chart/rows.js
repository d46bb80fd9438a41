// A chart of rows to compare: a name, and a number as a bar, several as its parts or as dots on one axis with their mean.
// Only lessons have one. Rows that wait for an answer show no numbers yet: then bars find a new scale, and dots fall.

import { make } from "../shared/dom.js";
import { formatNumber, sumOf } from "../shared/numbers.js";

/**
 * Numbers as dots: their places on the axis in percent.
 * @typedef {object} Dots
 * @property {number[]} places
 * @property {number} mean
 * @property {string} spread  how far they lie apart; "" not to say so
 * @property {string} says  the row in words
 */
/**
 * A row: the amounts of its bar, or its dots, or a text instead.
 * @typedef {object} ChartRow
 * @property {string} name
 * @property {number[]} amounts
 * @property {Dots} [dots]
 * @property {string} text
 * @property {string} kind  more classes, such as "lit" for a row of which the lesson speaks
 */

const BESIDE_BAR = 14; // letters of a name; a longer one is above its bar

/**
 * Make the rows, of which the last ones wait.
 * @param {string} title
 * @param {ChartRow[]} rows
 * @param {number} waits
 * @param {{place: number, text: string}[]} ticks  of the axis of dots
 */
export function rowsChart(title, rows, waits, ticks) {
  const items = rows.map((row, at) => {
    const kind = `measure ${row.kind}${at >= rows.length - waits ? " waits" : ""}`;
    return make("li", kind, {}, make("span", "name", {}, row.name), ...numbersOf(row));
  });
  const isLong = !ticks.length && rows.some(({ name }) => name.length > BESIDE_BAR);
  const list = make("ul", isLong ? "measures long" : "measures", { "aria-label": title }, ...items);
  if (!ticks.length) return list;
  const marks = ticks.map(({ place, text }) => placedOn("span", "tick", place, text));
  list.append(make("li", "measure axis", { "aria-hidden": "true" }, make("span", "track", {}, ...marks)));
  list.classList.add("dotted");
  list.style.setProperty("--rows", String(rows.length));
  return list;
}

/** @param {ChartRow} row */
function numbersOf({ amounts, dots, text }) {
  if (dots) return dotsOf(dots);
  if (!amounts.length) return [make("span", "text", {}, text)];
  const parts = amounts.map((amount) => {
    const part = make("i");
    part.style.setProperty("--amount", String(amount));
    return part;
  });
  const track = make("span", "track", { "aria-hidden": "true" }, ...parts);
  return [track, make("span", "amount", {}, amounts.map(formatNumber).join(" + "))];
}

/** @param {Dots} dots */
function dotsOf({ places, mean, spread, says }) {
  const dots = places.map((place, number) => {
    const dot = placedOn("b", "dot", place);
    dot.style.setProperty("--turn", String(number));
    return dot;
  });
  const from = Math.min(...places);
  const span = placedOn("span", "span", from);
  span.dataset.spread = spread;
  span.style.width = `${Math.max(...places) - from}%`;
  const parts = [...dots, placedOn("b", "mean", mean), ...(spread ? [span] : [])];
  const track = make("span", "track", { "aria-hidden": "true" }, ...parts);
  return [make("span", "says unseen", {}, `: ${says}`), track];
}

/**
 * Make an element at a place of the axis.
 * @param {"b" | "span"} tag
 * @param {string} name
 * @param {number} place  percent
 * @param {string} [text]
 */
function placedOn(tag, name, place, text = "") {
  const element = make(tag, name, {}, text);
  element.style.left = `${place}%`;
  return element;
}

/**
 * Return the longest bar, of those that are to be seen.
 * @param {{amounts?: number[]}[]} rows
 * @param {number} hidden  so many of the last ones are not
 */
export function longestBar(rows, hidden) {
  return Math.max(1, ...rows.slice(0, rows.length - hidden).map(({ amounts }) => sumOf(amounts ?? [])));
}
