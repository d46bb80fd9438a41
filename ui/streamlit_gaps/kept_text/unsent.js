// Text that was typed and never reached the server, for instance because a click left the page at once. It is stored
// with a checksum of the server's text at that time: as long as the server still holds that text, nothing else has
// replaced it, and the typed text is the newer one.

const BASE = 65521; // of Adler-32

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
 * @param {string} server  checksum of the server's text now
 */
export function isNewer(typed, over, server) {
  return over === server && checksum(typed) !== server;
}
