// What fills the stage of a lesson whose text is not about a grid: a pattern, a curve, rows of tokens, or one word. Its
// type is as large as the stage allows. In the presenter view it is beside the lesson's card, as a grid would be.

/** @import {Look, Item} from "../shared/sentence.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Light} from "../shared/groups.js" */

import { make, makeSvg } from "../shared/dom.js";
import { fillStage } from "../shared/filling.js";
import { listenToPointer } from "../shared/pointed.js";
import { tokenChip } from "../shared/sentence.js";
import { labelText } from "../shared/chip.js";
import { coloursOfId, paintChip, themeOf } from "../shared/colour.js";
import { hear, say } from "../shared/groups.js";
import { formatNumber, sumOf } from "../shared/numbers.js";
import { rootOf } from "../shared/mount.js";

// Curves over the number of merges, as large as the stage. A dot follows the lesson's step on each of them.

const CHART_WIDTH = 800;
const CHART_HEIGHT = 350;
const CHART_LEFT = 66; // units for the percentages
const CHART_RIGHT = 62; // units for the value beside a dot
const CHART_ABOVE = 22;
const CHART_BELOW = 44; // units for the numbers of merges
const ALL_PERCENT = 100; // percent
const CHART_TICKS = [0, 50, 100]; // percent
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

/** Return the chart in a sentence. @param {Chart} chart */
export function sentenceOf(chart) {
  const { points, lines, at } = chart;
  const values = lines.map((line) => `${line.name}: ${Math.round(valueAt(chart, line, at))} percent`);
  return `After ${at.toLocaleString("en")} of ${(points.at(-1) ?? 0).toLocaleString("en")} merges: ${values.join("; ")}`;
}

/** Make the curves of a subject. @param {Subject & {chart: Chart}} subject @returns {Curve} */
function createCurve({ chart, title, rows }) {
  const { points, lines } = chart;
  const last = points.at(-1) ?? 0;
  const size = { viewBox: `0 ${-CHART_ABOVE} ${CHART_WIDTH} ${CHART_HEIGHT + CHART_ABOVE + CHART_BELOW}` };
  const svg = makeSvg("svg", { ...size, role: "img", "aria-label": `${title}. ${sentenceOf(chart)}` });
  for (const tick of CHART_TICKS) {
    const [x, y] = placeOf(chart, 0, tick);
    svg.append(makeSvg("line", { class: "axis", x1: x, y1: y, x2: CHART_WIDTH - CHART_RIGHT, y2: y }));
    svg.append(chartLabel(`${tick}%`, { x: CHART_LEFT - 8, y: y + 6, "text-anchor": "end" }));
  }
  svg.append(chartLabel("0", { x: CHART_LEFT, y: CHART_HEIGHT + 30 }));
  const end = { x: CHART_WIDTH - CHART_RIGHT, y: CHART_HEIGHT + 30, "text-anchor": "end" };
  svg.append(chartLabel(`${last.toLocaleString("en")} merges`, end));
  const now = makeSvg("line", { class: "now", y1: 0, y2: CHART_HEIGHT });
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
  const bold = makeSvg("path", { class: "bold" });
  const dot = makeSvg("circle", { r: 8 });
  const value = chartLabel("", { class: "value" });
  const ahead = makeSvg("path", { class: "ahead", d });
  const element = makeSvg("g", { class: number > 0 ? "second" : "" }, ahead, bold, dot, value);

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

/** @param {string} text @param {Record<string, string | number>} attributes */
function chartLabel(text, attributes) {
  return makeSvg("text", attributes, text);
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
const COLOURS = 9973; // tokens without an id share so many

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
  paintChip(chip, coloursOfId(look.theme, numberOf(labelText(label))));
  return chip;
}

/** Return a number for a text, the same for equal texts. @param {string} text */
export function numberOf(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % COLOURS, 7);
}

// Numbers to compare, each as a bar. What waits for an answer has no bar yet, and then all of them find a new scale.

const BESIDE_BAR = 14; // letters of a name; a longer one is above its bar

/** Return the elements of bars. @param {Subject} subject */
function barsElements({ title, rows, waits }) {
  const bars = rows.map((row, at) => barElement(row, at >= rows.length - waits));
  const isLong = rows.some(({ name }) => (name ?? "").length > BESIDE_BAR);
  const list = make("ul", isLong ? "measures long" : "measures", { "aria-label": title }, ...bars);
  return [make("p", "title", {}, title), list];
}

/** @param {Row} row @param {boolean} waits */
function barElement({ name, items, amounts = [], lit }, waits) {
  const parts = amounts.map((amount) => {
    const part = make("i");
    part.style.setProperty("--amount", String(amount));
    return part;
  });
  const said = amounts.map(formatNumber).join(" + ") || items.join("");
  const bar = parts.length ? [make("span", "track", { "aria-hidden": "true" }, ...parts)] : [];
  return make(
    "li",
    ["measure", lit ? "lit" : "", waits ? "waits" : ""].join(" ").trim(),
    {},
    make("span", "name", {}, name ?? ""),
    ...bar,
    make("span", parts.length ? "amount" : "text", {}, said),
  );
}

/** Return the longest bar, of those that are to be seen. @param {Subject} subject @param {boolean} asks */
export function longestBar({ rows, waits }, asks) {
  const seen = asks ? rows.slice(0, rows.length - waits) : rows;
  return Math.max(1, ...seen.map(({ amounts }) => sumOf(amounts ?? [])));
}

// What Python sends to the stage of a lesson.

/**
 * A row of tokens: what gave it, and the number of the part of a pattern that it is about, or the text that they split,
 * which is seen while they wait. Of bars it has the amounts, and whether the text speaks of it.
 * @typedef {{name?: string, items: Item[], alternative?: number, text?: string, amounts?: number[], lit?: boolean}} Row
 */

/** Lines in percent over points, which are numbers of merges; `at` is one of them. @typedef {{points: number[], lines: Line[], at: number}} Chart */
/** @typedef {{name: string, values: number[]}} Line */

/**
 * What fills the stage.
 * @typedef {object} Subject
 * @property {"pattern" | "curve" | "rows" | "word" | "bars"} kind
 * @property {string} title
 * @property {Row[]} rows
 * @property {string} more  a note below the rows, or ""
 * @property {Chart} [chart]  of a curve
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
const LARGEST = { word: 180, rows: 144, pattern: 84, curve: 39, bars: 56 };
const LEAST_BESIDE_TEXT = 15; // px, beside the text of a page
const BESIDE_TEXT = 30; // px, largest letters beside the text of a page; in a film the picture is twice as wide
const LETTERS_ACROSS = 20; // letters as large as that take the width
const LEAST_IN_CHART = 11; // px, beside the text of a page: a chart shrinks with the width of a phone

/** @param {Component<SubjectData>} component @returns {Controller<SubjectData>} */
export function createSubject(component) {
  const root = rootOf(component, "[data-testid=lesson-subject]");
  let { data } = component;
  let lastText = ""; // theme and data, as text
  /** @type {Curve | null} */
  let curve = null;
  const filling = fillStage(
    root,
    data.group,
    (presents) => {
      const largest = LARGEST[data.subject.kind];
      if (presents) return [LEAST * window.innerHeight, largest];
      const across = root.clientWidth / LETTERS_ACROSS;
      // A chart shrinks with its width, and its legend goes along.
      return [LEAST_BESIDE_TEXT, Math.min(largest, curve ? across : Math.max(BESIDE_TEXT, across))];
    },
    (presents) => curve?.fit(presents ? LEAST_TEXT * window.innerHeight : LEAST_IN_CHART),
  );
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
    if (subject.kind === "bars") return barsElements(subject);
    if (!subject.chart) return rowsElements(subject, look);
    curve = createCurve({ ...subject, chart: subject.chart });
    return [make("p", "title", {}, subject.title), curve.element];
  }

  // A question about the picture hides what would answer it; the answer shows it.
  function follow() {
    const { subject } = data;
    const asks = group.asks === true && subject.kind !== "pattern";
    root.classList.toggle("asked", asks);
    if (subject.kind === "bars") root.style.setProperty("--most", String(longestBar(subject, asks)));
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
