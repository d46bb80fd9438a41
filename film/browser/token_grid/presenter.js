// Presenter view: grid, sentence and pair table fill the screen, in the browser's top layer, so nothing of the page
// can cover them. The black-out covers everything; a second press lifts it.

import { make } from "../shared/dom.js";
import { hear, say } from "../shared/groups.js";
import { fillSlot } from "./slots.js";

export function createPresenter(grid, signal) {
  const black = make("div", "black", { hidden: true, "data-testid": "black-out" });

  function raise(on) {
    const { root } = grid;
    if (on) {
      root.setAttribute("popover", "manual");
      root.showPopover?.();
    } else root.removeAttribute("popover");
    root.classList.toggle("presenting", on);
    standAside(on);
    if (on) root.append(...(grid.parts.controls ?? []), ...grid.parts.above);
    else fillSlot(grid);
  }

  // Lanes stand side by side; a single grid leaves room for the pair table.
  function standAside(on) {
    const { index = 0, of: lanes = 1 } = grid.lane ?? {};
    const room = lanes === 1 && grid.group.tables.size ? 66 : 100;
    const { style } = grid.root;
    style.left = on ? `${(index * room) / lanes}vw` : "";
    style.width = on ? `${room / lanes}vw` : "";
  }

  // on: what the leader wants; every lane and table of the group follows the event
  function set(on) {
    say("present", { group: grid.group.name, on });
    if (on) document.documentElement.requestFullscreen?.().catch(() => undefined); // refused: the window itself will do
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
  }

  hear("present", grid.group.name, signal, ({ on }) => follow(on));

  function follow(on) {
    grid.group.presenting = on;
    if (on === grid.presenting) return;
    grid.presenting = on;
    black.hidden = true;
    raise(on);
    if (grid.leads()) grid.head.setBeatwise(on || Boolean(grid.data.beatwise));
    grid.relayout();
    if (on && grid.leads()) grid.parts.viewport.focus({ preventScroll: true });
  }
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement && grid.presenting && grid.leads()) set(false);
  }, { signal });

  return { element: black, set, follow, blackOut: () => (black.hidden = !black.hidden), blackened: () => !black.hidden };
}

// The last lane is gone: perhaps to the next one, which comes within a moment, perhaps for good.
export function leave(group) {
  group?.playhead.pause();
  setTimeout(() => {
    if (!group || group.lanes.size || !group.presenting) return;
    say("present", { group: group.name, on: false });
    group.presenting = false;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
  }, 3000);
}
