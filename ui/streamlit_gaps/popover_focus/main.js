// A popover that a key has opened takes the focus, Tab behind its last control and before its first leads to its button,
// and when it is closed its button has the focus again. What Streamlit opens by itself, for instance when the answer to a
// request comes after the popover was closed, takes no focus.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { focusedElement, tabStops } from "./stops.js";

const BUTTON = "[data-testid=stPopoverButton]";
const BODY = "[data-testid=stPopoverBody]";
const PAUSE = 50; // ms between two looks
const DRAWN_AFTER = 5_000; // ms in which a popover's contents are drawn

/** A popover that a key has opened: its name, its place among those of this name, and what the focus waits for. @typedef {{name: string, at: number, until: number, isOpen: boolean}} Opened */

/**
 * @param {Component<{}>} _component
 * @returns {Controller<{}>}
 */
function createPopoverFocus(_component) {
  const lifetime = new AbortController();
  /** @type {Opened | null} */
  let opened = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  document.addEventListener("click", follow, { capture: true, signal: lifetime.signal });
  document.addEventListener("keydown", turn, { capture: true, signal: lifetime.signal });

  // A click without a pointer's place is one of the keyboard.
  /** @param {MouseEvent} event */
  function follow({ target, detail, isTrusted }) {
    const button = target instanceof Element ? target.closest(BUTTON) : null;
    if (!isTrusted || !(button instanceof HTMLElement)) return;
    forget();
    if (detail !== 0 || button.getAttribute("aria-expanded") === "true") return;
    const name = nameOf(button);
    opened = { name, at: named(name).indexOf(button), until: performance.now() + DRAWN_AFTER, isOpen: false };
    timer = setInterval(look, PAUSE);
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

  return {
    update: () => undefined,
    remove() {
      lifetime.abort();
      forget();
    },
  };
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

/**
 * Return the button that opened it, or what Streamlit has drawn in its place.
 * @param {Opened} opened
 */
function buttonOf({ name, at }) {
  return /** @type {HTMLElement | undefined} */ (named(name)[at]) ?? null;
}

/**
 * Return the contents of the open popover. Streamlit has one open at a time.
 * @param {Opened} opened
 */
function bodyOf(opened) {
  if (buttonOf(opened)?.getAttribute("aria-expanded") !== "true") return null;
  return /** @type {HTMLElement | null} */ (document.querySelector(BODY));
}

export default mount(createPopoverFocus);
