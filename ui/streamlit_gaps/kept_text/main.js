// Stores typed text in the browser tab's storage at every keystroke, sends it to a new session once, and offers again what
// was typed and never arrived. The text is sent only to the app's server.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { checksum, isNewer } from "./unsent.js";

/** A text field: its name in the store, its key in Streamlit, and the length and checksum of the server's text. @typedef {{name: string, key: string, length: number, checksum: string}} Field */

/**
 * What Python sends.
 * @typedef {object} FieldsData
 * @property {Field[]} fields  on the page
 * @property {string[]} names  that may be in the store
 * @property {Record<string, string>} records  what has no field, to be stored
 * @property {boolean} fresh  whether the session has not received them yet
 */

const PREFIX = "merge-by-merge/";
const OVER = "/over"; // ends the name of the checksum of the server's text over which a text was typed
const DRAWN_AFTER = 400; // ms until a field shows the text that came with this run

const SENT_AFTER = 500; // ms after the last key, until the text is sent without being asked for

const COMMITTED_AFTER = 60; // ms until Streamlit has sent the text of a field that was left

const HALF_CHARACTERS = /\p{Surrogate}/gu; // lone surrogates, which no message to the server can hold

/**
 * @param {string} name
 */
function readStored(name) {
  try {
    return window.sessionStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is disabled: typing works, but a reload loses the text
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function store(name, text) {
  try {
    window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // storage is full or disabled, as above
  }
}

/**
 * Store text that the user has typed, and over what.
 * @param {Field} field
 * @param {string} text
 */
function storeUnsent({ name, checksum: over }, text) {
  forgetUnsent(name); // before the text: if there is no space for it, an older one must not count as unsent
  store(name, text);
  if (readStored(name) === text) store(name + OVER, over);
}

/**
 * @param {string} name
 */
function forgetUnsent(name) {
  try {
    window.sessionStorage.removeItem(PREFIX + name + OVER);
  } catch {
    // storage is disabled, as above
  }
}

/**
 * Return the element of a field, if it is on the page.
 * @param {Field} field
 */
function elementOf({ key }) {
  const selector = `.st-key-${key} textarea, .st-key-${key} input`;
  return /** @type {HTMLTextAreaElement | HTMLInputElement | null} */ (document.querySelector(selector));
}

/**
 * @param {Component<FieldsData>} component
 * @returns {Controller<FieldsData>}
 */
function createStore(component) {
  const lifetime = new AbortController();
  let { fields } = component.data;
  let lastNames = new Set(); // names of the fields of the last run
  /** @type {Map<string, string>} */
  const offered = new Map(); // name of a field -> checksum of the text in place of which a typed one was offered
  let restored = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let sending; // the timer that sends what is being typed
  let hasUnsent = false; // whether the focused field holds text that was not sent yet
  let isSending = false;
  /** @type {HTMLElement | null} */
  let waiting = null; // what was clicked while the text was being sent

  document.addEventListener("input", replaceHalves, { capture: true, signal: lifetime.signal });
  document.addEventListener("input", storeTyped, { capture: true, signal: lifetime.signal });

  document.addEventListener("focusout", waitForText, { capture: true, signal: lifetime.signal });
  document.addEventListener("click", holdClick, { capture: true, signal: lifetime.signal });

  // A tap leaves the field and clicks at once. Streamlit would send the click first, and then the text for the page that
  // the click has left: it would lead back there and lose the text.
  function waitForText() {
    if (!hasUnsent) return;
    hasUnsent = false;
    isSending = true;
    setTimeout(() => {
      isSending = false;
      const clicked = waiting;
      waiting = null;
      if (clicked?.isConnected) clicked.click();
    }, COMMITTED_AFTER);
  }

  /** @param {MouseEvent} event */
  function holdClick(event) {
    const clicked = event.target instanceof Element && event.target.closest("a, button");
    if (clicked instanceof HTMLAnchorElement) clearTimeout(sending); // the page is left: its text is offered again there
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isSending || !plain || !(clicked instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting = clicked;
  }

  /** @param {Event} event */
  function replaceHalves({ target }) {
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    hasUnsent = true;
    const text = target.value.replace(HALF_CHARACTERS, "\uFFFD");
    if (text === target.value) return;
    const { selectionStart, selectionEnd } = target;
    // The setter of the prototype: React replaces that of the element and would then see no change.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value")?.set?.call(target, text);
    target.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {Event} event */
  function storeTyped({ target }) {
    for (const field of fields) {
      const element = elementOf(field);
      if (!element || element !== target) continue;
      storeUnsent(field, element.value);
      clearTimeout(sending);
      if (element instanceof HTMLTextAreaElement) sending = setTimeout(() => sendTyped(element), SENT_AFTER);
    }
  }

  // Streamlit sends a text area when this is pressed in it, or when it is left.
  /** @param {HTMLTextAreaElement} element */
  function sendTyped(element) {
    if (!element.isConnected || lifetime.signal.aborted) return;
    const press = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", press));
    hasUnsent = false;
  }

  /** @type {Controller<FieldsData>["update"]} */
  function update({ data, setTriggerValue }) {
    fields = data.fields;
    if (data.fresh && !restored) {
      restored = true;
      const texts = data.names.map((name) => [name, readStored(name)]).filter(([, text]) => text);
      if (texts.length) return setTriggerValue("restored", Object.fromEntries(texts));
    }
    for (const [name, text] of Object.entries(data.records)) if (text) store(name, text);
    const unsent = unsentOf(fields.filter(({ name }) => !lastNames.has(name)));
    lastNames = new Set(fields.map(({ name }) => name));
    if (unsent.length) {
      const texts = Object.fromEntries(unsent.map(({ name, text }) => [name, text]));
      const over = Object.fromEntries(unsent.map((field) => [field.name, field.checksum]));
      for (const field of unsent) offered.set(field.name, field.checksum);
      setTriggerValue("unsent", { texts, over });
    }
    setTimeout(storeReceived, DRAWN_AFTER);
  }

  /**
   * Return the fields whose newest text has not arrived, with this text.
   * @param {Field[]} appeared  fields that were not on the page in the last run
   */
  function unsentOf(appeared) {
    return appeared.flatMap((field) => {
      const text = readStored(field.name);
      if (text === null || !isNewer(text, readStored(field.name + OVER), field.checksum)) return [];
      return [{ ...field, text }];
    });
  }

  // Text that the server sent is stored as soon as the field shows it.
  function storeReceived() {
    for (const field of fields) {
      const text = elementOf(field)?.value;
      if (text === undefined || text.length !== field.length) continue;
      if (text === readStored(field.name) && readStored(field.name + OVER) === null) continue;
      if (checksum(text) !== field.checksum) continue;
      if (offered.get(field.name) === field.checksum) continue; // the typed text has not arrived yet
      store(field.name, text);
      forgetUnsent(field.name);
    }
  }
  return { update, remove: () => lifetime.abort() };
}

export default mount(createStore);
