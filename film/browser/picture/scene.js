// A picture of one or several lanes: laid out once, then drawn at any step as a scene.

/** @import {Grid, GridGroup} from "../token_grid/types.js" */
/** @import {Frame} from "./grid_shapes.js" */
/** @import {Fonts, Look, Piece, Scene, Shape} from "./shapes.js" */
/** @import {Layout} from "../token_grid/layout.js" */

import { differsFrom, rivalsOf } from "../player/lanes.js";
import { visibleMarksAt } from "../token_grid/marking.js";
import { pairName, tiedPairs } from "../player/pair_counts.js";
import {
  choiceText,
  endText,
  isChoice,
  kindSentence,
  nextText,
  tieText,
  ordinal,
} from "../token_grid/wording.js";
import { badgePiece, flow, moved, textPiece, tokenPiece } from "./shapes.js";
import { formatNumber } from "../shared/numbers.js";
import { arrange } from "../token_grid/layout.js";
import { isWhole, leastPillOf, stack, visibleCells } from "../token_grid/room.js";
import { gridShapes } from "./grid_shapes.js";
import { groupNamed, lanesInOrder } from "../shared/groups.js";

// A grid at any step, as a picture shows it: at rest, with the marks of the next merge.

/**
 * What a picture is made from: the fields of a grid that are no elements of the page.
 * @typedef {Pick<Grid, "model" | "step" | "tied" | "options" | "colours" | "chip" | "lane" | "drawsChips">} Source
 */

/**
 * Return the frames of all lanes at a step; a lane that has fewer steps rests at its last.
 * @param {Source[]} lanes
 * @param {number} step
 * @returns {Frame[]}
 */
function framesAt(lanes, step) {
  const now = lanes.map(({ model }) => ({ model, step: Math.min(step, model.last) }));
  return lanes.map((lane, at) => {
    const rivals = rivalsOf(now[at], now);
    return {
      ...lane,
      step: now[at].step,
      tied: tiedNames(lane, now[at].step),
      visibleMarks: visibleMarksAt("rest", rivals.length > 0),
      cursor: null,
      differsAt: (cells, start, end) => differsFrom(rivals, cells, start, end),
    };
  });
}

/**
 * Return the names of the pairs that tie for the next merge, as far as the page knows them.
 * @param {Source} lane
 * @param {number} step
 * @returns {Set<string>}
 */
function tiedNames({ model, step: gridStep, tied }, step) {
  if (step >= model.last || !(model.steps.tied[step] > 1)) return new Set();
  const pairs = tiedPairs(model, step);
  if (pairs) return new Set(pairs.map(([left, right]) => pairName(left, right)));
  return step === gridStep ? tied : new Set();
}

// The headline of a picture: as above the grid at rest, with the tie badge. It offers nothing to press.

/** What a headline needs to know. @typedef {Pick<Frame, "model" | "step" | "colours" | "chip" | "lane">} Head */

const CHIP_SIZE = 20; // px, height of a letter
const COUNT = 16;
const BADGE = 14;

/**
 * Return the shapes of the headline, with their height.
 * @param {Head} frame
 * @param {Fonts} fonts
 * @param {number} width
 */
function headlineShapes(frame, fonts, width) {
  const { model, step, colours } = frame;
  /** @type {(size: number, weight: number, fill: string) => Look} */
  const look = (size, weight, fill) => ({ family: "sans", size, weight, fill });
  const text = (/** @type {string} */ words, /** @type {Look} */ how) => textPiece(words, how, fonts, width);
  const sign = (/** @type {string} */ words) => text(words, look(CHIP_SIZE, 650, colours.ink));
  const chip = (/** @type {number} */ id) => tokenPiece(frame, id, CHIP_SIZE, fonts, width);
  /** @type {Piece[]} */
  const pieces = [];
  if (step >= model.last) {
    pieces.push(sign(endText(model)));
    if (model.feed.ending) pieces.push(text(model.feed.ending, look(COUNT, 400, colours.soft)));
    return flow(pieces, width);
  }
  const { left, right, ids, tied } = model.steps;
  if (model.taken) pieces.push(sign("split off"), chip(ids[step]));
  else pieces.push(chip(left[step]), sign("+"), chip(right[step]), sign("→"), chip(ids[step]));
  pieces.push(text(nextText(model, step).join(""), look(COUNT, 400, colours.soft)));
  if (tied[step] > 1) {
    const sentence = [tieText, choiceText, kindSentence].map((words) => words(model, step));
    const colour = isChoice(model, step) ? colours.tie : colours.soft;
    const how = look(BADGE, 600, colour);
    pieces.push(badgePiece(sentence.filter(Boolean).join(" "), how, fonts, width));
  }
  return flow(pieces, width);
}

/**
 * What a picture adds to the grid, and how high the grid in it may be.
 * @typedef {object} Wishes
 * @property {Fonts} fonts
 * @property {string} footer
 * @property {number} most  px, height of the grid
 * @property {number} [from]  where the viewer has scrolled to: the share of the grid above it, 0 to 1
 */

/** A lane that is laid out. @typedef {{source: Source, layouts: Layout[], top: number, foot: number}} Lane */

/**
 * A picture that can be drawn at any step.
 * @typedef {object} Picture
 * @property {number} last  step
 * @property {string} note  which part of the text it draws; "" for all of it
 * @property {(step: number) => number} headHeight  of the headlines at a step
 * @property {(step: number, head?: number) => Scene} sceneAt  `head` is the height to keep free for headlines
 */

const LANE_WIDTHS = [960, 620, 460]; // px, at most, of one, two or three lanes beside each other
const NARROWEST = 560; // px, so that a headline has room above a short text
const MARGIN = 28; // px around the picture, and between lanes
const BELOW = 16; // px between headline and grid, and grid and footer
const PICTURE_LETTERS = [30, 26, 23, 20, 18, 17, 16, 15, 14, 13]; // px, tried until the grid is as high as a slide
const SLIDE = 0.45; // height of such a grid, in widths of its lane

/**
 * Lay out a picture.
 * @param {Source[]} sources  the lanes, in order
 * @param {Wishes} wishes
 * @returns {Picture}
 */
export function layOutPicture(sources, { fonts, footer, most, from = 0 }) {
  const beside = Math.max(1, Math.min(sources.length, sources[0].lane?.beside ?? 1));
  const widest = LANE_WIDTHS[Math.min(beside, LANE_WIDTHS.length) - 1];
  const lanes = layOutLanes(sources, widest, fonts, most, from);
  const width = Math.min(widest, Math.max(NARROWEST, ...lanes.map(usedWidth)));
  const note = partText(lanes);
  const whole = beside * (width + MARGIN) + MARGIN;
  const { colours } = sources[0];

  /** @param {Head} frame */
  const headOf = (frame) => {
    const title = frame.lane?.title ? titleShapes(frame, fonts, width) : { shapes: [], height: 0 };
    const headline = headlineShapes(frame, fonts, width);
    const top = title.height + (title.height ? BELOW / 2 : 0);
    return { shapes: [...title.shapes, ...moved(headline.shapes, 0, top)], height: top + headline.height };
  };

  /** @param {number} step */
  function headHeight(step) {
    const frames = sources.map((source) => ({ ...source, step: Math.min(step, source.model.last) }));
    return Math.max(...frames.map((frame) => headOf(frame).height));
  }

  /** @type {Picture["sceneAt"]} */
  function sceneAt(step, head = headHeight(step)) {
    const frames = framesAt(sources, step);
    /** @type {Shape[]} */
    const shapes = [];
    let y = MARGIN;
    for (let first = 0; first < lanes.length; first += beside) {
      let high = 0;
      lanes.slice(first, first + beside).forEach((lane, column) => {
        const frame = frames[first + column];
        const x = MARGIN + column * (width + MARGIN);
        shapes.push(...moved(headOf(frame).shapes, x, y));
        shapes.push(...moved(laneShapes(frame, lane), x, y + head + BELOW - lane.top));
        high = Math.max(high, lane.foot - lane.top);
      });
      y += head + BELOW + high + BELOW;
    }
    const foot = footerShapes(
      [footer, note].filter(Boolean).join(" · "),
      fonts,
      colours.soft,
      whole - 2 * MARGIN,
    );
    shapes.push(...moved(foot.shapes, MARGIN, y));
    const height = Math.ceil(y + foot.height + MARGIN / 2);
    return { width: whole, height, background: colours.panel, title: titleOf(frames, footer), shapes };
  }

  return { last: Math.max(...sources.map(({ model }) => model.last)), note, headHeight, sceneAt };
}

/**
 * Lay out all lanes with the same letters: the largest that fit on a slide.
 * @param {Source[]} sources
 * @param {number} width
 * @param {Fonts} fonts
 * @param {number} most
 * @param {number} from
 * @returns {Lane[]}
 */
function layOutLanes(sources, width, fonts, most, from) {
  const rows = sources.map(({ model, options }) => visibleCells(model, options.view, false));
  const stacks = (/** @type {number} */ letters) =>
    sources.map(({ drawsChips, model }, at) => {
      const pill = leastPillOf(model, drawsChips);
      return stack(rows[at], letters, fonts.code, width, drawsChips, pill);
    });
  let stacked = stacks(PICTURE_LETTERS[0]);
  for (const letters of PICTURE_LETTERS.slice(1)) {
    if (stacked.every(({ layouts, height }) => height <= SLIDE * width && layouts.every(isWhole))) break;
    stacked = stacks(letters);
  }
  return stacked.map(({ layouts, height }, at) => {
    const pitch = layouts[0].metrics.pitch;
    const top = height <= most ? 0 : Math.min(Math.floor((from * height) / pitch) * pitch, height - most);
    return { source: sources[at], layouts, top, foot: Math.min(height, top + most) };
  });
}

/** Return the width that a lane needs before any merge, when its tokens need most. @param {Lane} lane */
function usedWidth({ layouts }) {
  let right = 0;
  for (const layout of layouts) {
    arrange(layout, 0);
    layout.x.forEach((x, cell) => (right = Math.max(right, x + layout.w[cell])));
  }
  return Math.ceil(right);
}

/** Return the lines [first, last) of a layout that are drawn as a whole. @param {Lane} lane @param {Layout} layout */
function linesIn({ top, foot }, { top: begins, metrics, lineStart }) {
  const first = Math.max(0, Math.ceil((top - begins) / metrics.pitch));
  const last = Math.min(lineStart.length, Math.floor((foot - begins) / metrics.pitch));
  return [first, Math.max(first, last)];
}

/** @param {Frame} frame @param {Lane} lane */
function laneShapes(frame, lane) {
  return lane.layouts.flatMap((layout) => {
    arrange(layout, frame.step);
    const [first, last] = linesIn(lane, layout);
    return gridShapes(frame, layout, first, last);
  });
}

/** Return a sentence that says which part of the text is drawn; "" for all of it. @param {Lane[]} lanes */
function partText(lanes) {
  for (const lane of lanes) {
    const layout = lane.layouts[lane.layouts.length - 1];
    const [first, last] = linesIn(lane, layout);
    const lines = layout.lineStart.length;
    const { start, end, total } = lane.source.model.feed.text;
    const window = total && end - start < total;
    const characters = `characters ${formatNumber(start + 1)}–${formatNumber(end)} of ${formatNumber(total)}`;
    if (last - first < lines) {
      const part = `lines ${formatNumber(first + 1)}–${formatNumber(last)} of ${formatNumber(lines)}`;
      return window ? `${part}, in ${characters}` : part;
    }
    if (window) return characters;
  }
  return "";
}

/** @param {Head} frame @param {Fonts} fonts @param {number} width */
function titleShapes({ lane, colours }, fonts, width) {
  /** @type {(size: number, weight: number, fill: string) => Look} */
  const look = (size, weight, fill) => ({ family: "sans", size, weight, fill });
  const title = flow([textPiece(lane?.title ?? "", look(17, 650, colours.ink), fonts, width)], width);
  if (!lane?.subtitle) return title;
  const below = flow([textPiece(lane.subtitle, look(13, 400, colours.soft), fonts, width)], width);
  const shapes = [...title.shapes, ...moved(below.shapes, 0, title.height)];
  return { shapes, height: title.height + below.height };
}

/** @param {string} text @param {Fonts} fonts @param {string} fill @param {number} width */
function footerShapes(text, fonts, fill, width) {
  /** @type {Look} */
  const look = { family: "sans", size: 12.5, weight: 400, fill };
  return text ? flow([textPiece(text, look, fonts, width)], width) : { shapes: [], height: 0 };
}

/** @param {Frame[]} frames @param {string} footer */
function titleOf([{ model, step }], footer) {
  const where = step < model.last ? ordinal(model, step) : "after the last merge";
  return [footer, where].filter(Boolean).join(", ");
}

// The grids of a group on the page, as the sources of a picture.

const MOST_STILL = 2400; // px, height of the grid in a picture
const MOST_MOVING = 640; // in a GIF

/**
 * Lay out a picture of a group's grids as they are now; null if there is none on the page.
 * @param {string} group
 * @param {string} footer
 * @param {{moving: boolean}} how  whether it will be a GIF, which is less high
 */
export function pictureOf(group, footer, { moving }) {
  /** @type {GridGroup} */
  const { lanes } = groupNamed(group);
  const grids = lanesInOrder(lanes);
  if (!grids.length) return null;
  const [grid] = grids;
  const fonts = { code: grid.codeFont, sans: grid.font }; // those of the page
  const from = grid.height ? grid.elements.viewport.scrollTop / grid.height : 0;
  const most = moving ? MOST_MOVING : MOST_STILL;
  const picture = layOutPicture(grids, { fonts, footer, most, from });
  const noun = grid.model.training ? "merge" : "step";
  return { picture, fonts, noun, step: grid.playhead.step };
}
