// The use of the grid's space: which cells are laid out, how large, and whether as chips.

/** @import {Model} from "../player/feed.js" */
/** @import {Layout} from "./layout.js" */
/** @import {Cells} from "../player/segmentation.js" */
/** @import {Options} from "./panels.js" */
/** @import {Grid} from "./types.js" */

import { arrange, layOutCells, FEW, isBroken, SMALL, metricsOf } from "./layout.js";
import { followPaper } from "../shared/paper.js";
import { MOST_CHIPS } from "./chip_drawing.js";
import { EDGE, roomOfIds, showsIds } from "./painting.js";
import { ABOVE } from "./in_sight.js";
import { cellRun } from "./runs.js";
import { sumOf } from "../shared/numbers.js";
import { cellsOf } from "../player/segmentation.js";

// Words that do not fill the stage of a hall stand in its middle.

const LEAST_ROOM = 24; // px to the right of the longest line, below which it is not moved

/**
 * Return a room in the middle of the space there is. Words that are read from right to left keep to their side.
 * @param {Room} room
 * @param {number} height  of the viewport
 * @returns {Room}
 */
export function centred(room, height) {
  const above = Math.max(0, Math.floor((height - room.height) / 2));
  for (const layout of room.layouts) layout.top += above;
  const natural = Math.ceil(Math.max(...room.layouts.map(longestLine)));
  const beside = room.width - natural < LEAST_ROOM ? 0 : Math.floor((room.width - natural) / 2);
  return { ...room, height: room.height + above, inset: beside, width: beside ? natural : room.width };
}

/** @param {Room["layouts"][number]} layout */
function longestLine(layout) {
  if (layout.direction || layout.longItems.length) return layout.width; // tokens of a long word change lines
  if (layout.drawsChips) arrange(layout, 0); // no line is longer at a later step
  return layout.x.reduce((most, x, cell) => Math.max(most, x + layout.w[cell]), 0);
}

/** The layouts, and their size. @typedef {Pick<Grid, "layouts" | "width" | "height" | "drawsChips" | "fitted" | "inset">} Room */

/**
 * How close together rows are.
 * @typedef {object} Density
 * @property {number} few  so many distinct words at most are in one column
 * @property {boolean} counts  whether tied pairs of the text have counts; those of the distinct words have
 * @property {boolean} [tight]  whether chips are narrow
 */

/** @type {Density} */
const ROOMY = { few: FEW, counts: true };
/** @type {Density} */
const TIGHT = { ...ROOMY, tight: true };
const MOST_WHOLE = 10; // distinct words that are never scrolled on a page
const MOST_WORDS = 16; // distinct words that are shown above the text
const CHIPS_BY_DEFAULT = 900; // cells
// [most cells, letter heights in px to try one after the other].
/** @type {[number, number[]][]} */
const SIZES = [
  [700, [17, 15]],
  [3000, [15]],
  [Infinity, [13]],
];
const NEW_TEXT = [44, 38, 32, 27, 23, 20, 17, 15]; // of a short text that is encoded
const SHORT_TEXT = 80; // cells
const OWN_WORD = [52, 46, 40, 34, 30, 26, 23, 20, 17, 15]; // of a short text that is trained on, and stands alone
const UNBROKEN = [17, 15, 14, 13]; // smaller letters, tried to keep distinct words unbroken
const LARGE = [34, 31, 28, 26, 24, 22, 20, 18]; // tried first for distinct words that stand alone
const PRESENTED = [
  180, 170, 160, 150, 140, 130, 120, 115, 110, 105, 101, 97, 93, 89, 85, 81, 78, 72, 64, 57, 51, 46, 41, 37,
  34, 31, 28, 26, 24, 22, 20, 18, 16,
];
const LEAST_TYPE = 0.02; // of the window's height, while presenting
const HALL_TYPE = 0.04; // of the window's height: letters of words that the last row of a hall reads
const MOST_BROKEN = 1.6; // times as large at most, where words break
const LONG_WORD = 26; // px; letters of words that fill a line of a page, and have narrow chips if that makes them larger
const TALLEST = 1.6; // height of a window, as a share of its width, that counts: a phone held upright is no hall
const PILL_TYPE = 10; // px; least height of a count below a tied pair
const FREQUENCY = 0.92; // size of a word's frequency, as a share of the letters'
const MANY_LANES = 3; // so many lanes and more show only words while presenting

/**
 * Lay out the view that the options choose, with the largest letters that fit; on a stage in its middle.
 * @param {Grid} grid
 * @returns {Room}
 */
export function layOut(grid) {
  const { style } = grid.elements.viewport;
  style.maxHeight = "";
  const room = largestRoom(grid);
  const presenting = grid.panels.presenter.isOn();
  const alone = presenting && !grid.lane; // lanes stay in line with each other
  const few = room.layouts.every(({ cells }) => cells.distinct && cells.words.length <= MOST_WHOLE);
  if (few && !presenting && !grid.lane) style.maxHeight = `${room.height + 2}px`; // all of them are in sight
  return alone ? centred(room, grid.elements.viewport.clientHeight) : room;
}

/** Lay out the view that the options choose, with the largest letters that fit. @param {Grid} grid @returns {Room} */
function largestRoom(grid) {
  const { model, options, elements, panels, codeFont, lane } = grid;
  const { viewport } = elements;
  const presenting = panels.presenter.isOn();
  const onlyWords = presenting && (lane?.of ?? 1) >= MANY_LANES && Boolean(model.feed.rows);
  const rows = visibleCells(model, onlyWords ? "words" : options.view, presenting);
  const size = sumOf(rows.map((cells) => cells.size));
  const wantsChips = options.drawing === "chips" || (options.drawing === "auto" && size <= CHIPS_BY_DEFAULT);
  const drawsChips = size <= MOST_CHIPS && wantsChips;
  const width = viewport.clientWidth - 2 * EDGE;
  const isShort = size <= SHORT_TEXT && (!model.training || (rows.length === 1 && !lane));
  const flows = flowsNow(grid, rows, drawsChips);
  const short = model.training ? OWN_WORD : NEW_TEXT;
  const usual = isShort ? short : flows ? NEW_TEXT : SIZES.find(([most]) => size <= most)?.[1];
  const sizes = presenting ? presentedSizes(rows) : (usual ?? []);
  const most = presenting ? viewport.clientHeight : parseFloat(getComputedStyle(viewport).maxHeight);

  const leastPill = leastPillOf(model, drawsChips, presenting ? Math.ceil(LEAST_TYPE * stageHeight()) : 0);

  /** @param {number} letters @param {number} [pill] @param {Density} [density] */
  const layOutAt = (letters, pill = leastPill, density = ROOMY) => {
    const hasIds = showsIds(model, lane) && (!presenting || isShort);
    const below = hasIds ? roomOfIds(letters, presenting) : 0;
    const { layouts, height } = stack(
      rows,
      letters,
      codeFont,
      width,
      drawsChips,
      pill,
      density,
      below,
      flows ? model.last : 0,
    );
    return { layouts, height, width, fitted: width, drawsChips, inset: 0 };
  };
  const fits = (/** @type {Room} */ { layouts, height }, isAsWanted = isWhole) =>
    height <= most && layouts.every(isAsWanted);
  const inTable = presenting && (lane?.of ?? 1) >= MANY_LANES; // a row of the table: words beside each other
  const distinct = rows.some((cells) => cells.distinct) && size <= SIZES[0][0];
  // Words and text shall both be in sight: the text gives up its counts, then the words their one column.
  for (const few of leastPill && rows.length > 1 && !presenting && distinct ? [FEW, 1] : []) {
    for (const letters of UNBROKEN) {
      for (const counts of few > 1 ? [true, false] : [false]) {
        const room = layOutAt(letters, leastPill, { few, counts });
        if (fits(room)) return room;
      }
    }
  }
  // What the last row of a hall reads comes first: without counts, in narrow chips, in several columns.
  for (const [density, pill] of presenting && distinct && !inTable ? hallDensities(leastPill) : []) {
    for (const letters of sizes.filter((one) => one >= hallType())) {
      const room = layOutAt(letters, pill, density);
      if (fits(room)) return room;
    }
  }
  // More words than that are read as a text, which may scroll.
  if (presenting && distinct && !lane && cellsOf(model).text.words.length) {
    return largestRoom({ ...grid, options: { ...options, view: "text" } });
  }
  // In a row of a table, larger letters are better than air between the lines.
  for (const letters of inTable && distinct ? sizes : []) {
    for (const density of [ROOMY, TIGHT]) {
      const room = layOutAt(letters, 0, { ...density, few: 1 });
      if (fits(room)) return room;
    }
  }
  if (inTable && distinct) return layOutAt(sizes[sizes.length - 1], 0, { ...TIGHT, few: 1 });
  // On a stage without room for counts, ties have dots as in a long text; then words are beside each other.
  for (const [pill, few] of presenting ? stageDensities(leastPill) : [[leastPill, FEW]]) {
    const isAlone = rows.length === 1 && !lane;
    const unbroken = isAlone ? [...LARGE, ...UNBROKEN] : UNBROKEN;
    for (const letters of distinct ? (presenting ? sizes : unbroken) : []) {
      // Words that stand alone on a page are beside each other where their letters are larger so.
      for (const column of isAlone && !presenting && leastPill ? [few, 1] : [few]) {
        const room = layOutAt(letters, pill, { few: column, counts: true });
        if (fits(room)) return room;
      }
    }
  }
  // Letters with spaces between them are one word to whoever reads them.
  const spelled = !model.training && rows.every(isSpelledOut);
  for (const letters of spelled ? sizes : []) {
    const room = layOutAt(letters, leastPill, TIGHT);
    if (fits(room, isOneLine)) return room;
  }
  // A word stays on one line if it can: otherwise its letters would change lines as they are merged. But on a stage a text
  // without spaces breaks before its letters are too small for a hall.
  const smaller = UNBROKEN.filter((one) => one < sizes[sizes.length - 1]);
  for (const letters of (isShort || flows) && !presenting ? [...sizes, ...smaller] : []) {
    for (const density of letters > LONG_WORD ? [ROOMY] : [ROOMY, TIGHT]) {
      const room = layOutAt(letters, leastPill, density);
      if (fits(room, isUnbroken)) return room;
    }
  }
  const hall = presenting ? hallType() : 0;
  const broken = presenting ? MOST_BROKEN * hall : isShort ? LONG_WORD : Infinity;
  for (const isAsWanted of presenting ? [isUnbroken, isWhole] : [isWhole]) {
    const largest = isAsWanted === isWhole ? broken : Infinity;
    const least = isAsWanted === isUnbroken ? hall : 0;
    for (const letters of sizes.slice(0, -1).filter((one) => one >= least && one <= largest)) {
      // On a stage, larger letters are better than wide chips.
      for (const density of isShort && presenting && model.training ? [ROOMY, TIGHT] : [ROOMY]) {
        const room = layOutAt(letters, leastPill, density);
        if (fits(room, isAsWanted)) return room;
      }
    }
  }
  const lastPill = presenting && distinct ? 0 : leastPill;
  const smallest = sizes[sizes.length - 1];
  const room = layOutAt(smallest, lastPill);
  if (!presenting || fits(room)) return room;
  // Narrow chips, first in one column, then in several; long words may take more lines.
  const narrow = [FEW, 1].map((few) => layOutAt(smallest, distinct ? 0 : lastPill, { ...TIGHT, few }));
  const whole = narrow.find((tight) => tight.height <= most && (!distinct || tight.layouts.every(isWhole)));
  // What has to be scrolled in any case has letters that the last row of a hall reads.
  return whole ?? layOutAt(Math.max(smallest, hallType()), lastPill, TIGHT);
}

/**
 * Return whether the tokens flow like words of a text: they are those of a finished tokenizer, all steps are done, and the
 * viewer has not gone to another step.
 * @param {Grid} grid
 * @param {Cells[]} rows
 * @param {boolean} drawsChips
 */
function flowsNow({ model, lane, step, flows, panels }, rows, drawsChips) {
  const isText = rows.length === 1 && !rows[0].distinct && drawsChips;
  return flows && isText && step === model.last && showsIds(model, lane) && !panels.presenter.isOn();
}

function stageHeight() {
  return Math.min(window.innerHeight, TALLEST * window.innerWidth);
}

function hallType() {
  return Math.ceil(HALL_TYPE * stageHeight());
}

/**
 * Return the densities to try on a stage for letters that a hall reads, each with the least height of a tie's count.
 * @param {number} leastPill
 * @returns {[density: Density, pill: number][]}
 */
function hallDensities(leastPill) {
  const tight = /** @type {[Density, number]} */ ([{ few: FEW, counts: true, tight: true }, 0]);
  const columns = stageDensities(leastPill).map(([pill, few]) => [{ few, counts: true }, pill]);
  return [.../** @type {[Density, number][]} */ (columns), tight, [{ ...tight[0], few: 1 }, 0]];
}

/**
 * Return the densities to try on a stage, as [least height of a tie's count, most words in one column].
 * @param {number} leastPill
 * @returns {[pill: number, few: number][]}
 */
function stageDensities(leastPill) {
  return [[leastPill, FEW], ...(leastPill ? [/** @type {[number, number]} */ ([0, FEW])] : []), [0, 1]];
}

/**
 * Return the least height of the letters of counts below tied pairs; 0 without ties, and for cells, which have dots.
 * @param {Model} model
 * @param {boolean} drawsChips
 * @param {number} [least]
 */
export function leastPillOf({ steps }, drawsChips, least = 0) {
  return drawsChips && steps.tied.some((number) => number > 1) ? Math.max(PILL_TYPE, least) : 0;
}

/**
 * Return the sizes to try in the presenter view, with the smallest at which no type is too small.
 * @param {Cells[]} rows
 */
function presentedSizes(rows) {
  const hasSmall = rows.some((cells) => {
    return Array.from({ length: cells.size }, (_, cell) => cellRun(cells, cell).kind).some((kind) => {
      return kind === "byte" || kind === "invisible";
    });
  });
  const distinct = rows.some((cells) => cells.distinct);
  const needed = Math.ceil((LEAST_TYPE * stageHeight() + 0.5) / (hasSmall ? SMALL : FREQUENCY));
  const hall = hallType();
  // A long text may scroll. Distinct words shall be whole, and so shall those of a short text.
  const isShort = sumOf(rows.map((cells) => cells.size)) <= SHORT_TEXT;
  const least = distinct || isShort ? needed : Math.max(needed, hall);
  const sizes = new Set([...PRESENTED, hall].filter((one) => one > least));
  return [...[...sizes].toSorted((one, other) => other - one), least];
}

/** Return whether no distinct word takes more than one line. @param {Layout} layout */
export function isWhole(layout) {
  return !layout.cells.distinct || isUnbroken(layout);
}

/** Return whether no word takes more than one line. @param {Layout} layout */
function isUnbroken(layout) {
  return [...layout.cells.words.keys()].every((item) => !isBroken(layout, item));
}

const SPELLED_OUT = 4; // letters at least

/** Return whether cells are single letters with spaces between them. @param {Cells} cells */
function isSpelledOut({ words, size }) {
  return words.length >= SPELLED_OUT && size < 2 * words.length;
}

/** Return whether all words are on one line. @param {Layout} layout */
function isOneLine({ line, cells }) {
  return cells.size === 0 || line[cells.size - 1] === line[0];
}

/**
 * Return the cells to show, from top to bottom. By default words are shown if the text below them stays in sight.
 * @param {Model} model
 * @param {Options["view"]} view
 * @param {boolean} presenting
 * @returns {Cells[]}
 */
export function visibleCells(model, view, presenting) {
  const { words, text } = cellsOf(model);
  const distinct = words.words.length;
  if (!text.words.length) return [words];
  if (!model.feed.rows || view === "text") return [text];
  if (view === "words") return [words];
  if (view === "both") return [words, text];
  if (distinct > MOST_WORDS || distinct === text.words.length) return [text];
  if (!model.training && text.size <= SHORT_TEXT) return [text]; // a new text is read in its order
  return presenting ? [words] : [words, text]; // each word once and large, to be read from the last row of a hall
}

/**
 * Lay out rows of cells below each other.
 * @param {Cells[]} rows
 * @param {number} size  height of a letter in px
 * @param {string} font
 * @param {number} width
 * @param {boolean} drawsChips
 * @param {number} [leastPill]  as for metricsOf
 * @param {Density} [density]
 * @param {number} [below]  least room below the lines of a running text
 * @param {number} [step]  whose widths decide where its lines end
 */
export function stack(
  rows,
  size,
  font,
  width,
  drawsChips,
  leastPill = 0,
  density = ROOMY,
  below = 0,
  step = 0,
) {
  const between = Math.round(size * 1.1);
  let top = 4;
  const layouts = rows.map((cells) => {
    const pill = cells.distinct || density.counts ? leastPill : 0;
    const metrics = metricsOf(size, font, pill, density.tight, cells.distinct ? 0 : below);
    const layout = layOutCells(cells, metrics, width, drawsChips, density.few, step);
    layout.top = top;
    top += layout.height + between;
    return layout;
  });
  return { layouts, height: top - between + 8 };
}

/** Make the stage as large as the layouts. @param {Grid} grid */
export function fitStage(grid) {
  const { style } = grid.elements.stage;
  style.height = `${grid.height}px`;
  style.width = grid.width > grid.fitted || grid.inset ? `${grid.width + 2 * EDGE}px` : "";
  style.marginLeft = grid.inset ? `${grid.inset}px` : "";
  showWholeRows(grid);
  markScrolling(grid);
}

/** In a lane and on a stage, end a text that scrolls between two rows, so that none looks cut. @param {Grid} grid */
function showWholeRows({ elements, layouts, height, lane, group, model }) {
  const { style } = elements.viewport;
  style.maxHeight = "";
  const room = elements.viewport.clientHeight;
  if (!(lane?.title || group.presenting) || height <= room + 1) return;
  const { top, metrics } = layouts.findLast((one) => one.top + one.metrics.pitch <= room) ?? layouts[0];
  const rows = Math.floor((room - top) / metrics.pitch);
  const below = showsIds(model, lane) ? metrics.drop : 0;
  if (rows >= 1) style.maxHeight = `${Math.ceil(top + rows * metrics.pitch + below)}px`;
  // Of another window's rows it may have been scrolled into the middle of one.
  const { viewport } = elements;
  const above = Math.round((viewport.scrollTop - top) / metrics.pitch);
  if (viewport.scrollTop) viewport.scrollTop = above > 0 ? top + above * metrics.pitch - ABOVE : 0;
}

/** Mark the viewport if it has to scroll. @param {Grid} grid */
function markScrolling({ elements, height }) {
  const { viewport } = elements;
  viewport.classList.toggle("scrolls", height > viewport.clientHeight + 1);
}

/**
 * Lay out again when the viewport's height or the window's size changes the lines or letters that fit.
 * If only the sentence above gained or lost a line, letters keep their size.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function followSize(grid, signal) {
  const { viewport } = grid.elements;
  let windowHeight = window.innerHeight;
  const observer = new ResizeObserver(() => {
    if (!viewport.clientWidth) return;
    const high = viewport.clientHeight !== grid.visibleArea.height();
    const resized = high && window.innerHeight !== windowHeight;
    windowHeight = window.innerHeight;
    // A short text that is cut by what has grown beside or below it becomes smaller; on a page, lanes stay as they are.
    const isCut = grid.height > viewport.clientHeight + 1 && grid.reading.size <= CHIPS_BY_DEFAULT;
    const shrinks = high && isCut && (!grid.lane || grid.panels.presenter.isOn());
    if (viewport.clientWidth - 2 * EDGE !== grid.fitted || resized || shrinks) grid.relayout();
    else if (high) {
      markScrolling(grid);
      grid.look();
    }
  });
  observer.observe(viewport);
  const wide = () => [grid.root, grid.root.closest(".lane-stage")];
  followPaper(() => grid.relayout(), signal, wide);
  signal.addEventListener("abort", () => observer.disconnect());
}
