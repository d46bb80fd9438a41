// A popover that a key has opened takes the focus, Tab behind its last control and before its first leads to its button,
// and when it is closed its button has the focus again. What Streamlit opens by itself, for instance when the answer to a
// request comes after the popover was closed, takes no focus.

export const BUTTON = ".stPopover button[aria-haspopup=dialog]";
export const BODY = "[data-testid=stPopoverBody]";
// The elements at which Tab stops.
const STOPS = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]";
const BETWEEN_LOOKS = 50; // ms between two looks
const DRAWN_AFTER = 5_000; // ms in which a popover's contents are drawn

/** A popover that a key has opened: its name, its place among those of this name, and what the focus waits for. @typedef {{name: string, at: number, until: number, isOpen: boolean}} Opened */

/** Move the focus into popovers and back, until the signal aborts. @param {AbortSignal} signal */
export function followPopovers(signal) {
  /** @type {Opened | null} */
  let opened = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  document.addEventListener("click", follow, { capture: true, signal });
  document.addEventListener("keydown", turn, { capture: true, signal });
  signal.addEventListener("abort", forget);

  // A click without a pointer's place is one of the keyboard.
  /** @param {MouseEvent} event */
  function follow({ target, detail, isTrusted }) {
    const button = target instanceof Element ? target.closest(BUTTON) : null;
    if (!isTrusted || !(button instanceof HTMLElement)) return;
    forget();
    if (detail !== 0 || button.getAttribute("aria-expanded") === "true") return;
    const name = nameOf(button);
    opened = { name, at: named(name).indexOf(button), until: performance.now() + DRAWN_AFTER, isOpen: false };
    timer = setInterval(look, BETWEEN_LOOKS);
  }

  function forget() {
    clearInterval(timer);
    opened = null;
  }

  function look() {
    if (!opened) return;
    const body = bodyOf(opened);
    const isLate = performance.now() > opened.until;
    if (!body && (opened.isOpen || isLate)) return giveBack();
    if (!body) return;
    const isNew = !opened.isOpen;
    opened.isOpen = true;
    const focused = focusedElement();
    // The viewer has put the focus elsewhere, or what has it is in the popover.
    if (!isNew && focused !== document.body && focused !== body) return;
    const first = tabStops(body)[0];
    if (!first) body.tabIndex = -1;
    (first ?? body).focus({ preventScroll: true });
  }

  function giveBack() {
    const button = opened && buttonOf(opened);
    const isLost = document.activeElement === document.body || !document.activeElement;
    if (isLost) button?.focus({ preventScroll: true });
    forget();
  }
}

/**
 * Lead the focus from the button of an open popover into it, and from its ends to the button.
 * @param {KeyboardEvent} event
 */
function turn(event) {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  const button = /** @type {HTMLElement | null} */ (document.querySelector(`${BUTTON}[aria-expanded=true]`));
  const body = button && document.querySelector(BODY);
  if (key !== "Tab" || !body || altKey || ctrlKey || metaKey) return;
  const stops = tabStops(body);
  const first = stops[0] ?? null;
  const focused = focusedElement();
  let next = null;
  if (focused === button) next = shiftKey ? null : first;
  else if (focused === body) next = shiftKey ? button : (first ?? button);
  else if (focused && focused === (shiftKey ? first : stops.at(-1))) next = button;
  if (!next) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  next.focus();
}

/** @param {Element} button */
function nameOf(button) {
  return button.querySelector("[data-testid=stMarkdownContainer]")?.textContent ?? button.textContent ?? "";
}

/** @param {string} name */
function named(name) {
  return [...document.querySelectorAll(BUTTON)].filter((button) => nameOf(button) === name);
}

/** Return the button that opened it, or what Streamlit has drawn in its place. @param {Opened} opened */
function buttonOf({ name, at }) {
  return /** @type {HTMLElement | undefined} */ (named(name)[at]) ?? null;
}

/** Return the contents of the open popover. Streamlit has one open at a time. @param {Opened} opened */
function bodyOf(opened) {
  if (buttonOf(opened)?.getAttribute("aria-expanded") !== "true") return null;
  return /** @type {HTMLElement | null} */ (document.querySelector(BODY));
}

/**
 * Return the stops of Tab within an element, in their order.
 * @param {Element | ShadowRoot} root
 * @returns {HTMLElement[]}
 */
function tabStops(root) {
  const stops = [...root.querySelectorAll("*")].flatMap((element) => {
    const within = element.shadowRoot ? tabStops(element.shadowRoot) : [];
    return isStop(element) ? [element, ...within] : within;
  });
  return stops.filter(isChosenRadio);
}

/** @param {Element} element @returns {element is HTMLElement} */
function isStop(element) {
  if (!(element instanceof HTMLElement) || !element.matches(STOPS) || element.matches(":disabled"))
    return false;
  // Floating UI, of which Streamlit makes its popovers, takes the stops away while the focus is elsewhere, and notes it.
  const isReached = element.tabIndex >= 0 || element.hasAttribute("data-tabindex");
  return isReached && element.checkVisibility({ visibilityProperty: true });
}

/**
 * Return false for a radio button that Tab passes, since another one of its group is chosen or is the first.
 * @param {HTMLElement} element
 * @param {number} _at
 * @param {HTMLElement[]} all
 */
function isChosenRadio(element, _at, all) {
  if (!(element instanceof HTMLInputElement) || element.type !== "radio" || element.checked) return true;
  const group = all.filter(
    (other) => other instanceof HTMLInputElement && other.type === "radio" && other.name === element.name,
  );
  return group[0] === element && group.every((other) => !(/** @type {HTMLInputElement} */ (other).checked));
}

/** Return the element that has the focus, in whichever shadow root it is. */
function focusedElement() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
