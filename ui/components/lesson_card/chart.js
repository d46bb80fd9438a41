// A chart of lines over the number of merges, with the lesson's step marked.

import { make } from "../../../film/browser/shared/dom.js";

/** @typedef {{name: string, values: number[]}} Line */
/** Lines in percent over points, which are numbers of merges; `at` is one of them. @typedef {{points: number[], lines: Line[], at: number}} Chart */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const CHART_WIDTH = 340;
const CHART_HEIGHT = 150;
const LEFT = 44; // px for the percentages
const BELOW = 20; // px for the numbers of merges
const WHOLE = 100; // percent
const TICKS = [0, 50, 100]; // percent

/**
 * Return where a value of the chart is, in px.
 * @param {Chart} chart
 * @param {number} point
 * @param {number} value
 * @returns {[x: number, y: number]}
 */
export function placeOf({ points }, point, value) {
  const last = points.at(-1) || 1;
  const x = LEFT + (point / last) * (CHART_WIDTH - LEFT);
  return [Number(x.toFixed(1)), Number((CHART_HEIGHT * (1 - value / WHOLE)).toFixed(1))];
}

/**
 * Return the path of a line.
 * @param {Chart} chart
 * @param {Line} line
 */
export function pathOf(chart, { values }) {
  const coordinates = chart.points.map((point, number) => placeOf(chart, point, values[number]).join(" "));
  return `M${coordinates.join("L")}`;
}

/**
 * Return the chart in a sentence.
 * @param {Chart} chart
 */
export function sentenceOf({ points, lines, at }) {
  const number = points.indexOf(at);
  const values = lines.map(({ name, values: all }) => `${name}: ${Math.round(all[number])} percent`);
  return `After ${at.toLocaleString("en")} of ${(points.at(-1) ?? 0).toLocaleString("en")} merges: ${values.join("; ")}`;
}

/**
 * Return the elements of a chart.
 * @param {Chart} chart
 * @param {string} title
 */
export function chartElements(chart, title) {
  const { points, lines, at } = chart;
  const last = points.at(-1) ?? 0;
  const box = `0 -8 ${CHART_WIDTH} ${CHART_HEIGHT + BELOW + 8}`;
  const svg = shape("svg", { viewBox: box, role: "img", "aria-label": `${title}. ${sentenceOf(chart)}` });
  for (const tick of TICKS) {
    const [x, y] = placeOf(chart, 0, tick);
    svg.append(shape("line", { class: "axis", x1: x, y1: y, x2: CHART_WIDTH, y2: y }));
    svg.append(label(`${tick}%`, { x: LEFT - 6, y: y + 4, "text-anchor": "end" }));
  }
  svg.append(label("0", { x: LEFT, y: CHART_HEIGHT + 15 }));
  const end = label(`${last.toLocaleString("en")} merges`, {
    x: CHART_WIDTH,
    y: CHART_HEIGHT + 15,
    "text-anchor": "end",
  });
  svg.append(end);
  const [now] = placeOf(chart, at, 0);
  svg.append(shape("line", { class: "now", x1: now, y1: 0, x2: now, y2: CHART_HEIGHT }));
  lines.forEach((line, number) => svg.append(lineElement(chart, line, number)));
  const names = lines.map(({ name }, number) => make("span", number > 0 ? "second" : "", {}, name));
  return [
    make("figure", "chart", { "data-testid": "lesson-chart" }, svg, make("figcaption", "", {}, ...names)),
  ];
}

/**
 * @param {Chart} chart
 * @param {Line} line
 * @param {number} number
 */
function lineElement(chart, line, number) {
  const value = line.values[chart.points.indexOf(chart.at)];
  const [x, y] = placeOf(chart, chart.at, value);
  const right = x < CHART_WIDTH - 60; // room for the value beside its point
  const beside = {
    class: "value",
    x: right ? x + 7 : x - 7,
    y: y - 6,
    "text-anchor": right ? "start" : "end",
  };
  return shape(
    "g",
    { class: number > 0 ? "second" : "" },
    shape("path", { d: pathOf(chart, line) }),
    shape("circle", { cx: x, cy: y, r: 4 }),
    label(`${Math.round(value)}%`, beside),
  );
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
function label(text, attributes) {
  return shape("text", attributes, text);
}
