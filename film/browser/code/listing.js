// A listing as a part of a page: a tab that opens the code beside a grid, or below it.

/** @import {ChipLabel, CodeBeat, CodeLine} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Now, Values} from "./panel.js" */
/** @import {CodeGroup} from "./training.js" */

import { chipElement, readable } from "../shared/chip.js";
import { coloursOf, themeOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { pairTable } from "../player/pair_counts.js";
import { encodingValues } from "./encoding.js";
import { createCode } from "./panel.js";
import { linesWith, trainingValues } from "./training.js";

/**
 * What Python sends.
 * @typedef {object} ListingData
 * @property {keyof typeof VALUES} kind  whose values stand beside the lines
 * @property {CodeLine[]} lines
 * @property {string} none  why there are no lines; "" if a page then has nothing to say
 * @property {string} group  of the grid beside it; "" without one
 * @property {boolean} open  whether it is open at first, and has no tab
 * @property {CodeBeat} lit  the beat whose lines are lit; "" for that of the grid
 * @property {string} marker  how labels spell it
 * @property {{[beat in CodeBeat]?: ChipLabel[]}} values  labels of chips beside the lines of a beat, without a grid
 */

/**
 * Make the values of a training that is beside it, or out of sight.
 * @param {CodeGroup} group
 * @param {AbortSignal} signal
 * @param {() => ListingData} data
 */
function trainedValues(group, signal, data) {
  const values = trainingValues(group, signal);
  return {
    ...values,
    draw(/** @type {Now} */ now) {
      const model = [...group.lanes][now.lane]?.model;
      // Without a grid in sight, nothing is about to happen: the lines tell the pass that has just ended.
      const hasEnded = data().open && now.beat === "rest" && now.step > 0;
      const step = hasEnded ? now.step - 1 : now.step;
      const table = (model?.training && pairTable(model, step)) || { step, rows: [], total: 0 };
      const lit = values.draw({ ...now, beat: hasEnded ? "settle" : now.beat, table });
      return lit === undefined ? undefined : /** @type {any} */ (data().lit || (hasEnded ? "rest" : lit));
    },
  };
}

/** Make chips that stay. @param {CodeGroup} _ @param {AbortSignal} __ @param {() => ListingData} data @returns {Values<Now>} */
function fixedValues(_, __, data) {
  /** @type {{[beat in CodeBeat]?: HTMLElement}} */
  const below = {};
  for (const beat of /** @type {CodeBeat[]} */ (Object.keys(data().values)))
    below[beat] = make("p", "row firsts");
  return {
    beside: {},
    below,
    draw({ theme }) {
      const { values, marker } = data();
      for (const [beat, labels] of Object.entries(values)) {
        below[/** @type {CodeBeat} */ (beat)]?.replaceChildren(
          ...labels.map((label) => chipElement(readable(label, marker), coloursOf(theme, label))),
        );
      }
      return /** @type {any} */ (data().lit);
    },
  };
}

const VALUES = { training: trainedValues, encoding: encodingValues, fixed: fixedValues };

/** @param {Component<ListingData>} component @returns {Controller<ListingData>} */
export function createListing(component) {
  const root = rootOf(component, "[data-testid=listing]");
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  /** @type {CodeGroup} */
  const group = groupNamed(data.group);
  const panel = createCode(VALUES[data.kind](group, signal, () => data));
  const tab = make("button", "leaf", { type: "button", "aria-expanded": "false", click: turn }, "Code");
  tab.title = data.group ? "the algorithm in Python (C)" : "the algorithm in Python";
  root.replaceChildren(tab, panel.element);
  root.classList.toggle("beside", data.group !== "" && !data.open);
  hear("step", data.group, signal, draw);
  hear("present", data.group, signal, ({ on }) => setPresenting(root, on));
  if (group.presenting) setPresenting(root, true);
  signal.addEventListener("abort", () => {
    group.tables.delete(root);
    if (group.code === turn) group.code = null;
  });

  /** @type {Controller<ListingData>["update"]} */
  function update({ data: next }) {
    data = next;
    const has = data.lines.length > 0 || data.none !== "";
    root.hidden = !has;
    tab.hidden = data.open;
    if (data.group && !data.open) group.code = has ? turn : null;
    if (data.open || !has) open(has);
    draw();
  }

  function turn() {
    open(!root.classList.contains("open"));
  }

  /** @param {boolean} on */
  function open(on) {
    if (on === root.classList.contains("open")) return;
    panel.element.hidden = !on;
    tab.ariaExpanded = String(on);
    root.classList.toggle("open", on);
    if (data.group && !data.open) {
      // The presenter view leaves room beside the grid.
      if (on) group.tables.add(root);
      else group.tables.delete(root);
      if (group.presenting) say("present", { group: group.name, on: true });
    }
    draw();
  }

  function draw() {
    const theme = themeOf(root);
    root.dataset.theme = theme; // of the tab, too
    if (panel.element.hidden) return;
    panel.write(linesNow(), data.none);
    const { step, beat } = group.playhead ?? { step: 0, beat: /** @type {const} */ ("rest") };
    panel.draw({ step, beat, theme, lane: 0 });
  }

  function linesNow() {
    const feed = [...group.lanes][0]?.model.feed;
    return data.kind === "training" && feed?.training ? linesWith(data.lines, feed) : data.lines;
  }

  return { update, remove: () => lifetime.abort() };
}
