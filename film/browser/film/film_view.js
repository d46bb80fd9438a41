// What a film shows: its lanes and its pair table. Either the recording plays, or the viewer's own words.

/** @import {FilmLane} from "./film_data.js" */
/** @import {LanesView} from "./lanes_view.js" */
/** @import {TableView} from "./table_view.js" */

import { writeStep } from "./address.js";

/**
 * Join the parts of a film.
 * @param {object} parts
 * @param {HTMLElement} parts.heading
 * @param {LanesView} parts.lanes
 * @param {TableView | null} parts.table  of the only lane
 * @param {HTMLElement} parts.note  about the recording
 * @param {() => void} parts.changed  other lanes are on the page
 */
export function createFilmView({ heading, lanes, table, note, changed }) {
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
  }

  return {
    build,
    update,
    showTable,
    followStep: (/** @type {number} */ now) => hasTable && table?.show(now),
    setStale,
    step,
    seek: (/** @type {number} */ to) => group.playhead?.seek(to),
    models: () => lanesInOrder().map(({ model }) => model),
    isBuilt: () => group.lanes.size > 0,
    writeStep,
  };

  function lanesInOrder() {
    return [...group.lanes].toSorted((one, other) => (one.lane?.index ?? 0) - (other.lane?.index ?? 0));
  }
}

/** @typedef {ReturnType<typeof createFilmView>} FilmView */
