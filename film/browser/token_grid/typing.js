// A word from the room: in the presenter view, T shows the page's own field large over the picture. The page makes of it
// what it makes of any text, Enter plays that, and Escape brings back the text and the step that were there.

import { hasModifier, present } from "../shared/dom.js";
import { activeGroup, firstOnPage, offerTyping, talk } from "../shared/groups.js";
import { openPage, waitForField } from "./page_keys.js";

const PICTURE_WITHIN = 6_000; // ms until the picture of a text comes
const PICTURE_LOOKS = 50; // ms
const STAGE_TOP = "--stage-top"; // of presenting.css: where the picture begins
const LEAVES_AFTER = 150; // ms until the text that comes back is on its way

/**
 * The field of a page.
 * @typedef {object} PageField
 * @property {() => HTMLTextAreaElement | null} field  null while the page has none
 * @property {() => HTMLElement | null} box  what is shown large; it holds the field
 * @property {() => void} opens  the text of now is to be remembered
 * @property {(isChanged: boolean, text: string) => void} closes  that text is to come back, if it has changed
 * @property {() => void} sends  the text is complete
 */

/**
 * Let T show a field on stage, until the signal aborts.
 * @param {PageField} page
 * @param {AbortSignal} signal
 */
export function createTyping({ field, box, opens, closes, sends }, signal) {
  /**
   * What is shown: the field, its box, and what was there before.
   * @type {{area: HTMLTextAreaElement, element: HTMLElement, name: string, text: string, drawn: string, step: number, beat: import("../shared/groups.js").Beat, from: number, top: string} | null}
   */
  let shown = null;
  let typedOver = ""; // what was drawn when somebody typed last
  let isAwaited = false; // whether the picture of what is typed is on its way
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let looking;
  const room = new ResizeObserver(makeRoom);

  const group = () => activeGroup() ?? firstOnPage();
  const drawn = () => [...(group()?.lanes ?? [])].map(({ model }) => model.feed.id).join(" ");
  const isOpen = () => shown !== null && shown.element.matches(":popover-open");

  /** @type {import("../shared/groups.js").Typing} */
  const own = { open, close, isOpen, isReady: () => field() !== null };

  /** @type {import("../shared/groups.js").Typing["open"]} */
  function open(text = "", from = 0) {
    const [area, element] = [field(), box()];
    if (!area || !element) return;
    if (!isOpen()) show(area, element, from);
    area.focus({ preventScroll: true });
    area.select(); // what one types takes its place
    if (text) document.execCommand("insertText", false, text); // as the viewer does it
  }

  /** @param {HTMLTextAreaElement} area @param {HTMLElement} element @param {number} from */
  function show(area, element, from) {
    clearInterval(looking);
    const { step = 0, beat = "rest", playing = false } = group()?.playhead ?? {};
    if (playing) group()?.playhead?.pause(); // at rest, its beat stays
    shown = {
      area,
      element,
      name: area.dataset.testid ?? "",
      text: area.value,
      drawn: drawn(),
      step,
      beat,
      from,
      top: document.documentElement.style.getPropertyValue(STAGE_TOP),
    };
    isAwaited = false;
    opens();
    area.dataset.testid = "stage-text";
    element.setAttribute("popover", "manual");
    element.showPopover();
    present(element, true); // what is behind the presenter view has no focus
    room.observe(element);
    makeRoom();
    holdEscape(true);
  }

  // The picture begins where the field ends.
  function makeRoom() {
    if (!isOpen() || !shown) return;
    const { height } = shown.element.getBoundingClientRect();
    document.documentElement.style.setProperty(STAGE_TOP, `${Math.ceil(height)}px`);
  }

  /** Put the field back into its page. Returns what was shown. */
  function putBack() {
    const before = shown;
    shown = null;
    clearInterval(looking);
    room.disconnect();
    if (!before) return null;
    const { area, element, name, top } = before;
    document.documentElement.style.setProperty(STAGE_TOP, top);
    area.dataset.testid = name;
    area.blur();
    present(element, false);
    if (element.matches(":popover-open")) element.hidePopover();
    element.removeAttribute("popover");
    holdEscape(false);
    return before;
  }

  function close() {
    const before = putBack();
    if (!before) return;
    const { area, text, drawn: first, step, beat, from } = before;
    closes(area.value !== text || drawn() !== first, text);
    if (from) return void setTimeout(() => (talk()?.back?.act ?? (() => openPage(from)))(), LEAVES_AFTER);
    whenDrawn(
      () => drawn() === first,
      () => {
        const { playhead } = group() ?? {};
        playhead?.seek(step);
        playhead?.resume(beat);
        focusGrid();
      },
    );
  }

  function play() {
    if (!shown?.area.value.trim()) return;
    sends();
    whenDrawn(
      () => !isAwaited || drawn() !== typedOver,
      () => {
        isAwaited = false;
        const { playhead } = group() ?? {};
        if (!playhead) return;
        if (playhead.step >= playhead.last()) playhead.seek(0);
        playhead.play();
        focusGrid();
      },
    );
  }

  function focusGrid() {
    const [lane] = group()?.lanes ?? [];
    const grid = lane?.root.querySelector(".viewport");
    if (grid instanceof HTMLElement) grid.focus({ preventScroll: true });
  }

  /** Act as soon as the picture is there, or does not come. @param {() => boolean} isDrawn @param {() => void} act */
  function whenDrawn(isDrawn, act) {
    clearInterval(looking);
    const until = performance.now() + PICTURE_WITHIN;
    const look = () => {
      if (!isDrawn() && performance.now() < until) return false;
      clearInterval(looking);
      act();
      return true;
    };
    if (!look()) looking = setInterval(look, PICTURE_LOOKS);
  }

  /** @param {Event} event */
  function note({ target }) {
    if (!shown || target !== shown.area) return;
    clearInterval(looking); // the next text plays when somebody asks for it
    typedOver = drawn();
    isAwaited = true;
  }

  // In the capture phase: the page has keys of its own for its field. A clicker has Page Down and Page Up only.
  /** @param {KeyboardEvent} event */
  function listen(event) {
    if (!isOpen() || event.isComposing || hasModifier(event)) return;
    const { key, shiftKey } = event;
    const isTyped = event.composedPath()[0] === shown?.area;
    const leadsBack = key === "0" && !isTyped && Boolean(shown?.from);
    if (key === "Escape" || key === "PageUp" || leadsBack) close();
    else if (isTyped && ((key === "Enter" && !shiftKey) || key === "PageDown")) play();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  window.addEventListener("keydown", listen, { capture: true, signal });
  document.addEventListener("input", note, { capture: true, signal });
  // Where the browser cannot leave Escape to the page, it ends full screen: then the field closes, and the stage stays.
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || close(), { signal });
  offerTyping(own, signal);
  signal.addEventListener("abort", () => {
    const isTyping = shown !== null && document.activeElement === shown.area;
    const before = putBack();
    if (before && isTyping) waitForField(before.area.value); // of the page that comes
  });
}

/** Let Escape come to the page in full screen, where the browser can. @param {boolean} on */
function holdEscape(on) {
  const { keyboard } =
    /** @type {{keyboard?: {lock?: (keys: string[]) => Promise<void>, unlock?: () => void}}} */ (navigator);
  if (on) keyboard?.lock?.(["Escape"]).catch(() => undefined);
  else keyboard?.unlock?.();
}
