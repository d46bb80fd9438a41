// What fills the stage of a lesson beside its text: letters as large as all of it is seen, on a page and in the presenter
// view, in which it stands beside the lesson's card.

import { largestSize, make } from "./dom.js";
import { setPresenting } from "./on_stage.js";
import { groupNamed, hear } from "./groups.js";

/**
 * The least and the largest letters of a content, in px.
 * @typedef {readonly [number, number]} Sizes
 */
/**
 * @typedef {object} Filling
 * @property {HTMLElement} content  for the elements that are to fill the root
 * @property {ReturnType<typeof groupNamed>} group
 * @property {AbortSignal} signal  aborted when the filling is removed
 * @property {() => void} fit  after the content has changed
 * @property {() => void} remove
 */

/**
 * Let the content of a component fill its root, whenever that changes its size or enters the presenter view.
 * @param {HTMLElement} root
 * @param {string} name  of the group
 * @param {(presents: boolean) => Sizes} sizes
 * @param {(presents: boolean) => void} [fitted]  called when the letters have their size
 * @returns {Filling}
 */
export function fillStage(root, name, sizes, fitted) {
  const content = make("div", "stack content");
  root.classList.add("filling");
  root.replaceChildren(content);
  const group = groupNamed(name);
  const lifetime = new AbortController();

  function fit() {
    if (!root.clientWidth) return;
    const presents = root.classList.contains("presenting");
    // A scroll bar of letters that are too large takes width, and so stays with letters that would fit without it.
    content.style.overflow = "hidden";
    const size = largestSize(...sizes(presents), (letters) => {
      root.style.setProperty("--letters", `${letters}px`);
      return content.scrollHeight <= content.clientHeight && content.scrollWidth <= content.clientWidth;
    });
    root.style.setProperty("--letters", `${size}px`);
    content.getBoundingClientRect(); // laid out without a scroll bar
    content.style.overflow = "";
    fitted?.(presents);
  }

  /** @param {boolean} on */
  function present(on) {
    setPresenting(root, on);
    fit();
  }

  const observer = new ResizeObserver(fit);
  observer.observe(root);
  hear("present", name, lifetime.signal, ({ on }) => present(on));
  if (group.presenting) present(true);

  function remove() {
    lifetime.abort();
    observer.disconnect();
  }
  return { content, group, signal: lifetime.signal, fit, remove };
}
