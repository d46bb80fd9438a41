// A text for an address: compressed, in letters that an address holds unchanged.

/** @param {string} text @returns {Promise<string>} */
export async function packText(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const PART = 256; // bytes that are unpacked at once: what is broken is lost from there on
const BROKEN_END = /\ufffd[^]*$/;

/**
 * The text of an address, or the beginning that can be read.
 * @typedef {{text: string, isWhole: boolean}} Unpacked
 */

/**
 * Return the text that was packed; of a broken one the beginning that can be read. A text of more than `most` UTF-16 units
 * ends there: a short address can hold a text that no page could show.
 * @param {string} packed
 * @param {number} most
 * @returns {Promise<Unpacked>}
 */
export async function unpackText(packed, most) {
  const letters = packed.replace(/[^\w-].*$/s, "");
  const usable = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  const octets = atob(usable.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(octets, (letter) => letter.charCodeAt(0));
  const { unpacked, isEnd } = await inflated(bytes, 4 * most);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(unpacked);
    return { text: text.slice(0, most), isWhole: isEnd && usable === packed && text.length <= most };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(unpacked).replace(BROKEN_END, "");
    return { text: text.slice(0, most), isWhole: false };
  }
}

/**
 * Return what bytes unpack to, at most about so many, and whether they have an end.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} most
 */
async function inflated(bytes, most) {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  for (let at = 0; at < bytes.length; at += PART)
    writer.write(bytes.slice(at, at + PART)).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  let isEnd = false;
  try {
    while (size <= most) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other, and no further than `most`
      const { value, done: isOver } = await reader.read();
      isEnd = isOver;
      if (isOver) break;
      parts.push(value);
      size += value.length;
    }
    reader.cancel().catch(() => undefined);
  } catch {
    // The bytes are broken, or not all there: what came before stays.
  }
  return { unpacked: await new Blob(parts).arrayBuffer(), isEnd };
}
