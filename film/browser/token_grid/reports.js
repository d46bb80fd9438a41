// The reports of a grid: its step and picks to Python, and the pair table to the page.

/** @import {Grid} from "./types.js" */

import { say, typing } from "../shared/groups.js";
import { createReport } from "../shared/report.js";
import { correctAddress, writeAddress } from "./address.js";
import { tokenOf } from "../player/feed.js";
import { leadsGroup } from "../player/lanes.js";
import { pairName, pairTable } from "../player/pair_counts.js";
import { notePosition } from "./page_keys.js";

const FAST_TABLE = 250; // ms between two pair tables while the grid plays fast: all that an eye can follow

/**
 * Make the functions that report the step: to Python only at rest, once, after a moment; to the pair table also while
 * the grid plays fast.
 * @param {Grid} grid
 * @param {(step: number) => void} send
 * @param {AbortSignal} signal
 */
export function createReports(grid, send, signal) {
  let known = -1; // the step last reported
  const report = createReport(() => {
    known = grid.playhead.step;
    if (grid.data.linked) writeAddress(known);
    send(known);
  }, signal);

  signal.addEventListener("abort", () => markPage(false, false));

  function tellStep() {
    const { playing, predicting, scrubbing, step } = grid.playhead;
    report.cancel();
    if (signal.aborted || !leadsGroup(grid)) return;
    markPage(playing, predicting);
    if (playing || scrubbing) return;
    if (grid.panels.presenter.isOn() && !typing()?.isOpen()) notePosition(positionOf(grid));
    if (step !== known) report.soon();
  }

  /** @param {number} step  the one that Python knows already */
  function know(step) {
    known = step;
    if (grid.data.linked) correctAddress(step);
  }

  // Another training is shown: its step is told, whichever it is.
  function forget() {
    known = -1;
  }

  let toldPairs = 0; // when, in ms

  function tellPairsSoon() {
    const now = performance.now();
    if (now - toldPairs < FAST_TABLE) return;
    toldPairs = now;
    tellPairs(grid);
  }

  return { tellStep, tellPairsSoon, know, forget };
}

/**
 * Tell the page's styles whether a grid plays, since the numbers that Python draws are old until it rests, and whether
 * the viewer predicts, since Python's charts show the next merge.
 * @param {boolean} playing
 * @param {boolean} predicting
 */
function markPage(playing, predicting) {
  const { documentElement: page } = document;
  page.toggleAttribute("data-merges-play", playing);
  page.toggleAttribute("data-merges-predicted", predicting);
}

/** Return what a presentation needs to continue at the same beat. @param {Grid} grid */
export function positionOf({ group, playhead }) {
  return { group: group.name, step: playhead.step, beat: playhead.beat, film: playhead.film };
}

/**
 * Return the report to Python when the viewer picks another tied pair.
 * @param {Grid} grid
 * @param {[number, number]} pair
 */
export function pickOf({ model, step, tied }, pair) {
  const [left, right] = pair.map((id) => tokenOf(model, id).bytes);
  return { rank: step, pair, left, right, number: [...tied].indexOf(pairName(...pair)) };
}

/**
 * Send the pair table its rows. If the feed lacks words of the corpus, the table waits for Python's rows, sent at rest.
 * @param {Grid} grid
 */
export function tellPairs({ group, lane, lastMove, playhead, model, step }) {
  const moves = lastMove || playhead.playing;
  const table = group.tables.size && moves ? pairTable(model, step) : null;
  if (table) say("pairs", { group: group.name, lane: lane?.index ?? 0, ...table });
}
