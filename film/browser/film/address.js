// The hash of a film's address: #step=12 rests there, #play=1 plays once, #from=3&to=9&play=1 plays a part. It may begin
// with the viewer's own words, as own/own_address.js writes them.

/**
 * The playback that an address requests.
 * @typedef {object} Asked
 * @property {number} start  the step to begin with
 * @property {number} end  the step to stop at
 * @property {boolean} play
 */

/**
 * Read a hash. Ignores values that are no numbers.
 * @param {string} hash
 * @param {number} step  first step if the hash names none
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
 * Write the step at which the film rests into the address, except in a frame that has no address of its own.
 * @param {number} step
 * @param {string} [own]  the viewer's own words
 */
export function writeStep(step, own = "") {
  try {
    history.replaceState(null, "", hashOf(step, own));
  } catch {
    return; // a sandboxed frame, or too many steps in a short time
  }
}

/**
 * Return whether the address names a part of the page around the film, to which a link led.
 */
export function namesPart() {
  return document.getElementById(location.hash.slice(1)) !== null;
}

/**
 * Return the hash of an address.
 * @param {number} step
 * @param {string} own
 */
export function hashOf(step, own) {
  return `#${own && `${own}&`}step=${step}`;
}
