// Pointing at the picture of every way: a node tells its tokens, and a press moves the playhead there; a strand opens; keys
// walk from node to node; the ground can be dragged.

/** @import {EveryWay} from "../shared/feed_types.js" */
/** @import {PictureData, WaysPicture} from "./state.js" */

import { chipElement } from "../shared/chip.js";
import { coloursOf } from "../shared/colour.js";
import { hasModifier, make } from "../shared/dom.js";
import { say } from "../shared/groups.js";
import { formatCount } from "../shared/numbers.js";
import { listenToPointer } from "../shared/pointed.js";
import { strandName } from "./layout.js";
import { isFilling, isStaged } from "./state.js";
import { zoomBy } from "./zoom.js";

const ARRIVAL = 300; // ms until the grid of a new training listens
const WHEEL = 300; // px of a wheel for one press

/**
 * Where a pressed node leads, until the training that goes there comes, and another picture with it.
 * @type {{group: string, step: number, name: string} | null}
 */
let goingTo = null;

/** Let the nodes and strands of a new drawing answer. @param {WaysPicture} picture */
export function listenToDrawing(picture) {
  const { drawing, tip, visible } = picture;
  for (const body of drawing.bodies) {
    const number = Number(body.dataset.strand);
    const act = () => turnStrand(picture, number);
    body.addEventListener("click", act);
    body.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
  }
  const hide = () => {
    tip.hidden = true;
  };
  for (const [number, node] of drawing.nodes.entries()) {
    if (visible.nodes[number].open) continue;
    node.addEventListener("click", () => press(picture, number));
    const show = () => tell(picture, number);
    listenToPointer(node, show, hide);
    node.addEventListener("focus", show);
    node.addEventListener("blur", hide);
    node.addEventListener("keydown", (event) => walk(picture, event, number));
  }
}

/** Let a picture be dragged, and zoomed with a wheel. @param {WaysPicture} picture @param {AbortSignal} signal */
export function listenToGround(picture, signal) {
  const { scroll } = picture;
  scroll.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || isStaged(picture)) return;
      event.preventDefault();
      const by = Math.max(-1, Math.min(1, -event.deltaY / WHEEL));
      if (event.deltaY) zoomBy(picture, by, event.clientX);
    },
    { passive: false, signal },
  );
  // A finger scrolls by itself.
  scroll.addEventListener(
    "pointerdown",
    (event) => {
      const target = /** @type {Element} */ (event.target);
      if (event.pointerType !== "mouse" || event.button !== 0 || target.closest(".node, .body")) return;
      const from = { x: event.clientX + scroll.scrollLeft, y: event.clientY + scroll.scrollTop };
      const drag = new AbortController();
      scroll.setPointerCapture(event.pointerId);
      scroll.classList.add("dragged");
      const move = (/** @type {PointerEvent} */ { clientX, clientY }) =>
        scroll.scrollTo(from.x - clientX, from.y - clientY);
      const end = () => {
        drag.abort();
        scroll.classList.remove("dragged");
      };
      scroll.addEventListener("pointermove", move, { signal: drag.signal });
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
        scroll.addEventListener(kind, end, { signal: drag.signal });
    },
    { signal },
  );
}

/** Move the playhead to where a pressed node led, once the training that goes there has come. @param {PictureData} data */
export function arrive(data) {
  if (goingTo?.group !== data.group || goingTo.name === data.name) return;
  const { group, step } = goingTo;
  goingTo = null;
  // A new grid begins where its page says.
  setTimeout(() => say("jump", { group, step }), ARRIVAL);
}

/** Open a strand, or close it. @param {WaysPicture} picture @param {number} number */
function turnStrand(picture, number) {
  const { opened, scroll, visible: before } = picture;
  const strand = before.strands[number];
  const name = strandName(before, strand);
  const from = before.nodes[strand.source].number;
  if (opened.has(name)) opened.delete(name);
  else opened.add(name);
  picture.redraw();
  const { visible, drawing } = picture;
  const same = visible.strands.findIndex((other) => strandName(visible, other) === name);
  const there = visible.nodes.findIndex((node) => node.number === from);
  const body = /** @type {SVGElement | null} */ (scroll.querySelector(`[data-strand="${same}"]`));
  (body ?? drawing.nodes[there])?.focus();
}

/** Move the playhead to a node, and take the chosen line there. @param {WaysPicture} picture @param {number} number */
function press(picture, number) {
  const { chosen, component, data, visible } = picture;
  const { merges, number: node } = visible.nodes[number];
  if (!isStaged(picture)) say("jump", { group: data.group, step: merges });
  if (!isOffered(picture, number)) return;
  goingTo = { group: data.group, step: merges, name: data.name };
  component.setTriggerValue("pressed", { node, line: chosen });
}

/** Whether a press on a node takes the chosen line there. @param {WaysPicture} picture @param {number} number */
function isOffered(picture, number) {
  const { chosen, data, visible } = picture;
  return data.takes && !isFilling(picture) && !isOnLine(visible, chosen, number);
}

/**
 * @param {EveryWay} way
 * @param {number} line
 * @param {number} number  of a node
 */
function isOnLine({ lines, strands }, line, number) {
  return !number || lines[line].strands.some((strand) => strands[strand].target === number);
}

/** Show what a node tells: the words after its merges. @param {WaysPicture} picture @param {number} number */
function tell(picture, number) {
  const { chosen, data, drawing, root, theme, tip, visible } = picture;
  const { merges, words } = visible.nodes[number];
  const passing = visible.lines.filter((_, line) => isOnLine(visible, line, number));
  const when = merges ? `After ${formatCount(merges, "merge")}` : "Before the first merge";
  const heading = make("p", "aside when", {}, when);
  if (passing.length && data.lines.length > 1)
    heading.append(` · ${passing.map(({ title }) => title).join(", ")}`);
  const rows = words.map((word) => {
    const chips = word.map((token) => chipElement(data.tokens[token], coloursOf(theme, data.tokens[token])));
    return make("p", "word", {}, ...chips);
  });
  const offer = isOffered(picture, number)
    ? [make("p", "aside when", {}, `Press to bring “${data.lines[chosen].title}” here.`)]
    : [];
  tip.replaceChildren(heading, ...rows, ...offer);
  tip.hidden = false;
  const [outer, box] = [root.getBoundingClientRect(), drawing.nodes[number].getBoundingClientRect()];
  const left = box.left + box.width / 2 - outer.left - tip.offsetWidth / 2;
  tip.style.left = `${Math.max(4, Math.min(left, outer.width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${box.bottom - outer.top + 6}px`;
}

/** Let a key press a node, or go to the next one. @param {WaysPicture} picture @param {KeyboardEvent} event @param {number} number */
function walk(picture, event, number) {
  if (hasModifier(event)) return;
  const { nodes } = picture.drawing;
  const next = nextNode(picture, event.key, number);
  if (event.key === "Enter" || event.key === " ") press(picture, number);
  else if (next === undefined) return;
  else {
    nodes[picture.focused].setAttribute("tabindex", "-1");
    picture.focused = next;
    nodes[next].setAttribute("tabindex", "0");
    nodes[next].focus();
    nodes[next].scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Return the node that a key leads to; undefined for another key, or where there is none.
 * @param {WaysPicture} picture
 * @param {string} key
 * @param {number} number
 */
function nextNode({ layout, visible: { nodes, strands } }, key, number) {
  const here = layout.nodes[number];
  const far = (/** @type {number} */ other) => Math.abs(layout.nodes[other].y - here.y);
  const near = (/** @type {number[]} */ some) =>
    some.filter((other) => !nodes[other].open).toSorted((one, other) => far(one) - far(other))[0];
  if (key === "ArrowRight")
    return near(strands.filter(({ source }) => source === number).map(({ target }) => target));
  if (key === "ArrowLeft")
    return near(strands.filter(({ target }) => target === number).map(({ source }) => source));
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const side = key === "ArrowUp" ? -1 : 1;
  return near(
    layout.nodes.flatMap((node, other) =>
      node.column === here.column && (node.y - here.y) * side > 1 ? [other] : [],
    ),
  );
}
