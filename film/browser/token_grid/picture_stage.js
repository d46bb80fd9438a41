// The presenter view of a page without grids: one picture of it fills the window, with the keys and the corner that the
// presenter view of a grid has.

import { largestSize, make } from "../shared/dom.js";
import { groupNamed, hasLanes, hear, isAnyPresenting, say, talk, typing } from "../shared/groups.js";
import { keepAbove, setPresenting, takeToStage } from "../shared/on_stage.js";
import { adoptSheet, sheetText } from "../shared/sheet.js";
import { actionOf, isPress, isTaken } from "./keys.js";
import { keepPageKeys, menuKeys, openPage, pageNames, storedPosition } from "./page_keys.js";
import { createKeyList, keyElements, keyRows } from "./panels.js";
import { askToPresent, createBlackOut, createCorner } from "./presenter.js";

const TOOLS_SHEET = sheetText("./picture_stage.css");
const LEAST_LARGER = 0.75; // times the size on a page
const MOST_LARGER = 8;

/**
 * What a page presents.
 * @typedef {object} Picture
 * @property {HTMLElement} view  goes onto the stage
 * @property {HTMLElement} root  of it, which fills the window
 * @property {string} group  a name of no other group
 * @property {(presents: boolean) => void} [fit]  makes what the root holds as large as it can be
 * @property {(by: 1 | -1) => void} [turn]  shows the next picture, or the one before
 * @property {string} [turns]  what that is, for the list of keys
 */

/**
 * Let P present a picture, until the signal aborts. A presentation that another page has begun goes on with it.
 * @param {Picture} picture
 * @param {AbortSignal} signal
 */
export function createPictureStage({ view, root, group: name, fit, turn, turns = "" }, signal) {
  const group = groupNamed(name);
  const black = createBlackOut();
  const help = createKeyList(root, (list) => list.replaceChildren(...keyElements(keysOfPicture(turns))));
  const isShown = () => group.presenting && !typing()?.isOpen();
  const corner = createCorner(isShown, () => askToPresent(name, false), help.toggle, signal);
  const tools = make("div", "picture-tools");
  const box = make("div", "grid", {}, help.element, corner.element, black.element);
  tools.attachShadow({ mode: "open" }).append(box);

  /** @param {boolean} on */
  function follow(on) {
    group.presenting = on;
    black.turn(false);
    help.toggle(false);
    root.style.setProperty("--stage-width", "100vw");
    root.style.setProperty("--stage-height", "calc(100dvh - var(--stage-top, 0px))");
    setPresenting(root, on);
    keepAbove(tools, on);
    if (on) adoptSheet(box, TOOLS_SHEET);
    fit?.(on);
    corner.draw();
    if (!on || typing()?.isOpen()) return;
    root.tabIndex = -1;
    root.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  function listen(event) {
    if (hasLanes() || isTaken(event)) return;
    const action = actionOf(event, { presenting: group.presenting, lesson: true, film: false });
    const acts = group.presenting ? act[action ?? ""] : action === "present" ? act.present : null;
    if (!acts || isPress(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (black.isBlack()) black.turn(); // whatever the key, as on the stage of a grid
    else acts(event.key);
  }

  /** @type {Record<string, (key: string) => void>} */
  const act = {
    present: () => askToPresent(name, !group.presenting),
    black: () => black.turn(),
    help: () => help.toggle(),
    close: () => (help.isOpen() ? help.toggle(false) : askToPresent(name, false)),
    page: (key) => openPage(Number(key)),
    next: () => turn?.(1),
    previous: () => turn?.(-1),
  };

  function leaveWithFullscreen() {
    if (!document.fullscreenElement && isShown()) askToPresent(name, false);
  }

  group.picture = root;
  takeToStage(view, [name], signal);
  hear("present", name, signal, ({ on }) => follow(on));
  keepPageKeys(); // before the keys of the stage: what is typed for the field over it
  window.addEventListener("keydown", listen, { capture: true, signal });
  window.addEventListener("resize", () => group.presenting && fit?.(true), { signal });
  document.addEventListener("fullscreenchange", leaveWithFullscreen, { signal });
  signal.addEventListener("abort", () => {
    keepAbove(tools, false);
    if (group.picture !== root) return;
    group.presenting = false;
    delete group.picture;
  });

  /** Go on with a presentation of this tab. Call it when the picture is drawn. */
  function resume() {
    if (group.presenting) fit?.(true);
    else if (storedPosition() && !isAnyPresenting()) say("present", { group: name, on: true });
  }

  return { resume, isOn: () => group.presenting };
}

/** Return the rows of the list of keys: those of a grid's stage, from the field on. @param {string} turns */
function keysOfPicture(turns) {
  const menus = menuKeys();
  const view = { presenting: true, lesson: true, film: false, types: true, menus, talks: talk() !== null };
  const shared = keyRows({ ...view, away: Boolean(talk()?.back) }, pageNames());
  const own = shared.slice(shared.findIndex(([keys]) => keys === "T"));
  return turns ? [/** @type {[string, string]} */ (["Space → ←", turns]), ...own] : own;
}

/**
 * Enlarge what a root holds until it fills the root, or bring it back to its size.
 * @param {HTMLElement} root
 * @param {HTMLElement} content  its only child
 * @param {boolean} on
 */
export function enlarge(root, content, on) {
  const { style } = content;
  style.zoom = "";
  if (!on) return;
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(root);
  const width = root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const height = root.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  const size = largestSize(
    LEAST_LARGER,
    MOST_LARGER,
    (times) => {
      style.zoom = String(times);
      const box = content.getBoundingClientRect();
      return box.width <= width && box.height <= height;
    },
    0.02,
  );
  style.zoom = String(size);
}
