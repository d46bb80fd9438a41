// Tells Python when the first screen is alive: when a grid has drawn a frame, or on a page without one the page itself.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { hasLanes } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";
import { departure } from "../../../film/browser/shared/report.js";
import { keepHistory } from "../listeners/page_history.js";

const LONGEST_WAIT = 3_000; // ms for a grid: a page can turn out to show none
const FRAMES = 2; // the first one after a change paints it

/** What Python sends. @typedef {{grid: boolean, naming: string[]}} FirstFrameData */

/**
 * @param {Component<FirstFrameData>} component
 * @returns {Controller<FirstFrameData>}
 */
function createFirstFrame(component) {
  keepHistory(component.data.naming); // before Python learns of the frame and sends the page's address
  const start = performance.now();
  let isDone = false;
  let frames = 0;
  let alive = true;
  const lifetime = new AbortController();
  const isLeft = departure(lifetime.signal);

  function look() {
    if (!alive || isDone) return;
    const { data } = component;
    if (!data.grid || hasLanes() || performance.now() - start > LONGEST_WAIT) frames += 1;
    if (frames <= FRAMES || isLeft()) return wait();
    isDone = true;
    lifetime.abort();
    component.setStateValue("drawn", true);
  }

  // A window in the background draws no frames.
  function wait() {
    if (document.hidden) setTimeout(look, 100);
    else requestAnimationFrame(look);
  }

  wait();
  return {
    update: (next) => void (component = next),
    remove() {
      alive = false;
      lifetime.abort();
    },
  };
}

export default mount(createFirstFrame);
