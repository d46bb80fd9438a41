// Printing: paper is light, and what is drawn for the width of a window is drawn again for that of a page.

let begun = false; // between the browser's two events; the medium changes only after the first

/** Return whether the page is drawn for paper. */
export function isPrinting() {
  return begun || matchMedia("print").matches;
}

/**
 * Call `listen` when printing begins and when it ends, until the signal aborts.
 * @param {() => void} listen
 * @param {AbortSignal} signal
 */
export function followPrinting(listen, signal) {
  for (const kind of ["beforeprint", "afterprint"]) {
    const note = () => {
      begun = kind === "beforeprint";
      listen();
    };
    window.addEventListener(kind, note, { signal });
  }
  matchMedia("print").addEventListener("change", listen, { signal });
}
