// The fields for texts that a page of the app has.

/**
 * A field for a text.
 * @typedef {object} TextField
 * @property {string} key  of its text
 * @property {HTMLTextAreaElement} area
 * @property {Node} says  its text says what becomes of what is typed
 * @property {() => boolean} isPages  whether the page is about this text
 * @property {(text: string) => void} put  takes a text in place of the one there, and sends it
 * @property {() => void} send  sends what is typed now, and not in half a second
 */

/** @type {Set<TextField>} */
const fields = new Set();

/** Tell of a field until the signal aborts. @param {TextField} field @param {AbortSignal} signal */
export function offerField(field, signal) {
  fields.add(field);
  signal.addEventListener("abort", () => fields.delete(field));
}

/** Return the field of the page that can be seen; while another page comes, that of the newer one. Null without one. */
export function pageField() {
  const own = [...fields].toReversed().filter((field) => field.isPages());
  return own.find(({ area }) => area.checkVisibility()) ?? null;
}

/** Return the field for a text on this page. @param {string} key */
export function fieldOf(key) {
  return [...fields].toReversed().find((field) => field.key === key && field.area.isConnected) ?? null;
}
