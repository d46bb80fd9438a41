// A field for a text. What one types is stored in the tab at every key and sent half a second later or sooner, again
// until the server has it. The server's text is shown until one types: a message of a run that began before is no reason
// to take away what stands there.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Timer} from "../../../film/browser/shared/dom.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { offerField } from "../../../film/browser/shared/page_field.js";
import { departure } from "../../../film/browser/shared/report.js";
import { followLinks, RUNS } from "./link.js";
import { memoryOf } from "./memory.js";

/**
 * What Python sends.
 * @typedef {object} FieldData
 * @property {string} key  of the text
 * @property {string} name  of the text in the tab's storage
 * @property {string} visit  the session
 * @property {string | null} text  that the server has; null for the one that arrived last
 * @property {number} received  number of the text that arrived last
 * @property {boolean} ours  whether nobody has typed or chosen the server's text
 * @property {boolean} aside  whether it is empty since something else is shown
 * @property {string[]} kept  names of the stored texts that a new session gets
 * @property {string[]} parts  names with which a link's fragment begins, if the field takes it
 * @property {number} mostLinked  characters of a fragment
 * @property {string} label
 * @property {string} testId
 * @property {boolean} pages  whether the page is about this text
 * @property {boolean} folds  to one line, when one does not type
 * @property {boolean} line  whether its text has one line
 * @property {boolean} large  whether its text is larger than that of the page, and answered sooner
 * @property {number} most  characters that it takes
 * @property {string} placeholder
 * @property {string} says  what happens to the text
 * @property {string} keys  what a key then does
 * @property {string} help
 * @property {string} note  about the text that is there
 */

const SENT_AFTER = 500; // ms after the last key
const SENT_SOON = 250; // ms after it, where the answer takes no training
const SENT_FIRST = 20; // ms after the field has come: not with what a fragment reports, as which it would then run
const LOOKED_AFTER = 500; // ms between two looks at whether anything runs
const CALM = 10; // such looks in a row at rest, after which a text counts as lost
const STAYED_AFTER = 500; // ms between two looks at whether the page is being left
const HALF_CHARACTERS = /\p{Surrogate}/gu; // lone surrogates, which no message to the server can hold
const STORES_NOTHING = "Your browser stores nothing for this page: a reload loses this text.";

let isPressed = false; // whether a pointer is down
for (const [type, down] of /** @type {const} */ ([
  ["pointerdown", true],
  ["pointerup", false],
  ["pointercancel", false],
])) {
  document.addEventListener(type, () => (isPressed = down), { capture: true });
}

/** @param {Component<FieldData>} component @returns {Controller<FieldData>} */
function createField(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const isLeft = departure(signal); // what is sent meanwhile would lead back
  let { data } = component;
  const memory = memoryOf(data.key);
  let problem = "";
  let isComposing = false;
  /** @type {Timer} */
  let sending;
  /** @type {Timer} */
  let asking; // whether the text has arrived

  const host = make("div", "text-field");
  const root = host.attachShadow({ mode: "open" });
  const around = component.parentElement;
  if (around instanceof ShadowRoot) root.adoptedStyleSheets = around.adoptedStyleSheets;
  const label = make("label", "label", { id: "label" });
  label.htmlFor = "area";
  const note = make("span", "note");
  const area = make("textarea", "", { id: "area", dir: "auto", "aria-describedby": "sentence" });
  const sentence = make("span", "sentence", { id: "sentence" });
  const keys = make("span", "keys");
  const about = make("span", "about", { hidden: true });
  const help = make(
    "button",
    "help",
    { type: "button", "aria-label": "Help", "aria-expanded": "false", click: explain },
    "?",
  );
  root.append(
    make("div", "head", {}, label, note),
    area,
    make("p", "foot", {}, sentence, " ", keys, " ", help, about),
  );
  rootOf(component, "[data-testid=text-field]").append(host);

  area.addEventListener("beforeinput", cutPaste);
  area.addEventListener("compositionstart", () => (isComposing = true));
  area.addEventListener("compositionend", () => ((isComposing = false), take()));
  area.addEventListener("input", take);
  area.addEventListener("keydown", follow);
  host.addEventListener("focusin", open);
  host.addEventListener("focusout", close);
  for (const type of ["pointerup", "pointercancel"]) {
    document.addEventListener(type, () => setTimeout(fold), { capture: true, signal }); // after the click
  }
  if (data.parts.length) {
    followLinks(
      data.parts,
      (fragment) => {
        memory.open(fragment.slice(0, data.mostLinked + 1));
        send();
      },
      signal,
    );
  }
  offerField({ key: data.key, area, says: sentence, isPages: () => data.pages, put, send }, signal);

  function explain() {
    about.hidden = !about.hidden;
    help.setAttribute("aria-expanded", String(!about.hidden));
  }

  // Folding moves what is below the field. So it stays open while a pointer is down: what it presses stays under it.
  function open() {
    host.dataset.open = "";
  }

  function close() {
    send();
    if (!isPressed) setTimeout(fold);
  }

  function fold() {
    if (isPressed || host.matches(":focus-within") || !("open" in host.dataset)) return;
    delete host.dataset.open;
    about.hidden = true;
    help.setAttribute("aria-expanded", "false");
    area.scrollTo(0, 0); // it shows its first words
  }

  /** @param {KeyboardEvent} event */
  function follow(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === "Enter" && (ctrlKey || metaKey || (data.line && !event.isComposing))) {
      event.preventDefault();
      return send();
    }
    if (key === "Escape" && !event.isComposing) {
      if (!data.folds) return send(); // a menu that it closes takes the field with it
      event.stopPropagation();
      return area.blur(); // so that Space plays
    }
    if (key.length === 1 && !ctrlKey && !metaKey && !altKey) event.stopPropagation(); // R and C are Streamlit's
  }

  // Of a text that is too long, the beginning is taken, as if one had pasted that: it can be undone.
  /** @param {InputEvent} event */
  function cutPaste(event) {
    const { data: text } = event;
    const free = data.most - area.value.length + area.selectionEnd - area.selectionStart;
    if (!text || event.isComposing || text.length <= free) return;
    event.preventDefault();
    const part = beginning(text, Math.max(free, 0));
    if (part) document.execCommand("insertText", false, part);
    say(`The field takes ${data.most.toLocaleString("en")} characters: what comes after them is left out.`);
  }

  // What is typed becomes the text, and is stored.
  function take() {
    say("");
    if (!isComposing) mend();
    memory.type(area.value, data);
    grow();
    draw();
    clearTimeout(sending);
    if (!isComposing) sending = setTimeout(send, data.large ? SENT_SOON : SENT_AFTER);
  }

  // Half a character, which a message cannot hold, the ends of lines where there is one, and what is too long.
  function mend() {
    const lines = data.line ? area.value.replace(/[\r\n]+/g, "") : area.value;
    const text = beginning(lines, data.most).replace(HALF_CHARACTERS, "\uFFFD");
    if (text === area.value) return;
    const { selectionStart, selectionEnd } = area;
    area.value = text;
    area.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {string} text */
  function put(text) {
    area.value = text;
    take();
    send();
  }

  function send() {
    clearTimeout(sending);
    sending = undefined;
    if (!memory.isUnsent() || signal.aborted) return;
    if (isLeft()) {
      sending = setTimeout(send, STAYED_AFTER); // a page that has gone leaves it to the next
      return;
    }
    component.setTriggerValue("typed", memory.next());
    ask();
  }

  // A run of the page can lose a message: it is sent again until the text is there, when nothing has run for a while. A
  // busy server may be about to lead to another page, and a message of this one would lead back.
  function ask(calm = 0) {
    clearTimeout(asking);
    if (signal.aborted || memory.isUnsent() || data.received >= memory.number) return;
    const isCalm = !document.querySelector(RUNS) && !isLeft();
    if (calm >= CALM) component.setTriggerValue("typed", memory.again());
    asking = setTimeout(() => ask(isCalm && calm < CALM ? calm + 1 : 0), LOOKED_AFTER);
  }

  /** @param {string} now */
  function say(now) {
    problem = now;
    draw();
  }

  function draw() {
    sentence.textContent = problem || (memory.isLost() ? STORES_NOTHING : data.says);
    host.toggleAttribute("data-problem", problem !== "");
    keys.textContent = data.keys;
    about.textContent = data.help;
    help.hidden = !data.help;
  }

  /** Show the text that counts, where it is not there yet. */
  function show() {
    if (area.value === memory.text) return;
    const { selectionStart, selectionEnd } = area;
    area.value = memory.text;
    if (host.matches(":focus-within")) area.setSelectionRange(selectionStart, selectionEnd);
  }

  // Where the style sheet cannot say that it is as high as its text.
  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    if ("open" in host.dataset || !data.folds) area.style.height = `${area.scrollHeight}px`;
  }

  /** @type {Controller<FieldData>["update"]} */
  function update(next) {
    component = next;
    ({ data } = next);
    memory.hear(data);
    label.textContent = data.label;
    note.textContent = data.note;
    area.placeholder = data.placeholder;
    area.dataset.testid = data.testId;
    area.ariaLabel = data.label; // which the field on stage has, too
    area.ariaMultiLine = String(!data.line);
    host.classList.toggle("folds", data.folds);
    host.classList.toggle("line", data.line);
    host.classList.toggle("large", data.large);
    if (!isComposing) show();
    grow();
    draw();
    if (memory.isUnsent()) sending ??= setTimeout(send, SENT_FIRST);
    else if (data.received < memory.number) ask();
  }

  return {
    update,
    remove() {
      lifetime.abort();
      clearTimeout(sending);
      clearTimeout(asking);
      host.remove();
    },
  };
}

/** Return the beginning of a text, which does not end within a character. @param {string} text @param {number} most */
function beginning(text, most) {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

export default mount(createField);
