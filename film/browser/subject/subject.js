// What fills the stage of a lesson whose text is not about a grid: a pattern, a chart, rows of tokens, or one word. Its
// type is as large as the stage allows. In the presenter view it is beside the lesson's card, as a grid would be.

/** @import {Look, Item} from "../shared/sentence.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Dots} from "../chart/rows.js" */

import { createChart } from "../chart/chart.js";
import { longestBar, rowsChart } from "../chart/rows.js";
import { make } from "../shared/dom.js";
import { fillStage } from "../shared/filling.js";
import { listenToPointer } from "../shared/pointed.js";
import { tokenChip } from "../shared/sentence.js";
import { coloursOf, paintChip, themeOf } from "../shared/colour.js";
import { hear, say } from "../shared/groups.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { rootOf } from "../shared/mount.js";

// Curves over the number of merges, as large as the stage. A dot follows the lesson's step on each of them.

const CURVE_TICKS = ["100%", "50%", "0%"];
const DOT_TIME = 900; // ms that a dot takes to its place

/**
 * Curves on the page.
 * @typedef {object} Curve
 * @property {HTMLElement} element
 * @property {(step: number, moves: boolean) => void} show  moves the dots to a step
 * @property {(on: boolean) => void} cover  hides everything but where the curves begin
 * @property {() => void} remove
 */

/**
 * Return the value of a line at any number of merges, on a straight line between two points.
 * @param {number[]} points
 * @param {number[]} values
 * @param {number} step
 */
export function valueAt(points, values, step) {
  const after = points.findIndex((point) => point >= step);
  if (after <= 0) return after < 0 ? values[values.length - 1] : values[0];
  const share = (step - points[after - 1]) / (points[after] - points[after - 1]);
  return values[after - 1] + share * (values[after] - values[after - 1]);
}

/** Make the curves of a subject. @param {Subject & {chart: Chart}} subject @returns {Curve} */
function createCurve({ chart: { points, lines }, title, rows }) {
  const last = points.at(-1) ?? 0;
  const {
    element,
    draw,
    show: put,
  } = createChart({
    say: (at) => `After ${formatNumber(at)} of ${formatCount(last, "merge")}`,
    write: (value) => `${Math.round(value)}%`,
  });
  const drawn = lines.map(({ name, values }) => ({
    name,
    points,
    value: (/** @type {number} */ at) => valueAt(points, values, at),
  }));
  draw({ lines: drawn, last, most: 100, ticks: CURVE_TICKS }, 0);
  element.dataset.testid = "lesson-chart";
  const facts = rows.map(({ items }) => make("li", "", {}, ...items.map(String)));
  element.append(make("ul", "facts", { "aria-label": title }, ...facts));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let step = 0; // where the dots are
  let wanted = 0;
  let frame = 0;

  /** @type {Curve["show"]} */
  function show(to, moves) {
    wanted = Math.max(0, Math.min(to, last));
    cancelAnimationFrame(frame);
    element.dataset.step = String(wanted);
    const [from, begin] = [step, performance.now()];
    const move = (/** @type {number} */ time) => {
      const share = Math.min(1, Math.max(0, (time - begin) / DOT_TIME));
      put((step = from + (wanted - from) * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(move);
    };
    move(moves && !calm.matches && wanted !== step ? begin : Infinity);
  }

  /** @type {Curve["cover"]} */
  function cover(on) {
    element.classList.toggle("covered", on);
  }

  return { element, show, cover, remove: () => cancelAnimationFrame(frame) };
}

// A pattern on the stage of a lesson: a sentence in the pieces that it makes, and below it its alternatives. Those that
// the lesson speaks of are lit; pointing at one lights the pieces that it matched.

/**
 * Return the elements of a pattern. Its first row holds the pieces of the sentence.
 * @param {Subject} subject
 * @param {Look} look
 */
function patternElements({ title, rows: [sentence, ...alternatives] }, look) {
  const chips = sentence.items.map((item) => (typeof item === "string" ? item : tokenChip(...item, look)));
  const pieces = make("p", "row pieces", {}, ...chips);
  const lines = alternatives.map((row) => alternativeElement(row, look, pieces));
  const list = make(
    "ul",
    "stack alternatives",
    { "aria-label": "The alternatives of the pattern" },
    ...lines,
  );
  return [make("p", "title", {}, title), pieces, list];
}

/** @param {Row} row @param {Look} look @param {HTMLElement} pieces */
function alternativeElement({ items, alternative = -1 }, look, pieces) {
  const dim = items.some((item) => typeof item !== "string" && item[2].endsWith("dim"));
  const parts = items.map((item) => {
    return typeof item === "string" ? make("span", "meaning", {}, item) : tokenChip(...item, look);
  });
  const line = make("li", dim ? "dim" : "lit", {}, ...parts);
  listenToPointer(
    line,
    () => lightPart(pieces, alternative),
    () => lightPart(pieces, null),
  );
  return line;
}

/**
 * Light the pieces that one part of the pattern matched, or all.
 * @param {HTMLElement} pieces
 * @param {number | null} part
 */
function lightPart(pieces, part) {
  for (const piece of pieces.querySelectorAll("[data-part]")) {
    const other = part !== null && piece.getAttribute("data-part") !== String(part);
    piece.classList.toggle("unlit", other);
  }
}

// Rows of tokens on the stage of a lesson: what several trainings or methods give, each a row with its name, or one word.

const BETWEEN_WORDS = "|"; // between two words of a row
// An address that others than this machine can open
const PUBLIC = /^https?:\/\/(?!localhost|127\.|\[|0\.0\.0\.0)/;

/** Return the elements of a table. @param {Subject} subject @param {Look} look */
function rowsElements({ title, rows, more, waits, next }, look) {
  const methods = rows.map((row, at) => methodElement(row, look, at >= rows.length - waits));
  const list = make("ul", "stack methods", { "aria-label": title }, ...methods);
  const address = PUBLIC.test(location.origin) ? [make("span", "address", {}, location.host)] : [];
  const turn = next ? [make("p", "row next", {}, next, ...address)] : [];
  return [make("p", "title", {}, title), list, ...(more ? [make("p", "more", {}, more)] : []), ...turn];
}

/** @param {Row} row @param {Look} look @param {boolean} waits */
function methodElement({ name, items, text }, look, waits) {
  /** @type {HTMLElement[]} */
  const words = [];
  let word = make("span", "row word");
  for (const item of items) {
    if (item === BETWEEN_WORDS) {
      words.push(word);
      word = make("span", "row word");
    } else word.append(typeof item === "string" ? make("span", "text", {}, item) : colouredChip(item, look));
  }
  words.push(word);
  const label = name ? [make("span", "name", {}, name)] : [];
  const split = make("span", "row words", {}, ...words);
  if (!waits || !text) return make("li", waits ? "method waits" : "method", {}, ...label, split);
  const both = make("span", "both", {}, make("span", "unsplit", {}, text), split);
  return make("li", "stack method waits", {}, ...label, both);
}

/**
 * Make a chip with a colour of its own also for a token that the lesson's training does not have: equal ones are alike.
 * @param {Exclude<Item, string>} item
 * @param {Look} look
 */
function colouredChip([label, id, kind], look) {
  if (id >= 0 || kind) return tokenChip(label, id, kind, look);
  const chip = tokenChip(label, id, "other", look);
  paintChip(chip, coloursOf(look.theme, label));
  return chip;
}

// Numbers to compare, as bars or dots.

/** @param {Subject} subject */
function chartElements({ title, rows, waits, ticks = [] }) {
  const drawn = rows.map(({ name = "", items, amounts = [], lit, kind = "", dots }) => {
    return { name, text: items.join(""), amounts, dots, kind: lit ? "lit" : kind };
  });
  return [make("p", "title", {}, title), rowsChart(title, drawn, waits, ticks)];
}

// What Python sends to the stage of a lesson.

/**
 * A row of tokens: what gave it, and the number of the part of a pattern that it is about, or the text that they split,
 * which is seen while they wait. Of bars it has the amounts, and whether the text speaks of it; of dots also their kind.
 * @typedef {{name?: string, items: Item[], alternative?: number, text?: string, amounts?: number[], lit?: boolean, kind?: string, dots?: Dots}} Row
 */

/** Lines in percent over points, which are numbers of merges; `at` is one of them. @typedef {{points: number[], lines: Line[], at: number}} Chart */
/** @typedef {{name: string, values: number[]}} Line */

/**
 * What fills the stage.
 * @typedef {object} Subject
 * @property {"pattern" | "curve" | "rows" | "word" | "bars" | "dots"} kind
 * @property {string} title
 * @property {Row[]} rows
 * @property {string} more  a note below the rows, or ""
 * @property {Chart} [chart]  of a curve
 * @property {{place: number, text: string}[]} [ticks]  of dots
 * @property {number} waits  how many of the last rows stay hidden until the answer
 * @property {string} [next]  what to do after a talk
 */

/**
 * @typedef {object} SubjectData
 * @property {Subject} subject
 * @property {string} group  of the grid with which it enters the presenter view
 * @property {string} marker  how labels spell it
 */

const LEAST = 0.028; // size of tokens, as a share of the window's height: a letter is then 2 % of it
const LEAST_TEXT = 0.021; // size of other texts, as a share of the window's height
/** The largest letters of each kind, in px. @type {Record<SubjectData["subject"]["kind"], number>} */
const LARGEST = { word: 180, rows: 144, pattern: 84, curve: 39, bars: 56, dots: 0 };
const LEAST_BESIDE_TEXT = 15; // px, beside the text of a page
const BESIDE_TEXT = 30; // px, largest letters beside the text of a page; in a film the picture is twice as wide
const LETTERS_ACROSS = 20; // letters as large as that take the width
const MOST_OF_DOTS = 0.03; // share of the window's height: the numbers of the axis stay apart
const LEAST_OF_DOTS = 13; // px, beside the text of a page

/** @param {Component<SubjectData>} component @returns {Controller<SubjectData>} */
export function createSubject(component) {
  const root = rootOf(component, "[data-testid=lesson-subject]");
  let { data } = component;
  let lastText = ""; // theme and data, as text
  /** @type {Curve | null} */
  let curve = null;
  const filling = fillStage(root, data.group, (presents) => {
    const { kind } = data.subject;
    const height = window.innerHeight;
    if (kind === "dots")
      return presents ? [LEAST_TEXT * height, MOST_OF_DOTS * height] : [LEAST_OF_DOTS, LEAST_BESIDE_TEXT];
    const largest = LARGEST[kind];
    if (presents) return [LEAST * height, largest];
    const across = root.clientWidth / LETTERS_ACROSS;
    // A chart shrinks with its width, and its legend goes along.
    return [LEAST_BESIDE_TEXT, Math.min(largest, curve ? across : Math.max(BESIDE_TEXT, across))];
  });
  const { content, group, signal, fit } = filling;

  /** @type {Controller<SubjectData>["update"]} */
  function update(next) {
    data = next.data;
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    root.dataset.kind = data.subject.kind;
    curve?.remove();
    curve = null;
    content.replaceChildren(...elements(theme));
    follow();
    fit();
  }

  /** @param {Look["theme"]} theme */
  function elements(theme) {
    const { subject, marker } = data;
    const point = (/** @type {Light | undefined} */ light) => {
      say("light", { group: group.name, from: "lesson", ...(light ?? { none: true }) });
    };
    const look = { theme, marker, lights: false, point };
    if (subject.kind === "pattern") return patternElements(subject, look);
    if (subject.kind === "bars" || subject.kind === "dots") return chartElements(subject);
    if (!subject.chart) return rowsElements(subject, look);
    curve = createCurve({ ...subject, chart: subject.chart });
    return [make("p", "title", {}, subject.title), curve.element];
  }

  // A question about the picture hides what would answer it; the answer shows it.
  function follow() {
    const { subject } = data;
    const asks = group.asks === true && subject.kind !== "pattern";
    root.classList.toggle("asked", asks);
    if (subject.kind === "bars")
      root.style.setProperty("--most", String(longestBar(subject.rows, asks ? subject.waits : 0)));
    curve?.cover(asks);
    curve?.show(asks ? 0 : (subject.chart?.at ?? 0), !asks);
  }

  hear("asked", group.name, signal, follow);
  hear("step", group.name, signal, ({ step, playing }) => playing && curve?.show(step, false));

  function remove() {
    filling.remove();
    curve?.remove();
  }
  return { update, remove };
}
