// What a film shows: its lanes and the curve of its tokens. Either the recording plays, or the viewer's own words.

/** @import {FilmLane} from "./site.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {LanesView} from "../stage/lanes_view.js" */
/** @import {TableView} from "../stage/table_view.js" */
/** @import {WayView} from "../stage/way_view.js" */

import { writeStep } from "./site.js";
import { make, makeSvg } from "../shared/dom.js";
import { hear, lanesInOrder } from "../shared/groups.js";
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

// The tokens in the whole text after each merge: a line for each lane, and a mark that goes with the playhead.

const MOST_POINTS = 400; // of a line

/**
 * Make the view. It is hidden while there is nothing to draw: an encoding has no such numbers.
 * @param {GridGroup} group
 */
export function createCurveView(group) {
  const [most, end] = [make("span", "most"), make("span", "end")];
  const numbers = make("figcaption");
  const now = make("i", "now");
  const lines = makeSvg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", role: "img" });
  const plot = make("div", "plot", { pointerdown: seek, pointermove: seek }, lines, now);
  const element = make(
    "figure",
    "curve",
    { "data-testid": "token-curve", hidden: true },
    numbers,
    make("div", "axes", {}, most, make("span", "zero", {}, "0"), plot, make("span", "begin", {}, "0"), end),
  );
  /** @type {{title: string, model: Model}[]} */
  let series = [];
  let last = 0;
  hear("step", group.name, new AbortController().signal, ({ step }) => follow(step));

  /** Draw the lines of these lanes. @param {{title: string, model: Model}[]} lanes */
  function draw(lanes) {
    series = lanes;
    last = Math.max(0, ...lanes.map(({ model }) => model.last));
    const first = Math.max(0, ...lanes.map(({ model }) => tokensNow(model, 0) ?? 0));
    element.hidden =
      last === 0 || lanes.length === 0 || lanes.some(({ model }) => tokensNow(model, 0) === null);
    if (element.hidden) return;
    most.textContent = first.toLocaleString("en");
    end.textContent = counted(last);
    lines.replaceChildren(
      ...lanes.map(({ model }, at) => inColours(makeSvg("path", { d: path(model, first) }), at)),
    );
    follow(group.playhead?.step ?? 0);
  }

  /**
   * Give an element the colours of a lane in both themes: those of its line in the picture of every way.
   * @template {HTMLElement | SVGElement} Part
   * @param {Part} part
   * @param {number} at
   */
  function inColours(part, at) {
    for (const theme of /** @type {const} */ (["light", "dark"])) {
      const { lines: colours } = LOOKS[theme];
      part.style.setProperty(`--${theme}`, colours[at % colours.length]); // a film's policy refuses the attribute
    }
    return part;
  }

  /** @param {Model} model @param {number} first  the number at the top */
  function path(model, first) {
    const points = Math.max(1, Math.min(model.last, MOST_POINTS));
    const corners = Array.from({ length: points + 1 }, (_, at) => {
      const step = Math.round((at * model.last) / points);
      return `${(step / last).toFixed(4)} ${(1 - (tokensNow(model, step) ?? 0) / first).toFixed(4)}`;
    });
    return `M${corners.join("L")}`;
  }

  /** @param {number} step */
  function follow(step) {
    if (element.hidden) return;
    now.style.left = `${(100 * Math.min(step, last)) / last}%`;
    const items = series.map(({ title, model }, at) => {
      const tokens = (tokensNow(model, Math.min(step, model.last)) ?? 0).toLocaleString("en");
      const number = make("b", "", {}, tokens);
      return title ? inColours(make("span", "lane", {}, `${title} `, number), at) : number;
    });
    numbers.replaceChildren(make("span", "", {}, `Tokens in the text after ${counted(step)}`), ...items);
    lines.setAttribute(
      "aria-label",
      [...numbers.childNodes].map(({ textContent }) => textContent).join(": "),
    );
  }

  /** @param {Event} event */
  function seek(event) {
    if (!(event instanceof PointerEvent) || event.buttons !== 1) return;
    const { left, width } = plot.getBoundingClientRect();
    group.playhead?.seek(Math.round((last * Math.min(Math.max(event.clientX - left, 0), width)) / width));
  }

  /** @param {number} merges */
  function counted(merges) {
    return `${merges.toLocaleString("en")} ${merges === 1 ? "merge" : "merges"}`;
  }

  return { element, draw };
}

/** @typedef {ReturnType<typeof createCurveView>} CurveView */
