// The picture of Compare: its lanes on their stage, with the player that all of them share; the merges of each lane in a
// strip below, and the first merge at which they diverge. One view draws all of it from what Python says that it shows.

/** @import {LaneState} from "../../../film/browser/token_grid/lane_stage.js" */
/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {EarlyView} from "../../../film/browser/stage/early.js" */
/** @import {MakeAnyPart} from "../../../film/browser/stage/parts.js" */
/** @import {ShownLane} from "../../../film/browser/stage/lanes_view.js" */
/** @import {GridData, GridGroup} from "../../../film/browser/token_grid/types.js" */
/** @import {AnswerData} from "./answer.js" */
/** @import {DivergenceData} from "./divergence.js" */

import { followTheme, themeOf } from "../../../film/browser/shared/colour.js";
import { make, setHidden } from "../../../film/browser/shared/dom.js";
import { groupNamed, hear, lanesInOrder } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { OF_LESSONS, drawEarly, takeEarly } from "../../../film/browser/stage/early.js";
import { GRID_SHEET } from "../../../film/browser/stage/grid_sheet.js";
import { takeToStage } from "../../../film/browser/shared/on_stage.js";
import { adoptSheet, sheetText } from "../../../film/browser/shared/sheet.js";
import { createLanesView } from "../../../film/browser/stage/lanes_view.js";
import { createAnswer } from "./answer.js";
import { drawDivergence } from "./divergence.js";
import { drawStrip } from "./strip.js";

/**
 * What Python says.
 * @typedef {object} ComparisonData
 * @property {string} group
 * @property {number} start  the step to begin with
 * @property {ShownLane["feed"]} feed  of the first lane
 * @property {(Omit<ShownLane, "feed"> & Partial<ShownLane>)[]} lanes  those that can be played, with the feeds of all but the
 *   first; that is one of them, or there is none
 * @property {number} of  how many lanes there are, with those that are still trained
 * @property {GridData["options"]} options  of all lanes
 * @property {boolean} linked  whether the address has the step
 * @property {{caution: string, divergence: DivergenceData | null} | null} below  what is below all lanes; null while some are
 *   trained. `caution`: how lanes are compared that split the text differently, or ""
 */

/** What it is told later. @typedef {{states?: LaneState[], answer?: AnswerData}} ToldLater */

const SHEET = sheetText("./comparison.css");

/** Make a part in the shadow root of the component, whose style sheet has the rules of all parts. @type {MakeAnyPart} */
function part(name, testId) {
  const host = make("div", "", {}, make("div", name, { "data-testid": testId }));
  return { host, root: host };
}

/** @param {Component<ComparisonData>} component @returns {Controller<ComparisonData>} */
function createComparison(component) {
  const root = rootOf(component, "[data-testid=comparison]");
  const { group: name } = component.data;
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  takeToStage(root, [name], signal);
  const view = createLanesView(
    name,
    part,
    {
      rests: (step) => component.setStateValue("step", step),
      moves: (start) => component.setStateValue("window", start),
      picks: (lane, pick) => component.setTriggerValue("pick", { ...pick, lane }),
    },
    true,
  );
  const answer = createAnswer(group, signal);
  const strip = make("div", "strip-place", {}, make("div", "grid parts"));
  const caution = make("p", "aside caution");
  const divergence = make("div", "divergence-place", {}, make("div", "grid parts"));
  root.replaceChildren(view.element, strip, caution, divergence);
  let drawn = ""; // what is below the lanes, as text
  let isPainted = false;
  let endStrip = () => {};

  /** @type {Controller<ComparisonData>["update"]} */
  function update(next) {
    component = next;
    adoptSheet(root, GRID_SHEET);
    adoptSheet(root, SHEET);
    const { feed, options, start, of, linked } = next.data;
    view.show(
      next.data.lanes.map((lane) => ({ feed, options, ...lane })),
      start,
      of,
      linked,
    );
    hearMore();
    // The first frame waits for nothing but the lanes.
    if (isPainted) drawBelow();
    else requestAnimationFrame(() => setTimeout(drawBelow));
  }

  function hearMore() {
    const { states = [], answer: measured } = /** @type {ToldLater} */ (group.told ?? {});
    view.stage()?.setStates(states);
    answer.draw(measured, themeOf(root));
  }

  function drawBelow() {
    if (signal.aborted) return;
    isPainted = true;
    const { below } = component.data;
    const theme = themeOf(root);
    const grids = lanesInOrder(group.lanes);
    const text = JSON.stringify([theme, below, grids.map(({ model, lane }) => [model.feed.id, lane?.title])]);
    if (text === drawn) return;
    drawn = text;
    root.dataset.theme = theme;
    for (const element of [strip, caution, divergence]) setHidden(element, !below);
    endStrip();
    endStrip = () => {};
    if (!below) return;
    const shown = grids.map(({ model, lane }) => ({ title: lane?.title ?? "", model }));
    endStrip = drawStrip(inside(strip, theme), group, shown, theme);
    caution.textContent = below.caution;
    setHidden(caution, !below.caution);
    setHidden(divergence, !below.divergence);
    if (below.divergence) drawDivergence(inside(divergence, theme), name, below.divergence, theme);
  }

  /** Return what a place holds, in the colours of a theme. @param {HTMLElement} place @param {Theme} theme */
  function inside(place, theme) {
    const content = /** @type {HTMLElement} */ (place.firstElementChild);
    content.dataset.theme = theme;
    return content;
  }

  function redraw() {
    hearMore();
    if (isPainted) drawBelow();
  }

  function remove() {
    lifetime.abort();
    endStrip();
    view.remove();
  }

  hear("told", name, signal, hearMore);
  followTheme(redraw, signal);
  return { update, remove };
}

/** @type {EarlyView<ComparisonData>} */
const EARLY_COMPARISON = {
  create: createComparison,
  name: "comparison",
  looks: "comparison mbm",
  key: "compare_stage",
  idOf: ({ feed }) => feed?.id ?? "",
  isPlain: (name) => OF_LESSONS.has(name),
};

drawEarly(EARLY_COMPARISON);

/** @param {Component<ComparisonData>} component */
function createPageComparison(component) {
  return takeEarly(EARLY_COMPARISON, component) ?? createComparison(component);
}

export default mount(createPageComparison);
