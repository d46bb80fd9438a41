// The shapes that a picture is made of. A scene is a list of them; svg.js writes it, canvas.js paints it.

/** @typedef {"code" | "sans"} Family */

/**
 * A rectangle with an edge inside it.
 * @typedef {{kind: "box", x: number, y: number, w: number, h: number, curve: number, fill: string, edge: string, width: number, dashed: boolean}} BoxShape
 */

/**
 * A horizontal line.
 * @typedef {{kind: "line", x: number, y: number, w: number, colour: string, width: number, dash: number[], round: boolean}} LineShape
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

/** All shapes of one token of the grid. @typedef {{kind: "token", shapes: Shape[]}} TokenShape */

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

/**
 * Return the baseline of a text whose middle is at `y`.
 * @param {number} y
 * @param {number} size
 */
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

/**
 * Return shapes moved down.
 * @param {Shape[]} shapes
 * @param {number} right
 * @param {number} down
 * @returns {Shape[]}
 */
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
