// Listens for the choices and the page's field: names their parts, opens the field and folds it, and takes what is pasted
// or dropped anywhere on the page.

/** @import {Component, Controller} from "../../film/browser/shared/mount.js" */
/** @import {ChipLabel} from "../../film/browser/shared/feed_types.js" */

import { chipText } from "../../film/browser/shared/chip.js";
import { hasModifier, make } from "../../film/browser/shared/dom.js";
import { formatNumber } from "../../film/browser/shared/numbers.js";
import { fieldOf, pageField } from "../../film/browser/shared/page_field.js";
import { keepPageKeys, menuButton } from "../../film/browser/token_grid/page_keys.js";
import { createTyping } from "../../film/browser/token_grid/typing.js";
import { isAnyPresenting } from "../../film/browser/shared/groups.js";
import { mount } from "../../film/browser/shared/mount.js";
import { raiseMenu } from "../../film/browser/shared/on_stage.js";

/**
 * What Python sends.
 * @typedef {object} RowData
 * @property {string} row  key of the container
 * @property {string} training  key of the field for the training text
 * @property {boolean} trains  whether this is the page's field
 * @property {string} dropped  beginning of the key of the uploader for dropped files
 * @property {Record<string, string>} buttons  {key of a button: its name for tests}
 * @property {string} source  of the text that is shown
 * @property {boolean} typed  whether the text is typed into the field
 * @property {number} most  bytes of the files that may be dropped at once
 * @property {Reads | null} reads  how a published tokenizer reads the text while the field is on stage
 */

/** @typedef {{name: string, text: string, tokens: ChipLabel[], count: number}} Reads */

const SENT_AFTER = 50; // ms after which Streamlit knows the text of the field
const EDITABLE = "input, textarea, select, [contenteditable=true]";
const DROPZONE = "[data-testid=stFileUploader]"; // Streamlit takes what is dropped there
const MENU_BODY = "[data-testid=stPopoverBody]";
/** Where Floating UI, of which Streamlit makes its menus, puts one; it goes with the menu, wherever it is. */
const MENU_HOLDER = "[data-floating-ui-portal]";
const OPENED = "[data-testid^=choice-][aria-expanded=true]"; // the button of the open menu
const LONGEST_OPENING = 1_000; // ms that a menu takes to open
const PAGE = "[data-testid=stMain]"; // stays when another page comes; the row may stay, too, while the field is another one
const LINE_FIELD = ".st-key-page_field .stTextInput input"; // the page's own field, if that is for a word
const LINE = "[class*=st-key-merges_from] details"; // opens to the row
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
  const page = document.querySelector(PAGE);
  if (page) observer.observe(page, { childList: true, subtree: true });
  const curtain = make("div", "merges-drop", { role: "status" });
  const reads = make("p", "reads", { "data-testid": "stage-reads", hidden: true });
  let shown = ""; // in the field on stage
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hiding;

  document.addEventListener("keydown", leave, { signal });
  keepPageKeys(); // before its own keys: what is typed for the field over the stage opens no menu
  window.addEventListener("keydown", followOnStage, { capture: true, signal });
  document.addEventListener("paste", paste, { signal });
  document.addEventListener("dragover", show, { signal });
  document.addEventListener("dragleave", dragOut, { signal });
  document.addEventListener("drop", drop, { signal });

  /** Return the field that the page is about. @returns {HTMLTextAreaElement | HTMLInputElement | null} */
  const field = () => pageField()?.area ?? document.querySelector(LINE_FIELD);

  createTyping(
    {
      field: () => pageField()?.area ?? null,
      about: () => pageField()?.says ?? null,
      opens: () => component.setTriggerValue("stage", "opens"),
      sends: () => pageField()?.send(),
      closes: bringBack,
      shows(text) {
        shown = text;
        drawReads();
      },
      beside: reads,
    },
    signal,
  );

  /** Bring the text back that was there before the stage. @param {boolean} isChanged @param {string} text */
  function bringBack(isChanged, text) {
    if (isChanged) pageField()?.put(text);
    // A sample or a file comes back, too. The server forgets what it has remembered.
    component.setTriggerValue("stage", isChanged ? "closes" : "stays");
  }

  // It says nothing of a text that the server has not read.
  function drawReads() {
    reads.hidden = !data.reads;
    if (!data.reads) return;
    const { name: who, text, tokens, count } = data.reads;
    const chips = tokens.map((label) => make("span", "token", { dir: "auto" }, chipText(label)));
    const more = count > tokens.length ? ["…"] : [];
    const said = [...chips, ...more, `, ${formatNumber(count)} ${count === 1 ? "token" : "tokens"}`];
    reads.replaceChildren(`${who}: `, ...(text === shown ? said : ["…"]));
  }

  // Streamlit gives its elements no names of ours, and draws them again when they change.
  function name() {
    const row = rowOfPage();
    if (!row) return;
    set(row, "choices");
    set(document.querySelector(LINE_FIELD), "page-text");
    set(document.querySelector(`${LINE} > summary`), "merges-from");
    for (const [key, id] of Object.entries(data.buttons)) {
      set(document.querySelector(`.st-key-${key} .stPopover button`), id); // Compare's is beside the title
    }
  }

  // While another page comes, the row of the page before is still there. The line opens to the row of this one.
  const rowOfPage = () =>
    document.querySelector(`${LINE} .st-key-${data.row}`) ?? document.querySelector(`.st-key-${data.row}`);

  /** @param {Element | null} element @param {string} id */
  function set(element, id) {
    if (element && element.getAttribute("data-testid") !== id) element.setAttribute("data-testid", id);
  }

  // Folds the line that the row is in.
  /** @param {KeyboardEvent} event */
  function leave({ key, target, isComposing }) {
    if (key !== "Escape" || isComposing || !(target instanceof HTMLElement)) return;
    const line = target.closest(LINE);
    const summary = line?.querySelector("summary");
    if (!(line instanceof HTMLDetailsElement) || !line.open || !summary || document.querySelector(MENU_BODY))
      return;
    summary.focus();
    summary.click();
  }

  // In the presenter view the row of choices is out of sight: a key opens each menu over it, and Escape closes it.
  /** @param {KeyboardEvent} event */
  function followOnStage(event) {
    if (!isAnyPresenting() || hasModifier(event)) return;
    const isTyping = event
      .composedPath()
      .some((one) => one instanceof Element && one.matches(`${EDITABLE}, ${MENU_BODY}`));
    const closes = event.key === "Escape" && document.querySelector(MENU_BODY);
    const opens = isTyping ? null : menuButton(event.key);
    const button = closes ? document.querySelector(OPENED) : opens;
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // R is Streamlit's key too, and Escape would end the view
    const line = button.closest("details");
    if (line && !line.open) line.querySelector("summary")?.click();
    button.click();
    if (!closes) raiseOpened(performance.now() + LONGEST_OPENING);
  }

  /** Put the menu above the presenter view as soon as it is there. @param {number} until */
  function raiseOpened(until) {
    const menu = document.querySelector(MENU_BODY);
    if (menu instanceof HTMLElement) raiseMenu(menu, menu.closest(MENU_HOLDER) ?? menu);
    else if (performance.now() < until) requestAnimationFrame(() => raiseOpened(until));
  }

  /** @param {ClipboardEvent} event */
  function paste(event) {
    const into = event.composedPath()[0];
    const text = event.clipboardData?.getData("text/plain");
    const area = field();
    if (!text || !area || event.defaultPrevented) return;
    if (into instanceof Element && into.closest(EDITABLE)) return;
    event.preventDefault();
    typeInto(area, text);
  }

  /** @param {HTMLTextAreaElement | HTMLInputElement} area @param {string} text */
  function typeInto(area, text) {
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
    component = next;
    data = next.data;
    name();
    drawReads();
    // Whoever chooses to type, in the menu, has the cursor in the field at once; whoever types there may have left it.
    const isChosen = source !== data.source && document.querySelector(MENU_BODY);
    if (data.typed && isChosen) setTimeout(() => fieldOf(data.training)?.area.focus(), SENT_AFTER);
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
