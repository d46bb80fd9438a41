// A text for an address: compressed, in letters that an address holds unchanged.

/**
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function packText(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Return the text that was packed; null for anything else, and for a text of more than `most` UTF-16 units: a short address
 * can hold a text that no page could show.
 * @param {string} packed
 * @param {number} most
 * @returns {Promise<string | null>}
 */
export async function unpackText(packed, most) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream
      .pipeThrough(new TextDecoderStream("utf-8", { fatal: true, ignoreBOM: true }))
      .getReader();
    let text = "";
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other, and no further than `most`
      const { value, done: isEnd } = await reader.read();
      if (isEnd) return text;
      text += value;
      if (text.length > most) {
        reader.cancel().catch(() => undefined);
        return null;
      }
    }
  } catch {
    return null;
  }
}
