// The shapes of the grid in a picture: tokens, walls or frequencies, and the marks of the next merge.

/** @import {ChipColours} from "../shared/colour.js" */
/** @import {Box, Layout} from "../token_grid/layout.js" */
/** @import {Mark} from "../token_grid/marking.js" */
/** @import {Run} from "../token_grid/runs.js" */
/** @import {Grid} from "../token_grid/types.js" */
/** @import {Shape, TextShape} from "./shapes.js" */

import { CHIP_LOOK } from "../shared/chip.js";
import { DOTS, countsIn, pillText, dashedBox, notchedLine, scaleOf } from "../token_grid/painting.js";
import {
  SMALL,
  boxesOf,
  endsOf,
  frequencyText,
  lineEnd,
  restingLetters,
  tabsIn,
  wallsOf,
} from "../token_grid/layout.js";
import { eachMark } from "../token_grid/marking.js";
import { runsOf, withCircle } from "../token_grid/runs.js";
import { eachToken, idAt } from "../player/segmentation.js";
import { tokenOf } from "../player/feed.js";
import { RIGHT_TO_LEFT } from "../player/spelling.js";
import { areaShape, baseline, tabShapes, textShape } from "./shapes.js";

/**
 * What a picture needs to know of a grid, at the step that it shows.
 * @typedef {Pick<Grid, "model" | "step" | "tied" | "options" | "colours" | "chip" | "visibleMarks" | "cursor" | "differsAt" | "lane">} Frame
 */

/**
 * Return the shapes of the lines [first, last) of a layout, which has been arranged for the frame's step.
 * @param {Frame} frame
 * @param {Layout} layout
 * @param {number} first
 * @param {number} last
 * @returns {Shape[]}
 */
export function gridShapes(frame, layout, first, last) {
  const { cells, lineStart } = layout;
  if (first >= last) return [];
  const from = lineStart[first];
  const to = lineStart[last] ?? cells.size;
  const inLines = (/** @type {Box} */ { y, h }) => y + h / 2 > top && y + h / 2 < foot;
  const top = layout.top + first * layout.metrics.pitch;
  const foot = layout.top + last * layout.metrics.pitch;
  /** @type {Shape[]} */
  const shapes = [];
  eachToken(cells, frame.step, from, to, (start, end) => {
    shapes.push(tokenShape(frame, layout, start, end, inLines));
  });
  if (cells.distinct) shapes.push(...frequencies(frame, layout, from, to));
  shapes.push(...walls(frame, layout, first, last));
  eachMark(frame, layout, from, to, (mark, start, end) => {
    for (const box of boxesOf(layout, start, end))
      if (inLines(box)) shapes.push(...MARK_SHAPES[mark](frame, box));
  });
  shapes.push(...seamCounts(frame, layout, from, to, inLines)); // over the frames, which would strike them out
  return shapes;
}

/**
 * @param {Frame} frame
 * @param {Layout} layout
 * @param {number} start
 * @param {number} end
 * @param {(box: Box) => boolean} inLines  whether a box is on the lines to draw
 * @returns {Shape}
 */
function tokenShape(frame, layout, start, end, inLines) {
  const { cells, metrics } = layout;
  const colours = frame.chip(idAt(cells, start, end));
  /** @type {Shape[]} */
  const shapes = boxesOf(layout, start, end)
    .filter(inLines)
    .map(({ x, y, w, h }) => {
      const { fill, edge, unknown = false } = colours;
      return {
        kind: "box",
        x,
        y,
        w,
        h,
        curve: metrics.curve,
        fill,
        edge,
        width: metrics.edge,
        dashed: unknown,
      };
    });
  const tabs = tabsIn(layout, start, end, frame.step);
  for (const { box, ends } of tabs) {
    if (inLines(box)) shapes.push(...tabShapes(box, ends, metrics, colours, frame.colours.panel));
  }
  for (const run of runsOf(cells, start, end, frame.options.glyphs)) {
    const box = restingLetters(layout, run.from, run.to, frame.step); // a run across a line's end is written at its beginning
    if (run.text && inLines(box)) addRun(shapes, layout, run, box, colours);
  }
  return {
    kind: "token",
    shapes,
    label: tabs.length ? tokenOf(cells.model, idAt(cells, start, end)).label : "",
  };
}

/**
 * Add a run to the shapes of its token, to its last text if they look alike: a token is then one text.
 * @param {Shape[]} shapes
 * @param {Layout} layout
 * @param {Run} run
 * @param {Box} box
 * @param {ChipColours} colours
 */
function addRun(shapes, { metrics }, run, box, colours) {
  const small = run.kind !== "char" && run.kind !== "space";
  const text = run.to - run.from === 1 ? withCircle(run) : run.text;
  /** @type {TextShape} */
  const shape = {
    kind: "text",
    pieces: [{ x: box.x + box.w / 2, text, width: box.w }],
    y: baseline(box.y + box.h / 2, metrics.size * (small ? 0.85 : 1)),
    family: "code",
    size: small ? Math.max(9, Math.round(metrics.size * SMALL)) : metrics.size,
    weight: CHIP_LOOK.weight,
    fill: run.kind === "char" ? colours.ink : colours.soft,
    anchor: "middle",
    rightToLeft: RIGHT_TO_LEFT.test(text),
  };
  if (run.kind === "invisible") {
    const look = { curve: 2, fill: "none", edge: colours.soft, width: 1, dashed: true };
    shapes.push({ kind: "box", ...dashedBox(metrics, run, box), ...look });
  }
  const last = shapes[shapes.length - 1];
  const joins =
    last.kind === "text" && last.y === shape.y && last.size === shape.size && last.fill === shape.fill;
  if (joins && !last.rightToLeft && !shape.rightToLeft) last.pieces.push(...shape.pieces);
  else shapes.push(shape);
}

/** @param {Frame} frame @param {Layout} layout @param {number} first @param {number} last @returns {Shape[]} */
function walls({ colours, step }, layout, first, last) {
  const { cells, metrics, lineStart, top } = layout;
  /** @type {Shape[]} */
  const shapes = [];
  for (let line = first; line < last; line++) {
    const y = top + line * metrics.pitch + metrics.drop + metrics.height * 0.12;
    const [from, to] = [lineStart[line], lineEnd(layout, line)];
    const between = cells.distinct ? [] : wallsOf(layout, from, to).values();
    for (const x of [...between, ...endsOf(layout, from, to, step).values()]) {
      const left = Math.round(x) - 1;
      shapes.push(areaShape({ x: left, y, w: 2, h: metrics.height * 0.76 }, colours.wall));
    }
  }
  return shapes;
}

/** @param {Frame} frame @param {Layout} layout @param {number} from @param {number} to @returns {Shape[]} */
function frequencies({ colours }, layout, from, to) {
  const { cells, metrics, left, labelWidth, top, line } = layout;
  /** @type {Shape[]} */
  const shapes = [];
  for (let item = cells.item[from]; item < cells.words.length && cells.firstCell[item] < to; item++) {
    if (cells.firstCell[item] < from) continue;
    const middle = top + line[cells.firstCell[item]] * metrics.pitch + metrics.drop + metrics.height / 2;
    const text = frequencyText(cells.model.words.frequency[cells.words[item]]);
    const size = Math.round(metrics.size * 0.92);
    const look = { family: /** @type {const} */ ("sans"), size, weight: 400, fill: colours.soft };
    shapes.push(textShape(text, left[item] + labelWidth - 10, middle, { ...look, anchor: "end" }));
  }
  return shapes;
}

/**
 * Return the counts on the seams of tied pairs.
 * @param {Frame} frame
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {(box: Box) => boolean} inLines  whether a box is on the lines to draw
 * @returns {Shape[]}
 */
function seamCounts(frame, layout, from, to, inLines) {
  const { colours } = frame;
  const { pillType, height } = layout.metrics;
  const text = pillText(frame);
  const width = (0.6 * text.length + 0.9) * pillType;
  return countsIn(frame, layout, from, to, width).flatMap(({ pill, wins }) => {
    if (!inLines({ ...pill, y: pill.y - height, h: height })) return [];
    const colour = wins ? colours.accent : colours.tie;
    const fill = wins ? colour : colours.panel;
    return [
      { kind: "box", ...pill, curve: pill.h / 2, fill, edge: colour, width: 1.5, dashed: false },
      textShape(text, pill.x + pill.w / 2, pill.y + pill.h / 2, {
        family: "sans",
        size: pillType,
        weight: 650,
        anchor: "middle",
        fill: wins ? colours.panel : colour,
      }),
    ];
  });
}

/** @type {Record<Mark, (frame: Frame, box: Box) => Shape[]>} */
const MARK_SHAPES = {
  winner: ({ colours }, { x, y, w, h }) => [
    {
      kind: "box",
      x: x - 3.5,
      y: y - 4.5,
      w: w + 7,
      h: h + 9,
      curve: 9,
      fill: "none",
      edge: colours.accent,
      width: Math.min(4, 2.5 * scaleOf({ h })),
      dashed: false,
    },
  ],
  rival: ({ colours }, { x, y, w, h }) => [
    {
      kind: "box",
      x: x + 1,
      y: y + 1,
      w: w - 2,
      h: h - 2,
      curve: 7,
      fill: "none",
      edge: colours.tie,
      width: 2 * scaleOf({ h }),
      dashed: true,
    },
  ],
  tied: ({ colours }, box) => [dotsShape(colours.tie, box, 3)],
  "tied below": ({ colours }, box) => [dotsShape(colours.tie, box, 7)],
  differs: ({ colours }, box) => notchedLine(box).map((part) => areaShape(part, colours.ink)),
  fresh({ colours }, { x, y, w, h }) {
    const side = Math.max(6, h * 0.26);
    const right = x + w;
    return [
      {
        kind: "area",
        points: [
          [right - side, y],
          [right, y],
          [right, y + side],
        ],
        fill: colours.accent,
      },
    ];
  },
  cursor: () => [], // where the keys are is of no interest later
};

/**
 * Return dots below a box.
 * @param {string} colour
 * @param {Box} box
 * @param {number} below  px from the box's foot
 * @returns {Shape}
 */
function dotsShape(colour, { x, y, w, h }, below) {
  const scale = scaleOf({ h });
  return {
    kind: "line",
    x: x + 2,
    y: y + h + below * scale,
    w: Math.max(0, w - 3),
    colour,
    width: 3 * scale,
    dash: DOTS.map((length) => length * scale),
  };
}
