// The code of a training: the lines of its variant and rule in the textbook's loop, and their values at a step.

/** @import {ChipLabel, CodeLine} from "../shared/feed_types.js" */
/** @import {PairRow, PairTable} from "../player/pair_counts.js" */
/** @import {Beat, Group, Lane, Light} from "../shared/groups.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {Theme} from "../shared/colour.js" */
/** @import {Now, Values} from "./panel.js" */

import { chipElement, labelText, readable } from "../shared/chip.js";
import { coloursOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { createFigure } from "../shared/pointed.js";
import { tokenOf } from "../player/feed.js";
import { chipLabelOf } from "../player/spelling.js";

/** A group whose lanes show a model. @typedef {Group & {lanes: Set<Lane & {model: Model}>}} CodeGroup */

/**
 * What the lines say at a moment.
 * @typedef {object} Moment
 * @property {number} rank  of the merge that they are about
 * @property {"rest" | "count" | "stop" | "select" | "fuse" | "settle" | ""} lit  the beat whose lines are lit
 * @property {boolean} counted  whether the counts may be seen
 * @property {boolean} chosen  whether the choice may be seen
 * @property {boolean} done  whether the merge has been made, so that its pair is no longer there
 */

/**
 * Return what the lines say at a step and a beat. At rest the loop begins again; while somebody guesses, nothing tells the
 * answer.
 * @param {number} step
 * @param {Beat | undefined} beat
 * @param {number | null} [spent]  the step at which no pair is left: there another line ends the loop
 * @returns {Moment}
 */
export function momentAt(step, beat = "rest", spent = null) {
  const done = beat === "fuse" || beat === "settle";
  const counted = beat !== "guess";
  const atRest = step === spent ? "stop" : "rest";
  const lit = beat === "guess" || beat === "rest" ? atRest : beat === "fast" ? "" : beat;
  return { rank: done ? step - 1 : step, lit, counted, chosen: counted && beat !== "count", done };
}

const SPELLED = "It compares the symbols as they are written, with the marker spelled out.";
const NUMBERED_SAYS = "Give the new token the next id: the rule compares ids.";

/**
 * Return the lines of a training: its variant and its rules say what stands at some beats. None if the textbook's code does
 * not tell what was done.
 * @param {CodeLine[]} code
 * @param {{code: Record<string, string[]>, overlaps: boolean}} feed
 * @returns {CodeLine[]}
 */
export function linesWith(code, { code: own, overlaps }) {
  if (!own.select) return [];
  const pairs = overlaps ? "pairwise" : "pairs_apart";
  return code.flatMap((line) =>
    (own[line.beat] ?? [line.text.replace("pairs_of", pairs)]).map((text) => {
      if (text === own.settle?.[0]) return { ...line, text, about: NUMBERED_SAYS };
      return { ...line, text, about: text.includes("spelled(") ? `${line.about} ${SPELLED}` : line.about };
    }),
  );
}

const FIRST_PAIRS = 3; // that stand at the line that counts
const JOINED = "where this pair is joined";

/**
 * Make the values of a training.
 * @param {CodeGroup} group
 * @param {AbortSignal} signal
 * @returns {Values<Now & {table: Pick<PairTable, "step" | "rows" | "total">}>}
 */
export function trainingValues(group, signal) {
  const figure = (/** @type {Light} */ light, /** @type {string} */ says) =>
    createFigure(group.name, light, () => says, signal);
  /** @type {Light} */
  const places = { counts: "merge", merge: 0 };
  /** @type {Light} */
  const newest = { counts: "merge", merge: 0 };
  const [best, replaced, learned] = [places, places, newest].map((light) => figure(light, JOINED));
  const tied = figure({ counts: "tied" }, "the pairs that tie");
  const first = Array.from({ length: FIRST_PAIRS }, () => {
    /** @type {Light} */
    const light = { counts: "pair" };
    return { light, ...figure(light, "where this pair is counted") };
  });
  const [pairs, number] = ["", ""].map(() => make("span", "aside value"));
  const firsts = make("p", "row firsts", {}, pairs, ...first.map(({ element }) => element));
  const why = make("span");
  const tie = make("p", "tie", { hidden: true }, tied.element, why);
  /** @type {{model: Model | null, tables: Map<number, {rows: PairRow[], total: number}>}} */
  const seen = { model: null, tables: new Map() }; // of each step that the table has shown

  return {
    beside: {
      rest: number,
      select: best.element,
      fuse: replaced.element,
      settle: learned.element,
    },
    below: { count: firsts, select: tie },
    draw({ step, beat, theme, table, lane: at }) {
      const lane = [...group.lanes][at];
      if (!lane?.model.training) return undefined;
      const { model } = lane;
      const { feed, steps, last } = model;
      if (seen.model !== model) seen.tables.clear();
      seen.model = model;
      seen.tables.set(table.step, { rows: table.rows.slice(0, FIRST_PAIRS), total: table.total });
      const { rank, lit, counted, chosen, done } = momentAt(
        step,
        beat,
        feed.training && feed.spent ? last : null,
      );
      const is = rank < last; // else nothing is left to be merged
      const shows = is && chosen;
      const { rows, total } = seen.tables.get(rank) ?? { rows: [], total: undefined };
      number.textContent = `${formatNumber(step)} of ${formatNumber(last)}`;
      pairs.textContent = total === undefined ? "" : formatCount(total, "pair");
      first.forEach(({ light, ...one }, index) => {
        const row = counted && rows[index];
        if (!row) return one.draw("");
        [light.left, light.right] = row.ids;
        const labels = row.labels.slice(0, 2).map((label) => readable(label, model.feed.marker_text));
        drawPair(one, labels, theme, formatNumber(row.count), formatCount(row.count, "time"));
      });
      places.merge = rank;
      if (shows) {
        const count = steps.count[rank];
        drawPair(best, pairOfMerge(model, rank), theme, formatNumber(count), formatCount(count, "time"));
      } else best.draw("");
      replaced.draw(shows ? formatCount(steps.replaced[rank], "place") : "");
      newest.merge = done ? rank : rank - 1;
      if (newest.merge >= 0 && newest.merge < last)
        drawPair(learned, pairOfMerge(model, newest.merge), theme, " ", "the newest merge");
      else learned.draw("");
      const ties = shows && steps.tied[rank] > 1;
      tie.hidden = !ties;
      tie.parentElement?.classList.toggle("tied", ties);
      tied.draw(ties && !done ? `${formatNumber(steps.tied[rank])} pairs` : "");
      if (ties) why.textContent = tieSays(lane, rank, done);
      return lit;
    },
  };
}

/**
 * Draw a pair as chips, and a text after it.
 * @param {import("../shared/pointed.js").Figure} figure
 * @param {ChipLabel[]} labels  of both tokens
 * @param {Theme} theme
 * @param {string} text
 * @param {string} says  the same to a screen reader
 */
export function drawPair({ draw }, labels, theme, text, says) {
  const chips = labels.map((label) => chipElement(label, coloursOf(theme, label)));
  draw(text, `${spellPair(labels)}, ${says}`, chips);
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
  const reason = why(rank);
  const because = reason && `: ${reason}`;
  const pair = spellPair(pairOfMerge(model, rank));
  return `${many} ${formatNumber(count[rank])}. This line decides the tie and takes ${pair}${because}.`;
}

/** @param {ChipLabel[]} labels */
function spellPair(labels) {
  return labels.map(labelText).join(" + ");
}

/** Return the labels of the pair that a merge joins. @param {Model} model @param {number} rank */
export function pairOfMerge(model, rank) {
  const { steps, spelling, feed } = model;
  return [steps.left, steps.right].map((ids) =>
    readable(chipLabelOf(tokenOf(model, ids[rank]).bytes, spelling), feed.marker_text),
  );
}
