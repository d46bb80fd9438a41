// The parts of Compare as one component. The data names the part to draw.

/** @import {Theme} from "../../../film/browser/shared/tokens/colour.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/page/mount.js" */

import { themeOf } from "../../../film/browser/shared/tokens/colour.js";
import { mount, rootOf } from "../../../film/browser/shared/page/mount.js";
import { drawWords } from "./words.js";
import { drawDisputedWords } from "./disputed_words.js";
import { drawDivergence } from "./divergence.js";
import { drawLearnedTokens } from "./learned_tokens.js";
import { drawStrip } from "./strip.js";

/** Draws a part. If it returns a function, that removes the part. @typedef {(root: HTMLElement, data: any, theme: Theme) => void | (() => void)} Draw */

/** Each takes the data of its own part, so the types differ. @type {Record<string, Draw>} */
const PARTS = {
  disputed: drawDisputedWords,
  divergence: drawDivergence,
  strip: drawStrip,
  fates: drawLearnedTokens,
  cuts: drawWords,
};

/**
 * @param {Component<{part: string}>} component
 * @returns {Controller<{part: string}>}
 */
function createPart(component) {
  const root = rootOf(component, ".parts");
  let lastText = ""; // theme and data, as text
  /** @type {void | (() => void)} */
  let end;

  /** @type {Controller<{part: string}>["update"]} */
  function update({ data }) {
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    end?.();
    lastText = text;
    root.dataset.theme = theme;
    end = PARTS[data.part](root, data, theme);
  }
  return { update, remove: () => end?.() };
}

export default mount(createPart);
