// Bytes in a page as letters, five for each four bytes, as film/html_page.py writes them. No letter can close an
// element or has another meaning in HTML.

export const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%/()*+-;,=.?@^_:{|}~";
const LAST = DIGITS.length - 1;

/** Return the bytes that letters stand for. @param {string} letters */
export function unpackBytes(letters) {
  const values = new Uint8Array(128);
  for (let value = 0; value <= LAST; value++) values[DIGITS.charCodeAt(value)] = value;
  const missing = (5 - (letters.length % 5)) % 5;
  const whole = letters + DIGITS[LAST].repeat(missing);
  const view = new DataView(new ArrayBuffer((whole.length / 5) * 4));
  for (let at = 0; at < whole.length; at += 5) {
    let number = 0;
    for (let digit = at; digit < at + 5; digit++) number = number * 85 + values[whole.charCodeAt(digit)];
    view.setUint32((at / 5) * 4, number);
  }
  return new Uint8Array(view.buffer, 0, view.byteLength - missing);
}

/**
 * Return what an element of the page holds: letters that stand for a compressed text or file.
 * @param {Element | null} element
 */
export function unpackElement(element) {
  const bytes = unpackBytes(element?.textContent ?? "");
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
