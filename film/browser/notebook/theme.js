// The theme of the notebook around a grid: notebooks name it differently, so their background decides.

/**
 * Return whether a colour of the page is dark; null if it is transparent.
 * @param {string} colour  as `getComputedStyle` writes it
 */
export function isDarkColour(colour) {
  const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  if (parts.length < 3 || alpha < 0.5) return null;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

/**
 * Return whether an element is on a dark background. Without any background, the system's theme decides.
 * @param {Element} element
 */
export function isOnDark(element) {
  for (let node = element.parentElement; node; node = node.parentElement) {
    const dark = isDarkColour(getComputedStyle(node).backgroundColor);
    if (dark !== null) return dark;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Call a function when the notebook may have changed its theme, until the signal aborts.
 * @param {() => void} listen
 * @param {AbortSignal} signal
 */
export function followNotebook(listen, signal) {
  const observer = new MutationObserver(() => setTimeout(listen, 50)); // when the style sheet has arrived
  for (const element of [document.documentElement, document.body, document.head]) {
    observer.observe(element, { attributes: true, childList: element === document.head });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listen, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
