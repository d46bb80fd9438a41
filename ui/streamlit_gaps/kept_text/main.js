// Stores typed text in the browser tab's storage at every keystroke, sends it to a new session once, and types again what
// was typed and never arrived. The text is sent only to the app's server.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Field, Goal} from "./unsent.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { departure } from "../../../film/browser/shared/report.js";
import { forgetUnsent, keepOnDevice, readKept, readOver, readStored, store, storeUnsent } from "./storage.js";
import { checksum, isFrom, isNewer, nextAct } from "./unsent.js";

/** A field for one line, of Streamlit's. @typedef {HTMLInputElement} FieldElement */

/**
 * What Python sends.
 * @typedef {object} FieldsData
 * @property {Field[]} fields  on the page
 * @property {string[]} names  that may be in the store
 * @property {Record<string, string>} records  what has no field, to be stored
 * @property {boolean | null} lasts  whether the records stay on the device; null if only the tab keeps them
 * @property {boolean} fresh  whether the session has not received them yet
 */

const DRAWN_AFTER = 400; // ms until a field shows the text that came with this run

const SENT_AFTER = 500; // ms until a text is sent once more, while a page is being left

const COMMITTED_AFTER = 60; // ms until Streamlit has sent the text of a field that was left

const LOOKED_AFTER = 50; // ms between two looks at whether a field is drawn

const MOST_TRIES = 5; // to get one text to the server

const ANSWERED_AFTER = 1_000; // ms until a try counts as lost

const STAYED_AFTER = 500; // ms between two looks at whether the page is being left

const HALF_CHARACTERS = /\p{Surrogate}/gu; // lone surrogates, which no message to the server can hold

/** Return the element of a field, if it is on the page. @param {Field} field */
function elementOf({ key }) {
  return /** @type {FieldElement | null} */ (document.querySelector(`.st-key-${key} input`));
}

/**
 * Give a field a text as its viewer would do it. The caller sends it.
 * @param {FieldElement} element
 * @param {string} text
 */
function setText(element, text) {
  // The setter of the prototype: React replaces that of the element and would then see no change.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")?.set?.call(element, text);
}

/**
 * Send what was typed. Streamlit sends a field when this is pressed in it, or when it is left.
 * @param {FieldElement} element
 */
function pressEnter(element) {
  const press = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
  element.dispatchEvent(new KeyboardEvent("keydown", press));
}

/**
 * Return the element of a field that was typed into before its store was there; otherwise nothing. A page draws its field
 * first, on a busy server long before: what is typed meanwhile is in the field alone, and nobody would send it.
 * @param {Field} field
 * @param {WeakSet<FieldElement>} met  elements that have shown the server's text, or were returned
 */
function typedBefore(field, met) {
  const element = elementOf(field);
  if (!element || met.has(element)) return [];
  const isServers = isFrom(element.value, field);
  const isTyped = !isServers && element.value !== "" && element === document.activeElement;
  if (isServers || isTyped) met.add(element);
  return isTyped ? [element] : [];
}

/** @param {Component<FieldsData>} component @returns {Controller<FieldsData>} */
function createStore(component) {
  const lifetime = new AbortController();
  const isLeft = departure(lifetime.signal); // what is sent meanwhile would lead back
  let { fields } = component.data;
  let lastNames = new Set(); // names of the fields of the last run
  /** @type {Map<string, Goal & {tries: number, lastTry: number, arrived: boolean}>} */
  const goals = new Map(); // name of a field -> text that it should hold, and the server does not have
  const met = /** @type {WeakSet<FieldElement>} */ (new WeakSet()); // fields that `typedBefore` need not look at again
  /** @type {Map<string, number>} */
  const givenBack = new Map(); // name of a field -> how often it got its stored text back since the viewer typed there
  let lastRun = 0; // when the last run arrived
  let restored = false;
  /** @type {boolean | undefined} */
  let lasted; // whether the records stayed on the device at the last run
  let isTyping = false; // whether this component types
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let looking; // the timer that looks at the fields of `goals`
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

  for (const type of ["pointerdown", "keydown"]) {
    document.addEventListener(type, trustViewer, { capture: true, signal: lifetime.signal });
  }

  // From now on the server's text is what the viewer chose, also if it is the former one again.
  /** @param {Event} event */
  function trustViewer({ isTrusted }) {
    if (isTrusted) for (const [name, { arrived }] of goals) if (arrived) goals.delete(name);
  }

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

  /** @param {Pick<Event, "target">} event */
  function replaceHalves({ target }) {
    if (!(target instanceof HTMLInputElement)) return;
    hasUnsent = true;
    const text = target.value.replace(HALF_CHARACTERS, "\uFFFD");
    if (text === target.value) return;
    const { selectionStart, selectionEnd } = target;
    setText(target, text);
    target.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {Pick<Event, "target">} event */
  function storeTyped({ target }) {
    for (const field of fields) {
      const element = elementOf(field);
      if (!element || element !== target) continue;
      storeUnsent(field.name, element.value, field.checksum);
      if (!isTyping) for (const remembered of [goals, givenBack]) remembered.delete(field.name);
      clearTimeout(sending);
    }
  }

  function storeTypedBefore() {
    for (const target of fields.flatMap((field) => typedBefore(field, met))) {
      replaceHalves({ target });
      storeTyped({ target });
    }
  }

  /** @param {FieldElement} element */
  function sendTyped(element) {
    if (!element.isConnected || lifetime.signal.aborted) return;
    if (isLeft()) {
      sending = setTimeout(() => sendTyped(element), SENT_AFTER);
      return;
    }
    pressEnter(element);
    hasUnsent = false;
  }

  /** @type {Controller<FieldsData>["update"]} */
  function update(next) {
    const { data } = next;
    component = next;
    fields = data.fields;
    lastRun = performance.now();
    storeTypedBefore();
    if (data.fresh && !restored && isLeft()) {
      setTimeout(() => lifetime.signal.aborted || update(component), STAYED_AFTER);
      return;
    }
    if (data.fresh && !restored) {
      restored = true;
      const readBack = data.lasts === null ? readStored : readKept;
      const texts = data.names.map((name) => [name, readBack(name)]).filter(([, text]) => text);
      for (const field of fields.filter(({ replaceable }) => replaceable)) {
        const text = readStored(field.name);
        if (!text) continue;
        storeUnsent(field.name, text, field.checksum); // as if it were typed now
        want(field, text, performance.now()); // only if the message below comes to nothing
      }
      if (texts.length) {
        offer(Object.fromEntries(texts), MOST_TRIES);
        return give();
      }
    }
    for (const [name, text] of Object.entries(data.records)) if (text) store(name, text);
    if (data.lasts !== null) {
      keepOnDevice(data.names, data.records, data.lasts, lasted === false && data.lasts);
      lasted = data.lasts;
    }
    for (const field of fields) {
      if (readOver(field.name) !== null && isFrom(readStored(field.name) ?? "", field))
        forgetUnsent(field.name);
      const text = lastNames.has(field.name) ? null : readStored(field.name);
      if (text !== null && isNewer(text, readOver(field.name), field)) want(field, text);
    }
    lastNames = new Set(fields.map(({ name }) => name));
    setTimeout(storeReceived, DRAWN_AFTER);
    give();
  }

  // Sends what was stored, again if a run of the page has lost it: the session then still lacks it.
  /** @param {Record<string, string>} texts @param {number} tries */
  function offer(texts, tries) {
    if (lifetime.signal.aborted || !component.data.fresh || !tries) return;
    if (!isLeft()) component.setTriggerValue("restored", texts);
    setTimeout(() => offer(texts, tries - 1), ANSWERED_AFTER);
  }

  /** @param {Field} field @param {string} text @param {number} lastTry  when it was last sent */
  function want({ name, checksum: over }, text, lastTry = -ANSWERED_AFTER) {
    goals.set(name, { text, mark: checksum(text), over, tries: 0, lastTry, arrived: false });
  }

  // Gives the fields on the page the texts that they should hold, until the server has them.
  function give() {
    clearTimeout(looking);
    if (lifetime.signal.aborted) return;
    if (fields.filter(giveOne).length) looking = setTimeout(give, LOOKED_AFTER);
  }

  /** Return whether the server lacks the field's text. @param {Field} field */
  function giveOne(field) {
    const goal = goals.get(field.name);
    if (!goal) return false;
    const element = elementOf(field);
    const act = nextAct(goal, field, element?.value);
    goal.arrived = act === "arrived";
    if (act === "arrived") return false;
    if (act === "replaced" || goal.tries > MOST_TRIES) return !goals.delete(field.name);
    const now = performance.now();
    // A field that shows the text may still show it because what the server sent is not drawn yet.
    const isEarly = now < goal.lastTry + ANSWERED_AFTER || (act === "send" && now < lastRun + DRAWN_AFTER);
    if (act === "wait" || isEarly || isLeft()) return true;
    goal.tries += 1;
    goal.lastTry = now;
    if (element && act === "type") {
      isTyping = true;
      setText(element, goal.text);
      element.dispatchEvent(new Event("input", { bubbles: true }));
      isTyping = false;
      clearTimeout(sending);
      setTimeout(() => sendTyped(element));
    } else component.setTriggerValue("again", true); // any message carries the texts of all fields
    return true;
  }

  // Text that the server sent is stored as soon as the field shows it.
  function storeReceived() {
    storeTypedBefore(); // a field that shows another text by now does not wait for the server's
    for (const field of fields) {
      const text = elementOf(field)?.value;
      if (text === undefined) continue;
      const over = readOver(field.name);
      if (!isFrom(text, field)) {
        // The server got another text while the viewer typed this one: it was typed over that, too.
        if (over !== null && over !== field.checksum && text === readStored(field.name)) {
          storeUnsent(field.name, text, field.checksum);
        }
        continue;
      }
      const goal = goals.get(field.name);
      if (goal && !goal.arrived) continue; // the typed text has not arrived yet
      storeShown(field, text);
    }
    give();
  }

  // Stores what the server sent. What nobody typed or chose replaces no stored text: that is given back instead.
  /** @param {Field} field @param {string} text */
  function storeShown(field, text) {
    const stored = readStored(field.name);
    if (stored && stored !== text && field.replaceable) {
      const times = givenBack.get(field.name) ?? 0;
      givenBack.set(field.name, times + 1);
      return times < MOST_TRIES ? want(field, stored) : undefined;
    }
    if (stored !== text && !field.replaceable) store(field.name, text);
    forgetUnsent(field.name);
  }
  return {
    update,
    remove() {
      lifetime.abort();
      clearTimeout(looking);
    },
  };
}

export default mount(createStore);
