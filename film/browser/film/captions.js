// Captions: a text for each part of a film. The viewer changes them with Space or the buttons, and the grid follows.

/** @import {Group} from "../shared/groups.js" */
/** @import {Playhead} from "../token_grid/timing/playhead.js" */

import { make } from "../shared/page/dom.js";
import { hear } from "../shared/groups.js";

/** With `asks`, the next merge stays hidden until the next caption. @typedef {{step: number, text: string, asks?: boolean}} Caption */

/**
 * Return the caption to show at a step: the current one if it belongs to this step, else the last one that has begun.
 * @param {Caption[]} captions  by step
 * @param {number} now  position of the one shown now
 * @param {number} step
 */
export function captionAt(captions, now, step) {
  if (captions[now]?.step === step) return now;
  return Math.max(
    0,
    captions.findLastIndex((caption) => caption.step <= step),
  );
}

/**
 * Return whether the caption shown asks about the merge that follows this step.
 * @param {Caption[]} captions
 * @param {number} now  position of the one shown now
 * @param {number} step
 */
export function asksAt(captions, now, step) {
  const caption = captions[now];
  return Boolean(caption?.asks) && caption.step === step;
}

/**
 * Hide the next merge, or show it, as soon as the playhead rests.
 * @param {Playhead} playhead
 * @param {boolean} on
 */
export function hideNext(playhead, on) {
  if (playhead.beatwise === on) return;
  if (playhead.playing || playhead.beat === "fuse" || playhead.beat === "settle") playhead.beatwise = on;
  else playhead.setBeatwise(on);
}

/**
 * Make the bar of captions. It is hidden if there are none.
 * @param {Caption[]} captions  by step
 * @param {Group} group
 */
export function createCaptions(captions, group) {
  let now = 0;
  const text = make("p", "text", { "aria-live": "polite" });
  const position = make("span", "place");
  const back = make("button", "turn", { type: "button", click: () => go(-1) }, "Back");
  const next = make(
    "button",
    "turn",
    { type: "button", "data-testid": "next-caption", click: () => go(1) },
    "Next",
  );
  const bar = make("div", "bar", {}, back, position, next);
  const element = make("section", "caption", { "data-testid": "caption", hidden: true }, text, bar);
  let isOn = false;
  bar.hidden = captions.length < 2;

  /**
   * Show the captions, and give them the keys; or leave both to a film that they are not about.
   * @param {boolean} on
   */
  function setOn(on) {
    isOn = on;
    element.hidden = !on || captions.length === 0;
    if (captions.length < 2) return;
    group.next = on ? () => go(1) : undefined;
    group.back = on ? () => go(-1) : undefined;
    if (!on && group.playhead && !group.playhead.predicting) hideNext(group.playhead, false);
  }

  /** @param {number} by */
  function go(by) {
    now = Math.max(0, Math.min(now + by, captions.length - 1));
    const near = Math.abs(captions[now].step - (group.playhead?.step ?? 0)) === 1;
    if (captions[now].step !== group.playhead?.step)
      group.playhead?.seek(captions[now].step, { animate: near });
    draw();
  }

  /** @param {number} step */
  function follow(step) {
    if (!isOn) return;
    now = captionAt(captions, now, step);
    draw();
  }

  // A lone caption leaves the keys, and so the beats, to the grid.
  function hideAnswer() {
    const { playhead } = group;
    if (!isOn || !playhead || captions.length < 2) return;
    hideNext(playhead, asksAt(captions, now, playhead.step) || playhead.predicting);
  }

  function draw() {
    hideAnswer();
    text.textContent = captions[now]?.text ?? "";
    position.textContent = `${now + 1} of ${captions.length}`;
    back.disabled = now === 0;
    next.disabled = now >= captions.length - 1;
  }
  // The presenter view hides every merge when it opens, but these captions ask about some only.
  const ready = new AbortController();
  hear("present", group.name, ready.signal, () => setTimeout(hideAnswer));
  return { element, follow, setOn };
}
