// Paper: while a page is printed it is light, and as wide as a sheet. Each component draws itself again for it.
// The mark is on the document, since every component has its own copy of this file.

const PAPER = "data-paper";

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
    for (const element of [document.documentElement, ...marked()]) element?.toggleAttribute(PAPER, on);
  };
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
    target.addEventListener(type, mark, { capture: true, signal }); // before all that listen
    target.addEventListener(type, follow, { signal });
  }
}
