// SHA-256 as FIPS 180-4 defines it. The browser's own one answers later, and not at all in a page without HTTPS.

const CONSTANTS = constants();

/** Compute the constants: parts of the roots of the first primes. */
function constants() {
  const round = new Uint32Array(64);
  const start = new Uint32Array(8);
  for (let prime = 2, count = 0; count < 64; prime++) {
    let divisor = 2;
    while (prime % divisor) divisor++;
    if (divisor < prime) continue;
    if (count < 8) start[count] = (Math.sqrt(prime) % 1) * 2 ** 32;
    round[count++] = (Math.cbrt(prime) % 1) * 2 ** 32;
  }
  return { round, start };
}

/** Return the 32 bytes of a text's digest. @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer((bytes.length + 72) & ~63));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const state = CONSTANTS.start.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = padded.getUint32(block + 4 * at);
    mixBlock(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setUint32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

/** @param {number} word @param {number} by */
function rotated(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint32Array} state @param {Uint32Array} words  of which the first 16 are the block */
function mixBlock(state, words) {
  for (let at = 16; at < 64; at++) {
    const early = words[at - 15];
    const late = words[at - 2];
    const one = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const two = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16] + one + words[at - 7] + two;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const one = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + one + ((e & f) ^ (~e & g)) + CONSTANTS.round[at] + words[at]) | 0;
    const two = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (two + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
}

/** Return a name of some values: equal values have equal names. @param {...unknown} parts */
export function nameOf(...parts) {
  const digest = sha256(JSON.stringify(parts));
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
