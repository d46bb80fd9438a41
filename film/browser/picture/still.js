// A picture of one step: an SVG file, or a PNG file at twice the size.

/** @import {Scene, Shape, TextShape} from "./shapes.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {PictureData} from "./main.js" */
/** @import {Timer} from "../shared/dom.js" */

import { GENERIC } from "./shapes.js";
import { CHIP_LOOK } from "../shared/chip.js";
import { make, download } from "../shared/dom.js";
import { hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { formatNumber } from "../shared/numbers.js";
import { TWICE, paintScene, pngOf } from "./canvas.js";
import { pictureOf } from "./scene.js";

// A scene as an SVG file. Text stays text, in families that every system has; nothing is loaded.

// Characters that no XML file may hold, even escaped, and halves of characters.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;

/** Return a scene as the text of an SVG file. @param {Scene} scene */
export function svgText({ width, height, background, title, shapes }) {
  const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" ${attributeText(OF_TOKENS)} xml:space="preserve">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${escaped(background)}"/>`,
    ...shapes.map(shapeText),
    "</svg>\n",
  ].join("\n");
}

/** @param {Shape} shape @returns {string} */
function shapeText(shape) {
  if (shape.kind === "token") {
    const title = shape.label && `<title>${escaped(shape.label)}</title>`; // a marker is a tab, and has no letters
    return `<g class="token">${title}${shape.shapes.map(shapeText).join("")}</g>`;
  }
  if (shape.kind === "text") return textElement(shape);
  if (shape.kind === "area") {
    const points = shape.points.map(([x, y]) => `${number(x)},${number(y)}`).join(" ");
    return `<polygon points="${points}" fill="${escaped(shape.fill)}"/>`;
  }
  if (shape.kind === "line") {
    const { x, y, w, colour, width, dash } = shape;
    const ends = `x1="${number(x)}" y1="${number(y)}" x2="${number(x + w)}" y2="${number(y)}"`;
    const look = `stroke-width="${number(width)}" stroke-dasharray="${dash.map(number).join(" ")}"`;
    return `<line ${ends} stroke="${escaped(colour)}" ${look} stroke-linecap="round"/>`;
  }
  const { x, y, w, h, curve, fill, edge, width, dashed } = shape;
  const corner = `x="${number(x + width / 2)}" y="${number(y + width / 2)}"`;
  const size = `width="${number(w - width)}" height="${number(h - width)}" rx="${number(curve)}"`;
  const look = `fill="${escaped(fill)}" stroke="${escaped(edge)}" stroke-width="${number(width)}"`;
  return `<rect ${corner} ${size} ${look}${dashed ? ' stroke-dasharray="4 3"' : ""}/>`;
}

/** What most texts have in common, those of tokens: attributes of the whole file. */
const OF_TOKENS = {
  "font-family": GENERIC.code,
  "font-weight": String(CHIP_LOOK.weight),
  "text-anchor": "middle",
  direction: "ltr",
};

/** @param {TextShape} shape */
function textElement({ pieces, y, family, size, weight, fill, anchor, rightToLeft }) {
  const look = {
    "font-family": GENERIC[family],
    "font-weight": String(weight),
    "text-anchor": anchor,
    direction: rightToLeft ? "rtl" : "ltr",
  };
  const spans = pieces.map(({ x, text, width }) => {
    const fitted = width && anchor === "start";
    const fit = fitted ? ` textLength="${number(width)}" lengthAdjust="spacingAndGlyphs"` : "";
    return `<tspan x="${number(x)}"${fit}>${escaped(text)}</tspan>`;
  });
  const attributes = `y="${number(y)}" font-size="${number(size)}" fill="${escaped(fill)}" ${attributeText(look, OF_TOKENS)}`;
  return `<text ${attributes.trim()}>${spans.join("")}</text>`;
}

/**
 * Return attributes as text, without those that have their usual values.
 * @param {Record<string, string>} attributes
 * @param {Record<string, string>} [usual]
 */
function attributeText(attributes, usual = {}) {
  const unusual = Object.entries(attributes).filter(([name, value]) => usual[name] !== value);
  return unusual.map(([name, value]) => `${name}="${value}"`).join(" ");
}

/** @param {number} value */
function number(value) {
  return String(Math.round(value * 100) / 100);
}

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text */
function escaped(text) {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
}

const STILL_REST = 200; // ms without a new step until the size is measured
const NO_GRID = "There is no grid on the page.";

/** @typedef {import("./shapes.js").Fonts} Fonts */
/** @typedef {{label: string, about: string, scale: number, make: (scene: Scene, fonts: Fonts) => Promise<Blob | null>}} Format */

/** @type {Record<"svg" | "png", Format>} */
const FORMATS = {
  svg: {
    label: "Save SVG",
    about: "sharp at any size; its text stays text",
    scale: 1,
    make: async (scene) => new Blob([svgText(scene)], { type: "image/svg+xml" }),
  },
  png: {
    label: "Save PNG",
    about: "twice the size",
    scale: TWICE,
    make: (scene, fonts) => pngOf(scene, (context, scale) => paintScene(context, scene, fonts, scale)),
  },
};

/**
 * Make the button of one format.
 * @param {Component<PictureData>} component
 * @param {"svg" | "png"} kind
 * @returns {Controller<PictureData>}
 */
export function createStill(component, kind) {
  const format = FORMATS[kind];
  const lifetime = new AbortController();
  const size = make("p", "size", { "aria-live": "polite" });
  const button = make("button", "save", { type: "button", click: save }, format.label);
  rootOf(component, ".picture").replaceChildren(button, size);
  let { group, footer } = component.data;
  /** @type {Timer} */
  let waiting;

  function currentPicture() {
    const ready = pictureOf(group, footer, { moving: false });
    return ready && { ...ready, scene: ready.picture.sceneAt(ready.step) };
  }

  function measure() {
    const ready = currentPicture();
    button.disabled = !ready;
    if (!ready) return void (size.textContent = NO_GRID);
    const [width, height] = [ready.scene.width, ready.scene.height].map((side) =>
      formatNumber(side * format.scale),
    );
    const part = ready.picture.note && ` Draws ${ready.picture.note}.`;
    size.textContent = `${width} × ${height} px, ${format.about}.${part}`;
  }

  async function save() {
    const ready = currentPicture();
    const blob = ready && (await format.make(ready.scene, ready.fonts));
    if (blob) download(blob, `after-${ready.step}-${ready.noun}s.${kind}`);
    else size.textContent = ready ? "The browser could not make this picture." : NO_GRID;
  }

  hear("step", group, lifetime.signal, () => {
    clearTimeout(waiting);
    waiting = setTimeout(measure, STILL_REST);
  });

  return {
    update({ data }) {
      ({ group, footer } = data);
      measure();
    },
    remove() {
      lifetime.abort();
      clearTimeout(waiting);
    },
  };
}
