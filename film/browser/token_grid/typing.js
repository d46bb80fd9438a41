// A word from the room: in the presenter view, T shows a field large over the picture. What is typed there goes into the
// page's own field. The page makes of it what it makes of any text, Enter plays that, and Escape brings back the text and
// the step that were there.

import { hasModifier, make } from "../shared/dom.js";
import { activeGroup, firstOnPage, offerTyping, talk } from "../shared/groups.js";
import { keepAbove } from "../shared/on_stage.js";
import { adoptSheet, sheetText } from "../shared/sheet.js";
import { openPage, waitForField } from "./page_keys.js";

const FIELD_SHEET = sheetText("./typing.css");
const PICTURE_WITHIN = 6_000; // ms until the picture of a text comes
const PICTURE_LOOKS = 50; // ms
const STAGE_TOP = "--stage-top"; // of presenting.css: where the picture begins
const LEAVES_AFTER = 150; // ms until the text that comes back is on its way

/**
 * The field of a page.
 * @typedef {object} PageField
 * @property {() => HTMLTextAreaElement | null} field  null while the page has none
 * @property {() => Node | null} about  its text says what becomes of what is typed
 * @property {() => void} opens  the text of now is to be remembered
 * @property {(isChanged: boolean, text: string) => void} closes  that text is to come back, if it has changed
 * @property {() => void} sends  the text is complete
 * @property {(text: string) => void} [shows]  this text is in the field on stage now
 * @property {HTMLElement} [beside]  stands below the field on stage
 */

/**
 * Let T show a field on stage, until the signal aborts.
 * @param {PageField} page
 * @param {AbortSignal} signal
 */
export function createTyping({ field, about, opens, closes, sends, shows, beside }, signal) {
  const area = make("textarea", "", {
    "data-testid": "stage-text",
    dir: "auto",
    input: note,
  });
  area.rows = 1;
  area.spellcheck = false;
  const hint = make("p", "", { role: "status" });
  const element = make("div", "stage-text");
  element
    .attachShadow({ mode: "open" })
    .append(make("div", "box", {}, area, hint, ...(beside ? [beside] : [])));
  /**
   * What was there before the field was shown.
   * @type {{text: string, drawn: string, step: number, beat: import("../shared/groups.js").Beat, from: number, top: string} | null}
   */
  let before = null;
  let typedOver = ""; // what was drawn when somebody typed last
  let isAwaited = false; // whether the picture of what is typed is on its way
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let looking;
  const room = new ResizeObserver(makeRoom);
  const sayings = new MutationObserver(say);

  const group = () => activeGroup() ?? firstOnPage();
  const drawn = () => [...(group()?.lanes ?? [])].map(({ model }) => model.feed.id).join(" ");
  const isOpen = () => before !== null;

  /** @type {import("../shared/groups.js").Typing} */
  const own = { open, close, isOpen, isReady: () => field() !== null };

  /** @type {import("../shared/groups.js").Typing["open"]} */
  function open(text = "", from = 0) {
    const pageField = field();
    if (!pageField) return;
    if (!before) show(pageField, from);
    area.focus({ preventScroll: true });
    area.select(); // what one types takes its place
    if (text) document.execCommand("insertText", false, text); // as the viewer does it
  }

  /** @param {HTMLTextAreaElement} pageField @param {number} from */
  function show(pageField, from) {
    clearInterval(looking);
    const { step = 0, beat = "rest", playing = false } = group()?.playhead ?? {};
    if (playing) group()?.playhead?.pause(); // at rest, its beat stays
    const top = document.documentElement.style.getPropertyValue(STAGE_TOP);
    before = { text: pageField.value, drawn: drawn(), step, beat, from, top };
    isAwaited = false;
    opens();
    area.value = pageField.value;
    shows?.(area.value);
    area.ariaLabel = pageField.ariaLabel;
    area.placeholder = pageField.placeholder;
    if (pageField.maxLength >= 0) area.maxLength = pageField.maxLength;
    keepAbove(element, true);
    adoptSheet(area, FIELD_SHEET);
    const sentence = about();
    if (sentence) sayings.observe(sentence, { childList: true, characterData: true, subtree: true });
    say();
    room.observe(element);
    makeRoom();
    holdEscape(true);
  }

  function say() {
    const keys = group()?.lanes.size ? "Enter plays it, Esc goes back." : "Esc goes back.";
    hint.textContent = [about()?.textContent?.trim(), keys].filter(Boolean).join(" ");
  }

  // The picture begins where the field ends.
  function makeRoom() {
    if (!before) return;
    const { height } = element.getBoundingClientRect();
    document.documentElement.style.setProperty(STAGE_TOP, `${Math.ceil(height)}px`);
  }

  /** Take the field away. Returns what was there before. */
  function putAway() {
    const last = before;
    before = null;
    clearInterval(looking);
    room.disconnect();
    sayings.disconnect();
    if (!last) return null;
    document.documentElement.style.setProperty(STAGE_TOP, last.top);
    keepAbove(element, false);
    holdEscape(false);
    return last;
  }

  function close() {
    const last = putAway();
    if (!last) return;
    const { text, drawn: first, step, beat, from } = last;
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
    if (!area.value.trim()) return;
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

  function note() {
    clearInterval(looking); // the next text plays when somebody asks for it
    typedOver = drawn();
    isAwaited = true;
    shows?.(area.value);
    const pageField = field();
    if (pageField) {
      pageField.value = area.value;
      pageField.dispatchEvent(new Event("input", { bubbles: true }));
    }
    say();
  }

  // In the capture phase: the page has keys of its own for its field. A clicker has Page Down and Page Up only.
  /** @param {KeyboardEvent} event */
  function listen(event) {
    if (!isOpen() || event.isComposing || hasModifier(event)) return;
    const { key, shiftKey } = event;
    const isTyped = event.composedPath()[0] === area;
    const leadsBack = key === "0" && !isTyped && Boolean(before?.from);
    if (key === "Escape" || key === "PageUp" || leadsBack) close();
    else if (isTyped && ((key === "Enter" && !shiftKey) || key === "PageDown")) play();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  window.addEventListener("keydown", listen, { capture: true, signal });
  // Where the browser cannot leave Escape to the page, it ends full screen: then the field closes, and the stage stays.
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || close(), { signal });
  offerTyping(own, signal);
  signal.addEventListener("abort", () => {
    const isTyping = /** @type {ShadowRoot} */ (area.getRootNode()).activeElement === area;
    if (putAway() && isTyping) waitForField(area.value); // of the page that comes
  });
}

/** Let Escape come to the page in full screen, where the browser can. @param {boolean} on */
function holdEscape(on) {
  const { keyboard } =
    /** @type {{keyboard?: {lock?: (keys: string[]) => Promise<void>, unlock?: () => void}}} */ (navigator);
  if (on) keyboard?.lock?.(["Escape"]).catch(() => undefined);
  else keyboard?.unlock?.();
}
