// The beats of a merge, and the order in which they follow each other.

/** ms between the starts of the first and the last line while chips fuse */
export const STAGGER = 150;

/**
 * The beats of a merge: count the pairs, select one, fuse its tokens, settle on what has changed. At rest everything is
 * marked, at a guess the next merge is hidden, and "fast" is for steps without beats.
 * @typedef {"rest" | "guess" | "count" | "select" | "fuse" | "settle" | "fast"} Beat
 */

/** How long each beat takes. @type {Record<"count" | "select" | "fuse" | "settle", number>} */
export const BEATS = { count: 250, select: 400, fuse: 450, settle: 300 }; // ms at 1×
/** The next beat for a key; after selecting, the tokens fuse. @type {{[from in Beat]?: Beat}} */
export const NEXT_BEAT = { guess: "count", count: "select", settle: "guess" };
/** The beat before for a key; before guessing, the merge is undone. @type {{[from in Beat]?: Beat}} */
export const BEAT_BEFORE = { select: "count", count: "guess" };
/** The next beat while a merge plays. @type {Record<keyof typeof BEATS, keyof typeof BEATS>} */
export const PLAYED_NEXT = { count: "select", select: "fuse", fuse: "settle", settle: "count" };

/**
 * Return how many merges the viewer may see: all, or while keys go from beat to beat those done and a selected one.
 * @param {{beatwise: boolean, step: number, beat: Beat}} playhead
 */
export function visibleMerges({ beatwise, step, beat }) {
  if (!beatwise) return Infinity;
  return step + Number(beat === "select" || beat === "rest");
}
