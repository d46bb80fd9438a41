// A part of a film that plays once, because its address asks for it.

/** @import {Group} from "../shared/groups.js" */

import { hear } from "../shared/groups.js";

/**
 * Play once from one step to another.
 * @param {Group} group
 * @param {{start: number, end: number}} range
 */
export function playRange(group, { start, end }) {
  const { playhead } = group;
  if (!playhead) return;
  const lifetime = new AbortController();
  playhead.seek(start);
  playhead.play();
  hear("step", group.name, lifetime.signal, ({ step, playing }) => {
    if (playing && step < end) return;
    lifetime.abort();
    if (!playing) return;
    playhead.pause();
    if (step > end) playhead.seek(end); // a busy machine draws several merges at once
  });
}
