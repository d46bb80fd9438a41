// Listens for the row of choices: names its parts, puts the cursor into the field and out of it, and takes what is
// pasted or dropped anywhere on the page.

/** @import {Component, Controller} from "../../film/browser/shared/mount.js" */

import { make } from "../../film/browser/shared/dom.js";
import { mount } from "../../film/browser/shared/mount.js";

/**
 * What Python sends.
 * @typedef {object} RowData
 * @property {string} row  key of the container
 * @property {string} field  key of the field
 * @property {string} dropped  beginning of the key of the uploader for dropped files
 * @property {Record<string, string>} buttons  {key of a button: its name for tests}
 * @property {string} source  of the text that is shown
 * @property {boolean} typed  whether the text is typed into the field
 * @property {number} most  bytes of the files that may be dropped at once
 */

const SENT_AFTER = 50; // ms after which Streamlit knows the text of the field
const EDITABLE = "input, textarea, select, [contenteditable=true]";
const DROPZONE = "[data-testid=stFileUploader]"; // Streamlit takes what is dropped there
const MENU = "[data-testid=stPopoverBody]";
const HINT = "Drop the file to open it: a text, a tokenizer or a share file.";
const NO_COOKIES =
  "Your browser blocks cookies for this page, so it cannot open files. Allow them, or paste the text.";
const LONGEST_HINT = 6_000; // ms that a sentence about a file stays

/** @param {Component<RowData>} component @returns {Controller<RowData>} */
function createRow(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  let source = data.source;
  const observer = new MutationObserver(name);
  const curtain = make("div", "merges-drop", { role: "status" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hiding;

  document.addEventListener("keydown", leave, { signal });
  document.addEventListener("paste", paste, { signal });
  document.addEventListener("dragover", show, { signal });
  document.addEventListener("dragleave", dragOut, { signal });
  document.addEventListener("drop", drop, { signal });

  /** @returns {HTMLTextAreaElement | null} */
  const field = () => document.querySelector(`.st-key-${data.field} textarea`);

  // Streamlit gives its elements no names of ours, and draws them again when they change.
  function name() {
    const row = document.querySelector(`.st-key-${data.row}`);
    if (!row) return;
    set(row, "choices");
    set(field(), "your-text");
    for (const [key, id] of Object.entries(data.buttons)) {
      set(document.querySelector(`.st-key-${key} .stPopover button`), id); // Compare's is beside the title
    }
  }

  /** @param {Element | null} element @param {string} id */
  function set(element, id) {
    if (element && element.getAttribute("data-testid") !== id) element.setAttribute("data-testid", id);
  }

  // Leaves the field, so that Space plays and arrow keys step.
  /** @param {KeyboardEvent} event */
  function leave({ key, target, isComposing }) {
    const area = field();
    if (key === "Escape" && !isComposing && target === area) area?.blur();
  }

  /** @param {ClipboardEvent} event */
  function paste(event) {
    const into = event.composedPath()[0];
    const text = event.clipboardData?.getData("text/plain");
    const area = field();
    if (!text || !area || event.defaultPrevented) return;
    if (into instanceof Element && into.closest(EDITABLE)) return;
    event.preventDefault();
    area.focus();
    area.select();
    document.execCommand("insertText", false, text); // as the viewer does it: it can be undone, and is stored
    setTimeout(() => area.blur(), SENT_AFTER); // this sends the text, and Space plays it
  }

  /** @param {DragEvent} event */
  function holdsFiles({ dataTransfer, target }) {
    const isElsewhere = target instanceof Element && target.closest(DROPZONE);
    return !isElsewhere && Boolean(dataTransfer?.types.includes("Files"));
  }

  /** @param {DragEvent} event */
  function show(event) {
    if (!holdsFiles(event)) return hide();
    event.preventDefault();
    say(HINT);
  }

  /** @param {DragEvent} event */
  function dragOut({ relatedTarget }) {
    if (!relatedTarget) hide();
  }

  /** @param {DragEvent} event */
  function drop(event) {
    if (!holdsFiles(event)) return hide();
    event.preventDefault();
    if (document.documentElement.hasAttribute("data-merges-no-cookies")) {
      say(NO_COOKIES);
      hiding = setTimeout(hide, LONGEST_HINT);
      return;
    }
    const files = [...(event.dataTransfer?.files ?? [])];
    const input = document.querySelector(`[class*=st-key-${data.dropped}] input[type=file]`);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    hide();
    if (!(input instanceof HTMLInputElement) || !files.length) return;
    if (size > data.most) {
      const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(0);
      say(`${files[0].name} is ${megabytes(size)} MB. At most ${megabytes(data.most)} MB can be opened.`);
      hiding = setTimeout(hide, LONGEST_HINT);
      return;
    }
    const transfer = new DataTransfer();
    files.forEach((file) => transfer.items.add(file));
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {string} sentence */
  function say(sentence) {
    clearTimeout(hiding);
    if (curtain.textContent !== sentence) curtain.textContent = sentence;
    if (!curtain.isConnected) document.body.append(curtain);
  }

  function hide() {
    clearTimeout(hiding);
    curtain.remove();
  }

  /** @type {Controller<RowData>["update"]} */
  function update(next) {
    data = next.data;
    name();
    const row = document.querySelector(`.st-key-${data.row}`);
    if (row) observer.observe(row, { childList: true, subtree: true });
    // Whoever chooses to type, in the menu, has the cursor in the field at once; whoever types there may have left it.
    const isChosen = source !== data.source && document.querySelector(MENU);
    if (data.typed && isChosen) setTimeout(() => field()?.focus(), SENT_AFTER);
    source = data.source;
  }

  function remove() {
    observer.disconnect();
    lifetime.abort();
    hide();
  }
  return { update, remove };
}

export default mount(createRow);
