// The part of the layouts that the viewport shows, and the canvases laid over just that part. One is for marks
// (outlines, dots, highlights) in both drawings, another for tokens that are drawn as cells.

/** @import {Layout} from "../layout/layout.js" */
/** @import {Elements} from "../elements.js" */

import { contextOf } from "../../shared/colour.js";
import { make } from "../../shared/dom.js";
import { EDGE } from "../painting/painting.js";

/**
 * The part of the stage that the viewport shows.
 * @typedef {object} VisibleArea
 * @property {CanvasRenderingContext2D} marks  the canvas for marks
 * @property {(name: string) => CanvasRenderingContext2D} addLayer
 * @property {(context: CanvasRenderingContext2D) => void} removeLayer
 * @property {(width: number) => void} fit  to where the viewport has been scrolled to; `width` is that of the layouts
 * @property {(layout: Layout) => [number, number]} cellsIn  the visible cells [from, to) of a layout
 * @property {(context: CanvasRenderingContext2D) => void} clear
 * @property {() => boolean} isSeen  whether the viewport itself is in sight
 * @property {() => number} height
 */

/**
 * Make the visible area of a viewport. `onSeen` is called when the viewport comes into sight.
 * @param {Elements} elements
 * @param {() => void} onSeen
 * @param {AbortSignal} signal
 * @returns {VisibleArea}
 */
export function createVisibleArea({ viewport, stage }, onSeen, signal) {
  const area = { top: 0, width: 0, height: 0, ratio: 1, inView: true };
  /** @type {CanvasRenderingContext2D[]} */
  const contexts = [];

  /** @type {VisibleArea["addLayer"]} */
  function addLayer(name) {
    const canvas = make("canvas", `layer ${name}`, { "aria-hidden": "true" });
    const context = contextOf(canvas);
    contexts.push(context);
    stage.prepend(canvas); // marks are added first, and stay above later layers
    return context;
  }

  /** @type {VisibleArea["removeLayer"]} */
  function removeLayer(context) {
    contexts.splice(contexts.indexOf(context), 1);
    context.canvas.remove();
  }

  /** @type {VisibleArea["fit"]} */
  function fit(width) {
    area.ratio = Math.min(2, window.devicePixelRatio || 1);
    area.width = width + 2 * EDGE;
    area.height = viewport.clientHeight;
    area.top = viewport.scrollTop;
    for (const context of contexts) fitLayer(context);
  }

  /** @param {CanvasRenderingContext2D} context */
  function fitLayer(context) {
    const { canvas } = context;
    const { ratio, top } = area;
    const width = Math.round(area.width * ratio);
    const height = Math.round(area.height * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    canvas.style.width = `${area.width}px`;
    canvas.style.height = `${area.height}px`;
    canvas.style.transform = `translateY(${top}px)`;
    context.setTransform(ratio, 0, 0, ratio, EDGE * ratio, -top * ratio);
  }

  /** @type {VisibleArea["cellsIn"]} */
  function cellsIn({ metrics, top, lineStart, cells }) {
    const first = Math.max(0, Math.floor((area.top - top) / metrics.pitch) - 1);
    const last = Math.min(lineStart.length, Math.ceil((area.top + area.height - top) / metrics.pitch) + 1);
    if (first >= last) return [0, 0];
    return [lineStart[first], lineStart[last] ?? cells.size];
  }

  const observer = new IntersectionObserver((entries) => {
    area.inView = entries[entries.length - 1].isIntersecting; // several may arrive at once; the last is the newest
    if (area.inView) onSeen();
  });
  observer.observe(viewport);
  signal.addEventListener("abort", () => observer.disconnect());

  return {
    marks: addLayer("marks"),
    addLayer,
    removeLayer,
    fit,
    cellsIn,
    clear: (context) => context.clearRect(-EDGE, area.top, area.width, area.height),
    isSeen: () => area.inView,
    height: () => area.height,
  };
}
