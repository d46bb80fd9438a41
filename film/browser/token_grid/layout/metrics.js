// The sizes of letters and boxes in one drawing, and the widths of texts.

import { contextOf } from "../../shared/colour.js";

/** Size of bytes and markers, as a share of the letters' */
export const SMALL = 0.72;
/** px between the abbreviation of an invisible character and the dashed box round it */
const DASHED = 3;
const ABOVE_BOX = 5; // px from a line's top to its boxes, if there are brackets below them

/** @import {Run} from "./runs.js" */

/** How far a text's ink reaches from the middle of its line, in px. @typedef {{side: number, up: number, down: number}} Reach */

/**
 * The measures of one drawing, in px.
 * @typedef {object} Metrics
 * @property {number} size  height of a letter
 * @property {string} letter  font of letters
 * @property {string} small  font of bytes and markers
 * @property {number} pad  beside the letters at a chip's ends
 * @property {number} cellPad  beside the letters of a cell that does not move
 * @property {number} height  of a box
 * @property {number} pitch  from line to line
 * @property {number} wall  room between words
 * @property {number} gap  room between tokens
 * @property {number} edge  width of a border
 * @property {number} drop  from a line's top to its boxes; whole pixels keep edges sharp
 * @property {number} pill  height of the counts below tied pairs; 0 where ties have no brackets
 * @property {number} pillType  height of their letters
 * @property {number} curve  radius of a box's corners
 * @property {Map<string, number>} widths  of the texts measured so far
 * @property {Map<string, Reach>} reaches  of the texts measured so far
 */

/**
 * Return the measures of a drawing.
 * @param {number} size  height of a letter in px
 * @param {string} family  of the font
 * @param {number} [leastPill]  least height of the letters of counts below tied pairs; 0 if there are none
 * @param {boolean} [tight]  whether chips and lines are close together
 * @returns {Metrics}
 */
export function metricsOf(size, family, leastPill = 0, tight = false) {
  const height = Math.round(size * 1.76);
  const pillType = leastPill && Math.max(leastPill, Math.round(size * 0.5));
  const pill = pillType && Math.ceil(pillType * 1.2) + 2;
  const pitch = Math.max(Math.round(size * (tight ? 2.1 : 2.42)), pill && height + ABOVE_BOX + pill + 5);
  return {
    size,
    letter: `500 ${size}px ${family}`,
    small: `500 ${Math.max(9, Math.round(size * SMALL))}px ${family}`,
    pad: Math.max(3, Math.round(size * (tight ? 0.18 : 0.45))),
    cellPad: Math.max(2, Math.round(size * 0.24)),
    height,
    pitch,
    wall: Math.round(size * 0.8),
    gap: Math.max(3, Math.round(size * 0.12)),
    edge: size > 28 ? 2.5 : 1.5,
    drop: pill ? ABOVE_BOX : Math.floor((pitch - height) / 2),
    pill,
    pillType,
    curve: Math.max(5, Math.min(14, size * 0.38)),
    widths: new Map(),
    reaches: new Map(),
  };
}

/**
 * Return the font that a run is written in.
 * @param {Metrics} metrics
 * @param {Run["kind"]} kind
 */
export function fontOf(metrics, kind) {
  return kind === "char" || kind === "space" ? metrics.letter : metrics.small;
}

/** @type {CanvasRenderingContext2D | null} */
let measuring = null; // made when first needed, so that node can read this file

/**
 * Return the width of a text in px.
 * @param {string} font
 * @param {string} text
 */
export function measureText(font, text) {
  measuring ??= contextOf(document.createElement("canvas"));
  measuring.font = font;
  return measuring.measureText(text).width;
}

/**
 * Return how far the ink of a text reaches. The metrics cache it.
 * @param {Metrics} metrics
 * @param {string} font
 * @param {string} text
 */
export function reachOf(metrics, font, text) {
  const key = font + text;
  let reach = metrics.reaches.get(key);
  if (!reach) {
    measuring ??= contextOf(document.createElement("canvas"));
    Object.assign(measuring, { font, textAlign: "center", textBaseline: "middle" });
    const ink = measuring.measureText(text);
    reach = {
      side: Math.max(ink.actualBoundingBoxLeft, ink.actualBoundingBoxRight),
      up: ink.actualBoundingBoxAscent,
      down: ink.actualBoundingBoxDescent,
    };
    metrics.reaches.set(key, reach);
  }
  return reach;
}

/**
 * Return the width of a run in px. The metrics cache it.
 * @param {Metrics} metrics
 * @param {Pick<Run, "text" | "kind">} run
 */
export function widthOf(metrics, { text, kind }) {
  const key = kind + text;
  let width = metrics.widths.get(key);
  if (width === undefined) {
    width = Math.max(4, Math.ceil(measureText(fontOf(metrics, kind), text)));
    if (kind === "invisible") width += 2 * DASHED;
    metrics.widths.set(key, width);
  }
  return width;
}
