// The stage of the presenter view: a modal dialog that takes the view of a page in. So the browser itself keeps the focus, a
// pointer and a screen reader from everything else, also from what comes later. Of the view, only the parts that are
// presented can be seen; the rest keeps its place.

import { make } from "./dom.js";
import { groupNamed, hear } from "./groups.js";
import { adoptSheet, sheetText } from "./sheet.js";

const STAGE_SHEET = sheetText("./on_stage.css");
const WITHOUT_GROUP = ""; // holds a view on the stage without its group
const OVER_SLOT = "over"; // the slot of what is over the stage, but stays outside of the view's shadow root

/** A view, and the dialog that holds it now. @typedef {{view: HTMLElement, holders: Set<string>, gap: HTMLElement, dialog: HTMLDialogElement | null, tools: AbortController | null}} Stage */

/** @type {WeakMap<HTMLElement, Stage>} */
const STAGES = new WeakMap();
/** @type {Set<HTMLElement>} */
const OVER_STAGE = new Set(); // elements that are over the stage, whichever it is
/** @type {HTMLDialogElement | null} */
let openDialog = null;

/**
 * Let a view go onto the stage together with its groups, until the signal aborts. Call it before the parts of the view are
 * made: they must hear after it that the presenter view begins or ends.
 * @param {HTMLElement} view
 * @param {string[]} groups
 * @param {AbortSignal} signal
 */
export function takeToStage(view, groups, signal) {
  const stage = stageOf(view);
  for (const name of groups) {
    hear("present", name, signal, ({ on }) => {
      if (!on) stage.holders.delete(WITHOUT_GROUP); // what fills the window hears it after this
      setHolder(stage, name, on);
    });
    if (groupNamed(name).presenting) setHolder(stage, name, true);
  }
  signal.addEventListener("abort", () => {
    for (const name of stage.holders) setHolder(stage, name, false);
  });
}

/** Put an element into a view of its own, in its place on the page, and return that. @param {HTMLElement} root */
export function viewAround(root) {
  const view = make("div");
  root.replaceWith(view);
  view.append(root);
  return view;
}

/** Put the view that an element is in onto the stage without its group, or back. @param {HTMLElement} part @param {boolean} on */
export function takeAlone(part, on) {
  setHolder(stageAround(part) ?? stageOf(part), WITHOUT_GROUP, on);
}

/** Return the stage of a view. The first call makes it. @param {HTMLElement} view */
function stageOf(view) {
  const stage = STAGES.get(view) ?? {
    view,
    holders: new Set(),
    gap: make("div"),
    dialog: null,
    tools: null,
  };
  STAGES.set(view, stage);
  return stage;
}

/** @param {HTMLElement} part */
function stageAround(part) {
  for (let one = /** @type {Node | null} */ (part); one; one = outOf(one)) {
    const stage = STAGES.get(/** @type {HTMLElement} */ (one));
    if (stage) return stage;
  }
  return null;
}

/** @param {Node} node */
function outOf(node) {
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

/** @param {Stage} stage @param {string} holder @param {boolean} on */
function setHolder(stage, holder, on) {
  if (on) stage.holders.add(holder);
  else stage.holders.delete(holder);
  if (!stage.holders.size) leaveDialog(stage);
  else if (!stage.dialog && stage.view.isConnected) enterDialog(stage);
}

/** @param {Stage} stage */
function enterDialog(stage) {
  const { view, gap } = stage;
  const focused = focusedOnStage(view);
  const dialog = make("dialog", "on-stage", { "aria-label": "Presenter view", "data-testid": "on-stage" });
  dialog.autofocus = true; // and not a button of it
  dialog.setAttribute("closedby", "none"); // the keys of the stage decide
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  gap.style.height = `${view.offsetHeight}px`; // the page keeps its height
  view.replaceWith(gap);
  gap.after(dialog);
  const slot = make("slot");
  slot.name = OVER_SLOT;
  dialog.append(view, slot);
  adoptSheet(dialog, STAGE_SHEET);
  view.style.visibility = "hidden"; // but for its parts that are presented
  dialog.showModal();
  Object.assign(stage, { dialog, tools: hideTools() });
  openDialog = dialog;
  for (const element of OVER_STAGE) placeAbove(element);
  focused?.focus({ preventScroll: true });
}

/** @param {Stage} stage */
function leaveDialog(stage) {
  const { view, gap, dialog, tools } = stage;
  if (!dialog) return;
  const focused = focusedOnStage(view);
  stage.dialog = null;
  tools?.abort();
  if (openDialog === dialog) openDialog = null;
  for (const element of OVER_STAGE) if (dialog.contains(element)) placeAbove(element);
  dialog.close();
  gap.replaceWith(view);
  dialog.remove();
  view.style.visibility = "";
  focused?.focus({ preventScroll: true });
}

/** Return what has the focus of a view and of what is over the stage: a dialog that opens or closes takes it. @param {HTMLElement} view */
function focusedOnStage(view) {
  return [view, ...OVER_STAGE].map(focusedWithin).find((focused) => focused !== null);
}

/** Return the focused element within another, in whichever of its shadow roots; null if it is elsewhere. @param {HTMLElement} element */
export function focusedWithin(element) {
  const root = element.getRootNode();
  let active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  if (!active || !element.contains(active)) return null;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}

/**
 * Show a part of a view on the stage, above those that are there, or no longer.
 * @param {HTMLElement} root
 * @param {boolean} on
 */
export function setPresenting(root, on) {
  root.classList.toggle("presenting", on);
  if (on) root.setAttribute("popover", "manual");
  else root.removeAttribute("popover");
  root.style.visibility = on ? "var(--on-stage, visible)" : "";
  if (on && !root.isConnected) return queueMicrotask(() => raise(root)); // it may be on its way into the page
  if (on) root.showPopover?.();
}

/**
 * Bring an element to the top layer, if it has reached the page and is still part of the presenter view.
 * @param {HTMLElement} root
 */
function raise(root) {
  if (root.isConnected && root.classList.contains("presenting")) setPresenting(root, true);
}

// What is over the stage, and part of no view.

/**
 * Keep an element of ours over the stage, whichever that is, or no longer.
 * @param {HTMLElement} element
 * @param {boolean} on
 */
export function keepAbove(element, on) {
  element.popover = "manual";
  if (on) {
    OVER_STAGE.add(element);
    placeAbove(element);
  } else {
    OVER_STAGE.delete(element);
    element.remove();
  }
}

/** @param {HTMLElement} element */
function placeAbove(element) {
  const focused = focusedWithin(element);
  (openDialog ?? document.body).append(element);
  element.showPopover?.();
  focused?.focus({ preventScroll: true });
}

/**
 * Bring a menu of the page over the stage, as long as it is open. It stays an element of the page, with the page's styles.
 * @param {HTMLElement} menu
 * @param {HTMLElement} holder  goes with it; may be moved
 */
export function raiseMenu(menu, holder) {
  const root = openDialog?.getRootNode();
  if (root instanceof ShadowRoot) {
    holder.slot = OVER_SLOT;
    root.host.append(holder);
  }
  menu.setAttribute("popover", "manual");
  menu.showPopover?.();
}

// What is for a mouse only comes with the pointer and leaves after a moment, as in a video: buttons, transport, counters.
// tools.css reads the properties, which shadow roots inherit.

const HIDDEN_TOOLS = { "--stage-tools": "0", "--stage-pointer": "none" }; // opacity, and whether a pointer finds them
const TOOLS_STAY = 2000; // ms after the last movement of the pointer

/** Hide the tools of the presenter view until the pointer moves. Return what shows them for good. */
function hideTools() {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const { style } = document.documentElement;
  /** @type {import("./dom.js").Timer} */
  let leaving;
  const hide = () => {
    for (const [name, value] of Object.entries(HIDDEN_TOOLS)) style.setProperty(name, value);
  };
  const show = () => {
    for (const name of Object.keys(HIDDEN_TOOLS)) style.removeProperty(name);
  };
  const wake = () => {
    clearTimeout(leaving);
    show();
    leaving = setTimeout(hide, TOOLS_STAY);
  };
  for (const kind of ["pointermove", "pointerdown"]) {
    window.addEventListener(kind, wake, { signal, passive: true, capture: true });
  }
  signal.addEventListener("abort", () => {
    clearTimeout(leaving);
    show();
  });
  hide();
  return lifetime;
}

const UPRIGHT_PHONE = "(max-width: 700px) and (orientation: portrait)"; // as in presenting.css
const BELOW_TEXT = { "--stage-top": "31dvh", "--stage-width": "100vw", "--silent-room": "0" };

/**
 * Place the stages of the presenter view: below a text and as wide as the window, or beside it.
 * @param {boolean} below
 */
export function placeStage(below) {
  const { style } = document.documentElement;
  const moves = below && !matchMedia(UPRIGHT_PHONE).matches;
  for (const [name, value] of Object.entries(BELOW_TEXT)) {
    if (moves) style.setProperty(name, value);
    else style.removeProperty(name);
  }
}
