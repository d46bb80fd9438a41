// A slider of numbers of merges, below three curves: what the text, its vocabulary and its ties are after so many.

import { createChart } from "../../../film/browser/chart/chart.js";
import { make } from "../../../film/browser/shared/dom.js";
import { formatCount, formatNumber } from "../../../film/browser/shared/numbers.js";

/**
 * What Python sends: each curve has a value for every `stride` merges, as far as they were learned.
 * @typedef {object} CurveData
 * @property {number} stride
 * @property {number} top  merges at the end of the slider
 * @property {[name: string, values: number[], now: number | null][]} curves  `now`: after the chosen number of merges
 * @property {number} chosen
 * @property {number | null} ends  merges after which the training has run out of pairs
 */

const SETTLED = 700; // ms after the last key, or at once when a pointer lets go

/** @param {(merges: string) => void} take  is called with the number that the viewer chooses */
export function createCurve(take) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  let begun = ""; // the slider's value before anybody moved it
  let isHeld = false; // by a pointer
  /** @type {CurveData | null} */
  let data = null;
  const title = make("b", "", { "data-testid": "merges-chosen" });
  const note = make("span", "note");
  const rows = make("div", "series");
  const range = make("input", "range", {
    type: "range",
    min: 0,
    "aria-label": "Merges",
    "data-testid": "merges-slider",
  });
  const element = make(
    "div",
    "curve",
    { hidden: true },
    make("p", "aside headline", {}, title, " ", note),
    rows,
    range,
  );
  /** @type {((merges: number) => void)[]} */
  let moves = [];

  /** @param {CurveData} sent @param {number} now  the chosen number, which may be another one before Python has answered */
  function draw(sent, now) {
    clearTimeout(settling);
    const isNew = sent.chosen !== now;
    const next = isNew ? { ...sent, chosen: now, curves: sent.curves.map(forgetNow) } : sent;
    data = next;
    const { stride, top, curves, chosen } = next;
    Object.assign(range, { max: String(top), step: String(stride), value: String(Math.min(chosen, top)) });
    const drawn = curves.map((curve) => seriesOf(curve, next));
    moves = drawn.map(({ show: move }) => move);
    rows.replaceChildren(...drawn.map((chart) => chart.element));
    begun = range.value; // the nearest that the slider has
    show(chosen);
  }

  /** @param {number} merges */
  function show(merges) {
    if (!data) return;
    const { ends, curves, stride, chosen } = data;
    const [, values, now] = curves[0];
    const known = (merges === chosen && now !== null) || merges / stride < values.length;
    title.textContent = formatCount(merges, "merge");
    note.textContent =
      ends !== null && merges > ends
        ? `Training ends after ${formatCount(ends, "merge")}: no pair is left, or none is frequent enough.`
        : known
          ? ""
          : "Training has not gone this far yet. Choose this number to train on.";
    for (const move of moves) move(merges);
    const figures = known
      ? `: ${[...rows.querySelectorAll("b")].map((one) => one.textContent).join(", ")}`
      : "";
    range.setAttribute("aria-valuetext", `${title.textContent}${figures}. ${note.textContent}`);
  }

  function letGo() {
    if (isHeld) settle();
    isHeld = false;
  }

  function settle() {
    clearTimeout(settling);
    if (data && range.value !== begun) take(range.value);
  }

  range.addEventListener("input", () => {
    show(Number(range.value));
    clearTimeout(settling);
    if (!isHeld) settling = setTimeout(settle, SETTLED);
  });
  range.addEventListener("pointerdown", () => (isHeld = true));
  for (const end of ["pointerup", "pointercancel"]) range.addEventListener(end, letGo);
  range.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") range.value = begun;
    if (key === "Enter") settle();
  });
  range.addEventListener("blur", settle); // a press beside the menu takes what the slider shows

  return {
    element,
    draw,
    focus: () => range.focus({ preventScroll: true }),
    remove: () => clearTimeout(settling),
  };
}

/**
 * Make one curve: its name, its line with the place of the slider, and its value there.
 * @param {CurveData["curves"][number]} curve @param {CurveData} data
 */
function seriesOf([name, values, now], { stride, top, chosen }) {
  const points = values.map((_, at) => at * stride).filter((merges) => merges <= top);
  const value = (/** @type {number} */ merges) => {
    return merges === chosen && now !== null ? now : values[merges / stride]; // of a whole number of strides
  };
  const chart = createChart({ say: () => "", write: formatNumber });
  const most = Math.max(1, ...values);
  const [[, , , figure]] = chart.draw(
    { lines: [{ name, points, value }], last: top, most, ticks: [] },
    chosen,
  );
  chart.element.classList.add(name);
  figure.dataset.testid = `merges-${name}`;
  return chart;
}

/** @param {CurveData["curves"][number]} curve @returns {CurveData["curves"][number]} */
function forgetNow([name, values]) {
  return [name, values, null];
}
