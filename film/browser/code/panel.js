// Code beside a picture: the lines of a listing, lit while they act, each with its values at this step.

/** @import {CodeBeat, CodeLine} from "../shared/feed_types.js" */
/** @import {Theme} from "../shared/colour.js" */
/** @import {Beat} from "../shared/groups.js" */

import { make } from "../shared/dom.js";
import { pointed } from "../shared/pointed.js";
import { ABOUT_CODE } from "../shared/sentences.js";

/** Where the picture is, and how it is drawn. @typedef {{step: number, beat: Beat | undefined, theme: Theme, lane: number}} Now */

/**
 * The values of a listing: the elements beside the lines of a beat and below them, and what writes them at a step. It returns
 * the beat whose lines are lit; undefined if it cannot write them yet.
 * @template {Now} [At=Now]
 * @typedef {object} Values
 * @property {{[beat in CodeBeat]?: HTMLElement}} beside
 * @property {{[beat in CodeBeat]?: HTMLElement}} below
 * @property {(now: At) => Beat | "stop" | "" | undefined} draw
 */

/**
 * Make the panel of a listing.
 * @template {Now} At
 * @param {Values<At>} values
 */
export function createCode(values) {
  const list = make("ol", "lines");
  const about = make("p", "aside note", { "aria-live": "polite" });
  const element = make("div", "code", { "data-testid": "code", hidden: true }, list, about);
  let written = "";
  let none = "";
  /** @type {HTMLElement | undefined} */
  let seen; // the line that stays in sight: one that other settings have changed, or the last lit one
  let was = ""; // the beat whose lines were lit last

  /** Write the lines, unless they are there already. @param {CodeLine[]} lines @param {string} [why]  there are none */
  function write(lines, why = "") {
    const key = JSON.stringify([lines, why]);
    if (key === written) return;
    written = key;
    none = why;
    const before = element.hidden ? [] : [...list.querySelectorAll("code")];
    const changed = lines.find(({ text }, at) => text !== before[at]?.textContent)?.beat;
    list.hidden = !lines.length;
    list.replaceChildren(
      ...lines.map((line, at) => {
        const { beat, depth } = line;
        const isLast = beat && lines.findLastIndex((other) => other.beat === beat) === at;
        const [beside, below] = isLast ? [values.beside[beat], values.below[beat]] : [];
        const text = make("code", "", {}, line.text);
        text.style.setProperty("--depth", String(depth));
        const row = make(
          "li",
          "",
          {
            tabindex: at ? -1 : 0,
            title: line.about,
            "data-beat": beat,
            ...pointed(
              () => say(line),
              () => say(),
            ),
            focus: () => say(line),
            blur: () => say(),
            keydown: (event) => walkLines(event, row),
          },
          text,
          beside ?? "",
          below ?? "",
        );
        return row;
      }),
    );
    const last = before.length ? lines.findLastIndex(({ beat }) => beat === changed) : -1;
    seen = /** @type {HTMLElement | undefined} */ (list.children[last]);
    say();
  }

  /** Say what a line does. @param {CodeLine} [line] */
  function say(line) {
    about.textContent = line?.about ?? (none || ABOUT_CODE);
    about.classList.toggle("idle", !line && !none);
  }

  /** Draw the lines at a step. @param {At} now */
  function draw(now) {
    const lit = values.draw(now);
    if (lit === undefined) return;
    /** @type {HTMLElement | undefined} */
    let last;
    for (const row of /** @type {Iterable<HTMLElement>} */ (list.children))
      if (row.classList.toggle("on", row.dataset.beat === lit && lit !== "")) last = row;
    if (lit !== was || !seen) seen = last;
    was = lit;
    if (seen) keepInView(seen);
  }

  /** Scroll the code to a line that is out of sight. @param {HTMLElement} row */
  function keepInView({ offsetTop, offsetHeight }) {
    const below = offsetTop + offsetHeight - element.clientHeight;
    if (below > element.scrollTop || offsetTop < element.scrollTop) element.scrollTop = below;
  }

  return { element, write, draw };
}

/** Go from line to line with the arrow keys. @param {KeyboardEvent} event @param {HTMLElement} row */
function walkLines(event, row) {
  const to = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (!(to instanceof HTMLElement) || event.target !== row) return;
  row.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
  event.preventDefault();
  event.stopPropagation();
}
