// The pair table: current counts, ties, and changes by the last merge. Rows and grid highlight each other. It is no chip table:
// its rows slide to their new ranks while the grid plays, in an order that must not tell the next merge.

/** @import {CodeLine} from "../shared/feed_types.js" */
/** @import {PairRow, PairTable} from "../player/pair_counts.js" */
/** @import {Theme} from "../shared/colour.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {CodeGroup} from "../code/training.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { formatCount, formatNumber } from "../shared/numbers.js";
import { chipElement, chipLength, labelText, readable } from "../shared/chip.js";
import { coloursOf, themeOf } from "../shared/colour.js";
import { make, tieSign, setHidden } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { isTouched, pointed } from "../shared/pointed.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { NO_PAIRS } from "../shared/sentences.js";
import { rootOf } from "../shared/mount.js";
import { createCode } from "../code/panel.js";
import { linesWith, trainingValues } from "../code/training.js";

// Whether two tables show the same: then the newer one is not drawn, and rows of equal count stay where they are.

/**
 * Return whether two tables agree on all pairs except the least frequent ones, of which each shows only some.
 * @param {PairRow[]} some
 * @param {PairRow[]} others
 */
function isAlike(some, others) {
  if (some.length !== others.length) return false;
  const least = Math.max(some.at(-1)?.count ?? 0, others.at(-1)?.count ?? 0);
  const asText = (/** @type {PairRow[]} */ rows) => {
    const above = rows.filter(({ count }) => count > least);
    return above
      .map(({ ids, count, change, tied, chosen }) => `${ids} ${count} ${change} ${tied} ${chosen}`)
      .toSorted();
  };
  return asText(some).join() === asText(others).join();
}

// The sentence below the pair table: how many pairs there are, or which counts these are.

const ROWS_LIGHT = "Point at a row to highlight its pair in the text";
const TOUCHED_ROWS_LIGHT = "Tap a row to highlight its pair in the text";
const LATE = 700; // ms after which a table is old while the grid plays fast

/**
 * Return the sentence below a table.
 * @param {Pick<PairTable, "step" | "rows" | "total">} table  the table that is drawn
 * @param {boolean} stays  whether the table stays as it is while the grid plays on
 * @param {string | undefined} beat  of the grid
 */
export function noteOf({ step, rows, total }, stays, beat) {
  if (stays) return `Counts after ${formatCount(step, "merge")}. The table follows when the grid stops.`;
  if (beat === "guess") return "In alphabetical order: which pair is the most frequent?";
  if (!rows.length) return NO_PAIRS;
  return total > rows.length
    ? `The ${rows.length} most frequent of ${formatNumber(total)} pairs`
    : formatCount(rows.length, "pair");
}

/**
 * Return whether the table stays as it is while the grid plays on: it plays fast, and its feed lacks words of the text,
 * so it cannot count their pairs.
 * @param {number} step  of the grid
 * @param {number} tableStep  the step that the table shows
 * @param {string | undefined} beat  of the grid
 * @param {number} since  ms since the grid last counted the pairs
 */
export function staysBehind(step, tableStep, beat, since) {
  return beat === "fast" && step !== tableStep && since >= LATE;
}

// The order of the pair table's rows at each beat: it must not answer a question before it is asked.

/** @typedef {(rows: PairRow[]) => PairRow[]} Order */

/** The chosen pair first, as they were sent. @type {Order} */
const asSent = (rows) => rows;
/** The order that tells nothing about the counts. @type {Order} */
const byName = (rows) => rows.toSorted(compareNames);
/** The order that does not tell which one of several tied pairs comes next. @type {Order} */
const byCount = (rows) => rows.toSorted((one, other) => other.count - one.count || compareNames(one, other));

/** Return the order of the rows at a beat. @param {string | undefined} beat */
export function orderAt(beat) {
  if (beat === "guess") return byName;
  return beat === "settle" || beat === "count" ? byCount : asSent;
}

/** @param {PairRow} one @param {PairRow} other */
function compareNames(one, other) {
  const [a, b] = [one, other].map(({ labels }) => labels.slice(0, 2).map(labelText).join(" "));
  return a.localeCompare(b, "en");
}

// The columns of the pair table, and one row as elements.

/**
 * What all rows of a table share.
 * @typedef {object} RowLook
 * @property {Theme} theme
 * @property {string} marker  how labels spell it
 * @property {boolean} picks  whether tied rows offer to be taken
 * @property {number} most  the highest count
 * @property {string} why  why the chosen one of the tied pairs won; "" without a tie, and while somebody guesses
 */

/**
 * What a row asks for.
 * @typedef {object} RowListeners
 * @property {(row: PairRow) => void} light
 * @property {() => void} unlight
 * @property {(row: PairRow) => void} pin
 * @property {(row: PairRow) => void} take
 */

/**
 * How wide a column is: usually, in a table of at most 340 px, of at most 260 px, and in the presenter view.
 * @typedef {{wide?: string, narrow?: string, slim?: string, stage?: string}} Widths
 */

/**
 * A column: all that its head, its cells and the style sheet need to know.
 * @typedef {object} Column
 * @property {string} title  "" for a column whose head shows nothing
 * @property {string} about  what it shows, as a tip
 * @property {string} kind  classes of its head and cells
 * @property {(row: PairRow, look: RowLook) => string} text  what it shows: rows of the same texts need no other elements
 * @property {(row: PairRow, look: RowLook, listeners: RowListeners) => (Node | string)[]} [cell]  if it is not just its text
 * @property {Widths} width  by the table's width; of a column without one the rest
 * @property {"over-260" | "over-430"} [leftOut]  class of a column that a table of at most 260 or 430 px leaves out
 * @property {boolean} [offStage]  whether the presenter view leaves it out
 */

/** @type {Column[]} */
export const PAIR_COLUMNS = [
  {
    title: "",
    about: "rank by count",
    kind: "rank",
    text: ({ rank }) => String(rank),
    width: { wide: "26px" },
    leftOut: "over-430",
    offStage: true,
  },
  {
    title: "pair",
    about: "left and right token",
    kind: "pair",
    text: ({ labels }) => JSON.stringify(labels.slice(0, 2)),
    cell: (row, look) => [make("span", "pairing", {}, rowChip(row, 0, look), rowChip(row, 1, look))],
    width: {},
  },
  {
    title: "becomes",
    about: "the token that a merge would create",
    kind: "becomes",
    text: ({ labels }) => JSON.stringify(labels[2]),
    cell: (row, look) => [
      rowChip(row, 2, look),
      ...(row.chosen ? [make("span", "unseen", {}, look.why ? ` chosen: ${look.why}` : " chosen")] : []),
    ],
    width: { wide: "26%", narrow: "32%", stage: "28%" },
    leftOut: "over-260",
  },
  {
    title: "count",
    about: "occurrences in the text, overlapping ones included unless the settings leave them out",
    kind: "number",
    text: (row, look) => `${formatNumber(row.count)} ${barLength(row, look)}`,
    cell: (row, look, { take }) => {
      const meter = make("span", "meter", { "aria-hidden": "true" });
      meter.style.width = `${barLength(row, look)}%`;
      const offered = row.tied && !row.chosen && look.picks;
      const bar = make("span", "bar", {}, ...(offered ? [rowTakeButton(row, take)] : []), meter);
      const won = row.chosen && look.why ? `, and chosen: ${look.why}` : "";
      const sign = row.tied ? [tieSign(`tied for the highest count${won}`), " "] : [];
      return [make("span", "counted", {}, bar, make("span", "", {}, ...sign, formatNumber(row.count)))];
    },
    width: { wide: "122px", narrow: "76px", stage: "max(4.6vw, 56px)" },
  },
  {
    title: "±",
    about: "change since the last merge",
    kind: "number change",
    text: rowChange,
    width: { wide: "48px", narrow: "38px", slim: "36px", stage: "max(5vw, 46px)" },
  },
  {
    title: "share",
    about: "share of all pair occurrences",
    kind: "number share",
    text: rowShare,
    width: { wide: "56px" },
    leftOut: "over-430",
    offStage: true,
  },
];

/** @param {Column} column */
function columnClass({ kind, leftOut, offStage }) {
  return [kind, leftOut, offStage && "off-stage"].filter(Boolean).join(" ");
}

/** @param {Column} column */
function columnHead(column) {
  const { title, about, kind, width } = column;
  const head = make(
    "th",
    columnClass(column),
    { scope: "col", title: about },
    title || make("span", "unseen", {}, kind),
  );
  for (const [name, value] of Object.entries(width)) head.style.setProperty(`--${name}`, value);
  return head;
}

/**
 * Return all that a row shows and hands on. Rows of the same text need no other elements.
 * @param {PairRow} row
 * @param {RowLook} look
 */
export function rowText(row, look) {
  const { ids, labels, pair, chosen, tied } = row;
  const { theme, marker, picks } = look;
  const figures = PAIR_COLUMNS.map(({ text }) => text(row, look));
  const why = chosen ? look.why : "";
  return JSON.stringify([ids, labels, pair, figures, chosen, tied, theme, marker, picks, why]);
}

/** Make the elements of a row. @param {PairRow} row @param {RowLook} look @param {RowListeners} listeners */
export function rowElement(row, look, listeners) {
  const { light, unlight, pin } = listeners;
  const element = make(
    "tr",
    `${row.chosen ? "chosen" : ""}${row.tied ? " tied" : ""}`,
    {
      tabindex: -1,
      "data-left": row.ids[0],
      "data-right": row.ids[1],
      ...pointed(() => light(row), unlight),
      focus: () => light(row),
      blur: unlight,
      click: () => pin(row),
      keydown: (event) => walkRows(event, element, () => pin(row)),
    },
    ...PAIR_COLUMNS.map((column) =>
      make(
        "td",
        columnClass(column),
        {},
        ...(column.cell?.(row, look, listeners) ?? [column.text(row, look)]),
      ),
    ),
  );
  return element;
}

const UNCUT = 3; // characters

/**
 * @param {PairRow} row
 * @param {number} side  0 for the left token, 1 for the right one, 2 for the merged one
 * @param {RowLook} look
 */
function rowChip({ labels }, side, { theme, marker }) {
  const label = labels[side];
  const text = readable(label, marker);
  const element = chipElement(text, coloursOf(theme, label));
  element.title = labelText(text);
  if (chipLength(text) <= UNCUT) element.style.flexShrink = "0"; // the longer one of a pair is cut
  return element;
}

/** @param {PairRow} row @param {RowListeners["take"]} take */
function rowTakeButton(row, take) {
  return make(
    "button",
    "take",
    {
      type: "button",
      "data-testid": "take",
      "aria-label": `pick ${labelText(row.labels[0])} + ${labelText(row.labels[1])}`,
      title: "Pick this pair instead. The merges after it are then learned again.",
      click: (event) => {
        event.stopPropagation();
        take(row);
      },
    },
    "pick",
  );
}

/** @param {KeyboardEvent} event @param {HTMLElement} element @param {() => void} pin */
function walkRows(event, element, pin) {
  const { key } = event;
  const beside = key === "ArrowDown" ? element.nextElementSibling : element.previousElementSibling;
  if (key === "Enter" && event.target === element) pin();
  else if ((key === "ArrowDown" || key === "ArrowUp") && beside instanceof HTMLElement) {
    element.tabIndex = -1;
    beside.tabIndex = 0;
    beside.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Return the length of the bar, in percent. @param {PairRow} row @param {RowLook} look */
function barLength({ count }, { most }) {
  return Math.max(2, Math.round((count / most) * 100));
}

/** @param {PairRow} row */
function rowShare({ share }) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** Write how the last merge changed a count. @param {PairRow} row */
function rowChange(row) {
  if (row.new) return "new";
  return row.change ? (row.change > 0 ? "+" : "−") + formatNumber(Math.abs(row.change)) : "";
}

// Rows of the pair table slide to their new rank.

const SLIDE_TIME = 360; // ms
const SLIDE_EASING = "cubic-bezier(0.3, 0, 0.15, 1)";
const GONE = 0.3; // of that time: then the rows that leave cannot be seen any more, and the others move
const FADED_OUT = [{ opacity: 1 }, { opacity: 0, offset: GONE }, { opacity: 0 }];
const FADED_IN = [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }]; // after the others have made room

/** @param {HTMLElement} row */
function rowName({ dataset }) {
  return `${dataset.left} ${dataset.right}`;
}

/** A row of a table, and where it was. @typedef {{row: HTMLElement, top: number}} Place */

/**
 * Return where the rows of a table are, by the pair that they are about.
 * @param {HTMLElement} body
 * @returns {Map<string, Place>}
 */
function placesOf(body) {
  const rows = /** @type {HTMLElement[]} */ ([...body.children]);
  return new Map(rows.map((row) => [rowName(row), { row, top: row.offsetTop }]));
}

/**
 * Let the rows that are gone fade where they were, and then the others slide from where they were to where they are.
 * @param {HTMLElement} body
 * @param {Map<string, Place>} before
 */
function slideRows(body, before) {
  const rows = /** @type {HTMLElement[]} */ ([...body.children]);
  // All are read before the first one moves: each animation makes the browser lay out anew.
  const tops = rows.map((row) => row.offsetTop);
  const sliding = rowsThatSlide(rows.map((row) => before.get(rowName(row))?.top));
  const names = new Set(rows.map(rowName));
  const gone = [...(sliding.size ? before : [])].filter(([name]) => !names.has(name));
  rows.forEach((row, at) => {
    const from = before.get(rowName(row))?.top;
    if (!sliding.size) return; // another table
    if (from === undefined || !sliding.has(at)) row.animate(FADED_IN, { duration: SLIDE_TIME });
    else if (from !== tops[at]) {
      const there = { transform: `translateY(${from - tops[at]}px)` };
      const waits = gone.length ? [there] : [];
      const frames = [
        ...waits,
        { ...there, offset: gone.length ? GONE : 0, easing: SLIDE_EASING },
        { transform: "none" },
      ];
      row.animate(frames, { duration: SLIDE_TIME });
    }
  });
  for (const [, place] of gone) fadeRow(body, place);
}

/**
 * Fade a row that is no longer in the table, where it was. It is in a table of its own, with columns as wide.
 * @param {HTMLElement} body
 * @param {Place} place
 */
function fadeRow(body, { row, top }) {
  const table = /** @type {HTMLTableElement | null} */ (body.parentElement);
  const heads = table?.tHead?.rows[0].cells;
  if (!heads) return;
  [...row.children].forEach((cell, at) => {
    /** @type {HTMLElement} */ (cell).style.width = `${heads[at].offsetWidth}px`;
  });
  for (const name of ["data-testid", "data-left", "data-right"]) row.removeAttribute(name); // nobody shall find it
  const alone = make("table", "gone", { "aria-hidden": "true" }, make("tfoot", "", {}, row));
  alone.inert = true;
  alone.style.top = `${top}px`;
  table.after(alone);
  alone.animate(FADED_OUT, { duration: SLIDE_TIME }).addEventListener("finish", () => alone.remove());
}

/**
 * Return which rows keep their order, as many as possible: they slide, and none of them through another. The others fade
 * in at their new places.
 * @param {(number | undefined)[]} before  where each row was, from the first row to the last; undefined: nowhere
 * @returns {Set<number>}
 */
export function rowsThatSlide(before) {
  /** @type {number[]} */
  const ends = []; // of the longest orders of each length, the row that was highest
  const former = before.map((from, row) => {
    if (from === undefined) return -1;
    const found = ends.findIndex((end) => Number(before[end]) >= from);
    const length = found < 0 ? ends.length : found;
    ends[length] = row;
    return length ? ends[length - 1] : -1;
  });
  /** @type {Set<number>} */
  const rows = new Set();
  for (let row = ends.at(-1) ?? -1; row >= 0; row = former[row]) rows.add(row);
  return rows;
}

/**
 * Return whether a light is about a row: about its pair, about pairs of which it is one, or about one of its tokens.
 * @param {PairRow} row
 * @param {Light} light
 */
export function isLit({ ids: [one, other], chosen, tied }, light) {
  const { none, token, tokens = token === undefined ? undefined : [token], left, right, counts } = light;
  if (none) return false;
  if (tokens) return tokens.includes(one) || tokens.includes(other);
  if (counts === "pair" && left === undefined) return chosen;
  return counts === "tied" ? tied : one === left && other === right;
}

/**
 * What Python sends: the table at a step, and the grid beside it.
 * @typedef {object} TableKeys
 * @property {string} group
 * @property {number} lane
 * @property {boolean} picks  whether tied rows offer to be taken
 * @property {boolean} [opens]  whether the note opens a table of all pairs, if there are more than it shows
 * @property {string} marker  how labels spell it
 * @property {CodeLine[]} code  the textbook's; empty if it is not shown
 * @property {string} [cells]  the name of the text: rows slide between its steps, and stay while another one is typed
 */
/** @typedef {PairTable & TableKeys} TableData */

/** @param {Component<TableData>} component @returns {Controller<TableData>} */
export function createTable(component) {
  const root = rootOf(component, "[data-testid=pair-table]");
  /** @type {CodeGroup} */
  const group = groupNamed(component.data.group);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const code = createCode(trainingValues(group, signal));
  const head = createHead(turn);
  const body = make("tbody");
  const note = make("p", "note", { title: isTouched() ? TOUCHED_ROWS_LIGHT : ROWS_LIGHT });
  const table = tableElement(body);
  const tokens = make("div", "tokens", { "data-testid": "vocabulary", hidden: true }); // instead of a table without rows
  const scroll = make("div", "scroll", { role: "region", "aria-label": "Pairs by count" }, table, tokens);
  root.append(scroll, code.element, make("div", "aside foot", {}, note, head.element));
  let noted = ""; // what the drawn note depends on
  let highest = 0; // px: with fewer pairs the table keeps its height, and leaves no hole beside the grid
  let content = component.data;
  let latest = component.data; // what Python sent; the grid may have counted newer rows into `content`
  let theme = themeOf(root);
  let fresh = true;
  let stays = false; // whether the grid plays fast and the table cannot follow
  let followed = 0; // when the grid last sent its pairs, in ms
  /** @type {PairRow[]} */
  let visible = []; // in the order drawn
  /** @type {string[]} */
  let texts = []; // of the same rows
  /** @type {PairRow | null} */
  let pinned = null;

  if (group.playhead) root.dataset.beat = group.playhead.beat; // a question may be open already
  group.tables.add(root);
  signal.addEventListener("abort", () => {
    group.tables.delete(root);
    if (group.code === turn) group.code = null;
  });
  hear("light", group.name, signal, (lit) => lit.from === "table" || lightRows(lit));
  hear("step", group.name, signal, ({ step, beat }) => {
    const before = orderAt(root.dataset.beat);
    root.dataset.beat = beat;
    if (orderAt(beat) !== before) draw();
    else if (!content.rows.length) drawTokens(); // the grid may have come after the table
    markWaiting(step);
    offerCode();
  });
  hear("pairs", group.name, signal, (counted) => {
    if (counted.lane === content.lane) follow(/** @type {PairTable} */ (counted));
  });
  hear("present", group.name, signal, ({ on }) => setPresenting(root, on));
  if (group.presenting) say("present", { group: group.name, on: true }); // the presentation began before this table was drawn
  window.addEventListener("keydown", keepKey, { signal });

  /** @type {Controller<TableData>["update"]} */
  function update(next) {
    component = next;
    const { data } = next;
    const themeNow = themeOf(root);
    if (!fresh && themeNow === theme && JSON.stringify(data) === JSON.stringify(latest)) return;
    const counted = !fresh && content !== latest && content.step === data.step && themeNow === theme;
    const same = counted && isAlike(content.rows, data.rows);
    const slides = data.cells === content.cells;
    if (!slides) scroll.style.minHeight = `${(highest = 0)}px`;
    content = same ? { ...data, rows: content.rows } : data; // rows of equal count must not swap
    latest = data;
    theme = themeNow;
    fresh = false;
    root.dataset.theme = theme;
    if (!same) draw(slides);
    markWaiting(group.playhead?.step ?? content.step);
    offerCode();
  }

  /** Offer the code, or the sentence that says why there is none. */
  function offerCode() {
    const { lines, none } = codeOf(group, content);
    const has = lines.length > 0 || none !== "";
    head.element.hidden = !has;
    group.code = has ? turn : null;
    if (has) code.write(lines, none);
    else if (isCode()) turn();
    drawCode();
  }

  function isCode() {
    return !code.element.hidden;
  }

  /** Show the code in place of the pairs, or the pairs again. */
  function turn() {
    const opens = !isCode();
    code.element.hidden = !opens;
    scroll.hidden = note.hidden = opens;
    head.draw(opens);
    drawCode();
  }

  function drawCode() {
    if (!isCode()) return;
    const { step, beat } = group.playhead ?? { step: content.step, beat: "rest" };
    code.draw({ step, beat, theme, table: { ...content, rows: visible }, lane: content.lane });
  }

  /** Show the pairs that the grid counted, in the last beat of a merge. @param {PairTable} counted */
  function follow({ step, rows, total }) {
    content = step === latest.step ? latest : { ...latest, step, rows, total };
    followed = performance.now();
    draw();
    markWaiting(step);
    drawCode();
  }

  /** @param {number} step */
  function markWaiting(step) {
    const { beat } = root.dataset;
    const behind = staysBehind(step, content.step, beat, performance.now() - followed);
    root.classList.toggle("waiting", behind || (step !== content.step && beat !== "fast"));
    if (stays === behind) return;
    stays = behind;
    drawNote();
  }

  function drawNote() {
    const { beat } = root.dataset;
    const { rows, total, opens } = content;
    const text = noteOf(content, stays, beat);
    const pairs = formatCount(total, "pair");
    const at = opens && total > rows.length && !stays && beat !== "guess" ? text.indexOf(pairs) : -1;
    if (`${at} ${text}` === noted) return;
    noted = `${at} ${text}`;
    const all = make("button", "link", { type: "button", "data-testid": "all-pairs", click: open });
    all.textContent = `all ${pairs}`;
    note.replaceChildren(...(at < 0 ? [text] : [text.slice(0, at), all, text.slice(at + pairs.length)]));
  }

  function open() {
    component.setTriggerValue("all", content.step);
  }

  /** Stop single letters typed in the table, which are Streamlit's shortcuts. @param {KeyboardEvent} event */
  function keepKey(event) {
    const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey;
    if (letter && event.composedPath().includes(root)) event.stopPropagation();
  }

  /** @param {boolean} [slides]  whether rows move to their places */
  function draw(slides = true) {
    const { rows, step } = content;
    root.dataset.step = String(step);
    const most = Math.max(1, ...rows.map((row) => row.count));
    const ordered = orderAt(root.dataset.beat)(rows);
    const moves = slides && group.playhead?.motion && root.dataset.beat !== "fast";
    const before = moves ? placesOf(body) : null;
    table.classList.toggle("unchanged", !rows.some((row) => rowChange(row)));
    drawRows(ordered, { theme, marker: content.marker, picks: content.picks, most, why: whyChosen() });
    drawTokens();
    if (scroll.scrollHeight > highest)
      scroll.style.minHeight = `min(${(highest = scroll.clientHeight)}px, var(--height))`;
    if (before) slideRows(body, before);
    drawNote();
  }

  /** Draw the vocabulary when no pairs are left: what the merges have made. */
  function drawTokens() {
    const lane = [...group.lanes][content.lane];
    const shows = !content.rows.length && lane !== undefined;
    setHidden(tokens, !shows);
    setHidden(table, shows);
    scroll.tabIndex = shows ? 0 : -1; // else a row has the focus, and scrolls with it
    if (!shows) return;
    const { number, chips } = lane.vocabulary();
    const rest = number - chips.length;
    const unused = chips.some((chip) => chip.classList.contains("unused"));
    tokens.replaceChildren(
      make("p", "aside title", {}, `The vocabulary: ${formatCount(number, "token")}`),
      make("div", "pairing", {}, ...chips),
      make(
        "p",
        "aside title",
        {},
        [rest > 0 ? `and ${formatNumber(rest)} more` : "", unused ? "dashed: no longer in use" : ""]
          .filter(Boolean)
          .join("; "),
      ),
    );
  }

  function whyChosen() {
    const lane = [...group.lanes][content.lane];
    return lane && root.dataset.beat !== "guess" ? lane.why(content.step) : "";
  }

  /**
   * Draw the rows that differ from those in the same place: a key typed changes few.
   * @param {PairRow[]} rows
   * @param {RowLook} look
   */
  function drawRows(rows, look) {
    const before = texts;
    texts = rows.map((row) => rowText(row, look));
    visible = rows.map((row, at) => (texts[at] === before[at] ? visible[at] : row));
    visible.forEach((row, at) => {
      if (texts[at] === before[at]) return body.children[at].classList.remove("lit");
      const element = rowElement(row, look, { light, unlight: () => light(pinned), pin, take });
      if (at < body.children.length) body.children[at].replaceWith(element);
      else body.append(element);
    });
    while (body.children.length > rows.length) body.lastElementChild?.remove();
    for (const element of /** @type {Iterable<HTMLElement>} */ (body.children)) {
      const index = element === body.firstElementChild ? 0 : -1;
      if (element.tabIndex !== index) element.tabIndex = index;
    }
  }

  /** @param {PairRow} row */
  function take({ pair }) {
    component.setTriggerValue("pick", { rank: content.step, pair });
  }

  /** @param {PairRow | null} row */
  function light(row) {
    /** @type {Light} */
    const about = row ? { left: row.ids[0], right: row.ids[1], counts: "pair" } : { none: true };
    say("light", { group: group.name, from: "table", ...about });
  }

  /** @param {PairRow} row */
  function pin(row) {
    if (root.dataset.beat === "guess") return predict(row);
    pinned = pinned === row ? null : row;
    [...body.children].forEach((element, at) => element.classList.toggle("pinned", visible[at] === pinned));
    light(pinned ?? row);
  }

  /** @param {PairRow} row */
  function predict({ ids: [left, right], count }) {
    if (content.step === group.playhead?.step)
      say("predict", { group: group.name, pair: [left, right], count });
  }

  /** @param {Light} lit */
  function lightRows(lit) {
    [...body.children].forEach((element, at) => element.classList.toggle("lit", isLit(visible[at], lit)));
  }

  return { update, remove: () => lifetime.abort() };
}

/** Make the table, with its column heads. @param {HTMLElement} body */
function tableElement(body) {
  const caption = make("caption", "unseen", {}, "Pairs by count");
  const heads = make("thead", "", {}, make("tr", "", {}, ...PAIR_COLUMNS.map(columnHead)));
  return make("table", "", {}, caption, heads, body);
}

/** Return the lines of code of the training in a lane or, if they do not tell it, why not. @param {CodeGroup} group @param {TableKeys} table */
function codeOf({ lanes }, { code, lane }) {
  const feed = [...lanes][lane]?.model.feed;
  if (!feed?.training || !code.length) return { lines: [], none: "" };
  return { lines: linesWith(code, feed), none: feed.code.none?.[0] ?? "" };
}

/**
 * Make the end of the line below the table: the button that shows the code in its place, and what is there then.
 * @param {() => void} turn
 */
function createHead(turn) {
  const title = make("span", "", {}, "Pairs by count");
  const button = make(
    "button",
    "leaf",
    { type: "button", title: "the algorithm in Python (C)", "aria-expanded": "false", click: turn },
    "Code",
  );
  const element = make("div", "head", {}, title, button);

  /** @param {boolean} isCode */
  function draw(isCode) {
    title.textContent = isCode ? "The algorithm" : "Pairs by count";
    element.classList.toggle("code", isCode);
    button.ariaExpanded = String(isCode);
  }
  return { element, draw };
}
