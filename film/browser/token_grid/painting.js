// Painting one token, one wall, one mark on a canvas.

/** @import {Box, Layout, Metrics} from "./layout.js" */
/** @import {Marked, Mark} from "./marking.js" */
/** @import {Grid} from "./types.js" */
/** @import {Run} from "./runs.js" */
/** @import {ChipColours} from "../shared/colour.js" */

import { formatNumber } from "../shared/numbers.js";
import { boxesOf, widthOf, fontOf, letterBox, reachOf, tabsIn } from "./layout.js";
import { TAB_LOOK } from "../shared/chip.js";
import { eachPair, hasCounts, eachMark, litRanges } from "./marking.js";
import { FIRST_NUMBER } from "../shared/feed_types.js";
import { isFinished } from "../player/feed.js";
import { mergedPair } from "../player/pair_counts.js";
import { runsOf, withCircle } from "./runs.js";
import { eachToken, idAt, startOf } from "../player/segmentation.js";
import { RIGHT_TO_LEFT } from "../player/spelling.js";

// The counts of tied pairs: each in a small pill on the seam between its two tokens, so that e + s, s + t and t + </w>
// can be told apart.

/** Opacity of the pairs that lose, from the moment that one is selected. */
const FADED = 0.4;

/**
 * The count of one tied pair, in px on the stage.
 * @typedef {object} SeamCount
 * @property {{x: number, y: number, w: number, h: number}} pill
 * @property {boolean} wins
 */

/**
 * Return the tied pairs in cells [from, to) as [start, seam, end], and whether each is the pair that is merged next.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function tiedSpans(grid, layout, from, to) {
  const { model, step, tied, visibleMarks } = grid;
  const winner = visibleMarks.winner ? mergedPair(model, step) : "";
  /** @type {{span: [number, number, number], wins: boolean}[]} */
  const spans = [];
  eachPair(grid, layout, from, to, (pair, start, end) => {
    if (!tied.has(pair)) return;
    spans.push({ span: [start, startOf(layout.cells, step, end - 1), end], wins: pair === winner });
  });
  return spans;
}

/** Return the text of the pills: how often each tied pair occurs. All occur equally often. @param {Marked} grid */
export function pillText({ model, step }) {
  return formatNumber(model.steps.count[step] ?? 0);
}

/**
 * Return the counts of the tied pairs in cells [from, to); none without a tie, or where they do not fit.
 * @param {Marked} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {number} pillWidth
 * @returns {SeamCount[]}
 */
export function countsIn(grid, layout, from, to, pillWidth) {
  if (!grid.visibleMarks.tied || grid.tied.size < 2 || !hasCounts(grid, layout, from, to)) return [];
  const w = Math.max(pillWidth, layout.metrics.pill - 1);
  /** @type {SeamCount[]} */
  const counts = [];
  for (const { span, wins } of tiedSpans(grid, layout, from, to)) {
    const { x, y } = seamOf(layout, span);
    // On a line's last chip, too, all of it is on the canvas.
    const last = layout.width + EDGE - 1 - w;
    const pill = {
      x: Math.max(1 - EDGE, Math.min(x - w / 2, last)),
      y: y - (layout.metrics.pill - 1) / 2,
      w,
      h: layout.metrics.pill - 1,
    };
    const before = counts[counts.length - 1]?.pill;
    // Wide counts on two neighbouring seams: one below the other.
    if (before && Math.abs(before.y - pill.y) < 1 && Math.abs(before.x - pill.x) < w) pill.y += pill.h * 0.8;
    counts.push({ pill, wins });
  }
  return counts;
}

/**
 * Return where the two tokens of a pair touch: the middle between their boxes, at their foot. Of a pair on two lines, the
 * end of the first token: its left side, if it runs from right to left.
 * @param {Layout} layout
 * @param {[start: number, seam: number, end: number]} span
 */
function seamOf(layout, [start, seam, end]) {
  const one = /** @type {Box} */ (boxesOf(layout, start, seam).pop());
  const [other] = boxesOf(layout, seam, end);
  const y = one.y + one.h;
  if (other.y !== one.y) {
    const { cells, direction, ltrRuns } = layout;
    const isLeftward = direction?.[cells.item[seam - 1]] === 1 && !ltrRuns?.to[seam - 1];
    return { x: isLeftward ? one.x : one.x + one.w, y };
  }
  const [low, high] = one.x < other.x ? [one, other] : [other, one];
  return { x: (low.x + low.w + high.x) / 2, y };
}

// The ids of tokens, below them: of a finished tokenizer, when all its merges are made.

const ID_TYPE = 11; // px; least height of an id's letters
const LEAST_ID = 0.021; // of the window's height, while presenting
const ID_SHARE = 0.34; // of the tokens' letters
const FIGURE = 0.85; // height of a digit with some air, as a share of the letters'
const ID_ROOM = 4; // px between two ids
const WIDEST_ID = 0.88; // of that room, on a stage
const ID_ABOVE = 2; // px between a token and its id
const ID_BELOW = 6; // px between an id and the line below, so that it is seen whose it is

/** Return whether ids are below the tokens at the end. @param {Grid["model"]} model @param {Grid["lane"]} lane */
export function showsIds(model, lane) {
  return !lane && isFinished(model);
}

/**
 * Return the room in px that ids of tokens with letters of a size take below their line. On a stage an id may be as large.
 * @param {number} size
 * @param {boolean} [presenting]
 */
export function roomOfIds(size, presenting = false) {
  return ID_ABOVE + Math.ceil(FIGURE * (presenting ? size : idType(size, ID_TYPE))) + ID_BELOW;
}

/** @param {number} size  of the tokens' letters @param {number} least */
function idType(size, least) {
  return Math.max(least, Math.round(size * ID_SHARE));
}

/**
 * Paint the ids of the tokens in cells [from, to), each where it has room: below its token, as far as the token's half
 * of the gap to its neighbours.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawIds(context, grid, layout, from, to) {
  const { model, step, playhead, lane, lit, colours, font } = grid;
  const { metrics, cells } = layout;
  if (!showsIds(model, lane) || lit || cells.distinct || step < model.last || playhead.beat !== "rest")
    return;
  const below = metrics.pitch - metrics.height;
  const presenting = grid.panels.presenter.isOn();
  const least = idType(metrics.size, presenting ? Math.ceil(LEAST_ID * window.innerHeight) : ID_TYPE);
  if (below < FIGURE * least) return;
  const write = (/** @type {number} */ type) => {
    context.font = `400 ${type}px ${font}`;
  };
  /** @param {(text: string, box: Box, room: number) => void} use */
  const eachId = (use, first = from, end = to) =>
    eachToken(cells, step, first, end, (start, after) => {
      const id = idAt(cells, start, after);
      const [box, ...more] = boxesOf(layout, start, after);
      if (id < 0 || id >= FIRST_NUMBER || more.length) return;
      const beside = (/** @type {number} */ cell) => {
        const isWall =
          cells.item[cell] !== cells.item[cell - 1] || layout.line[cell] !== layout.line[cell - 1];
        return (metrics.gap + (isWall ? metrics.wall : 0)) / 2;
      };
      const room = box.w + 2 * Math.min(beside(start), beside(after)) - ID_ROOM;
      write(least);
      if (context.measureText(String(id)).width <= room) use(String(id), box, room);
    });
  // On a stage, ids that have the room are as large as the letters, and all of a text have one size.
  let type = least;
  if (presenting && below >= roomOfIds(metrics.size, true)) {
    type = metrics.size;
    eachId(
      (text, _, room) => {
        type = Math.max(least, Math.min(type, (WIDEST_ID * least * room) / context.measureText(text).width));
      },
      0,
      cells.size,
    );
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.fillStyle = colours.soft;
  const middle = Math.min(below / 2 + 1, ID_ABOVE + (FIGURE * type) / 2 + 1);
  eachId((text, box) => {
    write(type);
    context.fillText(text, box.x + box.w / 2, box.y + box.h + middle);
  });
}

// Painting the counts on a canvas: the winner's filled, the losers' in outline.

/**
 * Paint the counts of the tied pairs in cells [from, to).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawCounts(context, grid, layout, from, to) {
  const { colours, font, visibleMarks } = grid;
  const { metrics } = layout;
  if (!metrics.pill || !visibleMarks.tied) return;
  const text = pillText(grid);
  context.font = `650 ${metrics.pillType}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.setLineDash([]);
  context.lineWidth = 1.5;
  const width = context.measureText(text).width + metrics.pillType * 0.9;
  const counts = countsIn(grid, layout, from, to, width).toSorted((one, other) => +one.wins - +other.wins);
  for (const { pill, wins } of counts) {
    const alpha = !wins && visibleMarks.losersFade ? FADED : 1;
    context.globalAlpha = 1; // opaque even where it fades: the frame round the winner would strike it out
    context.fillStyle = wins ? colours.accent : colours.panel;
    context.beginPath();
    context.roundRect(pill.x, pill.y, pill.w, pill.h, pill.h / 2);
    context.fill();
    context.globalAlpha = alpha;
    context.strokeStyle = wins ? colours.accent : colours.tie;
    context.stroke();
    context.fillStyle = wins ? colours.panel : colours.tie;
    context.fillText(text, pill.x + pill.w / 2, pill.y + pill.h / 2 + metrics.pillType * 0.06);
  }
  context.globalAlpha = 1;
}

// The dashed box round the abbreviation of an invisible character, as Unicode's charts draw it.

/**
 * Return where the dashed box of a run is.
 * @param {Metrics} metrics
 * @param {Run} run
 * @param {Box} box  of the run's cells
 */
export function dashedBox(metrics, run, box) {
  const w = Math.min(widthOf(metrics, run), box.w - 2);
  const h = Math.round(metrics.size * 1.05);
  const left = box.x + (box.w - w) / 2;
  return { x: Math.round(left) + 0.5, y: Math.round(box.y + (box.h - h) / 2) + 0.5, w: w - 1, h };
}

/**
 * Paint the dashed box of a run.
 * @param {CanvasRenderingContext2D} context
 * @param {Metrics} metrics
 * @param {Run} run
 * @param {Box} cells
 * @param {string} colour
 */
function drawDashes(context, metrics, run, cells, colour) {
  const { x, y, w, h } = dashedBox(metrics, run, cells);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  context.strokeRect(x, y, w, h);
  context.setLineDash([]);
}

/** @typedef {CanvasRenderingContext2D} Context */

const PLAIN = /^[ -~]*$/; // these letters stay within their boxes
/** px kept free around the tokens for outlines */
export const EDGE = 5;

/**
 * Paint the token of cells [start, end).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 * @param {ChipColours} [colours]
 */
export function drawToken(
  context,
  grid,
  layout,
  start,
  end,
  colours = grid.chip(idAt(layout.cells, start, end)),
) {
  const { cells, metrics } = layout;
  const drawBox = colours.unknown || context.globalAlpha < 1 ? outlineBox : fillBox;
  const boxes = boxesOf(layout, start, end);
  for (const box of boxes) drawBox(context, box, metrics, colours);
  for (const { box, ends } of tabsIn(layout, start, end, grid.step)) {
    drawTab(context, box, ends, metrics, colours.edge, grid.colours.panel);
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const run of runsOf(cells, start, end, grid.options.glyphs)) {
    drawRun(context, layout, boxes, run, colours, grid.step);
  }
}

/** @param {Context} context @param {Box} box @param {Metrics} metrics @param {ChipColours} colours */
function outlineBox(context, { x, y, w, h }, { edge, curve }, colours) {
  context.fillStyle = colours.fill;
  context.strokeStyle = colours.edge;
  context.lineWidth = edge;
  context.setLineDash(colours.unknown ? [4, 3] : []);
  context.beginPath();
  context.roundRect(x + edge / 2, y + edge / 2, w - edge, h - edge, curve);
  context.fill();
  context.stroke();
  context.setLineDash([]);
}

/**
 * Paint a box inside a box. Two fills take half the time of a fill and an outline, but need opaque colours.
 * @param {Context} context
 * @param {Box} box
 * @param {Metrics} metrics
 * @param {ChipColours} colours
 */
function fillBox(context, { x, y, w, h }, { edge, curve }, colours) {
  const fill = (/** @type {number} */ inset, /** @type {string} */ colour) => {
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x + inset, y + inset, w - 2 * inset, h - 2 * inset, curve + edge / 2 - inset);
    context.fill();
  };
  fill(0, colours.edge);
  fill(edge, colours.fill);
}

/**
 * Paint the tab that stands for a marker inside a box: pale, with a line where letters are beside it.
 * @param {Context} context
 * @param {Box} box
 * @param {[boolean, boolean]} ends  whether the token ends at its left and right side
 * @param {Metrics} metrics
 * @param {string} edge  colour
 * @param {string} pale  colour
 */
function drawTab(context, { x, y, w, h }, [low, high], { edge: width, curve }, edge, pale) {
  const alpha = context.globalAlpha;
  const [left, right] = [low ? width : 0, high ? width : 0];
  const round = Math.max(0, curve - width / 2);
  context.globalAlpha = alpha * TAB_LOOK.pale;
  context.fillStyle = pale;
  context.beginPath();
  context.roundRect(x + left, y + width, w - left - right, h - 2 * width, [
    low ? round : 0,
    high ? round : 0,
    high ? round : 0,
    low ? round : 0,
  ]);
  context.fill();
  context.globalAlpha = alpha;
  context.fillStyle = edge;
  if (!low) context.fillRect(x, y + width, 1, h - 2 * width);
  if (!high) context.fillRect(x + w - 1, y + width, 1, h - 2 * width);
}

/**
 * @param {Context} context
 * @param {Layout} layout
 * @param {Box[]} boxes  of the token
 * @param {Run} run
 * @param {ChipColours} colours
 * @param {number} step
 */
function drawRun(context, layout, boxes, run, colours, step) {
  if (!run.text) return;
  const { metrics } = layout;
  const box = letterBox(layout, run.from, run.to, step); // a run across a line's end is written at its beginning
  context.fillStyle = run.kind === "char" ? colours.ink : colours.soft;
  context.font = fontOf(metrics, run.kind);
  context.direction = RIGHT_TO_LEFT.test(run.text) ? "rtl" : "ltr";
  const text = run.to - run.from === 1 ? withCircle(run) : run.text;
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 + metrics.size * 0.06];
  const whole = boxes.find((other) => other.y === box.y) ?? box;
  const sticksOut = !PLAIN.test(text) && reachesOut(metrics, context.font, text, x, y, whole);
  if (sticksOut) {
    context.save();
    context.beginPath();
    context.rect(whole.x, whole.y, whole.w, whole.h);
    context.clip();
  }
  context.fillText(text, x, y, box.w);
  if (sticksOut) context.restore();
  if (run.kind === "invisible") drawDashes(context, metrics, run, box, colours.soft);
}

/**
 * Return whether the ink of a text reaches out of a token's box, as stacks of combining marks do. It is cut off there: who
 * erases the box erases the token.
 * @param {Metrics} metrics
 * @param {string} font
 * @param {string} text
 * @param {number} x  of the text's middle
 * @param {number} y
 * @param {Box} box
 */
function reachesOut(metrics, font, text, x, y, box) {
  const { side, up, down } = reachOf(metrics, font, text);
  const [left, right] = [x - side - 1, x + side + 1]; // a pixel of soft edge
  return left < box.x || right > box.x + box.w || y - up - 1 < box.y || y + down + 1 > box.y + box.h;
}

/**
 * Paint a ring round the token of cells [start, end).
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 */
export function drawRing(context, grid, layout, start, end) {
  context.strokeStyle = grid.colours.accent;
  context.lineWidth = 2.5;
  for (const { x, y, w, h } of boxesOf(layout, start, end)) {
    context.beginPath();
    context.roundRect(x - 1.5, y - 1.5, w + 3, h + 3, layout.metrics.curve + 1.5);
    context.stroke();
  }
}

/**
 * Paint the marks of cells [from, to): winner outlined, the counts of tied pairs on their seams (drawn as cells: dots below
 * the pairs), a corner of new tokens, differences between lanes along the foot.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
export function drawMarks(context, grid, layout, from, to) {
  if (from >= to) return;
  drawIds(context, grid, layout, from, to);
  if (grid.lit) drawLight(context, grid, layout, from, to);
  eachMark(grid, layout, from, to, (mark, start, end) => {
    if (grid.lit && mark !== "cursor") return;
    for (const box of boxesOf(layout, start, end)) MARKS[mark](context, grid, box);
  });
  // Over the frames, which would strike them out.
  if (!grid.lit || grid.lit.counts === "tied") drawCounts(context, grid, layout, from, to);
}

/** @type {Record<Mark, (context: Context, grid: Grid, box: Box) => void>} */
const MARKS = {
  winner(context, { colours }, box) {
    context.strokeStyle = colours.accent;
    context.lineWidth = Math.min(4, 2.5 * scaleOf(box));
    context.setLineDash([]);
    context.beginPath();
    context.roundRect(box.x - 2.5, box.y - 3.5, box.w + 5, box.h + 7, 9);
    context.stroke();
  },
  // Inside the winner's outline, so that both are seen where they cross.
  rival(context, { colours }, box) {
    context.strokeStyle = colours.tie;
    context.lineWidth = 2 * scaleOf(box);
    context.setLineDash([5, 3]);
    context.beginPath();
    context.roundRect(box.x + 1, box.y + 1, box.w - 2, box.h - 2, 7);
    context.stroke();
    context.setLineDash([]);
  },
  tied: (context, { colours }, box) => dots(context, colours.tie, box, 3),
  "tied below": (context, { colours }, box) => dots(context, colours.tie, box, 7),
  // Inside the box, since ties use the room below; in ink, since ties are orange.
  differs(context, { colours }, box) {
    context.fillStyle = colours.ink;
    for (const { x, y, w, h } of notchedLine(box)) context.fillRect(x, y, w, h);
  },
  fresh(context, { colours }, box) {
    const side = Math.max(6, box.h * 0.26);
    context.fillStyle = colours.accent;
    context.beginPath();
    context.moveTo(box.x + box.w - side, box.y);
    context.lineTo(box.x + box.w, box.y);
    context.lineTo(box.x + box.w, box.y + side);
    context.fill();
  },
  cursor(context, { colours }, box) {
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    context.setLineDash([]);
    context.strokeRect(box.x - 2, box.y - 2, box.w + 4, box.h + 4);
  },
};

/**
 * Return the parts of the notched line along a box's foot: a line with short teeth that point up.
 * @param {Box} box
 * @returns {Pick<Box, "x" | "y" | "w" | "h">[]}
 */
export function notchedLine({ x, y, w, h }) {
  const scale = scaleOf({ h });
  const [inset, thick, tooth] = [4, 2 * scale, 3 * scale];
  const foot = y + h - 3 * scale;
  const long = Math.max(thick, w - 2 * inset);
  const teeth = Math.max(1, Math.round(long / (8 * scale)));
  const gap = (long - thick) / teeth;
  const marks = Array.from({ length: teeth + 1 }, (_, at) => {
    return { x: x + inset + at * gap, y: foot - thick - tooth, w: thick, h: tooth };
  });
  return [{ x: x + inset, y: foot - thick, w: long, h: thick }, ...marks];
}

/**
 * Return the factor by which marks are thicker on large letters, to be seen from the last row of a hall.
 * @param {Pick<Box, "h">} box
 */
export function scaleOf(box) {
  return Math.max(1, box.h / 45);
}

/** The dots below a tied pair: dashes with round ends and the gaps between them, in px. */
export const DOTS = [0.1, 5.4];

/**
 * Paint dots below a box.
 * @param {Context} context
 * @param {string} colour
 * @param {Box} box
 * @param {number} below  px from the box's foot
 */
function dots(context, colour, box, below) {
  const scale = scaleOf(box);
  const y = box.y + box.h + below * scale;
  context.strokeStyle = colour;
  context.lineWidth = 3 * scale;
  context.lineCap = "round";
  context.setLineDash(DOTS.map((length) => length * scale));
  context.beginPath();
  context.moveTo(box.x + 2, y);
  context.lineTo(box.x + box.w - 1, y);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "butt";
}

/**
 * Dim everything that is not highlighted.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 */
function drawLight(context, grid, layout, from, to) {
  const { line, metrics, top } = layout;
  context.save();
  context.globalAlpha = 0.55; // so 45% of the other tokens' colour stays
  context.fillStyle = grid.colours.panel;
  const first = line[from] * metrics.pitch + top;
  const last = (line[to - 1] + 1) * metrics.pitch + top;
  context.fillRect(-EDGE, first, grid.width + 2 * EDGE, last - first);
  context.restore();
  const ranges = litRanges(grid, layout, from, to);
  for (const [start, end] of ranges) {
    for (const box of boxesOf(layout, start, end))
      context.clearRect(box.x - 1, box.y - 1, box.w + 2, box.h + 2);
  }
  if (!grid.lit?.counts) return;
  clearFrequencies(context, layout, ranges);
  if (grid.lit.counts === "tied") return; // their counts are on their seams: frames of rivals would be one chain
  const mark = grid.lit.counts === "ties" ? drawSeam : drawRing;
  for (const [start, end] of ranges) mark(context, grid, layout, start, end);
}

/**
 * Let the frequencies of the words with these places stand out too: they are part of the figure.
 * @param {Context} context
 * @param {Layout} layout
 * @param {[number, number][]} ranges
 */
function clearFrequencies(context, { cells, left, labelWidth, line, top, metrics }, ranges) {
  if (!labelWidth) return;
  for (const item of new Set(ranges.map(([start]) => cells.item[start]))) {
    const y = top + line[cells.firstCell[item]] * metrics.pitch + metrics.drop;
    context.clearRect(left[item], y, labelWidth - 6, metrics.height);
  }
}

/**
 * Paint the seam of a tie between two cells: orange after a real choice, as in the strip of ties.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 */
function drawSeam(context, { colours, model }, layout, start, end) {
  const { x, y } = seamOf(layout, [start, start + 1, end]);
  const { height } = layout.metrics;
  const w = 3.5 * scaleOf({ h: height });
  context.fillStyle = model.rivals.has(layout.cells.close[start]) ? colours.tie : colours.soft;
  context.beginPath();
  context.roundRect(x - w / 2, y - height - 2, w, height + 4, w / 2);
  context.fill();
}
