// The pictures of a film as the text of SVG files: its grids as they are on the page, and what its card shows. `stills.py`
// runs it in the film.

/** @import {Fonts, Scene, Shape, Piece} from "../film/browser/picture/shapes.js" */
/** @import {Source} from "../film/browser/picture/scene.js" */
/** @import {GridGroup} from "../film/browser/token_grid/types.js" */

import { moved, textPiece, tokenPiece } from "../film/browser/picture/shapes.js";
import { cellsOf, eachToken, idAt } from "../film/browser/player/segmentation.js";
import { groupNamed, lanesInOrder } from "../film/browser/shared/groups.js";
import { layOutPicture } from "../film/browser/picture/scene.js";
import { svgText } from "../film/browser/picture/still.js";

// The picture on a film's card: a merge, and below it words of the text that contain its pair, all with chips of one
// size. Of several lanes it shows the merge of each.

const CARD_WIDTH = 480; // px
const CARD_HEIGHT = 215;
const CARD_EDGE = 22; // px, least room around what is drawn
// px, height of a letter and the most that a chip is wide: the first at which the merge fits. It always fits the last.
const CARD_LOOKS = /** @type {const} */ ([
  [26, CARD_WIDTH / 2],
  [22, CARD_WIDTH / 2],
  [18, CARD_WIDTH / 2],
  [15, CARD_WIDTH / 2],
  [18, 0.25 * CARD_WIDTH],
]);
const LANE_LETTERS = [0, 26, 24, 21, 19]; // px, by the number of lanes; each has a line
const CARD_GAP = 5; // px between two tokens of a word
const CARD_WORDS = 2;

/**
 * Return the card's picture at a step.
 * @param {Source[]} lanes
 * @param {Fonts} fonts
 * @param {number} step
 * @returns {Scene}
 */
export function cardScene(lanes, fonts, step) {
  const lines =
    lanes.length > 1
      ? lanes.map((lane) => laneLine(lane, fonts, step, LANE_LETTERS[lanes.length] ?? 16))
      : linesOf(lanes[0], fonts, step);
  const high = lines.map((line) => Math.max(...line.map(({ h }) => h)));
  const room = CARD_HEIGHT - high.reduce((sum, height) => sum + height, 0);
  const apart = Math.min(30, room / (lines.length + 1));
  let y = (room - apart * (lines.length - 1)) / 2;
  /** @type {Shape[]} */
  const shapes = [];
  lines.forEach((line, at) => {
    const x = lanes.length > 1 ? CARD_EDGE : (CARD_WIDTH - lineWidth(line)) / 2;
    shapes.push(...moved(lineShapes(line, high[at]), x, y));
    y += high[at] + apart;
  });
  const { colours } = lanes[0];
  return { width: CARD_WIDTH, height: CARD_HEIGHT, background: colours.panel, title: "", shapes };
}

/**
 * Return the merge of a training, and words with its pair.
 * @param {Source} lane
 * @param {Fonts} fonts
 * @param {number} step
 */
function linesOf(lane, fonts, step) {
  if (lane.model.last === 0) return firstWords(lane, fonts);
  const merges = CARD_LOOKS.map((look) => mergeLine(lane, step, look, fonts));
  const at = merges.findIndex((line) => fitsCard(line) || line === merges.at(-1));
  const words = wordsWithPair(lane, step).map(({ ids, meets }) => {
    return partAround(
      ids.map((id) => cardChip(lane, id, CARD_LOOKS[at], fonts)),
      meets,
    );
  });
  const whole = words.filter((line) => line.whole);
  return [merges[at], ...(whole.length ? whole : words).slice(0, CARD_WORDS).map(({ line }) => line)];
}

/**
 * Return a lane's name and its merge.
 * @param {Source} lane
 * @param {Fonts} fonts
 * @param {number} step
 * @param {number} letters
 */
function laneLine(lane, fonts, step, letters) {
  const name = { family: /** @type {const} */ ("sans"), size: 15, weight: 500, fill: lane.colours.soft };
  return [
    ...mergeLine(lane, step, [letters, CARD_WIDTH / 2], fonts),
    textPiece(lane.lane?.title ?? "", name, fonts, CARD_WIDTH / 2 - CARD_EDGE),
  ];
}

/**
 * Return the next merge; the last one where there is no next.
 * @param {Source} lane
 * @param {number} step
 * @param {readonly [letters: number, most: number]} chips
 * @param {Fonts} fonts
 */
function mergeLine(lane, step, chips, fonts) {
  const { model, colours } = lane;
  const { left, right, ids } = model.steps;
  const at = Math.min(step, model.last - 1);
  const look = { family: /** @type {const} */ ("sans"), size: chips[0], weight: 600, fill: colours.soft };
  const sign = (/** @type {string} */ text) => textPiece(text, look, fonts, CARD_WIDTH);
  const chip = (/** @type {number} */ id) => cardChip(lane, id, chips, fonts);
  return [chip(left[at]), sign("+"), chip(right[at]), sign("→"), chip(ids[at])];
}

/** Return the first words of a text that is not trained on. @param {Source} lane @param {Fonts} fonts */
function firstWords(lane, fonts) {
  const cells = cellsOf(lane.model).words;
  return Array.from({ length: Math.min(CARD_WORDS, cells.words.length) }, (_, item) => {
    /** @type {Piece[]} */
    const line = [];
    eachToken(cells, 0, cells.firstCell[item], cells.firstCell[item + 1], (start, end) => {
      const next = cardChip(lane, idAt(cells, start, end), CARD_LOOKS[0], fonts);
      if (fitsCard([...line, next])) line.push(next);
    });
    return line;
  }).filter((line) => line.length > 0);
}

/**
 * Return words that contain the next pair, each as the ids of its tokens and where the pair begins.
 * @param {Source} lane
 * @param {number} step
 */
function wordsWithPair({ model }, step) {
  const cells = cellsOf(model).words;
  const at = Math.min(step, model.last - 1);
  /** @type {{ids: number[], meets: number}[]} */
  const words = [];
  for (let item = 0; item < cells.words.length; item++) {
    /** @type {number[]} */
    const ids = [];
    eachToken(cells, at, cells.firstCell[item], cells.firstCell[item + 1], (start, end) => {
      ids.push(idAt(cells, start, end));
    });
    const meets = ids.findIndex(
      (id, number) => id === model.steps.left[at] && ids[number + 1] === model.steps.right[at],
    );
    if (meets >= 0) words.push({ ids, meets });
  }
  return words;
}

/**
 * Return as many tokens around a pair as fit.
 * @param {Piece[]} pieces  a word
 * @param {number} meets  number of the first token of the pair
 */
function partAround(pieces, meets) {
  let [from, to] = [meets, meets + 2];
  for (let grows = true; grows;) {
    grows = false;
    if (to < pieces.length && fitsCard(pieces.slice(from, to + 1))) [to, grows] = [to + 1, true];
    if (from > 0 && fitsCard(pieces.slice(from - 1, to))) [from, grows] = [from - 1, true];
  }
  return { line: pieces.slice(from, to), whole: to - from === pieces.length };
}

/** @param {Piece[]} line */
function fitsCard(line) {
  return lineWidth(line) <= CARD_WIDTH - 2 * CARD_EDGE;
}

/** @param {Source} lane @param {number} id @param {readonly [letters: number, most: number]} look @param {Fonts} fonts */
function cardChip(lane, id, [letters, most], fonts) {
  return tokenPiece(lane, id, letters, fonts, most);
}

/** @param {Piece[]} line */
function lineWidth(line) {
  return line.reduce((sum, { w }) => sum + w, 0) + CARD_GAP * (line.length - 1);
}

/** @param {Piece[]} line @param {number} height */
function lineShapes(line, height) {
  let x = 0;
  return line.flatMap((piece) => {
    const shapes = piece.draw(x, (height - piece.h) / 2);
    x += piece.w + CARD_GAP;
    return shapes;
  });
}

const MOST_HIGH = 300; // px, height of the grid in a still

/** Return the still of the film on the page, at the step at which it rests. */
export function stillOfFilm() {
  const { grids, fonts, step } = filmNow();
  return svgText(layOutPicture(grids, { fonts, footer: "", most: MOST_HIGH }).sceneAt(step));
}

/** Return the picture for the film's card in the gallery. */
export function cardOfFilm() {
  const { grids, fonts, step } = filmNow();
  return svgText(cardScene(grids, fonts, step));
}

function filmNow() {
  /** @type {GridGroup} */
  const group = groupNamed("film");
  const grids = lanesInOrder(group.lanes);
  const [{ codeFont, font }] = grids;
  return { grids, fonts: { code: codeFont, sans: font }, step: group.playhead?.step ?? 0 };
}
