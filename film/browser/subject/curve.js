// Curves over the number of merges, as large as the stage. A dot follows the lesson's step on each of them.

/** @import {Chart, Line, Subject} from "./types.js" */

import { make } from "../shared/page/dom.js";

const CHART_WIDTH = 800;
const CHART_HEIGHT = 350;
const CHART_LEFT = 66; // units for the percentages
const CHART_RIGHT = 62; // units for the value beside a dot
const CHART_ABOVE = 22;
const CHART_BELOW = 44; // units for the numbers of merges
const ALL_PERCENT = 100; // percent
const CHART_TICKS = [0, 50, 100]; // percent
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const VALUES_APART = 30; // units between the values beside two dots
const DOT_TIME = 900; // ms that a dot takes to its place

/**
 * A curve on the page.
 * @typedef {object} Curve
 * @property {HTMLElement} element
 * @property {(step: number, moves: boolean) => void} show  moves the dots to a step
 * @property {(on: boolean) => void} cover  hides everything but where the curves begin
 * @property {(least: number) => void} fit  makes its letters at least so high, in px
 * @property {() => void} remove
 */

/**
 * Return where a value of the chart is.
 * @param {Chart} chart
 * @param {number} point
 * @param {number} value
 * @returns {[x: number, y: number]}
 */
export function placeOf({ points }, point, value) {
  const last = points.at(-1) || 1;
  const x = CHART_LEFT + (point / last) * (CHART_WIDTH - CHART_LEFT - CHART_RIGHT);
  return [Number(x.toFixed(1)), Number((CHART_HEIGHT * (1 - value / ALL_PERCENT)).toFixed(1))];
}

/**
 * Return the path of a line, up to a number of merges.
 * @param {Chart} chart
 * @param {Line} line
 * @param {number} [end]
 */
export function pathOf(chart, line, end = chart.points[chart.points.length - 1]) {
  const points = [...chart.points.filter((point) => point < end), end];
  const coordinates = points.map((point) => placeOf(chart, point, valueAt(chart, line, point)).join(" "));
  return `M${coordinates.join("L")}`;
}

/**
 * Return the value of a line at any number of merges, on a straight line between two points.
 * @param {Chart} chart
 * @param {Line} line
 * @param {number} step
 */
export function valueAt({ points }, { values }, step) {
  const after = points.findIndex((point) => point >= step);
  if (after <= 0) return after < 0 ? values[values.length - 1] : values[0];
  const share = (step - points[after - 1]) / (points[after] - points[after - 1]);
  return values[after - 1] + share * (values[after] - values[after - 1]);
}

/**
 * Return the chart in a sentence.
 * @param {Chart} chart
 */
export function sentenceOf(chart) {
  const { points, lines, at } = chart;
  const values = lines.map((line) => `${line.name}: ${Math.round(valueAt(chart, line, at))} percent`);
  return `After ${at.toLocaleString("en")} of ${(points.at(-1) ?? 0).toLocaleString("en")} merges: ${values.join("; ")}`;
}

/**
 * Make the curves of a subject.
 * @param {Subject & {chart: Chart}} subject
 * @returns {Curve}
 */
export function createCurve({ chart, title, rows }) {
  const { points, lines } = chart;
  const last = points.at(-1) ?? 0;
  const size = { viewBox: `0 ${-CHART_ABOVE} ${CHART_WIDTH} ${CHART_HEIGHT + CHART_ABOVE + CHART_BELOW}` };
  const svg = svgShape("svg", { ...size, role: "img", "aria-label": `${title}. ${sentenceOf(chart)}` });
  for (const tick of CHART_TICKS) {
    const [x, y] = placeOf(chart, 0, tick);
    svg.append(svgShape("line", { class: "axis", x1: x, y1: y, x2: CHART_WIDTH - CHART_RIGHT, y2: y }));
    svg.append(chartLabel(`${tick}%`, { x: CHART_LEFT - 8, y: y + 6, "text-anchor": "end" }));
  }
  svg.append(chartLabel("0", { x: CHART_LEFT, y: CHART_HEIGHT + 30 }));
  const end = { x: CHART_WIDTH - CHART_RIGHT, y: CHART_HEIGHT + 30, "text-anchor": "end" };
  svg.append(chartLabel(`${last.toLocaleString("en")} merges`, end));
  const now = svgShape("line", { class: "now", y1: 0, y2: CHART_HEIGHT });
  svg.append(now);
  const followers = lines.map((line, number) => createFollower(chart, line, number));
  svg.append(...followers.map(({ element }) => element));
  const names = lines.map(({ name }, number) => make("span", number > 0 ? "second" : "", {}, name));
  const facts = rows.map(({ items }) => make("li", "", {}, ...items.map(String)));
  const element = make(
    "figure",
    "chart",
    { "data-testid": "lesson-chart" },
    svg,
    make("figcaption", "", {}, ...names),
    make("ul", "facts", { "aria-label": title }, ...facts),
  );
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let step = 0; // where the dots are
  let wanted = 0;
  let frame = 0;

  /** @param {number} to */
  function put(to) {
    step = to;
    const [x] = placeOf(chart, to, 0);
    now.setAttribute("x1", String(x));
    now.setAttribute("x2", String(x));
    for (const follower of followers) follower.put(to);
    separate(followers.map(({ value }) => value));
  }

  /** @type {Curve["fit"]} */
  function fit(least) {
    const scale = svg.getScreenCTM()?.a ?? 1;
    svg.style.setProperty("--least", `${least / scale}px`);
  }

  /** @type {Curve["show"]} */
  function show(to, moves) {
    wanted = Math.max(0, Math.min(to, last));
    cancelAnimationFrame(frame);
    element.dataset.step = String(wanted);
    if (!moves || calm.matches || wanted === step) return put(wanted);
    const [from, begin] = [step, performance.now()];
    const move = (/** @type {number} */ time) => {
      const share = Math.min(1, Math.max(0, (time - begin) / DOT_TIME));
      put(from + (wanted - from) * (1 - (1 - share) ** 3));
      if (share < 1) frame = requestAnimationFrame(move);
    };
    frame = requestAnimationFrame(move);
  }

  /** @type {Curve["cover"]} */
  function cover(on) {
    element.classList.toggle("covered", on);
  }

  put(0);
  return { element, show, cover, fit, remove: () => cancelAnimationFrame(frame) };
}

/**
 * Make a line with its dot: bold up to the dot, pale after it.
 * @param {Chart} chart
 * @param {Line} line
 * @param {number} number
 */
function createFollower(chart, line, number) {
  const d = pathOf(chart, line);
  const bold = svgShape("path", { class: "bold" });
  const dot = svgShape("circle", { r: 8 });
  const value = chartLabel("", { class: "value" });
  const ahead = svgShape("path", { class: "ahead", d });
  const element = svgShape("g", { class: number > 0 ? "second" : "" }, ahead, bold, dot, value);

  /** @param {number} step */
  function put(step) {
    const [x, y] = placeOf(chart, step, valueAt(chart, line, step));
    bold.setAttribute("d", pathOf(chart, line, step));
    dot.setAttribute("cx", String(x));
    dot.setAttribute("cy", String(y));
    value.setAttribute("x", String(x + 13));
    value.setAttribute("y", String(number > 0 ? y - 12 : y + 6));
    value.textContent = `${Math.round(valueAt(chart, line, step))}%`;
  }
  return { element, put, value };
}

/**
 * Move the values of two lines apart where they are close together; equal ones in one place are shown once.
 * @param {SVGTextElement[]} values
 */
function separate([one, other]) {
  if (!other) return;
  const [first, second] = [one, other].map((value) => Number(value.getAttribute("y")));
  const lacks = VALUES_APART - Math.abs(first - second);
  const same = lacks > 0 && one.textContent === other.textContent;
  other.setAttribute("visibility", same ? "hidden" : "visible");
  if (lacks <= 0 || same) return;
  const up = first < second ? -lacks / 2 : lacks / 2;
  one.setAttribute("y", String(first + up));
  other.setAttribute("y", String(second - up));
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
function chartLabel(text, attributes) {
  return svgShape("text", attributes, text);
}

/**
 * @template {"svg" | "g" | "line" | "path" | "circle" | "text"} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
function svgShape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
