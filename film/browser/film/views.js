// What a film shows: its lanes and the curve of its tokens. Either the recording plays, or the viewer's own words.

/** @import {FilmLane} from "./site.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {LanesView} from "../stage/lanes_view.js" */
/** @import {TableView} from "../stage/table_view.js" */
/** @import {WayView} from "../stage/way_view.js" */

import { writeStep } from "./site.js";
import { createChart } from "../chart/chart.js";
import { hear, lanesInOrder } from "../shared/groups.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { LOOKS } from "../every_way/looks.js";
import { tokensNow } from "../player/pair_counts.js";

/**
 * Join the parts of a film.
 * @param {object} parts
 * @param {HTMLElement} parts.heading
 * @param {LanesView} parts.lanes
 * @param {TableView | null} parts.table  of the only lane
 * @param {WayView} parts.ways
 * @param {CurveView} parts.curve
 * @param {HTMLElement} parts.note  about the recording
 * @param {() => void} parts.changed  other lanes are on the page
 */
export function createFilmView({ heading, lanes, table, ways, curve, note, changed }) {
  const { group } = lanes;
  const step = () => group.playhead?.step ?? 0;
  let hasTable = false; // it comes after the first frame

  /**
   * Draw other lanes, under another title.
   * @param {FilmLane[]} next
   * @param {number} start
   * @param {string} title
   * @param {boolean} [recorded]  whether the note is about them
   */
  function build(next, start, title, recorded = false) {
    heading.textContent = title;
    note.hidden = !recorded || !note.textContent;
    lanes.build(next, start);
    follow();
  }

  /** @param {FilmLane[]} next */
  function update(next) {
    lanes.update(next);
    follow();
  }

  function follow() {
    if (hasTable) table?.show(step());
    curve.draw(lanesInOrder(group.lanes).map(({ model, lane }) => ({ title: lane?.title ?? "", model })));
    changed();
  }

  function showTable() {
    hasTable = true;
    table?.show(step());
    if (table) group.playhead?.tell(); // the beat, which decides the order of the pairs
  }

  /** @param {boolean} stale  whether the lanes are of an older text */
  function setStale(stale) {
    lanes.element.classList.toggle("stale", stale);
    ways.element.classList.toggle("stale", stale);
    curve.element.classList.toggle("stale", stale);
  }

  return {
    build,
    update,
    showTable,
    followStep: (/** @type {number} */ now) => hasTable && table?.show(now),
    setStale,
    showWay: ways.show,
    way: ways.way,
    step,
    seek: (/** @type {number} */ to) => group.playhead?.seek(to),
    models: () => lanesInOrder(group.lanes).map(({ model }) => model),
    isBuilt: () => group.lanes.size > 0,
    writeStep,
  };
}

/** @typedef {ReturnType<typeof createFilmView>} FilmView */

// The tokens in the whole text after each merge: a line for each lane. A press on it leads there.

const MOST_POINTS = 400; // of a line

/**
 * Make the view. It is hidden while there is nothing to draw: an encoding has no such numbers.
 * @param {GridGroup} group
 */
export function createCurveView(group) {
  const {
    element,
    draw: drawLines,
    show,
  } = createChart({
    say: (step) => `Tokens in the text after ${formatCount(step, "merge")}`,
    write: formatNumber,
    seek: (step) => group.playhead?.seek(step),
  });
  Object.assign(element, { hidden: true }).dataset.testid = "token-curve";
  hear("step", group.name, new AbortController().signal, ({ step }) => element.hidden || show(step));

  /** Draw the lines of these lanes. @param {{title: string, model: Model}[]} lanes */
  function draw(lanes) {
    const last = Math.max(0, ...lanes.map(({ model }) => model.last));
    const firsts = lanes.map(({ model }) => tokensNow(model, 0));
    element.hidden = !last || firsts.includes(null);
    if (element.hidden) return;
    const most = Math.max(...firsts.map(Number));
    const lines = lanes.map(({ title, model }) => ({
      name: title,
      points: pointsOf(model.last),
      value: (/** @type {number} */ step) => tokensNow(model, Math.min(step, model.last)) ?? undefined,
    }));
    const parts = drawLines(
      { lines, last, most, ticks: [formatNumber(most), "0"] },
      group.playhead?.step ?? 0,
    );
    // Each has the colours of its lane in both themes: those of its line in the picture of every way.
    for (const [theme, { lines: colours }] of Object.entries(LOOKS))
      parts.forEach(([path, dot, name], at) => {
        for (const part of [path, dot, name])
          part.style.setProperty(`--${theme}`, colours[at % colours.length]);
      });
  }

  return { element, draw };
}

/** Return the numbers of merges at the corners of a line. @param {number} last */
function pointsOf(last) {
  const size = Math.max(1, Math.min(last, MOST_POINTS));
  return Array.from({ length: size + 1 }, (_, at) => Math.round((at * last) / size));
}

/** @typedef {ReturnType<typeof createCurveView>} CurveView */
