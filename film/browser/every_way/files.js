// The picture of every way as a file: SVG, PNG at twice the size, or a GIF in which the dots go along their lines.

import { pngOf } from "../picture/canvas.js";
import { MOST_FRAMES, encodeGif, framePainter } from "../picture/gif.js";

const FRAMES_OF_MERGE = 8; // of a picture with few merges
const TRAVELLING = 0.6; // share of a merge's frames in which a dot moves; then it rests
const MERGE_LASTS = 800; // ms
const LEAST_DELAY = 100; // ms between two frames

/** What a part of a picture has from the groups around it. @typedef {Record<string, string>} Inherited */

const INHERITED =
  "fill stroke stroke-width stroke-opacity stroke-linejoin stroke-linecap font-family font-size font-weight text-anchor clip-path direction".split(
    " ",
  );

/**
 * Paint an SVG element. It is made of groups, paths, boxes, circles and texts, with attributes alone.
 * @param {CanvasRenderingContext2D} context
 * @param {Element} svg
 * @param {Element} element  it, or a part of it
 * @param {Inherited} [before]
 */
function paint(context, svg, element, before = {}) {
  if (element.tagName === "defs") return;
  const look = { ...before };
  for (const name of INHERITED) {
    const value = element.getAttribute(name);
    if (value !== null) look[name] = value;
  }
  context.save();
  const clip = referred(svg, look["clip-path"])?.firstElementChild;
  if (clip && element.hasAttribute("clip-path")) {
    context.beginPath();
    context.rect(numberIn(clip, "x"), numberIn(clip, "y"), numberIn(clip, "width"), numberIn(clip, "height"));
    context.clip();
  }
  if (element.tagName === "svg" && element !== svg)
    context.translate(numberIn(element, "x"), numberIn(element, "y"));
  const shape = shapeOf(element);
  if (shape) paintOutline(context, svg, shape, look);
  else if (element.tagName === "text") paintLetters(context, element, look);
  else for (const child of element.children) paint(context, svg, child, look);
  context.restore();
}

/**
 * @param {Element} svg
 * @param {string | undefined} url  url(#id)
 */
function referred(svg, url) {
  const id = url?.match(/^url\(#(.*)\)$/)?.[1];
  return id === undefined ? null : svg.querySelector(`[id="${id}"]`);
}

/**
 * @param {Element} element
 * @param {string} name
 */
function numberIn(element, name) {
  return Number(element.getAttribute(name) ?? 0);
}

/** Return the outline of an element; null if it has none. @param {Element} element */
function shapeOf(element) {
  if (element.tagName === "path") return new Path2D(element.getAttribute("d") ?? "");
  const shape = new Path2D();
  const at = (/** @type {string} */ name) => numberIn(element, name);
  if (element.tagName === "rect") shape.roundRect(at("x"), at("y"), at("width"), at("height"), at("rx"));
  else if (element.tagName === "circle") shape.arc(at("cx"), at("cy"), at("r"), 0, 2 * Math.PI);
  else return null;
  return shape;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Element} svg
 * @param {Path2D} shape
 * @param {Inherited} look
 */
function paintOutline(context, svg, shape, look) {
  if (look.fill !== "none") {
    context.fillStyle = look.fill ?? "#000000";
    context.fill(shape);
  }
  if (!look.stroke || look.stroke === "none") return;
  context.globalAlpha = Number(look["stroke-opacity"] ?? 1);
  context.lineWidth = Number(look["stroke-width"] ?? 1);
  context.lineCap = look["stroke-linecap"] === "round" ? "round" : "butt";
  context.lineJoin = look["stroke-linejoin"] === "round" ? "round" : "miter";
  context.strokeStyle = strokeOf(context, svg, look.stroke);
  context.stroke(shape);
}

/**
 * Return a colour or a gradient from left to right.
 * @param {CanvasRenderingContext2D} context
 * @param {Element} svg
 * @param {string} stroke
 */
function strokeOf(context, svg, stroke) {
  const fade = referred(svg, stroke);
  if (!fade) return stroke;
  const gradient = context.createLinearGradient(numberIn(fade, "x1"), 0, numberIn(fade, "x2"), 0);
  for (const stop of fade.children) {
    const colour = stop.getAttribute("stop-color") ?? "#000000";
    const opacity = Number(stop.getAttribute("stop-opacity") ?? 1);
    const alpha = Math.round(255 * opacity)
      .toString(16)
      .padStart(2, "0");
    gradient.addColorStop(numberIn(stop, "offset"), colour + alpha);
  }
  return gradient;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Element} element
 * @param {Inherited} look
 */
function paintLetters(context, element, look) {
  const anchors = /** @type {Record<string, CanvasTextAlign>} */ ({ middle: "center", end: "right" });
  context.font = `${look["font-weight"] ?? 400} ${look["font-size"]}px ${look["font-family"]}`;
  context.textAlign = anchors[look["text-anchor"]] ?? "left";
  context.direction = look.direction === "rtl" ? "rtl" : "ltr";
  const [text, x, y] = [element.textContent ?? "", numberIn(element, "x"), numberIn(element, "y")];
  if (look.stroke && look.stroke !== "none") {
    context.strokeStyle = look.stroke;
    context.lineWidth = Number(look["stroke-width"] ?? 1);
    context.lineJoin = "round";
    context.strokeText(text, x, y);
  }
  context.fillStyle = look.fill ?? "#000000";
  context.fillText(text, x, y);
}

/** @param {Element} svg */
function sizeOf(svg) {
  return { width: Math.ceil(numberIn(svg, "width")), height: Math.ceil(numberIn(svg, "height")) };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Element} svg
 * @param {number} scale
 */
function paintWhole(context, svg, scale) {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  paint(context, svg, svg);
}

/** Return an SVG file. @param {Element} svg */
export function svgFile(svg) {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** Return a PNG file; null if the browser cannot make it. @param {Element} svg */
export function pngFile(svg) {
  return pngOf(sizeOf(svg), (context, scale) => paintWhole(context, svg, scale));
}

/**
 * Return where the dots are in each frame, in merges, and how long a frame lasts.
 * @param {number} merges
 */
function dotPositions(merges) {
  const each = Math.max(1, Math.min(FRAMES_OF_MERGE, Math.floor(MOST_FRAMES / Math.max(1, merges))));
  const every = Math.max(1, Math.ceil(merges / MOST_FRAMES)); // merges in a frame
  const positions = [0];
  for (let merge = 0; merge < merges; merge += every) {
    for (let frame = 1; frame <= each; frame += 1) {
      const share = Math.min(1, frame / each / TRAVELLING);
      positions.push(Math.min(merges, merge + every * share * share * (3 - 2 * share)));
    }
  }
  return { positions, delay: Math.max(LEAST_DELAY, (MERGE_LASTS * every) / each) };
}

/**
 * Return a GIF file.
 * @param {Element} svg
 * @param {number} merges
 * @param {(position: number) => void} put  puts the dots of `svg`
 * @param {AbortSignal} signal  stops the work
 * @param {(frames: number, of: number) => void} report  how many are done
 * @returns {Promise<Blob | null>}  null if it was stopped
 */
export function gifFile(svg, merges, put, signal, report) {
  const { positions, delay } = dotPositions(merges);
  const painter = framePainter(sizeOf(svg), (context, position) => {
    put(position);
    paintWhole(context, svg, 1);
  });
  return encodeGif(painter, positions, delay, signal, (frames) => report(frames, positions.length));
}
