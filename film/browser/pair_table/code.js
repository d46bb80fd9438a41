// The code beside the picture: the textbook's loop, with the lines of the rule. The lines light up with the beats of a merge,
// and the values that they have at this step stand beside them.

/** @import {CodeLine} from "../shared/feed_types.js" */
/** @import {Beat, Group, Lane, Light} from "../shared/groups.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {Theme} from "../shared/colour.js" */

import { chipElement, labelText, readable } from "../shared/chip.js";
import { coloursOfId } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { createFigure, pointed } from "../shared/pointed.js";
import { tokenOf } from "../player/feed.js";
import { chipLabelOf } from "../player/spelling.js";

/** A group whose lanes show trainings. @typedef {Group & {lanes: Set<Lane & {model: Model}>}} CodeGroup */

/**
 * What the lines say at a moment.
 * @typedef {object} Moment
 * @property {number} rank  of the merge that they are about
 * @property {"rest" | "count" | "select" | "fuse" | "settle" | ""} lit  the beat whose lines are lit
 * @property {boolean} chosen  whether the choice may be seen
 * @property {boolean} done  whether the merge has been made, so that its pair is no longer there
 */

/**
 * Return what the lines say at a step and a beat. At rest the loop begins again; while somebody guesses, nothing tells the
 * answer.
 * @param {number} step
 * @param {Beat | undefined} beat
 * @returns {Moment}
 */
export function momentAt(step, beat = "rest") {
  const done = beat === "fuse" || beat === "settle";
  const lit = beat === "guess" ? "rest" : beat === "fast" ? "" : beat;
  return { rank: done ? step - 1 : step, lit, chosen: beat !== "guess" && beat !== "count", done };
}

/**
 * Return the lines with those of the rule in place of the textbook's choice.
 * @param {CodeLine[]} code
 * @param {string[]} choice
 * @returns {CodeLine[]}
 */
export function linesWith(code, choice) {
  return code.flatMap((line) =>
    line.beat === "select" ? choice.map((text) => ({ ...line, text })) : [line],
  );
}

/**
 * Make the code beside the grids of a group.
 * @param {CodeGroup} group
 * @param {AbortSignal} signal
 */
export function createCode(group, signal) {
  const list = make("ol", "lines");
  const about = make("p", "note", { "aria-live": "polite" });
  const element = make("div", "code", { "data-testid": "code", hidden: true }, list, about);
  /** @type {Light} */
  const places = { counts: "merge", merge: 0 };
  const figure = (/** @type {Light} */ light, /** @type {string} */ says) =>
    createFigure(group.name, light, () => says, signal);
  const count = figure(places, "where this pair is joined");
  const replaced = figure(places, "where this pair is joined");
  const tied = figure({ counts: "tied" }, "the pairs that tie");
  const [pairs, best, learned, number] = ["", "", "", ""].map(() => make("span", "value"));
  const why = make("span");
  const tie = make("p", "tie", { hidden: true }, tied.element, why);
  /** @type {Map<number, number>} */
  const totals = new Map(); // of pairs, by step
  let written = "";

  /**
   * Write the lines, unless they are there already.
   * @param {CodeLine[]} lines
   */
  function write(lines) {
    const key = JSON.stringify(lines);
    if (key === written) return;
    written = key;
    totals.clear();
    const last = (/** @type {string} */ beat) => lines.findLastIndex((line) => line.beat === beat);
    list.replaceChildren(
      ...lines.map((line, at) => {
        const values = { rest: number, count: pairs, select: best, fuse: replaced.element, settle: learned };
        const value = line.beat && at === last(line.beat) ? values[line.beat] : "";
        const text = make("code", "", {}, line.text);
        text.style.setProperty("--depth", String(line.depth));
        const row = make(
          "li",
          "",
          {
            tabindex: at ? -1 : 0,
            title: line.about,
            "data-beat": line.beat,
            ...pointed(
              () => say(line),
              () => say(),
            ),
            focus: () => say(line),
            blur: () => say(),
            keydown: (event) => walkLines(event, row),
          },
          text,
          value,
        );
        if (line.beat === "select" && at === last("select")) row.append(tie);
        return row;
      }),
    );
    say();
  }

  /** Say what a line does. @param {CodeLine} [line] */
  function say(line) {
    about.textContent =
      line?.about ?? "The project’s own textbook code. Point at a line to read what it does.";
  }

  /**
   * Draw the lines at a step.
   * @param {{step: number, beat: Beat | undefined, theme: Theme, table: {step: number, total: number}, lane: number}} now
   */
  function draw({ step, beat, theme, table, lane: at }) {
    totals.set(table.step, table.total);
    const lane = [...group.lanes][at];
    if (!lane?.model.training) return;
    const { steps, last } = lane.model;
    const { rank, lit, chosen, done } = momentAt(step, beat);
    const is = rank < last; // else nothing is left to be merged
    for (const row of /** @type {Iterable<HTMLElement>} */ (list.children))
      row.classList.toggle("on", row.dataset.beat === lit && lit !== "");
    const litRow = /** @type {HTMLElement | undefined} */ (
      [...list.children].findLast((row) => row.matches(".on"))
    );
    if (litRow) keepInView(litRow);
    const total = totals.get(rank);
    number.textContent = `${formatNumber(step)} of ${formatNumber(last)}`;
    pairs.textContent = total === undefined ? "" : formatCount(total, "pair");
    places.merge = rank;
    const shows = is && chosen;
    const chips = () => chipsOfMerge(lane.model, rank, theme);
    best.replaceChildren(...(shows ? [...chips(), count.element] : []));
    count.draw(
      shows ? formatNumber(steps.count[rank]) : "",
      shows ? formatCount(steps.count[rank], "time") : "",
    );
    replaced.draw(shows ? formatCount(steps.replaced[rank], "place") : "");
    const newest = done ? rank : rank - 1;
    learned.replaceChildren(...(newest >= 0 && newest < last ? chipsOfMerge(lane.model, newest, theme) : []));
    const ties = shows && steps.tied[rank] > 1;
    tie.hidden = !ties;
    tie.parentElement?.classList.toggle("tied", ties);
    tied.draw(ties && !done ? `${formatNumber(steps.tied[rank])} pairs` : "");
    if (ties) why.textContent = tieSays(lane, rank, done);
  }

  /** Scroll the code to a lit line that is out of sight. @param {HTMLElement} row */
  function keepInView({ offsetTop, offsetHeight }) {
    const below = offsetTop + offsetHeight - element.clientHeight;
    if (below > element.scrollTop || offsetTop < element.scrollTop) element.scrollTop = below;
  }

  return { element, write, draw };
}

/**
 * Return what stands after the number of pairs that tie.
 * @param {Lane & {model: Model}} lane
 * @param {number} rank
 * @param {boolean} done
 */
function tieSays({ model, why }, rank, done) {
  const { tied, count } = model.steps;
  const many = done ? `${formatNumber(tied[rank])} pairs had` : " have";
  const pair = labelsOfMerge(model, rank)
    .map(({ label }) => labelText(label))
    .join(" + ");
  const reason = why(rank);
  return `${many} ${formatNumber(count[rank])}. This line decides the tie and takes ${pair}${reason && `: ${reason}`}.`;
}

/** @param {Model} model @param {number} rank @param {Theme} theme */
function chipsOfMerge(model, rank, theme) {
  return labelsOfMerge(model, rank).map(({ id, label }) => chipElement(label, coloursOfId(theme, id)));
}

/** @param {Model} model @param {number} rank */
function labelsOfMerge(model, rank) {
  const { steps, spelling, feed } = model;
  return [steps.left[rank], steps.right[rank]].map((id) => {
    return { id, label: readable(chipLabelOf(tokenOf(model, id).bytes, spelling), feed.marker_text) };
  });
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
