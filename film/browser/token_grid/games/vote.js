// A choice for the audience in the presenter view: which pair is merged next? One key shows four pairs, named A to D, and
// the same key shows their counts and which ones are right. All pairs that tie are right.

/** @import {Grid} from "../types.js" */
/** @import {PairRow} from "../../shared/feed_types.js" */

import { labelText } from "../../shared/chip.js";
import { make, setHidden } from "../../shared/dom.js";
import { hear } from "../../shared/groups.js";
import { formatCount } from "../../shared/numbers.js";
import { pairTable } from "../data/pair_counts.js";

const MOST_CHOICES = 4; // pairs to choose from
const CHOICE_A = 65;

/**
 * Return the pairs to choose from: the most frequent ones, in an order that says nothing.
 * @template {Pick<PairRow, "labels" | "count" | "chosen" | "tied">} Row
 * @param {Row[]} rows  the most frequent first
 * @returns {{row: Row, right: boolean}[]}
 */
export function choicesOf(rows) {
  const most = Math.max(0, ...rows.map(({ count }) => count));
  return rows
    .slice(0, MOST_CHOICES)
    .map((row) => ({ row, right: row.chosen || row.tied || row.count === most }))
    .toSorted(({ row: one }, { row: other }) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** @param {Pick<PairRow, "labels">} row */
function nameOf({ labels: [left, right] }) {
  return `${labelText(left)}+${labelText(right)}`;
}

/**
 * Make the audience's choice.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createVote(grid, signal) {
  const list = make("ol", "");
  const element = make(
    "div",
    "vote",
    { role: "dialog", "aria-label": "A vote", hidden: true, "data-testid": "vote", "aria-live": "polite" },
    make("p", "asks", {}, "Which pair is merged next?"),
    list,
  );
  let at = -1; // the step that it asks about

  /** Show the choice, then what is right, then nothing. */
  function turn() {
    if (!element.hidden && element.dataset.open === "true") return resolve();
    if (!element.hidden) return close();
    const table = grid.model.training && grid.step < grid.last ? pairTable(grid.model, grid.step) : null;
    if (!table || table.rows.length < 2 || !grid.elements.viewport.clientWidth) return;
    at = grid.step;
    grid.playhead.resume("guess"); // what is beside the question must not answer it
    list.replaceChildren(...choicesOf(table.rows).map(choiceElement));
    element.dataset.open = "true";
    setHidden(element, false);
  }

  /**
   * @param {ReturnType<typeof choicesOf<PairRow>>[number]} choice
   * @param {number} number
   */
  function choiceElement({ row, right }, number) {
    const letter = make("b", "", {}, String.fromCodePoint(CHOICE_A + number));
    const count = make("span", "result", {}, formatCount(row.count, "time"));
    return make(
      "li",
      right ? "right" : "",
      {},
      letter,
      grid.chipFor(row.ids[0]),
      "+",
      grid.chipFor(row.ids[1]),
      count,
    );
  }

  function resolve() {
    element.dataset.open = "false";
  }

  function close() {
    setHidden(element, true);
  }

  hear("step", grid.group.name, signal, ({ step }) => {
    if (step !== at || grid.playhead.playing) close();
  });
  return { element, turn, close, isOpen: () => !element.hidden };
}
