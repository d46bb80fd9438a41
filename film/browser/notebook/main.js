// A grid in a notebook, for anywidget: `model` holds the traits of TokenGrid in merge_by_merge/notebook.py.

/** @import {TrainingFeed} from "../shared/feed/feed_types.js" */
/** @import {GridData} from "../token_grid/types.js" */

import { make } from "../shared/page/dom.js";
import { groupNamed, hear } from "../shared/groups.js";
import { createGrid } from "../token_grid/grid.js";
import { followNotebook, isOnDark } from "./theme.js";

const TOLD_AFTER = 140; // ms that the grid rests at a step before Python is told

/**
 * What anywidget passes: the traits, which Python and the page both read and set.
 * @typedef {object} Model
 * @property {(name: string) => unknown} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listen: () => void) => void} on
 * @property {(event: string, listen: () => void) => void} off
 */

let gridCount = 0; // grids on this page so far: each has its own playhead, and the trait joins those of one widget

/**
 * Draw the grid. Returns a function that anywidget calls when the output goes.
 * @param {{model: Model, el: HTMLElement}} widget
 */
function render({ model, el }) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const styles = new CSSStyleSheet();
  styles.replaceSync(String(model.get("styles")));
  root.adoptedStyleSheets = [styles];
  root.append(make("div", "grid", { "data-testid": "token-grid" }));
  el.append(host);
  gridCount += 1;
  const name = `notebook-${gridCount}`;
  const group = groupNamed(name);
  const component = {
    parentElement: root,
    data: dataOf(model, name),
    setStateValue: () => undefined,
    setTriggerValue: () => undefined,
  };
  host.classList.toggle("dark", isOnDark(host));
  const grid = createGrid(component);
  grid.update(component);

  /** @type {import("../shared/page/dom.js").Timer} */
  let timer;
  hear("step", name, signal, ({ step, playing }) => {
    clearTimeout(timer);
    if (!playing) timer = setTimeout(() => tell(step), TOLD_AFTER);
  });

  /** @param {number} step */
  function tell(step) {
    if (signal.aborted || step === model.get("step")) return;
    model.set("step", step);
    model.save_changes();
  }

  function followPython() {
    const step = Number(model.get("step"));
    clearTimeout(timer);
    if (group.playhead && group.playhead.step !== step) group.playhead.seek(step);
  }

  function followFeed() {
    component.data = dataOf(model, name);
    grid.update(component);
    followPython();
  }

  function followBackground() {
    host.classList.toggle("dark", isOnDark(host));
    grid.update(component);
  }

  model.on("change:step", followPython);
  model.on("change:feed", followFeed);
  followNotebook(followBackground, signal);
  return () => {
    clearTimeout(timer);
    lifetime.abort();
    model.off("change:step", followPython);
    model.off("change:feed", followFeed);
    grid.remove?.();
  };
}

/**
 * @param {Model} model
 * @param {string} group
 * @returns {GridData}
 */
function dataOf(model, group) {
  return {
    feed: /** @type {TrainingFeed} */ (model.get("feed")),
    start: Number(model.get("step")),
    group,
    transport: true,
    lane: null,
    options: {},
    beatwise: false,
    linked: false,
    embedded: true,
  };
}

export default { render };
