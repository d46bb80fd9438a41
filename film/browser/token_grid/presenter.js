// Presenter view: grid, sentence and pair table fill the screen, in the browser's top layer, so no part of the page can
// cover them. The black-out covers everything; a second press removes it.

/** @import {Group} from "../shared/groups.js" */
/** @import {Grid} from "./types.js" */

import { make, setPresenting } from "../shared/dom.js";
import { hear, say } from "../shared/groups.js";
import { leadsGroup } from "./lanes.js";
import { fillSlot } from "./transport.js";

const BESIDE_TABLE = 66; // percent of the window that a single grid takes beside a pair table
const NEXT_LANE = 3000; // ms to wait for a new lane after the last one of a group is removed

/**
 * Make the presenter view of a grid.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createPresenter(grid, signal) {
  const black = make("div", "black", { hidden: true, "data-testid": "black-out" });
  let on = false;

  // Lanes are side by side; a single grid leaves room for the pair table.
  function standBeside() {
    const { index = 0, of: lanes = 1 } = grid.lane ?? {};
    const room = lanes === 1 && grid.group.tables.size ? BESIDE_TABLE : 100;
    const { style } = grid.root;
    style.left = on ? `${(index * room) / lanes}vw` : "";
    style.width = on ? `${room / lanes}vw` : "";
  }

  /**
   * Ask the whole group to enter or leave the presenter view.
   * @param {boolean} wanted
   */
  function set(wanted) {
    say("present", { group: grid.group.name, on: wanted });
    // If full screen is refused, the view fills the window.
    if (wanted) document.documentElement.requestFullscreen?.().catch(() => undefined);
    else leaveFullscreen();
  }

  /**
   * Enter or leave the presenter view, as the group does.
   * @param {boolean} wanted
   */
  function follow(wanted) {
    grid.group.presenting = wanted;
    if (wanted === on) return;
    on = wanted;
    black.hidden = true;
    setPresenting(grid.root, on);
    standBeside();
    if (on) grid.root.append(...grid.elements.controls, ...grid.elements.above);
    else fillSlot(grid);
    if (leadsGroup(grid)) grid.playhead.setBeatwise(on || grid.data.beatwise);
    grid.relayout();
    if (on && leadsGroup(grid)) grid.elements.viewport.focus({ preventScroll: true });
  }

  function leaveWithFullscreen() {
    if (!document.fullscreenElement && on && leadsGroup(grid)) set(false);
  }

  function blackOut() {
    black.hidden = !black.hidden;
  }

  hear("present", grid.group.name, signal, (detail) => follow(detail.on));
  document.addEventListener("fullscreenchange", leaveWithFullscreen, { signal });

  return {
    element: black,
    toggle: () => set(!on),
    leave: () => set(false),
    follow,
    blackOut,
    isOn: () => on,
    isBlack: () => !black.hidden,
  };
}

function leaveFullscreen() {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}

/**
 * Stop a group whose last lane was removed, unless a new lane follows within a moment.
 * @param {Group} group
 */
export function leaveGroup(group) {
  group.playhead?.pause();
  setTimeout(() => {
    if (group.lanes.size || !group.presenting) return;
    say("present", { group: group.name, on: false });
    group.presenting = false;
    leaveFullscreen();
  }, NEXT_LANE);
}
