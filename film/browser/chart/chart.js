// A chart of lines over numbers of merges: bold up to a step, pale after it. Each line has a dot at the step, and its value
// there stands above the chart, for screen readers too. Pointing at the chart shows the values at that place instead.

import { make, makeSvg } from "../shared/dom.js";
import { formatCount } from "../shared/numbers.js";

/**
 * A line: the numbers of merges at its corners, and its value after any number of them; undefined if nobody knows it.
 * @typedef {{name: string, points: number[], value: (step: number) => number | undefined}} ChartLine
 */
/**
 * @typedef {object} ChartData
 * @property {ChartLine[]} lines
 * @property {number} last  merges at the right edge
 * @property {number} most  the value at the upper edge
 * @property {string[]} ticks  the values beside it, from above; without any, it has no axes
 */
/** The elements of a line: in the chart, its dot, its name with its value above the chart, and that value. @typedef {[path: SVGElement, dot: HTMLElement, name: HTMLElement, number: HTMLElement]} LineParts */

/**
 * @param {object} options
 * @param {(step: number) => string} options.say  what stands before the values at a step
 * @param {(value: number) => string} options.write  writes a value
 * @param {(step: number) => void} [options.seek]  a press on the chart leads to a step
 */
export function createChart({ say, write, seek }) {
  const hidden = { "aria-hidden": "true" }; // the caption says it
  const said = make("span");
  const caption = make("figcaption");
  const ticks = make("div", "ticks", hidden);
  const svg = makeSvg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" });
  const leave = () => mark(step);
  const plot = make("div", "plot", {
    ...hidden,
    pointerdown: point,
    pointermove: point,
    pointerleave: leave,
  });
  const ends = make("div", "ends", hidden);
  const element = make("figure", "chart", {}, caption, ticks, plot, ends);
  /** @type {ChartData} */
  let data;
  let step = 0;
  /** @type {LineParts[]} */
  let parts = [];

  /** Draw other lines. Returns the elements of each. @param {ChartData} next @param {number} at  step */
  function draw(next, at) {
    data = next;
    parts = data.lines.map((line) => {
      const number = make("b");
      const name = make("span", "line", {}, make("span", "", {}, line.name), " ", number);
      return [makeSvg("path", { d: pathOf(line, data) }), make("i", "dot"), name, number];
    });
    ticks.replaceChildren(...data.ticks.map((text) => make("span", "", {}, text)));
    ends.replaceChildren(make("span", "", {}, "0"), make("span", "", {}, formatCount(data.last, "merge")));
    svg.replaceChildren(...parts.map(([path]) => path));
    plot.replaceChildren(svg, make("i", "now"), ...parts.map(([, dot]) => dot));
    caption.replaceChildren(said, ...parts.map(([, , name]) => name));
    show(at);
    return parts;
  }

  /** Go to a step, which may lie between two merges. @param {number} at */
  function show(at) {
    step = at;
    element.style.setProperty("--now", String(Math.min(1, shareOf(at, data.last))));
    mark(at);
  }

  /** Say the values at a step, and put the dots there. @param {number} at */
  function mark(at) {
    said.textContent = say(Math.round(at));
    parts.forEach(([, dot, , number], index) => {
      const { points, value } = data.lines[index];
      const now = value(at);
      number.textContent = now === undefined ? "?" : write(now);
      dot.hidden = now === undefined;
      dot.style.left = `${100 * shareOf(Math.min(at, points.at(-1) ?? 0), data.last)}%`;
      dot.style.bottom = `${100 * shareOf(now ?? 0, data.most)}%`;
    });
  }

  /** @param {Event} event */
  function point(event) {
    if (!(event instanceof PointerEvent)) return;
    const { left, width } = plot.getBoundingClientRect();
    const at = Math.round((data.last * Math.min(Math.max(event.clientX - left, 0), width)) / width);
    if (event.buttons === 1 && seek) seek(at);
    else mark(at);
  }

  return { element, draw, show };
}

/**
 * Return the path of a line in a chart of width and height 1.
 * @param {Pick<ChartLine, "points" | "value">} line
 * @param {Pick<ChartData, "last" | "most">} chart
 */
export function pathOf({ points, value }, { last, most }) {
  const corners = points.map((step) => {
    return `${shareOf(step, last).toFixed(4)} ${(1 - shareOf(value(step) ?? 0, most)).toFixed(4)}`;
  });
  return `M${corners.join("L")}`;
}

/** @param {number} number @param {number} most */
function shareOf(number, most) {
  return number / (most || 1);
}
