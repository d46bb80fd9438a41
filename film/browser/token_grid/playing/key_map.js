// What each key does, depending on the view. Clickers send Page Up, Page Down, F5, Shift+F5, Escape, B and ".".

/**
 * @typedef {"next" | "previous" | "forward" | "back" | "toggle" | "first" | "last" | "faster" | "slower"} Motion
 * @typedef {"walk on" | "walk back" | "unfold" | "present" | "black" | "film" | "help" | "close" | "page" | "words" | "vote"} Command
 */
/** @typedef {Motion | Command} Action */

/**
 * What decides the meaning of a key.
 * @typedef {object} View
 * @property {boolean} presenting
 * @property {boolean} lesson  whether the group has beats of its own: a lesson
 * @property {boolean} film  whether the presenter view plays instead of waiting at every beat
 */

/** @type {Record<string, Action>} */
const ALWAYS = {
  Home: "first",
  End: "last",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  ArrowDown: "walk on",
  ArrowUp: "walk back",
  Enter: "unfold",
  p: "present",
  P: "present",
  F5: "present",
  "?": "help",
  Escape: "close",
};
/** @type {Record<string, Action>} */
const PRESENTING = {
  b: "black",
  B: "black",
  ".": "black",
  f: "film",
  F: "film",
  w: "words",
  W: "words",
  v: "vote",
  V: "vote",
};
const ONWARDS = new Set([" ", "PageDown", "ArrowRight"]);
const BACKWARDS = new Set(["PageUp", "ArrowLeft"]);

/**
 * Return what a key does; null if nothing.
 *
 * In the presenter view and in a lesson, keys go from beat to beat, and with Shift from merge to merge. If the presenter
 * view plays as a film, Space and Page Down start and stop it.
 * @param {{key: string, shiftKey: boolean}} event
 * @param {View} view
 * @returns {Action | null}
 */
export function actionOf({ key, shiftKey }, { presenting, lesson, film }) {
  const beats = lesson || (presenting && !film);
  if (ONWARDS.has(key)) {
    if (beats && !shiftKey) return "next";
    const plays = key === " " || (key === "PageDown" && presenting && !shiftKey);
    return plays ? "toggle" : "forward";
  }
  if (BACKWARDS.has(key)) return beats && !shiftKey ? "previous" : "back";
  if (presenting && /^[1-9]$/.test(key)) return "page";
  return (presenting ? PRESENTING[key] : undefined) ?? ALWAYS[key] ?? null;
}
