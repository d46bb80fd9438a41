// Presenter view: grid, sentence and pair table fill the screen, in the browser's top layer, so no part of the page can
// cover them. The black-out covers everything; a second press removes it. A reload comes back to the view.

/** @import {Timer} from "../shared/dom.js" */
/** @import {Group} from "../shared/groups.js" */
/** @import {Grid} from "./types.js" */

import { make, makeButton } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { firstOnPage, hear, isAnyPresenting, say, talk, typing } from "../shared/groups.js";
import { leadsGroup } from "../player/lanes.js";
import { keepPageKeys, beginPresentation, endPresentation, storedPosition } from "./page_keys.js";
import { fillSlot } from "./transport.js";

// Buttons in the upper right corner of the presenter view: leave it, list the keys, and after a detour go back to the talk.
// They show for a moment when the pointer moves. On a touch screen the first one always shows: there is no key that leads out.

const AWAKE = 3000; // ms
const TOUCH = "(hover: none), (pointer: coarse)";

/**
 * Make the buttons. The grid that leads its group may be another one at every movement.
 * @param {() => boolean} isWanted  whether this grid leads a group in the presenter view
 * @param {() => void} leave
 * @param {() => void} help
 * @param {AbortSignal} signal
 */
export function createCorner(isWanted, leave, help, signal) {
  const back = makeButton("", "corner-return", () => talk()?.back?.act());
  back.className = "way-back";
  const element = make(
    "div",
    "corner",
    { popover: "manual", hidden: true, "data-testid": "corner" },
    back,
    cornerButton("Keys", "?", "corner-keys", help),
    cornerButton("Leave the presenter view", "✕", "corner-leave", leave),
  );
  /** @type {Timer} */
  let timer;

  function wake() {
    draw();
    if (element.hidden) return;
    if (!element.classList.contains("awake")) raise();
    element.classList.add("awake");
    clearTimeout(timer);
    if (!always()) timer = setTimeout(() => element.classList.remove("awake"), AWAKE);
  }

  const always = () => matchMedia(TOUCH).matches;

  // The last popover to be shown is on top.
  function raise() {
    element.hidePopover?.();
    element.showPopover?.();
  }

  function draw() {
    const wanted = isWanted();
    const way = talk()?.back;
    back.textContent = way?.name ?? "";
    back.hidden = !way;
    if (wanted !== element.hidden) return;
    element.hidden = !wanted;
    if (wanted && always()) wake();
    if (wanted) return;
    clearTimeout(timer);
    element.classList.remove("awake");
    element.hidePopover?.();
  }

  for (const kind of ["pointermove", "pointerdown"]) {
    window.addEventListener(kind, wake, { signal, passive: true });
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  return { element, draw };
}

/**
 * @param {string} name  for screen readers
 * @param {string} sign
 * @param {string} testid
 * @param {() => void} act
 */
function cornerButton(name, sign, testid, act) {
  const attributes = { type: "button", title: name, "aria-label": name, "data-testid": testid, click: act };
  return make("button", "", attributes, make("span", "", { "aria-hidden": "true" }, sign));
}

const BESIDE_TABLE = 66; // percent of the window that the grids take beside a pair table
const NEXT_LANE = 3000; // ms to wait for a new lane after the last one of a group is removed

/** Make the black-out. */
export function createBlackOut() {
  const element = make("div", "black", { hidden: true, popover: "manual", "data-testid": "black-out" });

  function turn(wanted = element.hidden) {
    if (wanted === !element.hidden) return;
    element.hidden = !wanted;
    if (wanted) element.showPopover?.(); // above all other parts of the view
    else element.hidePopover?.();
  }

  return { element, turn, isBlack: () => !element.hidden };
}

/** Ask a group to enter or leave the presenter view. @param {string} group @param {boolean} wanted */
export function askToPresent(group, wanted) {
  if (!wanted && typing()?.isOpen()) return typing()?.close();
  if (wanted) beginPresentation();
  else endPresentation();
  say("present", { group, on: wanted });
  if (wanted) enterFullscreen();
  else leaveFullscreen();
}

/** Begin a presentation with what the next page shows. Call it in the press that leads there. */
export function presentNextPage() {
  beginPresentation();
  enterFullscreen();
}

// If full screen is refused, the view fills the window.
function enterFullscreen() {
  // A browser allows it after a press only, and complains in its console about other requests.
  const pressed = navigator.userActivation?.isActive ?? true;
  if (pressed) document.documentElement.requestFullscreen?.().catch(() => undefined);
}

/** Make the presenter view of a grid. @param {Grid} grid @param {AbortSignal} signal */
export function createPresenter(grid, signal) {
  const black = createBlackOut();
  const corner = createCorner(
    () => on && leadsGroup(grid) && !typing()?.isOpen(),
    () => set(false),
    () => grid.panels.help.toggle(),
    signal,
  );
  let on = false;

  // A stage fills the window with all its lanes. Lanes without one are side by side, and leave room for a pair table or
  // a lesson's card.
  function fillWindow() {
    const alone = on && !grid.group.stage;
    setPresenting(grid.root, alone);
    takeRoom();
    if (grid.group.stage) return;
    if (on) grid.root.append(...grid.elements.controls, ...grid.elements.above);
    else fillSlot(grid);
  }

  function takeRoom() {
    const alone = on && !grid.group.stage;
    const { index = 0, of: lanes = 1 } = grid.lane ?? {};
    const room = grid.group.tables.size ? BESIDE_TABLE : 100;
    const { style } = grid.root;
    grid.root.classList.toggle("beside", alone && room < 100);
    style.left = alone ? `${(index * room) / lanes}vw` : "";
    style.width = alone ? `calc(var(--stage-width, ${room}vw) / ${lanes})` : "";
  }

  // The stage of several lanes comes and goes with a lesson's beats, also during a presentation.
  function followStage() {
    const alone = on && !grid.group.stage;
    if (on && alone !== grid.root.classList.contains("presenting")) fillWindow();
  }

  /** @param {boolean} wanted */
  const set = (wanted) => askToPresent(grid.group.name, wanted);

  /** Enter or leave the presenter view, as the group does. @param {boolean} wanted */
  function follow(wanted) {
    grid.group.presenting = wanted;
    if (wanted === on) return takeRoom(); // a table or a card may have joined
    on = wanted;
    black.turn(false);
    fillWindow();
    const leads = leadsGroup(grid);
    corner.draw();
    if (leads) setBeats();
    grid.relayout();
    if (on && leads && !typing()?.isOpen()) grid.elements.viewport.focus({ preventScroll: true });
  }

  function setBeats() {
    const waits = on && !grid.playhead.film;
    grid.playhead.setBeatwise(waits || grid.data.beatwise || grid.playhead.predicting);
  }

  /** Begin or end predicting the merges. @param {boolean} wanted */
  function setPredicting(wanted) {
    grid.playhead.predicting = wanted;
    setBeats();
  }

  /**
   * Choose between a film and waiting at every beat. A lesson always waits.
   * @param {boolean} [film]  by default the other one
   */
  function setFilm(film = !grid.playhead.film) {
    if (grid.group.next || !on) return;
    grid.playhead.film = film;
    setBeats();
  }

  // Continues a presentation after a reload, or on another page.
  function resume() {
    const position = storedPosition();
    if (!position || isAnyPresenting()) return;
    const { group, playhead } = grid;
    playhead.film = position.film === true;
    say("present", { group: group.name, on: true });
    const { beat = "guess" } = position;
    if (position.group === group.name && position.step === playhead.step) playhead.resume(beat);
  }

  function leaveWithFullscreen() {
    if (typing()?.isOpen()) return; // it closes, and the stage below stays
    if (!document.fullscreenElement && on && leadsGroup(grid)) set(false);
  }

  hear("present", grid.group.name, signal, (detail) => follow(detail.on));
  document.addEventListener("fullscreenchange", leaveWithFullscreen, { signal });
  keepPageKeys();

  return {
    elements: [black.element, corner.element],
    toggle: () => set(!on),
    leave: () => set(false),
    resume,
    follow,
    followStage,
    setFilm,
    setPredicting,
    blackOut: black.turn,
    isOn: () => on,
    isBlack: black.isBlack,
  };
}

function leaveFullscreen() {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}

/** Stop a group whose last lane was removed, unless a new lane follows within a moment. @param {Group} group */
export function leaveGroup(group) {
  group.playhead?.pause();
  setTimeout(() => {
    if (group.lanes.size || !group.presenting) return;
    if (group.tables.size) return leaveGroup(group); // a lesson's card waits for its grid
    say("present", { group: group.name, on: false });
    group.presenting = false;
    if (isAnyPresenting()) return; // another page of the app has continued the presentation
    // Or its grid was drawn while this one was still on the page.
    const goesOn = storedPosition() !== null;
    const next = goesOn ? firstOnPage() : undefined;
    if (next) say("present", { group: next.name, on: true });
    else if (!goesOn) leaveFullscreen(); // a page without a grid is on the wall, too
  }, NEXT_LANE);
}
