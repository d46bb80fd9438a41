// The hash of a film's address: #step=12 rests there, #play=1 plays once, #from=3&to=9&play=1 plays a part.

/**
 * What the address asks for.
 * @typedef {object} Asked
 * @property {number} start  the step to begin with
 * @property {number} end  the step to stop at
 * @property {boolean} play
 */

/**
 * Read a hash; what is no number is ignored.
 * @param {string} hash
 * @param {number} step  where a hash that names no step begins
 * @returns {Asked}
 */
export function askedFor(hash, step) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (/** @type {string} */ name) => {
    const text = asked.get(name) ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const start = number("from") ?? number("step") ?? step;
  return { start, end: number("to") ?? Infinity, play: asked.get("play") === "1" };
}

/**
 * Write where the film rests into the address. A frame without an address of its own keeps none.
 * @param {number} step
 */
export function writeStep(step) {
  try {
    history.replaceState(null, "", `#step=${step}`);
  } catch {
    return; // a sandboxed frame
  }
}
