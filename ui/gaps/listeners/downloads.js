// A press of a button that saves a file asks for the file at its address: `ui/view/downloads.py` answers there.
// Without an answer, the press goes on to Streamlit, which says what is wrong.

import { download } from "../../../film/browser/shared/dom.js";

const KEY = "st-key-"; // begins the class of an element that has a key
const SAVES = ".stDownloadButton button";

/**
 * Ask for files until the signal aborts.
 * @param {AbortSignal} signal
 * @param {() => string} address  returns that of all files of the visit, below that of the app
 */
export function saveFiles(signal, address) {
  /** Buttons whose next press is Streamlit's. @type {WeakSet<Element>} */
  const passed = new WeakSet();
  document.addEventListener("click", press, { capture: true, signal });

  /** @param {MouseEvent} event */
  function press(event) {
    const button = event.target instanceof Element ? event.target.closest(SAVES) : null;
    const keyed = button?.closest(`[class*=${KEY}]`);
    const name = [...(keyed?.classList ?? [])].find((one) => one.startsWith(KEY));
    if (!(button instanceof HTMLElement) || !name || passed.delete(button)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (button.ariaBusy !== "true") void save(button, name.slice(KEY.length));
  }

  /** @param {HTMLElement} button @param {string} name */
  async function save(button, name) {
    button.ariaBusy = "true";
    try {
      const answer = await fetch(new URL(`${address()}/${name}`, document.baseURI));
      const [, saved] = answer.headers.get("Content-Disposition")?.match(/filename\*=UTF-8''(.+)/) ?? [];
      if (!answer.ok || !saved) throw new Error(answer.statusText);
      download(await answer.blob(), decodeURIComponent(saved));
    } catch {
      passed.add(button);
      button.click();
    } finally {
      button.ariaBusy = null;
    }
  }
}
