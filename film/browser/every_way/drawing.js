// The picture of every way as SVG: strands, nodes and lines where its layout puts them. It listens to nothing, and nothing
// in it moves by itself.

/** @import {LaidChip} from "./layout.js" */
/** @import {Dot, Drawing, WaysPicture} from "./state.js" */

import { RIGHT_TO_LEFT } from "../player/spelling.js";
import { tabShapes } from "../picture/shapes.js";
import { CHIP_LOOK } from "../shared/chip.js";
import { coloursOf } from "../shared/colour.js";
import { makeSvg } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { AT_NODE } from "./dots.js";
import { CHIP, DOT, TAB, TYPE, curve, strandName } from "./layout.js";
import { LOOKS } from "./looks.js";
import { isStaged, nameOfToken } from "./state.js";

/** What is drawn. @typedef {Pick<WaysPicture, "data" | "visible" | "layout" | "scale" | "theme" | "code" | "opened" | "focused">} View */

/** Groups of the drawing, from below to above; `lines` are between `bodies` and `contents`. @typedef {{clips: Element, strands: Element, bodies: Element, lines: Element, contents: Element, marks: Element}} Layers */

const NOTE_LETTERS = 10.5; // px, beside the chips
const LINE = 3; // width
const LINE_BESIDE = 4.5; // from one line to the one beside it
const RING = DOT + 3; // radius, around a dot
const WEAVE = [
  [-13, 11],
  [11, -13],
  [-6, 4],
  [4, -8],
  [0, 0],
  [13, 13],
  [-13, -13],
]; // px, how far the strands of a knot are below its middle, at its first and third quarter

/**
 * Draw a picture.
 * @param {View} view
 * @param {string} family  the font of all letters but those of tokens
 * @returns {Drawing}
 */
export function drawWays(view, family) {
  const { data, visible, layout, scale } = view;
  const { width, height } = layout;
  const svg = makeSvg("svg", {
    width: width * scale,
    height: height * scale,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": family,
    "font-size": isStaged(view) ? TYPE : Math.max(13, NOTE_LETTERS / scale),
  });
  /** @type {Layers} */
  const layers = {
    clips: makeSvg("defs", {}),
    strands: makeSvg("g", { fill: "none", "stroke-linecap": "round" }),
    bodies: makeSvg("g", {}),
    lines: makeSvg("g", { fill: "none", "stroke-linejoin": "round" }),
    contents: makeSvg("g", { class: "contents" }),
    marks: makeSvg("g", {}),
  };
  const { clips, strands, bodies: below, lines, contents, marks } = layers;
  const bodies = visible.strands.flatMap((_, number) => drawStrand(view, number, layers) ?? []);
  const dots = visible.lines.map((_, number) => drawLine(view, number, layers));
  const nodes = visible.nodes.map((_, number) => drawNode(view, number));
  const numbers = drawNumbers(view, svg);
  const folds = makeSvg("g", {}, strands, below, lines, contents);
  const unfolded = isStaged(view) ? makeSvg("rect", { x: 0, y: 0, width: 0, height }) : null;
  if (unfolded) {
    const id = `unfolded-${data.group}`.replace(/[^\w-]/g, "_");
    clips.append(makeSvg("clipPath", { id }, unfolded));
    folds.setAttribute("clip-path", `url(#${id})`);
  }
  svg.append(clips, folds, ...nodes, marks);
  return { svg, nodes, bodies, dots, numbers, unfolded };
}

// Strands

/**
 * Draw a strand. Return its body if it can be opened or closed.
 * @param {View} view
 * @param {number} number
 * @param {Layers} layers
 */
function drawStrand(view, number, layers) {
  const { visible, layout, opened } = view;
  const strand = visible.strands[number];
  if (strand.kind === "fray") return drawFray(view, number, layers);
  if (strand.kind === "knot") return drawKnot(view, number, layers, !strand.splits);
  const { points, body, label } = layout.strands[number];
  const look = LOOKS[view.theme];
  const colour = strand.tie === "fork" ? look.fork : look.strand;
  layers.strands.append(makeSvg("path", { d: curve(points), stroke: colour, "stroke-width": 9 }));
  if (!body) return null;
  const { x, y, width, height, chips } = body;
  const group = makeSvg("g", { class: "body", role: "button", tabindex: 0, "data-strand": number });
  group.setAttribute("aria-expanded", String(opened.has(strandName(visible, strand))));
  const names = strand.tokens.map((token) => nameOfToken(view.data, token));
  group.setAttribute("aria-label", `${label}: ${names.join(", ")}`);
  const paint = { fill: look.lens, stroke: look.strand, "stroke-width": 3 };
  const left = x - width / 2;
  if (strand.kind === "lens")
    group.append(makeSvg("path", { d: lensOutline(left, y, width, height), ...paint }));
  else {
    const box = { x: left, y: y - height / 2, width, height, rx: height / 2 };
    group.append(makeSvg("rect", { ...box, ...paint }));
  }
  layers.contents.append(...chips.map((chip) => drawChip(view, chip, y, look.lens)));
  group.append(makeSvg("title", {}, label));
  if (body.named) group.append(drawNote(view, x, y - height / 2 - (strand.kind === "lens" ? 11 : 8), label));
  layers.bodies.append(group);
  return group;
}

/**
 * Return the path of a lens.
 * @param {number} left
 * @param {number} y  of its middle
 * @param {number} width
 * @param {number} height
 */
function lensOutline(left, y, width, height) {
  const bow = height / 2 + 5;
  const [above, below, right] = [y - bow, y + bow, left + width];
  return [
    `M${left - 8} ${y}`,
    `C${left + 14} ${above} ${left + 18} ${above} ${left + 30} ${above}`,
    `L${right - 30} ${above}`,
    `C${right - 18} ${above} ${right - 14} ${above} ${right + 8} ${y}`,
    `C${right - 14} ${below} ${right - 18} ${below} ${right - 30} ${below}`,
    `L${left + 30} ${below}`,
    `C${left + 18} ${below} ${left + 14} ${below} ${left - 8} ${y} Z`,
  ].join(" ");
}

/**
 * Draw that the ways go on.
 * @param {View} view
 * @param {number} number  of a strand
 * @param {Layers} layers
 */
function drawFray({ theme, layout }, number, { strands }) {
  const look = LOOKS[theme];
  const { points } = layout.strands[number];
  const [start, end] = [points[0], points[points.length - 1]];
  const reach = Math.min(end.x - start.x, 120);
  for (let at = -2; at <= 2; at += 1) {
    const far = { x: start.x + reach - 9 * Math.abs(at), y: start.y + at * 9 };
    const path = { d: curve([start, far]), stroke: `url(#fade-${number})`, "stroke-width": 3 };
    strands.append(makeSvg("path", path));
  }
  const fade = makeSvg("linearGradient", {
    id: `fade-${number}`,
    gradientUnits: "userSpaceOnUse",
    x1: start.x,
    x2: start.x + reach,
  });
  fade.append(
    makeSvg("stop", { offset: 0, "stop-color": look.rim }),
    makeSvg("stop", { offset: 1, "stop-color": look.rim, "stop-opacity": 0 }),
  );
  strands.append(fade);
  return null;
}

/**
 * Draw more splits than can be told apart: strands that weave. Return its body if it opens.
 * @param {View} view
 * @param {number} number  of a strand
 * @param {Layers} layers
 * @param {boolean} opens  whether a press opens those that the picture has folded
 */
function drawKnot(view, number, { strands, contents }, opens) {
  const { points, label } = view.layout.strands[number];
  const [start, end] = [points[0], points[points.length - 1]];
  const thin = { stroke: LOOKS[view.theme].rim, "stroke-width": 2 };
  const middle = (start.x + end.x) / 2;
  const quarter = (end.x - start.x) / 4;
  const y = (start.y + end.y) / 2;
  for (const [one, other] of WEAVE) {
    const through = [start, { x: middle - quarter, y: y + one }, { x: middle + quarter, y: y + other }, end];
    strands.append(makeSvg("path", { d: curve(through), ...thin }));
  }
  const text = drawNote(view, middle, y - 19, label);
  if (!opens) {
    contents.append(text);
    return null;
  }
  const box = { x: start.x + 2, y: y - 16, width: end.x - start.x - 4, height: 32, rx: 12, fill: "none" };
  const group = makeSvg("g", {
    class: "body knot",
    role: "button",
    "data-strand": number,
    "pointer-events": "all",
    "aria-expanded": "false",
    "aria-label": `${label}: the paths part and meet again`,
    tabindex: 0,
  });
  group.append(makeSvg("rect", box), text);
  contents.append(group);
  return group;
}

// Lines

/** Return how far a line is above the middle of its strands. @param {View} view @param {number} number */
function asideOf({ data }, number) {
  const beside = Math.min(LINE_BESIDE, 20 / Math.max(1, data.lines.length - 1));
  return ((data.lines.length - 1) / 2 - number) * beside;
}

/**
 * Draw the line of a training, the part of it that is done, and its dot.
 * @param {View} view
 * @param {number} number
 * @param {Layers} layers
 * @returns {Dot}
 */
function drawLine(view, number, { lines, clips, marks }) {
  const { data, layout } = view;
  const look = LOOKS[view.theme];
  const { points } = layout.lines[number];
  const colour = look.lines[number % look.lines.length];
  const down = -asideOf(view, number);
  const d = curve(points, down);
  const id = `done-${data.group}-${number}`.replace(/[^\w-]/g, "_");
  const trail = makeSvg("rect", { x: 0, y: 0, width: 0, height: layout.height });
  clips.append(makeSvg("clipPath", { id }, trail));
  lines.append(makeSvg("path", { d, stroke: colour, "stroke-width": LINE, "stroke-opacity": 0.7 }));
  lines.append(
    makeSvg("path", { d, stroke: colour, "stroke-width": LINE + 1.5, "clip-path": `url(#${id})` }),
  );
  const dot = makeSvg("circle", {
    r: DOT,
    fill: colour,
    stroke: look.paper,
    "stroke-width": 2.5,
    "data-testid": "way-dot",
  });
  marks.append(dot);
  return { dot, trail, down };
}

// Nodes

/**
 * @param {View} view
 * @param {number} number
 */
function drawNode(view, number) {
  const { visible, layout, focused } = view;
  const node = visible.nodes[number];
  if (node.open) return makeSvg("g", { "aria-hidden": "true" });
  const look = LOOKS[view.theme];
  const { x, y, width, chips } = layout.nodes[number];
  const group = makeSvg("g", {
    class: "node",
    role: "button",
    tabindex: number === focused ? 0 : -1,
    "data-merges": node.merges,
    "aria-label": nameOfNode(view, number),
  });
  const wide = Math.max(width, CHIP); // a dot is pressed as easily as a chip
  const around = {
    x: x - wide / 2 - 5,
    y: y - CHIP / 2 - 5,
    width: wide + 10,
    height: CHIP + 10,
    rx: 10,
  };
  group.append(makeSvg("rect", { class: "ring", ...around, fill: "none" }));
  if (!chips.length)
    group.append(
      makeSvg("circle", { cx: x, cy: y, r: RING, fill: look.paper, stroke: look.soft, "stroke-width": 2 }),
    );
  for (const chip of chips) group.append(drawChip(view, chip, y), " "); // the chips' text is words of their own
  return group;
}

/**
 * Return what a node is called. The name has the text that is seen in it, so that who speaks to the page finds it by that:
 * "es t</w>" where "es t" is seen, and "t wi (t</w> wi)" where "t wi" is.
 * @param {View} view
 * @param {number} number  of a node
 */
function nameOfNode({ data, layout, visible }, number) {
  const { merges, tokens, more } = visible.nodes[number];
  if (!merges) return "Before the first merge";
  const also = more ? ` and ${more} more` : "";
  const names = tokens.map((token) => nameOfToken(data, token)).join(" ") || "the same tokens";
  const seen = layout.nodes[number].chips.map(({ letters }) => letters).join(" ");
  const all = names + also;
  const seenFirst = all.includes(seen) ? all : `${seen} (${all})`;
  return `After ${formatCount(merges, "merge")}: ${seenFirst}`;
}

/**
 * @param {View} view
 * @param {LaidChip} chip
 * @param {number} y  of its middle
 * @param {string} [behind]  the colour behind it
 */
function drawChip(view, chip, y, behind = LOOKS[view.theme].paper) {
  const { data, theme, code } = view;
  const { token, letters: text, before, after, inset, x, width } = chip;
  if (token < 0) {
    const ground = { x, y: y - 9, width, height: 18, rx: 6, fill: behind };
    return makeSvg("g", {}, makeSvg("rect", ground), drawNote(view, x + width / 2, y + 4.5, text, behind));
  }
  const { paper } = LOOKS[theme];
  const colours = coloursOf(theme, data.tokens[token]);
  const { fill, edge, ink } = colours;
  const rounded = CHIP_LOOK.curve * TYPE;
  const box = { x, y: y - CHIP / 2, width, height: CHIP, rx: rounded };
  const group = makeSvg("g", {});
  group.append(makeSvg("rect", { ...box, fill: paper, stroke: paper, "stroke-width": 6 }));
  group.append(makeSvg("rect", { ...box, fill, stroke: edge, "stroke-width": 1.5 }));
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  const tab = (/** @type {boolean} */ atLeft) =>
    tabShapes(
      { x: !text || atLeft ? x : x + width - TAB, y: y - CHIP / 2, w: text ? TAB : width, h: CHIP },
      text ? [atLeft, !atLeft] : [true, true],
      { edge: 0.75, curve: rounded },
      colours,
      paper,
    );
  // A token without letters is a marker alone.
  const tabs = [...(before || !text ? tab(!rightToLeft) : []), ...(after && text ? tab(rightToLeft) : [])];
  for (const { points, fill: pale } of tabs)
    group.append(
      makeSvg("path", {
        d: `M${points.map((point) => point.map((at) => at.toFixed(1)).join(" ")).join("L")}Z`,
        fill: pale,
      }),
    );
  const end = text && after ? width - TAB : width;
  const [from, to] = rightToLeft && after ? [width - end, width] : [before ? inset : 0, end];
  const letters = {
    x: x + (from + to) / 2,
    y: y + 5,
    fill: ink,
    "text-anchor": "middle",
    "font-family": code,
    "font-size": TYPE,
    "font-weight": CHIP_LOOK.weight,
  };
  group.append(makeSvg("text", letters, text));
  return group;
}

/**
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} [behind]  the colour behind it
 */
function drawNote({ theme }, x, y, text, behind = LOOKS[theme].paper) {
  const attributes = {
    x,
    y,
    fill: LOOKS[theme].soft,
    "text-anchor": "middle",
    stroke: behind,
    "stroke-width": 4,
    "paint-order": "stroke",
  };
  return makeSvg("text", attributes, text);
}

// Numbers

/**
 * Draw the numbers of merges below the nodes, and the numbers of splits above these. Return those of merges.
 * @param {View} view
 * @param {Element} svg
 */
function drawNumbers(view, svg) {
  const { data, visible, layout } = view;
  const look = LOOKS[view.theme];
  const splits = new Map(/** @type {[number, number][]} */ (data.splits));
  let [lastX, lastNote] = [-100, -100];
  const numbers = [];
  const base = layout.bottom + 38;
  for (const { merges, x } of layout.columns) {
    if (merges > data.until || x - lastX < 12 + 8 * String(merges).length) continue;
    const number = makeSvg(
      "text",
      { x, y: base, fill: look.soft, "text-anchor": "middle", class: "number", "data-merges": merges },
      formatNumber(merges),
    );
    svg.append(number);
    numbers.push(number);
    lastX = x;
    const many = splits.get(merges);
    // Of pairs in any order one order is visible. Then there are more splits than nodes.
    const nodes = visible.nodes.filter((node) => node.merges === merges && !node.open).length;
    if (many !== nodes || x - lastNote <= 62) continue;
    const attributes = {
      x,
      y: base - 18,
      fill: look.tie,
      "text-anchor": "middle",
      "font-weight": 600,
      class: "splits",
      "data-merges": merges,
    };
    // Beside text the first one says what is counted, and the others have the number alone.
    const isNamed = !data.fitted || lastNote < 0;
    svg.append(makeSvg("text", attributes, isNamed ? formatCount(many, "split") : formatNumber(many)));
    lastNote = x;
  }
  // The last number says what is counted.
  const end = Math.max(...data.lines.map(({ merges }) => merges));
  const openColumn = layout.columns.find(({ merges }) => merges > data.until);
  if (openColumn && end > data.until) {
    const text = `… ${formatCount(end, "merge")}`;
    const attributes = { x: layout.width - 14, y: base, fill: look.soft, "text-anchor": "end" };
    svg.append(makeSvg("text", attributes, text));
  } else numbers.at(-1)?.append(numbers.at(-1)?.textContent === "1" ? " merge" : " merges");
  const first = layout.nodes[0];
  const above = Math.max(CHIP / 2, DOT + AT_NODE * asideOf(view, 0)) + 7;
  const start = { x: first.x + RING, y: first.y - above, fill: look.soft, "text-anchor": "end" };
  svg.append(makeSvg("text", start, "start"));
  return numbers;
}
