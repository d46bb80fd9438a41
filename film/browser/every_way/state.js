// The state of one picture of every way: what it shows, how much of it and how large, and what has been drawn.

/** @import {Theme} from "../shared/colour.js" */
/** @import {EveryWay} from "../shared/feed_types.js" */
/** @import {Component} from "../shared/mount.js" */
/** @import {Layout} from "./layout.js" */

import { labelText } from "../shared/chip.js";
import { icon, make, makeSvg } from "../shared/dom.js";

/**
 * What Python sends: the picture, and the group whose playhead it follows. On the stage of a lesson it does not follow it
 * but `unfolds`, from so many merges to so many: before an answer it waits at the first number.
 * `takes`: whether a pressed place takes a line there. `low`: whether a high picture begins small, so that what is below it
 * stays in sight. `fitted`: whether it begins as high as the page's --ways, without a frame.
 * @typedef {EveryWay & {group: string, name: string, unfolds?: [number, number], takes?: boolean, low?: boolean, fitted?: boolean}} PictureData
 */

/** A dot, the box that clips the part of its line that is done, and how far both are below the middle of the strands. @typedef {{dot: Element, trail: Element, down: number}} Dot */

/**
 * A picture in SVG, and its parts.
 * @typedef {object} Drawing
 * @property {SVGElement} svg
 * @property {SVGElement[]} nodes  one for each node that is visible
 * @property {SVGElement[]} bodies  of strands: those that can be opened or closed
 * @property {Dot[]} dots  one for each line
 * @property {SVGElement[]} numbers  of merges, below the nodes
 * @property {Element | null} unfolded  the box that clips it, on the stage of a lesson
 */

/**
 * @typedef {object} WaysPicture
 * @property {Component<PictureData>} component  as Streamlit called it last
 * @property {PictureData} data
 * @property {() => void} redraw  lays it out and draws it anew
 * @property {HTMLElement} root
 * @property {HTMLElement} head  the finding
 * @property {HTMLElement} note  what to know of it
 * @property {HTMLElement} legend
 * @property {HTMLElement} scroll  holds the drawing
 * @property {HTMLElement} tip  what a node tells
 * @property {HTMLElement} table
 * @property {HTMLElement} zooms  buttons
 * @property {HTMLButtonElement} largerButton  of a high picture that begins small
 * @property {HTMLButtonElement} presentButton
 * @property {Theme} theme
 * @property {string} code  the font of tokens
 * @property {EveryWay} visible  with what is folded
 * @property {Set<string>} opened  names of the strands that are open
 * @property {number} zoom  0 for the whole picture, if that is smaller than what can be read
 * @property {boolean} isLow  whether a high picture is small
 * @property {number} filled  the width that it was laid out for
 * @property {number} filledHeight  the height, if that is given
 * @property {Layout} layout
 * @property {number} scale
 * @property {Drawing} drawing
 * @property {number} step  of the playhead
 * @property {number} position  where the dots are, on their way to it
 * @property {number} frame  the request for the next frame of that way
 * @property {number} chosen  the line that a pressed place takes there
 * @property {number} focused  the node that Tab reaches
 */

export const NAME = "Every way to break the ties";

/**
 * Return the state of a picture that has not been drawn.
 * @param {Component<PictureData>} component
 * @param {HTMLElement} root
 * @param {() => void} redraw
 * @returns {WaysPicture}
 */
export function newPicture(component, root, redraw) {
  const { data } = component;
  const zooms = { role: "group", "aria-label": "Zoom", "data-testid": "zoom-every-way" };
  const presents = {
    type: "button",
    title: "Fill the window (E)",
    "aria-label": "Fill the window",
    "aria-pressed": false,
    "data-testid": "present-every-way",
  };
  return {
    component,
    data,
    redraw,
    root,
    head: make("h2", "sentence", { "data-testid": "every-way-sentence" }),
    note: make("div", "aside note", { "data-testid": "every-way-note" }),
    legend: make("div", "row lines"),
    scroll: make("div", "scroll", { role: "group", tabindex: -1 }),
    tip: make("div", "tip card", { hidden: true, "data-testid": "every-way-tip" }),
    table: make("div", "unseen"),
    zooms: make("div", "zooms", zooms),
    largerButton: make("button", "quiet", { type: "button", "data-testid": "unfold-every-way" }),
    presentButton: make("button", "quiet", presents, icon("present")),
    theme: "light",
    code: "monospace",
    visible: data,
    opened: new Set(),
    zoom: 1,
    isLow: true,
    filled: 0,
    filledHeight: 0,
    layout: { width: 0, height: 0, bottom: 0, columns: [], nodes: [], strands: [], lines: [] },
    scale: 1,
    drawing: { svg: makeSvg("svg", {}), nodes: [], bodies: [], dots: [], numbers: [], unfolded: null },
    step: 0,
    position: 0,
    frame: 0,
    chosen: 0,
    focused: 0,
  };
}

/** Whether a picture is on the stage of a lesson. @param {Pick<WaysPicture, "data">} picture */
export function isStaged({ data }) {
  return data.unfolds !== undefined;
}

/** Whether a picture fills the window. @param {WaysPicture} picture */
export function isFilling({ root }) {
  return root.classList.contains("presenting");
}

/** Whether a picture is as high as its page says. @param {WaysPicture} picture */
export function isFitted(picture) {
  return Boolean(picture.data.fitted) && picture.isLow && !isFilling(picture);
}

/** Return the name of a whole picture. @param {EveryWay} way */
export function nameOfPicture({ sentence, note }) {
  return [`${NAME}. ${sentence}`, note].filter(Boolean).join(" ");
}

/** Return the name of a token. @param {EveryWay} way @param {number} token */
export function nameOfToken({ tokens }, token) {
  return labelText(tokens[token]);
}
