// Numbers of tokens that have no vocabulary id, as film/labels.py computes them.

const FIRST = 1 << 20; // ids are smaller
const MOST = 1 << 30;

/**
 * Return the number of a token without an id.
 * @param {number[]} bytes
 */
export function numberWithoutId(bytes) {
  return FIRST + (checksum(bytes) % MOST);
}

/**
 * Compute CRC-32, as zlib does.
 * @param {number[]} bytes
 */
export function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
