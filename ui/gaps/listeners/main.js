// What listens on every page. `__init__.py` has what Streamlit lacks, and when each listener can go.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";
import { saveFiles } from "./downloads.js";
import { keepHistory } from "./page_history.js";
import { closeMenu } from "./phone_menu.js";
import { followPopovers } from "./popover_focus.js";
import { holdUploads } from "./popover_uploads.js";
import { fitOnPaper } from "./printed_parts.js";
import { typedFirst } from "./typed_first.js";

/** @type {Record<string, (signal: AbortSignal) => void>} */
const LISTENERS = {
  notePointer,
  closeMenu,
  followPopovers,
  holdUploads,
  fitOnPaper,
  nameNoPage,
  colourMenus,
  noteCookies,
  directTexts,
  typedFirst,
  answerTyping,
  openPages,
};

/**
 * Note on the page whether the focus was last moved by a pointer. page.css then draws nothing.
 * @param {AbortSignal} signal
 */
function notePointer(signal) {
  const { dataset } = document.documentElement;
  /** @param {PointerEvent | KeyboardEvent} event */
  function note(event) {
    if (event instanceof PointerEvent) dataset.mergesPointer = "";
    else if (event.key === "Tab") delete dataset.mergesPointer;
  }
  document.addEventListener("pointerdown", note, { capture: true, signal });
  document.addEventListener("keydown", note, { capture: true, signal });
}

// A request for a script or a picture says by default which page asks for it.
function nameNoPage() {
  if (document.querySelector("meta[name=referrer]")) return;
  document.head.append(
    Object.assign(document.createElement("meta"), { name: "referrer", content: "no-referrer" }),
  );
}

// Menus are outside of the part of the page that has its colour scheme.
/** @param {AbortSignal} signal */
function colourMenus(signal) {
  const app = document.querySelector("[data-testid=stApp]");
  if (!app) return;
  const colour = () => {
    document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
  };
  const observer = new MutationObserver(colour);
  observer.observe(app, { attributeFilter: ["class"] });
  signal.addEventListener("abort", () => observer.disconnect());
  colour();
}

// Streamlit takes a file only with its cookie. Where the browser blocks it, `page.css` says so at every field for files.
function noteCookies() {
  const isThere = document.cookie.includes("_streamlit_xsrf");
  document.documentElement.toggleAttribute("data-merges-no-cookies", !isThere);
}

// Streamlit's fields run from left to right, whatever is typed.
/** @param {AbortSignal} signal */
function directTexts(signal) {
  const direct = () => {
    for (const field of document.querySelectorAll(":is(textarea, input[type=text]):not([dir])"))
      field.setAttribute("dir", "auto");
  };
  const observer = new MutationObserver(direct);
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  direct();
}

const ANSWERS = ".st-key-glossary_find input"; // the field that finds a term
const ANSWERED_AFTER = 400; // ms after the last key

// Enter, which sends what is typed, is pressed for whoever has stopped typing.
/** @param {AbortSignal} signal */
function answerTyping(signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let sending;
  const type = (/** @type {Event} */ event) => {
    const { target } = event;
    if (event instanceof InputEvent && event.isComposing) return;
    if (!(target instanceof HTMLInputElement) || !target.matches(ANSWERS)) return;
    clearTimeout(sending);
    const press = () => target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    sending = setTimeout(press, ANSWERED_AFTER);
  };
  document.addEventListener("input", type, { signal });
  document.addEventListener("compositionstart", () => clearTimeout(sending), { signal });
  document.addEventListener("compositionend", type, { signal });
}

// Streamlit opens each link of a sentence in a new tab. One to a page of the app does what the same link of the menu does.
/** @param {AbortSignal} signal */
function openPages(signal) {
  document.addEventListener(
    "click",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
      const link = event.target.closest(".stMarkdown a[target=_blank]");
      if (!(link instanceof HTMLAnchorElement)) return;
      /** @type {NodeListOf<HTMLAnchorElement>} */
      const menu = document.querySelectorAll(
        "a:is([data-testid=stTopNavLink], [data-testid=stSidebarNavLink])",
      );
      const same = [...menu].find(({ href }) => href === link.href);
      if (!same) return;
      event.preventDefault();
      same.click();
    },
    { signal },
  );
}

/**
 * What Python sends.
 * @typedef {object} ListenersData
 * @property {string[]} names
 * @property {string[]} naming  the pages whose addresses name every sample
 * @property {boolean} asks  whether Python waits until the history is kept
 * @property {string} files  the address of the files that the visit can save, below that of the app
 */

/** @param {Component<ListenersData>} component @returns {Controller<ListenersData>} */
function createListeners({ data }) {
  const lifetime = new AbortController();
  keepHistory(data.naming);
  for (const name of data.names) LISTENERS[name](lifetime.signal);
  let answered = false;
  let { files } = data;
  saveFiles(lifetime.signal, () => files);
  return {
    update({ data: { asks, ...latest }, setTriggerValue }) {
      ({ files } = latest);
      if (asks && !answered) setTriggerValue("kept", true);
      answered = asks;
    },
    remove: () => lifetime.abort(),
  };
}

export default mount(createListeners);
