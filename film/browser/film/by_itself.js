// A film that plays once without being asked, on a page that begins with it.

/** @import {Group} from "../shared/groups.js" */

import { playRange } from "./playback.js";

/**
 * Play a film until its end or until its visitor begins to type; its keys and buttons work as ever. Returns whether the
 * visitor has done anything yet. Nothing plays for those who asked for little motion.
 * @param {Group} group
 * @param {HTMLElement} field  in which the visitor types
 */
export function playByItself(group, field) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => true;
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const act = () => lifetime.abort();
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, act, { signal });
  field.addEventListener("focusin", () => group.playhead?.seek(0), { once: true });
  playRange(group, { start: 0, end: Infinity });
  return () => signal.aborted;
}
