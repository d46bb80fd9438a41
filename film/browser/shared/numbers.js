// Numbers: columns of them as film/packing.py packs them, and how they are written on the screen.

const NUMBERS = new Intl.NumberFormat("en");

// 1234567 -> "1,234,567"
export function formatNumber(value) {
  return NUMBERS.format(value);
}

// 1 -> "1 time", 2 -> "2 times"
export function formatTimes(count) {
  return `${formatNumber(count)} ${count === 1 ? "time" : "times"}`;
}

// "2:AAEC…" -> numbers of 1, 2 or 4 bytes, little-endian, in base64; none for an empty or missing column
export function unpackNumbers(packed) {
  if (!packed) return new Uint32Array(0);
  const bytes = Uint8Array.from(atob(packed.slice(2)), (letter) => letter.charCodeAt(0));
  if (packed[0] === "1") return bytes;
  return packed[0] === "2" ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}
