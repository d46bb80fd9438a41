// A picture of one step: an SVG file, or a PNG file at twice the size.

/** @import {Component, Controller} from "../shared/page/mount.js" */
/** @import {PictureData} from "./main.js" */
/** @import {Scene} from "./shapes.js" */
/** @import {Timer} from "../shared/page/dom.js" */

import { contextOf } from "../shared/tokens/colour.js";
import { make } from "../shared/page/dom.js";
import { hear } from "../shared/groups.js";
import { rootOf } from "../shared/page/mount.js";
import { formatNumber } from "../shared/feed/numbers.js";
import { paintScene } from "./canvas.js";
import { download } from "../shared/page/download.js";
import { pictureOf } from "./sources.js";
import { svgText } from "./svg.js";

const TWICE = 2; // px of a PNG for one of the scene
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
  png: { label: "Save PNG", about: "twice the size", scale: TWICE, make: pngOf },
};

/**
 * Paint a scene at twice its size.
 * @param {Scene} scene
 * @param {Fonts} fonts
 * @returns {Promise<Blob | null>}
 */
async function pngOf(scene, fonts) {
  const canvas = make("canvas");
  canvas.width = scene.width * TWICE;
  canvas.height = scene.height * TWICE;
  paintScene(contextOf(canvas), scene, fonts, TWICE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

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
