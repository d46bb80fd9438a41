// Paper: while a page is printed it is light, and as wide as a sheet. Each component draws itself again for it.

const PAPER = "data-paper";

/** Functions that return the elements to mark. @typedef {Set<() => (Element | null)[]>} Marked */

/** @type {Marked} */
const MARKED = new Set();

/** Return whether the page is being printed. */
export function isOnPaper() {
  return document.documentElement.hasAttribute(PAPER);
}

/**
 * Call `listen` when printing begins and when it ends, until the signal aborts. While it lasts, style sheets see the
 * attribute `data-paper` at the elements that `marked` returns.
 * @param {() => void} listen
 * @param {AbortSignal} [signal]
 * @param {() => (Element | null)[]} [marked]
 */
export function followPaper(listen, signal, marked = () => []) {
  const print = matchMedia("print");
  let printing = false;
  const mark = (/** @type {Event} */ { type }) => {
    const on = type === "change" ? print.matches : type === "beforeprint";
    const elements = [...MARKED].flatMap((some) => some());
    for (const element of [document.documentElement, ...elements]) element?.toggleAttribute(PAPER, on);
  };
  MARKED.add(marked);
  signal?.addEventListener("abort", () => MARKED.delete(marked));
  // Once for each: the media change comes when the sheet is laid out already, and what is then drawn is not printed.
  const follow = () => {
    if (printing === isOnPaper()) return;
    printing = !printing;
    listen();
  };
  for (const [target, type] of /** @type {[EventTarget, string][]} */ ([
    [window, "beforeprint"],
    [window, "afterprint"],
    [print, "change"],
  ])) {
    target.addEventListener(type, mark, { signal }); // the first one marks all, before anybody draws
    target.addEventListener(type, follow, { signal });
  }
}
