// A text with spaces between its tokens: what is typed, and where it is split.

/**
 * Return the text with a space at each split.
 * @param {string[]} symbols  labels
 * @param {ReadonlySet<number>} splits  numbers of the symbols before which the text is split
 */
export function textWith(symbols, splits) {
  return symbols.map((symbol, at) => (at && splits.has(at) ? ` ${symbol}` : symbol)).join("");
}

/**
 * Return the numbers of the symbols before which a typed text is split; null if it does not spell the symbols.
 * @param {string[]} symbols
 * @param {string} typed
 */
export function splitsOf(symbols, typed) {
  /** @type {Set<number>} */
  const splits = new Set();
  let at = 0;
  for (const part of typed.trim().split(/\s+/)) {
    if (at) splits.add(at);
    let spelled = "";
    while (spelled.length < part.length && at < symbols.length) spelled += symbols[at++];
    if (spelled !== part) return null;
  }
  return at === symbols.length ? splits : null;
}

/**
 * Return a list with one element moved by one position, or the same list if it is at the end already.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} from
 * @param {1 | -1} by
 */
export function moved(items, from, by) {
  const to = from + by;
  if (to < 0 || to >= items.length) return [...items];
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, items[from]);
}

/**
 * Read a typed number, with or without separators, a full stop at the end, or a word after it such as "times"; null for
 * anything else.
 * @param {string} typed
 */
export function numberOf(typed) {
  const plain = typed.normalize("NFKC").trim();
  const digits = plain.replace(/(?<=\d)[,.'’ ](?=\d{3}(?!\d))/g, "").replace(/(?<=\d)(?: ?\p{L}+)?\.?$/u, "");
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}
