// One large field over the stage: T opens it in every presenter view, Enter plays what was typed, Escape closes it. It
// covers the stage and changes nothing there, so that a talk goes on at its beat. What trains joins it when it is there.

/** @import {Group, Typing, TextOnStage} from "../shared/groups.js" */

import { followTheme, themeOf } from "../shared/colour.js";
import { make, makeButton, present } from "../shared/dom.js";
import {
  activate,
  activeGroup,
  dropTyped,
  heldText,
  holdTyped,
  setTyping,
  typing,
} from "../shared/groups.js";
import { isForField, isPresenting, keepPageKeys } from "../token_grid/page_keys.js";

const MOST_TYPED = 2_000; // characters
const LONG = 60; // characters, from which on the letters are smaller
const INVITES = "Type a name, a word or a sentence.";
const WAITS = "One moment: the trainer is loading.";

/**
 * Make the field in an element, until the signal aborts.
 * @param {HTMLElement} root
 * @param {() => void} ask  asks for what trains, when it is needed for the first time
 * @param {AbortSignal} signal
 */
export function createStageField(root, ask, signal) {
  const field = make("textarea", "", {
    "data-testid": "stage-text",
    "aria-label": "Your text",
    "aria-describedby": "stage-status",
    dir: "auto",
    input: change,
    keydown: take,
  });
  field.rows = 1;
  field.maxLength = MOST_TYPED;
  field.placeholder = INVITES;
  field.spellcheck = false;
  const status = make("p", "status", {
    id: "stage-status",
    role: "status",
    "data-testid": "stage-status",
  });
  const buttons = make(
    "div",
    "buttons",
    {},
    makeButton("Play (Enter)", "stage-play", play),
    makeButton("Back (Esc)", "stage-close", close),
  );
  const below = make("div", "below");
  const typed = make("div", "typed", {}, field, make("div", "state", {}, status, buttons));
  const element = make(
    "div",
    "over-stage",
    { role: "dialog", "aria-modal": "true", "aria-label": "Your text on stage", popover: "manual" },
    typed,
    below,
  );
  root.append(element);
  /** @type {TextOnStage | null} */
  let shows = null;
  let asked = false;
  let isUsed = false; // from its opening until it is closed: what is removed from a page is no open popover any more
  /** @type {Group | null} */
  let before = null; // the group that had the keys
  /** @type {Element | null} */
  let focused = null;

  /** @type {Typing} */
  const own = { below, open, close, isOpen, isOverEncoding, say, attach };

  function isOpen() {
    return element.matches(":popover-open");
  }

  function isOverEncoding() {
    const [lane] = before?.lanes ?? [];
    return lane?.model.training === false;
  }

  /** @type {Typing["open"]} */
  function open(text = "", isSelected = false) {
    if (text) field.value = text.slice(0, MOST_TYPED);
    if (isOpen()) return focusField();
    isUsed = true;
    before = activeGroup();
    if (before?.playhead?.playing) before.playhead.pause(); // at rest, its beat stays
    focused = focusedElement();
    root.dataset.theme = themeOf(root);
    element.showPopover();
    present(typed, true); // what is behind the presenter view has no focus
    holdEscape(true);
    focusField();
    if (text && !isSelected) field.setSelectionRange(field.value.length, field.value.length); // one types on
    if (!asked) ask();
    asked = true;
    change();
  }

  function focusField() {
    field.focus({ preventScroll: true });
    field.select(); // what one types takes its place
  }

  function close() {
    if (!isUsed) return;
    isUsed = false;
    shows?.close();
    field.blur();
    present(typed, false);
    if (isOpen()) element.hidePopover();
    holdEscape(false);
    if (before) activate(before);
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  }

  function change() {
    const { value } = field;
    field.classList.toggle("long", value.length > LONG);
    if (!value.trim()) say(INVITES);
    else if (!shows) say(WAITS);
    placeBelow();
    if (isOpen()) shows?.change(value);
  }

  // The grid below fills what is left of the window.
  function placeBelow() {
    const { height } = typed.getBoundingClientRect();
    below.style.setProperty("--stage-top", `${Math.ceil(height)}px`);
    below.style.setProperty("--stage-width", "100vw");
  }

  function play() {
    if (field.value.trim()) shows?.play();
  }

  /** @type {Typing["say"]} */
  function say(sentence, wrong = false) {
    status.textContent = sentence;
    status.classList.toggle("wrong", wrong);
  }

  /** @type {Typing["attach"]} */
  function attach(next) {
    shows = next;
    if (!next) asked = false;
    else if (isOpen()) change();
  }

  // A clicker has Page Down and Page Up only.
  /** @param {KeyboardEvent} event */
  function take(event) {
    if (event.isComposing) return;
    const { key, shiftKey } = event;
    event.stopPropagation(); // what is typed is no key of the page
    if (key === "Escape" || key === "PageUp") close();
    else if ((key === "Enter" && !shiftKey) || key === "PageDown") play();
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  function listen(event) {
    if (isForField(event)) return;
    const opens = event.key.toLowerCase() === "t" && (isOpen() || isPresenting());
    // A token's card below the pointer would take the first Escape.
    const closes = isOpen() && (event.key === "PageUp" || event.key === "Escape");
    if (!opens && !closes) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (opens) open();
    else close();
  }
  // In the capture phase: the grid, which has the focus in the presenter view, stops single letters.
  window.addEventListener("keydown", listen, { capture: true, signal });
  // Where the browser cannot leave Escape to the page, it ends full screen: then the field closes, and the stage stays.
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || close(), { signal });
  window.addEventListener("resize", placeBelow, { signal });
  followTheme(() => void (root.dataset.theme = themeOf(root)), signal);
  setTyping(own);
  keepPageKeys(); // also where a reload has brought a page without a grid
  const held = heldText();
  // A microtask later it is on the page.
  if (held !== null) queueMicrotask(() => goOn(held));
  signal.addEventListener("abort", () => {
    const goesOn = isUsed;
    const { value, selectionStart, selectionEnd } = field;
    const isSelected = selectionEnd - selectionStart === value.length; // then what one types takes its place
    close();
    if (typing() === own) setTyping(null);
    if (!goesOn) return;
    // Another page takes the place of this one, and its field goes on with the text.
    const next = typing();
    if (next) next.open(value, isSelected);
    else holdTyped(isSelected ? "" : value);
  });

  /** Go on with what was typed before. @param {string} text */
  function goOn(text) {
    dropTyped();
    if (!signal.aborted) open(text);
  }
}

/** Return the element that has the focus, in whichever shadow root it is. */
function focusedElement() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** Let Escape come to the page in full screen, where the browser can. @param {boolean} on */
function holdEscape(on) {
  const { keyboard } =
    /** @type {{keyboard?: {lock?: (keys: string[]) => Promise<void>, unlock?: () => void}}} */ (navigator);
  if (on) keyboard?.lock?.(["Escape"]).catch(() => undefined);
  else keyboard?.unlock?.();
}
