// The picture of every way as a stage of its own, which fills the window, and on the stage of a lesson; and the playhead of
// its group, which it follows.

/** @import {WaysStage} from "../shared/groups.js" */
/** @import {WaysPicture} from "./state.js" */

import { groupNamed, hear } from "../shared/groups.js";
import { setPresenting, takeAlone } from "../shared/on_stage.js";
import { keepInSight, travel } from "./dots.js";
import { isFilling, isStaged } from "./state.js";
import { zoomBy } from "./zoom.js";

/** Let a picture fill the window, or no longer. @param {WaysPicture} picture @param {boolean} on */
export function fillWindow(picture, on) {
  if (on === isFilling(picture)) return;
  picture.zoom = 1;
  picture.tip.hidden = true;
  if (on) takeAlone(picture.root, true);
  setPresenting(picture.root, on);
  if (!on) takeAlone(picture.root, false);
  picture.presentButton.setAttribute("aria-pressed", String(on));
  picture.redraw();
  keepInSight(picture, true);
  // A button would take the key that plays.
  if (on) picture.scroll.focus({ preventScroll: true });
  else if (!groupNamed(picture.data.group).presenting) picture.presentButton.focus({ preventScroll: true });
}

/** Let Escape close a picture that fills the window. @param {WaysPicture} picture @param {AbortSignal} signal */
export function listenToEscape(picture, signal) {
  // Keys go to the grid, which is behind the picture, but for this one.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isFilling(picture) || isStaged(picture)) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      fillWindow(picture, false);
    },
    { capture: true, signal },
  );
}

/** Return how far a picture unfolds now. @param {WaysPicture} picture */
export function goalOf({ data }) {
  const [begin, end] = data.unfolds ?? [0, 0];
  return groupNamed(data.group).asks === true ? begin : end;
}

/** Let a picture follow the playhead of its group. @param {WaysPicture} picture @param {AbortSignal} signal */
export function followPlayhead(picture, signal) {
  if (isStaged(picture)) return followBeats(picture, signal);
  const name = picture.data.group;
  const group = groupNamed(name);
  /** @type {WaysStage} */
  const stage = {
    turn: () => fillWindow(picture, !isFilling(picture)),
    isOn: () => isFilling(picture),
    zoom: (by) => zoomBy(picture, by),
  };
  group.ways = stage;
  signal.addEventListener("abort", () => {
    if (group.ways === stage) group.ways = null;
  });
  hear("present", name, signal, ({ on }) => on || fillWindow(picture, false));
  const { playhead } = group;
  if (playhead) picture.step = picture.position = playhead.step;
  hear("step", name, signal, ({ step }) => {
    if (step !== picture.step) travel(picture, step);
  });
}

/**
 * Let a picture on the stage of a lesson wait for the answer, and stand in the presenter view of the group.
 * @param {WaysPicture} picture
 * @param {AbortSignal} signal
 */
function followBeats(picture, signal) {
  const { root, data } = picture;
  const enter = (/** @type {boolean} */ on) => {
    setPresenting(root, on);
    picture.redraw();
  };
  hear("asked", data.group, signal, () => {
    if (goalOf(picture) !== picture.step) travel(picture, goalOf(picture));
  });
  hear("present", data.group, signal, ({ on }) => enter(on));
  if (groupNamed(data.group).presenting) enter(true);
}
