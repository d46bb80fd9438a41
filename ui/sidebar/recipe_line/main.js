// Draws the sidebar's choice as one line, folds and unfolds the controls below it, and opens the menu of a part.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";

/**
 * What Python sends.
 * @typedef {object} LineData
 * @property {[text: string, key: string][]} parts  with the key of the control that each one opens
 * @property {boolean} opens  whether the controls are to be in sight
 * @property {string} controls  key of the container of all controls
 */

const STORE = "merge-by-merge.settings";
const OPEN = "open";
const FOLDED = "folded";
const CHANGE = "Change it, and see all settings";
const LONGEST_WAIT = 2_000; // ms for a control to appear
// What opens a control: the arrow of a menu; else what is typed or pressed.
const OPENERS = ["button[aria-haspopup=listbox]", "[role=combobox]", "textarea", "input", "button"];

/** @returns {string | null} */
function readStore() {
  try {
    return localStorage.getItem(STORE);
  } catch {
    return null; // storage is disabled: the choice lasts as long as the page
  }
}

/** @param {string} state */
function store(state) {
  try {
    localStorage.setItem(STORE, state);
  } catch {
    return; // as above
  }
}

/**
 * @param {Component<LineData>} component
 * @returns {Controller<LineData>}
 */
function createLine(component) {
  const root = rootOf(component, "[data-testid=recipe-line]");
  const page = document.documentElement.dataset;
  let { data } = component;
  let opened = false; // whether `opens` has been followed
  page.mergesSettings ??= readStore() ?? FOLDED;

  const fold = make(
    "button",
    "fold",
    { type: "button", "data-testid": "recipe-fold", click: close },
    "Fold ▴",
  );

  function close() {
    set(FOLDED);
    store(FOLDED);
    root.querySelector("button")?.focus();
  }

  /** @param {string} state */
  function set(state) {
    page.mergesSettings = state;
    draw();
  }

  /** @param {string} key */
  function open(key) {
    set(OPEN);
    store(OPEN);
    openControl(key, performance.now());
  }

  function draw() {
    const isOpen = page.mergesSettings === OPEN;
    root.classList.toggle("open", isOpen);
    const parts = data.parts.flatMap(([text, key], at) => {
      const click = () => open(key);
      const attributes = { type: "button", "data-part": key, title: CHANGE, click };
      const more = at < data.parts.length - 1;
      // The separator is in the button, so that it ends a line and never begins one.
      const dot = make("span", "", { "aria-hidden": "true" }, more ? "\u00A0·" : "");
      return [make("button", "part", attributes, make("span", "words", {}, text), dot), more ? " " : ""];
    });
    root.replaceChildren(...(isOpen ? [fold] : parts));
  }

  /** @type {Controller<LineData>["update"]} */
  function update(next) {
    const before = JSON.stringify(data);
    data = next.data;
    if (data.opens && !opened) page.mergesSettings = OPEN;
    opened = data.opens;
    if (JSON.stringify(data) !== before || !root.childElementCount || data.opens) draw();
  }
  return { update };
}

/**
 * Open the menu of a control, or put the cursor into it, as soon as it is in sight.
 * @param {string} key
 * @param {number} since
 */
function openControl(key, since) {
  const control = document.querySelector(`.st-key-${key}`);
  const opener = OPENERS.map((selector) => control?.querySelector(selector)).find(
    (element) => element instanceof HTMLElement && element.checkVisibility(),
  );
  if (opener instanceof HTMLElement) {
    opener.focus();
    opener.scrollIntoView({ block: "nearest" });
    if (opener instanceof HTMLButtonElement && !opener.closest("[data-testid=stFileUploader]"))
      opener.click();
  } else if (performance.now() - since < LONGEST_WAIT) {
    requestAnimationFrame(() => openControl(key, since));
  }
}

export default mount(createLine);
