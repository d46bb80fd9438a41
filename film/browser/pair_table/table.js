// The pair table: current counts, ties, and changes by the last merge. Rows and grid highlight each other.

/** @import {PairRow, PairTable} from "../shared/feed/feed_types.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Component, Controller} from "../shared/page/mount.js" */
/** @import {RowLook} from "./row.js" */

import { themeOf } from "../shared/tokens/colour.js";
import { make, setPresenting } from "../shared/page/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/page/mount.js";
import { isAlike } from "./alike.js";
import { noteOf, staysBehind } from "./note.js";
import { orderAt } from "./order.js";
import { rowElement, rowText } from "./row.js";
import { slideRows, topsOf } from "./slide.js";

/**
 * What Python sends: the table at a step, and the grid beside it.
 * @typedef {object} TableKeys
 * @property {string} group
 * @property {number} lane
 * @property {boolean} picks  whether tied rows offer to be taken
 * @property {string} marker  how labels spell it
 * @property {string} [cells]  the name of the text: rows slide between its steps, and stay while another one is typed
 */
/** @typedef {PairTable & TableKeys} TableData */

/** Title, class and explanation of each column. */
const HEADS = [
  ["", "rank", "rank by count"],
  ["pair", "pair", "left and right token"],
  ["becomes", "becomes", "the token that a merge would create"],
  [
    "count",
    "number",
    "occurrences in the text, overlapping ones included unless the settings leave them out",
  ],
  ["±", "number change", "change since the last merge"],
  ["share", "number share", "share of all pair occurrences"],
  ["", "bar", "count, as a bar"],
];

/**
 * @param {Component<TableData>} component
 * @returns {Controller<TableData>}
 */
export function createTable(component) {
  const root = rootOf(component, "[data-testid=pair-table]");
  const group = groupNamed(component.data.group);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const body = make("tbody");
  const note = make("p", "note");
  const heads = HEADS.map(([text, name, title]) => {
    return make("th", name, { scope: "col", title }, text || make("span", "unseen", {}, name));
  });
  const caption = make("caption", "unseen", {}, "Pairs by count");
  const table = make("table", "", {}, caption, make("thead", "", {}, make("tr", "", {}, ...heads)), body);
  const region = { tabindex: 0, role: "region", "aria-label": "Pairs by count" };
  root.append(make("div", "scroll", region, table), note);
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
  signal.addEventListener("abort", () => group.tables.delete(root));
  hear("light", group.name, signal, (lit) => lit.from === "table" || lightRows(lit));
  hear("step", group.name, signal, ({ step, beat }) => {
    const before = orderAt(root.dataset.beat);
    root.dataset.beat = beat;
    if (orderAt(beat) !== before) draw();
    markWaiting(step);
  });
  hear("pairs", group.name, signal, (counted) => counted.lane === content.lane && follow(counted));
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
    content = same ? { ...data, rows: content.rows } : data; // rows of equal count must not swap
    latest = data;
    theme = themeNow;
    fresh = false;
    root.dataset.theme = theme;
    if (!same) draw(slides);
    markWaiting(group.playhead?.step ?? content.step);
  }

  /**
   * Show the pairs that the grid counted, in the last beat of a merge.
   * @param {PairTable} counted
   */
  function follow({ step, rows, total }) {
    content = step === latest.step ? latest : { ...latest, step, rows, total };
    followed = performance.now();
    draw();
    markWaiting(step);
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
    note.textContent = noteOf(content, stays, root.dataset.beat);
  }

  /**
   * Stop single letters typed in the table, which are Streamlit's shortcuts.
   * @param {KeyboardEvent} event
   */
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
    const before = moves ? topsOf(body) : null;
    drawRows(ordered, { theme, marker: content.marker, picks: content.picks, most });
    if (before) slideRows(body, before);
    drawNote();
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
    const about = row ? { left: row.ids[0], right: row.ids[1] } : { none: true };
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

  /**
   * Highlight the rows of a pair, or those that contain a token.
   * @param {Light} light
   */
  function lightRows({ none, token, left, right }) {
    [...body.children].forEach((element, at) => {
      const [one, other] = visible[at].ids;
      const lit = token === undefined ? one === left && other === right : one === token || other === token;
      element.classList.toggle("lit", !none && lit);
    });
  }

  return { update, remove: () => lifetime.abort() };
}
