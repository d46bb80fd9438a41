// The position of the window of a long text, and the controls that move it.

/** @import {Text} from "../../shared/feed_types.js" */

import { make } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";

/**
 * Make the controls of the window. `moveWindow` asks for another part of the text, by its first character.
 * @param {(start: number) => void} moveWindow
 */
export function createWindowControls(moveWindow) {
  const element = make("div", "window", { hidden: true, "data-testid": "window" });

  /** @param {Text} text */
  function draw({ start, end, total }) {
    element.hidden = !total || (start === 0 && end >= total);
    if (element.hidden) return;
    const size = end - start;
    const move = (/** @type {number} */ to) => moveWindow(Math.max(0, Math.min(to, total - 1)));
    const where = `showing characters ${formatNumber(start)}–${formatNumber(end)} of ${formatNumber(total)}`;
    const slider = make("input", "range", {
      type: "range",
      min: 0,
      max: Math.max(0, total - 1),
      step: Math.max(1, Math.floor(size / 2)),
      value: start,
      "aria-label": "Start of the window",
      change: () => move(Number(slider.value)),
    });
    slider.value = String(start);
    element.replaceChildren(
      make("span", "", {}, where),
      windowButton("← earlier", start === 0, () => move(start - size)),
      slider,
      windowButton("later →", end >= total, () => move(end)),
    );
  }
  return { element, draw };
}

/**
 * @param {string} text
 * @param {boolean} disabled
 * @param {() => void} click
 */
function windowButton(text, disabled, click) {
  return make("button", "quiet", { type: "button", disabled, click }, text);
}
