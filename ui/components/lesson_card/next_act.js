// What the next key does in a lesson, and the name of its button.

/** @typedef {"answer" | "play" | "finish" | "beat" | "lesson"} Act */

/**
 * Where a lesson is.
 * @typedef {object} Situation
 * @property {boolean} asks  whether the question of this beat is open
 * @property {boolean} plays  whether an encoding is playing
 * @property {boolean} waits  whether an encoding has not been played yet
 * @property {boolean} last  whether this is the last beat
 */

/**
 * Return what the next key does. The stage is played to its end before the next beat.
 * @param {Situation} situation
 * @returns {Act}
 */
export function nextAct({ asks, plays, waits, last }) {
  if (asks) return "answer";
  if (plays) return "finish";
  if (waits) return "play";
  return last ? "lesson" : "beat";
}

/** @type {Record<Exclude<Act, "lesson">, string>} */
const NAMES = { answer: "Show the answer", play: "Show the steps", finish: "Skip to the end", beat: "Next" };

/**
 * Return the name of the button that does it.
 * @param {Act} act
 * @param {string | null} following  title of the next lesson
 */
export function nextName(act, following) {
  if (act !== "lesson") return NAMES[act];
  return following === null ? "All lessons done" : `Next lesson: ${following}`;
}
