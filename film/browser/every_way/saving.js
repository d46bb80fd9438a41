// The buttons that save the picture of every way as it is visible, in a file.

/** @import {WaysPicture} from "./state.js" */

import { wrapped } from "../picture/shapes.js";
import { contextOf } from "../shared/colour.js";
import { download, make, makeButton, makeSvg } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { putDots } from "./dots.js";
import { gifFile, pngFile, svgFile } from "./files.js";
import { LOOKS } from "./looks.js";

/** @type {readonly ("svg" | "png" | "gif")[]} */
const FILES = ["svg", "png", "gif"];
const NAMESPACE = "http://www.w3.org/2000/svg";
const LEAST_SAVED = 560; // px, width of a file

/**
 * Make the buttons. `end` stops what they do.
 * @param {WaysPicture} picture
 */
export function createSaving(picture) {
  /** @type {AbortController | null} */
  let saving = null;
  const progress = make("span", "progress", {
    "aria-live": "polite",
    "data-testid": "save-every-way-progress",
  });
  const end = () => saving?.abort();
  const stop = makeButton("Stop", "save-every-way-stop", end);
  stop.hidden = true;
  const buttons = FILES.map((kind) => {
    const button = makeButton(kind.toUpperCase(), `save-every-way-${kind}`, () => void save(kind));
    button.className = "quiet";
    return button;
  });
  const group = { role: "group", "aria-label": "Save the picture" };
  const element = make("div", "save", group, "Save as", ...buttons, progress, stop);

  /** @param {typeof FILES[number]} kind */
  async function save(kind) {
    if (saving) return;
    const name = `every-way.${kind}`;
    if (kind === "svg") return download(svgFile(wholePicture(picture, "sans-serif", "monospace")), name);
    const svg = wholePicture(picture, getComputedStyle(picture.root).fontFamily, null);
    if (kind === "png") {
      const blob = await pngFile(svg);
      if (blob) download(blob, name);
      else progress.textContent = "The browser could not make this picture.";
      return;
    }
    saving = new AbortController();
    stop.hidden = false;
    const { data } = picture;
    const until = Math.min(data.until, Math.max(...data.lines.map(({ merges }) => merges)));
    const copies = copiedDots(picture, svg);
    try {
      const move = (/** @type {number} */ merges) => putDots(picture, copies, merges);
      const blob = await gifFile(svg, until, move, saving.signal, (frames, of) => {
        progress.textContent = `Frame ${formatNumber(frames)} of ${formatNumber(of)}`;
      });
      if (blob) download(blob, name);
      progress.textContent = blob ? "" : "Stopped: nothing was saved.";
    } finally {
      saving = null;
      stop.hidden = true;
    }
  }

  return { element, end };
}

/** Return the dots of a picture's copy. @param {WaysPicture} picture @param {Element} svg */
function copiedDots({ drawing }, svg) {
  const marks = [...svg.querySelectorAll("[data-testid=way-dot]")];
  return drawing.dots.map(({ trail, down }, number) => {
    const id = trail.parentElement?.id ?? "";
    const copy = /** @type {Element} */ (svg.querySelector(`[id="${id}"]`)?.firstElementChild);
    return { dot: marks[number], trail: copy, down };
  });
}

/**
 * Return the picture with what is above it and, of several lines, their names.
 * @param {WaysPicture} picture
 * @param {string} family  of all letters but those of tokens
 * @param {string | null} code  of those; null for that on the page
 */
function wholePicture({ data, drawing, layout, theme }, family, code) {
  const inner = /** @type {SVGElement} */ (drawing.svg.cloneNode(true));
  const { paper, ink, soft, lines } = LOOKS[theme];
  const context = contextOf(document.createElement("canvas"));
  const widthOf = (/** @type {string} */ text, /** @type {string} */ font) => {
    context.font = `${font} ${family}`;
    return context.measureText(text).width;
  };
  const width = Math.ceil(Math.max(layout.width, LEAST_SAVED));
  const heads = [
    ...wrapped(data.sentence, (text) => widthOf(text, "700 18px") <= width - 52).map((text) =>
      makeSvg("text", { "font-size": 18, "font-weight": 700, fill: ink }, text),
    ),
    ...(data.note ? wrapped(data.note, (text) => widthOf(text, "14px") <= width - 52) : []).map((text) =>
      makeSvg("text", { "font-size": 14, fill: soft }, text),
    ),
  ];
  const above = 16 + 24 * heads.length;
  for (const [line, text] of heads.entries()) {
    text.setAttribute("x", "26");
    text.setAttribute("y", String(28 + 24 * line));
  }
  const several = data.lines.length > 1;
  const height = Math.ceil(above + layout.height + (several ? 30 : 0));
  const box = { x: (width - layout.width) / 2, y: above, width: layout.width, height: layout.height };
  for (const [name, value] of Object.entries(box)) inner.setAttribute(name, String(value));
  inner.setAttribute("font-family", family);
  if (code)
    for (const text of inner.querySelectorAll("text[font-family]")) text.setAttribute("font-family", code);
  const legend = [];
  let x = 26;
  for (const [number, { title }] of several ? data.lines.entries() : []) {
    const y = height - 18;
    legend.push(
      makeSvg("rect", { x, y: y - 6, width: 22, height: 4, rx: 2, fill: lines[number % lines.length] }),
      makeSvg("text", { x: x + 30, y, "font-size": 14, fill: ink }, title),
    );
    x += 54 + widthOf(title, "14px");
  }
  return makeSvg(
    "svg",
    { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": family },
    makeSvg("rect", { x: 0, y: 0, width, height, fill: paper }),
    ...heads,
    inner,
    ...legend,
  );
}
