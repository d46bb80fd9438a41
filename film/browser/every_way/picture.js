// The picture of every way to break the ties: strands, nodes and lines as SVG, a dot on each line that goes with the group's
// playhead, what a node or strand tells when one points at it, and a table of the same.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {PictureData, WaysPicture} from "./state.js" */

import { CHIP_LOOK } from "../shared/chip.js";
import { contextOf, themeOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { rootOf } from "../shared/mount.js";
import { keepInSight, putPosition, travel } from "./dots.js";
import { drawWays } from "./drawing.js";
import { TYPE } from "./layout.js";
import { LOOKS } from "./looks.js";
import { arrive, listenToDrawing, listenToGround } from "./pointing.js";
import { createSaving } from "./saving.js";
import { setPresenting, takeAlone } from "../shared/on_stage.js";
import { fillWindow, followPlayhead, goalOf, listenToEscape } from "./stage.js";
import { isFilling, isFitted, isStaged, nameOfPicture, newPicture } from "./state.js";
import { waysTable } from "./table.js";
import { arrangePicture, zoomBy } from "./zoom.js";

/**
 * Make the picture.
 * @param {Component<PictureData>} component
 * @returns {Controller<PictureData>}
 */
export function createPicture(component) {
  const picture = newPicture(component, rootOf(component, ".every-way"), redraw);
  const { root, scroll } = picture;
  const saving = createSaving(picture);
  addElements(picture, saving.element);
  const ending = new AbortController();
  listenToGround(picture, ending.signal);
  listenToEscape(picture, ending.signal);
  const resized = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = scroll;
    const isOther = Math.abs(width - picture.filled) > 1;
    if (width && (isOther || (isFitted(picture) && Math.abs(height - picture.filledHeight) > 1))) redraw();
  });
  resized.observe(scroll);
  let lastText = "";
  let lastGroup = "";
  let listening = new AbortController();

  function redraw() {
    const style = getComputedStyle(root);
    const context = contextOf(document.createElement("canvas"));
    root.classList.toggle("fitted", isFitted(picture));
    picture.filled = scroll.clientWidth;
    picture.filledHeight = scroll.clientHeight;
    picture.code = style.getPropertyValue("--st-code-font").trim() || "monospace";
    context.font = `${CHIP_LOOK.weight} ${TYPE}px ${picture.code}`;
    arrangePicture(picture, (text) => context.measureText(text).width);
    picture.drawing = drawWays(picture, style.fontFamily || "sans-serif");
    listenToDrawing(picture);
    scroll.replaceChildren(picture.drawing.svg);
    writeLegend(picture);
    putPosition(picture);
  }

  /** @type {Controller<PictureData>["update"]} */
  function update(next) {
    const { data } = next;
    picture.component = next;
    picture.theme = themeOf(root);
    root.dataset.theme = picture.theme;
    const text = `${picture.theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    if (data.name !== picture.data.name) {
      picture.opened.clear();
      picture.zoom = 1;
    }
    arrive(data);
    picture.data = data;
    picture.focused = 0;
    if (picture.chosen >= data.lines.length) picture.chosen = 0;
    picture.tip.hidden = true;
    picture.head.textContent = data.sentence;
    writeNote(picture);
    root.classList.toggle("empty", !data.until);
    root.classList.toggle("staged", isStaged(picture));
    scroll.setAttribute("aria-label", nameOfPicture(data));
    if (data.unfolds) picture.step = picture.position = data.unfolds[0];
    if (data.group !== lastGroup) {
      lastGroup = data.group;
      listening.abort();
      listening = new AbortController();
      followPlayhead(picture, listening.signal);
    }
    redraw();
    picture.table.replaceChildren(waysTable(data));
    if (isStaged(picture)) travel(picture, goalOf(picture));
    else keepInSight(picture);
  }

  function remove() {
    ending.abort();
    listening.abort();
    resized.disconnect();
    if (isFilling(picture)) {
      setPresenting(root, false);
      takeAlone(root, false);
    }
    saving.end();
    cancelAnimationFrame(picture.frame);
  }

  return { update, remove };
}

/** Put the elements of a picture on the page. @param {WaysPicture} picture @param {Element} save */
function addElements(picture, save) {
  const { root, head, note, legend, scroll, tip, table, zooms, largerButton, presentButton } = picture;
  const zoomButton = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ by) => {
    const click = () => zoomBy(picture, by);
    return make("button", "quiet", { type: "button", title, "aria-label": title, click }, sign);
  };
  zooms.append(
    zoomButton("−", "Zoom out", -1),
    zoomButton("Whole", "Show the whole picture", 0),
    zoomButton("+", "Zoom in", 1),
  );
  largerButton.addEventListener("click", () => {
    picture.isLow = !picture.isLow;
    picture.redraw();
  });
  presentButton.addEventListener("click", () => fillWindow(picture, !isFilling(picture)));
  const click = () => fillWindow(picture, false);
  const close = make("button", "close", { type: "button", click }, "Close");
  const below = make("div", "row below", {}, legend, zooms, largerButton, presentButton, save, close);
  root.append(head, note, scroll, below, tip, table);
}

/** Write what to know of the finding, with the rest behind a question mark. @param {WaysPicture} picture */
function writeNote({ data: { note, more }, note: element }) {
  const mark = make("summary", "", { "aria-label": "Why?", title: "Why?" }, "?");
  element.hidden = !note;
  element.replaceChildren(note, ...(more ? [make("details", "", {}, mark, make("p", "", {}, more))] : []));
}

/** Write the names of the lines, of which one can be chosen if a pressed place takes it there. @param {WaysPicture} picture */
function writeLegend(picture) {
  const { chosen, data, legend, theme } = picture;
  const { lines: colours } = LOOKS[theme];
  const chooses = data.takes && data.lines.length > 1 && !isFilling(picture);
  const names = data.lines.map(({ title }, number) => {
    const swatch = make("span", "swatch", { "aria-hidden": "true" });
    swatch.style.background = colours[number % colours.length];
    if (!chooses) return title ? make("span", "line", {}, swatch, title) : "";
    const click = () => {
      picture.chosen = number;
      writeLegend(picture);
      /** @type {HTMLElement | undefined} */ (legend.querySelectorAll("button")[number])?.focus();
    };
    const pressed = String(number === chosen);
    return make("button", "line", { type: "button", "aria-pressed": pressed, click }, swatch, title);
  });
  const asks = chooses ? [make("span", "asks", { id: "moves" }, "Press a split to move")] : [];
  legend.replaceChildren(...asks, ...names);
}
