// The shapes that a picture is made of. A scene is a list of them; still.js writes it as SVG, canvas.js paints it.

/** @import {ChipColours} from "../shared/colour.js" */
/** @import {ChipLabel} from "../shared/feed_types.js" */
/** @import {Grid} from "../token_grid/types.js" */

import { tokenOf } from "../player/feed.js";
import { CHIP_LOOK, TAB_LOOK, readable, shortened, tabsOf } from "../shared/chip.js";
import { blend } from "../shared/colour.js";
import { measureText } from "../token_grid/layout.js";
import { RIGHT_TO_LEFT, chipLabelOf } from "../player/spelling.js";

/** @typedef {"code" | "sans"} Family */

/**
 * A rectangle with an edge inside it.
 * @typedef {{kind: "box", x: number, y: number, w: number, h: number, curve: number, fill: string, edge: string, width: number, dashed: boolean}} BoxShape
 */

/**
 * A horizontal line; its dashes have round ends.
 * @typedef {{kind: "line", x: number, y: number, w: number, colour: string, width: number, dash: number[]}} LineShape
 */

/** A filled area. @typedef {{kind: "area", points: [number, number][], fill: string}} AreaShape */

/**
 * Pieces of text on one baseline. Each is centred on its x, or begins or ends there.
 * @typedef {object} TextShape
 * @property {"text"} kind
 * @property {{x: number, text: string, width: number}[]} pieces  each with the width that it must not exceed
 * @property {number} y  baseline
 * @property {Family} family
 * @property {number} size
 * @property {number} weight
 * @property {string} fill
 * @property {"start" | "middle" | "end"} anchor
 * @property {boolean} rightToLeft
 */

/** All shapes of one token of the grid; its label if tabs stand for its markers. @typedef {{kind: "token", shapes: Shape[], label: string}} TokenShape */

/** @typedef {BoxShape | LineShape | AreaShape | TextShape | TokenShape} Shape */

/**
 * A picture in px.
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {string} background
 * @property {string} title  what the picture shows, for those who cannot see it
 * @property {Shape[]} shapes  the lowest first
 */

/** Fonts, as style sheets and canvases name them. @typedef {Record<Family, string>} Fonts */

/** Families that every system has, for a file that is opened elsewhere. Their letters are about as wide. @type {Fonts} */
export const GENERIC = { code: "monospace", sans: "sans-serif" };

/** From a line's middle down to its baseline, in letter heights. */
const DROP = 0.35;

/** Return the baseline of a text whose middle is at `y`. @param {number} y @param {number} size */
export function baseline(y, size) {
  return y + DROP * size;
}

/**
 * Return a text of one piece.
 * @param {string} text
 * @param {number} x
 * @param {number} middle  y of its middle
 * @param {Omit<TextShape, "kind" | "pieces" | "y" | "anchor" | "rightToLeft"> & {anchor?: TextShape["anchor"], width?: number, rightToLeft?: boolean}} look
 * @returns {TextShape}
 */
export function textShape(text, x, middle, look) {
  const { width = 0, anchor = "start", rightToLeft = false, ...font } = look;
  const pieces = [{ x, text, width }];
  return { kind: "text", pieces, y: baseline(middle, look.size), anchor, rightToLeft, ...font };
}

/** Return shapes moved down. @param {Shape[]} shapes @param {number} right @param {number} down @returns {Shape[]} */
export function moved(shapes, right, down) {
  return shapes.map((shape) => {
    if (shape.kind === "token") return { ...shape, shapes: moved(shape.shapes, right, down) };
    if (shape.kind === "area") {
      return {
        ...shape,
        points: shape.points.map(([x, y]) => /** @type {[number, number]} */ ([x + right, y + down])),
      };
    }
    if (shape.kind === "text") {
      const pieces = shape.pieces.map((piece) => ({ ...piece, x: piece.x + right }));
      return { ...shape, pieces, y: shape.y + down };
    }
    return { ...shape, x: shape.x + right, y: shape.y + down };
  });
}

// Pieces of a headline beside each other, as many in a line as fit: chips of tokens and sentences.

/** A piece with its size; `draw` returns its shapes. @typedef {{w: number, h: number, draw: (x: number, y: number) => Shape[]}} Piece */

/** How a text looks. @typedef {{family: Family, size: number, weight: number, fill: string}} Look */

const PIECES_APART = 10; // px between two pieces, and between two lines
const LEADING = 1.4; // from line to line, in letter heights

/** Place pieces in lines. @param {Piece[]} pieces @param {number} width */
export function flow(pieces, width) {
  /** @type {Shape[]} */
  const shapes = [];
  /** @type {Piece[][]} */
  const lines = [];
  let x = Infinity;
  for (const piece of pieces) {
    if (x + piece.w > width) {
      lines.push([]);
      x = 0;
    }
    lines[lines.length - 1].push(piece);
    x += piece.w + PIECES_APART;
  }
  let y = 0;
  for (const line of lines) {
    const high = Math.max(...line.map(({ h }) => h));
    let left = 0;
    for (const piece of line) {
      shapes.push(...piece.draw(left, y + (high - piece.h) / 2));
      left += piece.w + PIECES_APART;
    }
    y += high + PIECES_APART;
  }
  return { shapes, height: Math.max(0, y - PIECES_APART) };
}

/**
 * Return a token's chip.
 * @param {ChipLabel} label
 * @param {ChipColours} colours
 * @param {number} size
 * @param {Fonts} fonts
 * @param {number} most  width
 * @param {string} pale  colour that a tab is mixed with
 * @returns {Piece}
 */
export function chipPiece(label, colours, size, fonts, most, pale) {
  const { before, letters: spelled, after } = tabsOf(label);
  const [pad, tab] = [size * CHIP_LOOK.pad, size * TAB_LOOK.width];
  const beside = tab + size * TAB_LOOK.beside;
  const [left, right] = spelled ? [before ? beside : pad, after ? beside : pad] : [0, tab];
  const widthOf = (/** @type {string} */ text) =>
    measureText(`${CHIP_LOOK.weight} ${size}px ${fonts.code}`, text);
  const letters = withoutMiddle(spelled, (text) => widthOf(text) <= most - left - right);
  const textWidth = Math.min(widthOf(letters), most - left - right);
  const [w, h] = [Math.ceil(textWidth + left + right), Math.round(size * CHIP_LOOK.height)];
  const { fill, edge, ink, unknown = false } = colours;
  const box = {
    kind: /** @type {const} */ ("box"),
    w,
    h,
    curve: size * CHIP_LOOK.curve,
    fill,
    edge,
    width: 1.5,
  };
  const metrics = { edge: 1.5, curve: size * CHIP_LOOK.curve };
  /** @type {Look} */
  const look = { family: "code", size, weight: CHIP_LOOK.weight, fill: ink };
  const rightToLeft = RIGHT_TO_LEFT.test(letters);
  const atLeft = rightToLeft ? after : before;
  const start = rightToLeft ? right : left; // of the letters
  /** @type {(x: number, y: number) => Shape[]} */
  const tabs = (x, y) => {
    const area = { y, w: tab, h };
    if (!letters) return tabShapes({ ...area, x, w }, [true, true], metrics, colours, pale);
    return [
      ...(atLeft ? tabShapes({ ...area, x }, [true, false], metrics, colours, pale) : []),
      ...((rightToLeft ? before : after)
        ? tabShapes({ ...area, x: x + w - tab }, [false, true], metrics, colours, pale)
        : []),
    ];
  };
  return {
    w,
    h,
    draw: (x, y) => [
      { ...box, x, y, dashed: unknown },
      ...tabs(x, y),
      textShape(letters, x + start + (rightToLeft ? textWidth / 2 : 0), y + h / 2, {
        ...look,
        anchor: rightToLeft ? "middle" : "start",
        width: textWidth,
        rightToLeft,
      }),
    ],
  };
}

/**
 * Return a text that fits: where it is too long, "…" stands for its middle. Of one letter nothing is left out.
 * @param {string} text
 * @param {(text: string) => boolean} fits
 */
export function withoutMiddle(text, fits) {
  const letters = text.match(/.\p{M}*/gsu) ?? [];
  let shorter = text;
  for (let kept = letters.length - 1; kept > 0 && !fits(shorter); kept--) {
    const tail = Math.floor(kept / 3);
    shorter = `${letters.slice(0, kept - tail).join("")}…${letters.slice(letters.length - tail).join("")}`;
  }
  return shorter;
}

/**
 * Return the chip of a token of a lane.
 * @param {Pick<Grid, "model" | "chip" | "colours">} lane
 * @param {number} id
 * @param {number} size
 * @param {Fonts} fonts
 * @param {number} most  width
 */
export function tokenPiece({ model, chip, colours }, id, size, fonts, most) {
  const spelling = shortened(chipLabelOf(tokenOf(model, id).bytes, model.spelling));
  return chipPiece(readable(spelling, model.feed.marker_text), chip(id), size, fonts, most, colours.panel);
}

/** Return a filled rectangle. @param {{x: number, y: number, w: number, h: number}} box @param {string} fill @returns {AreaShape} */
export function areaShape({ x, y, w, h }, fill) {
  return {
    kind: "area",
    points: [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ],
    fill,
  };
}

const ARC = 4; // parts of a quarter of a circle

/**
 * Return the shapes of the tab that stands for a marker: a pale area inside a chip, and a line where letters are beside it.
 * @param {{x: number, y: number, w: number, h: number}} box
 * @param {[boolean, boolean]} ends  whether the token ends at its left and right side
 * @param {{edge: number, curve: number}} metrics  of the chip
 * @param {ChipColours} colours
 * @param {string} pale  colour that the chip's is mixed with
 * @returns {AreaShape[]}
 */
export function tabShapes({ x, y, w, h }, [low, high], { edge, curve }, colours, pale) {
  const [left, right] = [x + (low ? edge : 0), x + w - (high ? edge : 0)];
  const [top, foot] = [y + edge, y + h - edge];
  const round = Math.max(0, Math.min(curve - edge / 2, (right - left) / (low && high ? 2 : 1)));
  /** @type {(centre: [number, number], from: number) => [number, number][]} */
  const corner = ([cx, cy], from) =>
    Array.from({ length: ARC + 1 }, (_, at) => {
      const angle = ((from + (90 * at) / ARC) * Math.PI) / 180;
      return [cx + round * Math.cos(angle), cy + round * Math.sin(angle)];
    });
  /** @type {[number, number][]} */
  const points = [
    ...(high
      ? [...corner([right - round, top + round], 270), ...corner([right - round, foot - round], 0)]
      : /** @type {[number, number][]} */ ([
          [right, top],
          [right, foot],
        ])),
    ...(low
      ? [...corner([left + round, foot - round], 90), ...corner([left + round, top + round], 180)]
      : /** @type {[number, number][]} */ ([
          [left, foot],
          [left, top],
        ])),
  ];
  const line = (/** @type {number} */ at) => areaShape({ x: at, y: top, w: 1, h: foot - top }, colours.edge);
  return [
    { kind: "area", points, fill: blend(colours.fill, pale, TAB_LOOK.pale) },
    ...(low ? [] : [line(left)]),
    ...(high ? [] : [line(right - 1)]),
  ];
}

/**
 * Return a text that breaks between words where it is too wide.
 * @param {string} text
 * @param {Look} look
 * @param {Fonts} fonts
 * @param {number} most  width
 * @returns {Piece}
 */
export function textPiece(text, look, fonts, most) {
  const font = `${look.weight} ${look.size}px ${fonts[look.family]}`;
  const lines = wrapped(text, (line) => measureText(font, line) <= most).map((line) => ({
    line,
    width: Math.min(most, measureText(font, line)),
  }));
  const pitch = Math.round(look.size * LEADING);
  return {
    w: Math.ceil(Math.max(...lines.map(({ width }) => width))),
    h: pitch * lines.length,
    draw: (x, y) =>
      lines.map(({ line, width }, at) => textShape(line, x, y + (at + 0.5) * pitch, { ...look, width })),
  };
}

/**
 * Return a text in a frame with round corners.
 * @param {string} text
 * @param {Look} look
 * @param {Fonts} fonts
 * @param {number} most  width
 * @returns {Piece}
 */
export function badgePiece(text, look, fonts, most) {
  const [side, top] = [12, 4];
  const inner = textPiece(text, look, fonts, most - 2 * side);
  const [w, h] = [inner.w + 2 * side, inner.h + 2 * top];
  return {
    w,
    h,
    draw: (x, y) => [
      { kind: "box", x, y, w, h, curve: 14, fill: "none", edge: look.fill, width: 1.5, dashed: false },
      ...inner.draw(x + side, y + top),
    ],
  };
}

/**
 * Return the lines of a text. A word wider than a line is alone in it.
 * @param {string} text
 * @param {(line: string) => boolean} fits
 */
export function wrapped(text, fits) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
