// Painting one token, one wall, one mark on a canvas.

import { boxesOf, fontOf, frequencyText, wallsOf } from "./layout.js";
import { eachMark, litRanges } from "./marking.js";
import { runsOf } from "./runs.js";
import { idAt } from "./segmentation.js";
import { COMBINING, RIGHT_TO_LEFT } from "./spelling.js";

export const EDGE = 5; // px kept free around the tokens for outlines

export const curveOf = (metrics) => Math.max(5, Math.min(14, metrics.size * 0.38));

export function drawToken(context, grid, place, start, end) {
  const { sheet, metrics } = place;
  const colours = grid.chip(idAt(sheet, start, end));
  const boxes = boxesOf(place, start, end);
  const outlined = colours.unknown || context.globalAlpha < 1;
  for (const { x, y, w, h } of boxes) (outlined ? outlineBox : fillBox)(context, x, place.top + y, w, h, metrics, colours);
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const run of runsOf(sheet, start, end, grid.options.glyphs)) drawRun(context, place, run, colours);
}

function outlineBox(context, x, y, w, h, metrics, colours) {
  const { edge } = metrics;
  context.fillStyle = colours.fill;
  context.strokeStyle = colours.edge;
  context.lineWidth = edge;
  context.setLineDash(colours.unknown ? [4, 3] : []);
  context.beginPath();
  context.roundRect(x + edge / 2, y + edge / 2, w - edge, h - edge, curveOf(metrics));
  context.fill();
  context.stroke();
  context.setLineDash([]);
}

// The same as a box in a box: two fills cost half of a fill and an outline, but would show through each other.
function fillBox(context, x, y, w, h, metrics, colours) {
  for (const [inset, colour] of [[0, colours.edge], [metrics.edge, colours.fill]]) {
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x + inset, y + inset, w - 2 * inset, h - 2 * inset, curveOf(metrics) + metrics.edge / 2 - inset);
    context.fill();
  }
}

function drawRun(context, place, run, colours) {
  if (!run.text) return;
  const { metrics } = place;
  const box = boxesOf(place, run.from, run.to)[0]; // a run over a line's end is written where it begins
  context.fillStyle = run.kind === "char" ? colours.ink : colours.soft;
  context.font = fontOf(metrics, run.kind);
  context.direction = RIGHT_TO_LEFT.test(run.text) ? "rtl" : "ltr";
  const alone = run.joining && run.to - run.from === 1 && COMBINING.test(run.text) ? "◌" + run.text : run.text;
  context.fillText(alone, box.x + box.w / 2, place.top + box.y + box.h / 2 + metrics.size * 0.06, box.w);
}

// Walls between the words in sight, or the frequencies before them.
export function drawWalls(context, grid, place, from, to) {
  const { sheet, metrics } = place;
  if (from >= to) return;
  if (sheet.rows) return drawFrequencies(context, grid, place, from, to);
  context.fillStyle = grid.colours.wall;
  for (let line = place.line[from]; line <= place.line[to - 1]; line++) {
    const y = place.top + line * metrics.pitch + metrics.drop + metrics.height * 0.12;
    const walls = wallsOf(place, place.lineStart[line], place.lineStart[line + 1] ?? sheet.size);
    for (const x of walls.values()) context.fillRect(Math.round(x) - 1, y, 2, metrics.height * 0.76);
  }
}

function drawFrequencies(context, grid, place, from, to) {
  const { sheet, metrics } = place;
  context.fillStyle = grid.colours.soft;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.font = `400 ${Math.round(metrics.size * 0.92)}px ${grid.font}`;
  for (let item = sheet.place[from]; item < sheet.order.length && sheet.first[item] < to; item++) {
    if (sheet.first[item] < from) continue;
    const y = place.top + (place.line[sheet.first[item]] + 0.5) * metrics.pitch;
    context.fillText(frequencyText(sheet.model.words.frequency[sheet.order[item]]), place.left[item] + metrics.label - 10, y);
  }
}

// Marks by shape: winner outlined, tied pairs dotted below, new tokens notched, differences between lanes dashed along the foot.
export function drawMarks(context, grid, place, from, to) {
  if (from >= to) return;
  if (grid.lit) drawLight(context, grid, place, from, to);
  eachMark(grid, place, from, to, (kind, start, end) => {
    if (grid.lit && kind !== "cursor") return;
    for (const box of boxesOf(place, start, end)) MARKS[kind](context, grid, { ...box, y: box.y + place.top });
  });
}

const MARKS = {
  winner(context, grid, box) {
    context.strokeStyle = grid.colours.accent;
    context.lineWidth = Math.min(4, 2.5 * scaleOf(box));
    context.setLineDash([]);
    context.beginPath();
    context.roundRect(box.x - 2.5, box.y - 3.5, box.w + 5, box.h + 7, 9);
    context.stroke();
  },
  tied: (context, grid, box) => underline(context, grid.colours.tie, box, [0.1, 5.4], "round"),
  "tied below": (context, grid, box) => underline(context, grid.colours.tie, box, [0.1, 5.4], "round", 7),
  differs: (context, grid, box) => underline(context, grid.colours.tie, { ...box, x: box.x + 4, w: box.w - 8 }, [6, 3.5], "butt", -4), // inside: ties have the room below
  fresh(context, grid, box) {
    const side = Math.max(6, box.h * 0.26);
    context.fillStyle = grid.colours.accent;
    context.beginPath();
    context.moveTo(box.x + box.w - side, box.y);
    context.lineTo(box.x + box.w, box.y);
    context.lineTo(box.x + box.w, box.y + side);
    context.fill();
  },
  cursor(context, grid, box) {
    context.strokeStyle = grid.colours.ink;
    context.lineWidth = 2;
    context.setLineDash([]);
    context.strokeRect(box.x - 2, box.y - 2, box.w + 4, box.h + 4);
  },
};

const scaleOf = (box) => Math.max(1, box.h / 45); // for the last row of a hall

function underline(context, colour, box, dash, cap, below = 3) {
  const scale = scaleOf(box);
  const y = box.y + box.h + below * scale;
  context.strokeStyle = colour;
  context.lineWidth = 3 * scale;
  context.lineCap = cap;
  context.setLineDash(dash.map((length) => length * scale));
  context.beginPath();
  context.moveTo(box.x + 2, y);
  context.lineTo(box.x + box.w - 1, y);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "butt";
}

// A veil over everything that is not lit.
function drawLight(context, grid, place, from, to) {
  const lit = litRanges(grid, place, from, to);
  context.save();
  context.globalAlpha = 0.76;
  context.fillStyle = grid.colours.panel;
  const first = place.line[from] * place.metrics.pitch + place.top;
  const last = (place.line[to - 1] + 1) * place.metrics.pitch + place.top;
  context.fillRect(-EDGE, first, grid.width + 2 * EDGE, last - first);
  context.restore();
  for (const [start, end] of lit) {
    for (const box of boxesOf(place, start, end)) context.clearRect(box.x - 1, place.top + box.y - 1, box.w + 2, box.h + 2);
  }
}
