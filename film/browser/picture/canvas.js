// A scene painted on a canvas, and what is painted as a PNG file.

/** @import {Fonts, Scene, Shape} from "./shapes.js" */

import { contextOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";

export const TWICE = 2; // px of a PNG for one of a picture

/**
 * Return a PNG file of a picture at twice its size; null if the browser cannot make it.
 * @param {{width: number, height: number}} size  of the picture
 * @param {(context: CanvasRenderingContext2D, scale: number) => void} paint
 * @returns {Promise<Blob | null>}
 */
export function pngOf({ width, height }, paint) {
  const canvas = make("canvas");
  canvas.width = Math.ceil(TWICE * width);
  canvas.height = Math.ceil(TWICE * height);
  paint(contextOf(canvas), TWICE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * Paint a scene on a canvas that is `scale` times its size.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Fonts} fonts
 * @param {number} [scale]
 */
export function paintScene(context, { width, height, background, shapes }, fonts, scale = 1) {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  for (const shape of shapes) paintShape(context, shape, fonts);
}

/** @param {CanvasRenderingContext2D} context @param {Shape} shape @param {Fonts} fonts */
function paintShape(context, shape, fonts) {
  if (shape.kind === "token") {
    for (const part of shape.shapes) paintShape(context, part, fonts);
  } else if (shape.kind === "text") paintText(context, shape, fonts);
  else if (shape.kind === "area") {
    context.fillStyle = shape.fill;
    context.beginPath();
    for (const [x, y] of shape.points) context.lineTo(x, y);
    context.fill();
  } else if (shape.kind === "line") {
    context.strokeStyle = shape.colour;
    context.lineWidth = shape.width;
    context.lineCap = "round";
    context.setLineDash(shape.dash);
    context.beginPath();
    context.moveTo(shape.x, shape.y);
    context.lineTo(shape.x + shape.w, shape.y);
    context.stroke();
  } else paintBox(context, shape);
}

/** @param {CanvasRenderingContext2D} context @param {import("./shapes.js").BoxShape} shape */
function paintBox(context, { x, y, w, h, curve, fill, edge, width, dashed }) {
  context.strokeStyle = edge;
  context.lineWidth = width;
  context.setLineDash(dashed ? [4, 3] : []);
  context.lineCap = "butt";
  context.beginPath();
  context.roundRect(x + width / 2, y + width / 2, w - width, h - width, curve);
  if (fill !== "none") {
    context.fillStyle = fill;
    context.fill();
  }
  context.stroke();
}

/** @type {Record<import("./shapes.js").TextShape["anchor"], CanvasTextAlign>} */
const ALIGN = { start: "left", middle: "center", end: "right" };

/** @param {CanvasRenderingContext2D} context @param {import("./shapes.js").TextShape} shape @param {Fonts} fonts */
function paintText(context, { pieces, y, family, size, weight, fill, anchor, rightToLeft }, fonts) {
  context.font = `${weight} ${size}px ${fonts[family]}`;
  context.fillStyle = fill;
  context.textAlign = ALIGN[anchor];
  context.textBaseline = "alphabetic";
  context.direction = rightToLeft ? "rtl" : "ltr";
  for (const { x, text, width } of pieces) {
    if (width) context.fillText(text, x, y, width);
    else context.fillText(text, x, y);
  }
}
