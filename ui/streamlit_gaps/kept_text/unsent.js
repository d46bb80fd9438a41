// Typed text that the server does not have: a click left the page before it was sent, or a reload began a new session. It
// is stored with a checksum of the server's text at that time: as long as the server still holds that text, nothing else
// has replaced it, and the typed text is the newer one. So it is typed again into its field, as its viewer would do it.
//
// Python could set the field's text too, but that can be lost: a message that the browser sends before it hears of the new
// text carries the field's former one, and Streamlit believes the message.

const BASE = 65521; // of Adler-32

/** What the server says of a text field: its name, its key in Streamlit, the length and checksum of its text, and whether a stored text may replace this, since nobody has typed or chosen it. @typedef {{name: string, key: string, length: number, checksum: string, replaceable: boolean}} Field */
/** A text that its field should hold, its checksum, and that of the server's text which it replaces. @typedef {{text: string, mark: string, over: string}} Goal */

/**
 * Return the checksum of a text as `checksum` in `__init__.py` does: Adler-32 of its UTF-16 code units, low byte first.
 * @param {string} text
 */
export function checksum(text) {
  let low = 1;
  let high = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = (low + (unit & 255)) % BASE;
    high = (high + low) % BASE;
    low = (low + (unit >> 8)) % BASE;
    high = (high + low) % BASE;
  }
  return `${text.length}-${high * 65536 + low}`;
}

/**
 * Return whether a text that was typed over one text is newer than what the server holds now.
 * @param {string} typed
 * @param {string | null} over  checksum of the server's text when this was typed; null if it was sent
 * @param {Pick<Field, "checksum" | "replaceable">} field  what the server says now
 */
export function isNewer(typed, over, { checksum: server, replaceable }) {
  return over !== null && (over === server || replaceable) && checksum(typed) !== server;
}

/** Return whether a text is the one that the server has for a field. @param {string} text @param {Field} field */
export function isFrom(text, field) {
  return text.length === field.length && checksum(text) === field.checksum;
}

/**
 * Return what to do so that the server gets a text: nothing more if it "arrived", or if another text "replaced" what it
 * was typed over; "type" it into the field; "send" it if the field shows it already; "wait" until the field is drawn.
 *
 * @param {Goal} goal
 * @param {Field} field
 * @param {string | undefined} inField  text in the field; undefined if it is not drawn yet
 * @returns {"arrived" | "replaced" | "type" | "send" | "wait"}
 */
export function nextAct({ text, mark, over }, field, inField) {
  if (field.checksum === mark) return "arrived";
  if (field.checksum !== over && !field.replaceable) return "replaced";
  if (inField === text) return "send";
  return inField !== undefined && isFrom(inField, field) ? "type" : "wait";
}
