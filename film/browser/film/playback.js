// A part of a film that plays once, because its address asks for it.

/** @import {Group} from "../shared/groups.js" */
/** @import {Caption} from "./captions.js" */

import { hear } from "../shared/groups.js";
import { tempoOf } from "../token_grid/story/story.js";

/**
 * Play once from one step to another.
 * @param {Group} group
 * @param {Caption[]} captions
 * @param {{start: number, end: number}} range
 */
export function playRange(group, captions, { start, end }) {
  const { playhead } = group;
  if (!playhead) return;
  const lifetime = new AbortController();
  playhead.seek(start);
  playhead.tempo = tempo(group, captions);
  playhead.play();
  hear("step", group.name, lifetime.signal, ({ step, playing }) => {
    if (playing && step < end) return;
    lifetime.abort();
    playhead.tempo = null;
    if (!playing) return;
    playhead.pause();
    if (step > end) playhead.seek(end); // a busy machine draws several merges at once
  });
}

/**
 * Return the speed of a film that tells a story, which is slow where a caption is read; null for other films.
 * @param {Group} group
 * @param {Caption[]} captions
 */
function tempo({ playhead }, captions) {
  const steps = new Set(captions.map(({ step }) => step));
  if (captions.length < 2 || steps.size < captions.length) return null;
  // The first caption is read while the first merges happen.
  const later = captions.filter(({ step }) => step > 0);
  return tempoOf(playhead?.last() ?? 0, later);
}
