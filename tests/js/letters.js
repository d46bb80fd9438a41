// Letters of one width, in place of a font that only a browser can measure.

/** px, the width of every letter */
export const LETTER = 10;

/** Make the document measure text by these letters. */
export function measureByLetters() {
  const context = {
    font: "",
    measureText: (/** @type {string} */ text) => ({ width: [...text].length * LETTER }),
  };
  const canvas = { getContext: () => context };
  Object.assign(globalThis, { document: { createElement: () => canvas } });
}
