// The line of a talk. On a page that is no lesson, the keys make the merges of its stop and then go on to the next one.

/** @import {Component, Controller} from "../../../film/browser/shared/page/mount.js" */
/** @import {Playhead} from "../../../film/browser/token_grid/timing/playhead.js" */

import { themeOf } from "../../../film/browser/shared/tokens/colour.js";
import { hasModifier, make, makeButton } from "../../../film/browser/shared/page/dom.js";
import { groupNamed, hear } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/page/mount.js";
import { createNotesWindow } from "./notes_window.js";

/**
 * What Python sends.
 * @typedef {object} TalkData
 * @property {string} title  of the stop
 * @property {number} number  of the stop, from 1
 * @property {number} of  number of stops
 * @property {number} minutes  of the talk
 * @property {number} before  minutes that the stops before this one need
 * @property {string} notes  for the speaker
 * @property {string} next  title of the next stop, or ""
 * @property {string} group  of the grids on the page
 * @property {number} merges  that the keys make here; 0 for all
 * @property {boolean} keys  whether this line takes the keys of the group on
 */

const TYPING = "input, textarea, select, [contenteditable=true]";

/**
 * Return whether the keys have made the merges of a stop.
 * @param {Pick<Playhead, "step" | "beat" | "last">} playhead
 * @param {number} merges
 */
export function isOver({ step, beat, last }, merges) {
  return step >= Math.min(merges || Infinity, last()) && beat !== "fuse";
}

/**
 * @param {Component<TalkData>} component
 * @returns {Controller<TalkData>}
 */
function createTalk(component) {
  const root = rootOf(component, "[data-testid=talk]");
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  let lastText = ""; // the data, as text
  let leaving = false; // another stop has been asked for
  const notes = createNotesWindow(() => data);
  const group = () => groupNamed(data.group);

  /** @type {Controller<TalkData>["update"]} */
  function update(next) {
    component = next;
    const before = data.group;
    data = next.data;
    root.dataset.theme = themeOf(root);
    if (before !== data.group) release(before);
    if (data.keys) Object.assign(group(), { next: forth, back });
    const text = JSON.stringify(data);
    if (text === lastText) return;
    lastText = text;
    leaving = false;
    draw();
    notes.draw();
  }

  function draw() {
    root.dataset.stop = String(data.number);
    const position = `Talk of ${data.minutes} minutes · ${data.number} of ${data.of}`;
    const previous = makeButton("Back", "talk-back", () => move("back"));
    const on = makeButton(data.next ? `Next: ${data.next}` : "The end", "talk-next", () => move("next"));
    previous.disabled = data.number === 1;
    on.disabled = !data.next;
    root.replaceChildren(
      make("span", "where", {}, position),
      make("strong", "", {}, data.title),
      previous,
      on,
      makeButton("Notes (N)", "talk-notes", notes.open),
      makeButton("Leave the talk", "talk-leave", () => component.setTriggerValue("leave", true)),
    );
  }

  /** @param {"next" | "back"} way */
  function move(way) {
    if (leaving || !(way === "next" ? data.next : data.number > 1)) return;
    leaving = true; // a key that is pressed twice must not skip a stop
    component.setTriggerValue("move", `${way} from ${data.number}`);
  }

  function forth() {
    const { playhead, stage } = group();
    if (!playhead) return;
    if (!isOver(playhead, data.merges)) return playhead.nextBeat();
    if (stage?.showEnding(true)) return; // the words that lanes split differently come before the next stop
    move("next");
  }

  function back() {
    const { playhead, stage } = group();
    if (!playhead || stage?.showEnding(false)) return;
    if (playhead.step > 0 || playhead.beat === "count" || playhead.beat === "select") playhead.previousBeat();
    else move("back");
  }

  /** @param {string} name */
  function release(name) {
    const left = groupNamed(name);
    if (left.next === forth) delete left.next;
    if (left.back === back) delete left.back;
  }

  function listen(/** @type {KeyboardEvent} */ event) {
    const target = event.composedPath()[0];
    if (hasModifier(event) || (target instanceof Element && target.matches(TYPING))) return;
    if (event.key.toLowerCase() === "n") notes.open();
  }
  // In the capture phase: the grid, which has the focus in the presenter view, stops single letters.
  window.addEventListener("keydown", listen, { capture: true, signal });
  for (const kind of /** @type {const} */ (["speech", "step"])) hear(kind, data.group, signal, notes.draw);

  function remove() {
    lifetime.abort();
    release(data.group);
    notes.remove();
  }
  return { update, remove };
}

export default mount(createTalk);
