// The stage of a group: its lanes in one CSS grid. All lanes beside each other share the rows for name, merge, tie and
// words, so none of them slips when another one has more to say. Below them is the one transport, and below that the
// controls of the window: all lanes show the same part of a long text. Each lane's root moves here from the element that
// Streamlit made for it, since a CSS grid aligns only what it contains. In the presenter view the stage fills the screen
// as a whole.

/** @import {Stage} from "../shared/groups.js" */
/** @import {Grid, GridGroup} from "./types.js" */

import { make } from "../shared/dom.js";
import { setPresenting } from "../shared/on_stage.js";
import { followTheme, themeOf } from "../shared/colour.js";
import { hear, lanesInOrder, say } from "../shared/groups.js";
import { fillSlot } from "./transport.js";

// The positions of lanes on their stage, in order: each holds a lane's grid, or how far its training is.

/**
 * Make the positions of a group's lanes.
 * @param {HTMLElement} lanes  the element that holds them
 * @param {GridGroup} group
 */
function createLanePositions(lanes, group) {
  /** @type {LaneState[]} */
  let states = [];
  /** @type {HTMLElement[]} */
  const waiting = []; // by lane; after all grids in the page, and in their positions by CSS order

  /** @param {Grid} grid */
  function insert(grid) {
    const grids = lanesInOrder(group.lanes);
    const next = grids.slice(grids.indexOf(grid) + 1).find((lane) => lane.root.parentNode === lanes);
    const after = next?.root ?? waiting.find((element) => element.parentNode === lanes) ?? null;
    grid.root.style.order = String(indexOf(grid));
    // Moving an element that is there already would lose its scroll position.
    if (grid.root.parentNode !== lanes || grid.root.nextSibling !== after)
      lanes.insertBefore(grid.root, after);
    draw();
  }

  /** @param {LaneState[]} next */
  function setStates(next) {
    states = next;
    draw();
  }

  function draw() {
    const grids = new Map([...group.lanes].map((grid) => [indexOf(grid), grid]));
    for (const [index, { elements }] of grids) {
      const text = states[index]?.text;
      if (text) elements.title.dataset.state = text;
      else delete elements.title.dataset.state;
    }
    for (const element of waiting.splice(states.length)) element.remove();
    states.forEach((state, index) => {
      const element = (waiting[index] ??= waitingElement(index));
      if (grids.get(index)?.root.parentNode === lanes) return element.remove();
      const [title, text, bar] = element.children;
      title.textContent = state.title;
      text.textContent = state.text;
      /** @type {HTMLProgressElement} */ (bar).value = state.share;
      if (element.parentNode !== lanes) lanes.append(element);
    });
  }

  return { insert, setStates };
}

/** @param {Grid} grid */
function indexOf({ lane }) {
  return lane?.index ?? 0;
}

/** @param {number} index */
function waitingElement(index) {
  const bar = make("progress", "", { max: 1, "aria-label": "Merges learned" });
  const element = make(
    "div",
    "lane-waiting card",
    { "data-testid": "lane-waiting" },
    make("h3"),
    make("p"),
    bar,
  );
  element.style.order = String(index);
  return element;
}

/** How far the training of a lane is. @typedef {{title: string, text: string, share: number}} LaneState */

/**
 * What the stage of grids can do besides.
 * @typedef {object} StageOfGrids
 * @property {HTMLElement} root
 * @property {() => HTMLElement} slotNow  holds the transport: a slot of the page, or one of the stage
 * @property {HTMLElement} part  holds the controls of the window
 * @property {(grid: Grid) => void} insert  moves a lane to its position
 * @property {(states: LaneState[]) => void} setStates  sets how far the lanes are; none when all are ready
 */

/** The stage of a group whose lanes are grids. @typedef {Stage & StageOfGrids} LaneStage */

const MANY = 3; // lanes; so many and more show their words only while presenting
const CROWD = 5; // lanes; so many and more are low, begin folded, and the transport stays in sight

/**
 * Return how many lanes are beside each other where there is room.
 * @param {number} count  of lanes
 */
export function lanesInRow(count) {
  if (count < MANY || count === 4) return Math.min(2, count);
  return count <= 6 ? 3 : 4;
}

/**
 * Return whether all lanes begin with the same words, so that these can stand below each other.
 * @param {Iterable<Grid>} lanes
 */
function haveSameWords(lanes) {
  const [first, ...others] = [...lanes].map(({ model: { words, symbols } }) => {
    const bytes = Array.from(words.symbol, (symbol) => symbols[symbol].bytes);
    return `${words.starts.join(" ")} ${bytes.join(" ")}`;
  });
  return others.every((words) => words === first);
}

/**
 * Make the stage of a group until the signal aborts.
 * @param {HTMLElement} root  its only content will be the stage
 * @param {GridGroup} group
 * @param {AbortSignal} signal
 * @param {boolean} [isCompared]  whether the page also shows their merges, and words that they split differently: then many
 *   lanes begin folded, and show these merges on stage in place of their words
 * @returns {LaneStage}
 */
export function createLaneStage(root, group, signal, isCompared = false) {
  const head = make("div", "stage-head");
  const lanes = make("div", "lanes", { "data-testid": "lanes" });
  const scene = make("div", "scene", {}, lanes);
  const slot = make("div", "stack stage-slot");
  const part = make("div", "stage-part");
  const foot = make("div", "stage-foot");
  const foldButton = make("button", "fold", { type: "button", "data-testid": "fold-lanes", click: fold });
  root.replaceChildren(head, foldButton, scene, slot, part, foot);
  let isOpen = false; // a crowd's lanes
  let count = 0; // of lanes
  let trains = false; // some of them
  /** @type {HTMLElement | null} */
  let ending = null;
  let shownAt = ""; // step and beat at which the ending was opened
  const hasEnding = () => ending !== null;
  const stage = { root, slotNow, part, head, foot, insert, setStates, setEnding, hasEnding, showEnding };
  const positions = createLanePositions(lanes, group);

  /** @type {LaneStage["insert"]} */
  function insert(grid) {
    const { beside = 1, of = 1 } = grid.lane ?? {};
    makeRoom(of, beside);
    positions.insert(grid);
  }

  /** Show the lanes of a crowd, or fold them: what they differ in is above and below them. */
  function fold() {
    isOpen = !isOpen;
    putFold();
  }

  function putFold() {
    const isCrowd = isCompared && count >= CROWD && !trains;
    const isFolded = isCrowd && !isOpen;
    const wasFolded = root.classList.contains("folded");
    foldButton.hidden = !isCrowd;
    foldButton.textContent = `${isFolded ? "Show" : "Hide"} the ${count} lanes`;
    foldButton.setAttribute("aria-expanded", String(!isFolded));
    root.classList.toggle("folded", isFolded);
    if (wasFolded && !isFolded) for (const lane of group.lanes) lane.relayout();
  }

  /** Make room for so many lanes. @param {number} number @param {number} beside  how many are beside each other */
  function makeRoom(number, beside) {
    count = number;
    lanes.style.setProperty("--columns", String(beside));
    lanes.style.setProperty("--rows", String(Math.ceil(count / beside)));
    lanes.dataset.columns = String(beside);
    root.classList.toggle("many", count >= MANY);
    root.classList.toggle("crowd", count >= CROWD);
    root.classList.toggle("rows", count > beside);
    putFold();
  }

  /** @type {LaneStage["setStates"]} */
  function setStates(states) {
    trains = states.length > 0;
    putFold();
    if (states.length) makeRoom(states.length, lanesInRow(states.length));
    positions.setStates(states);
  }

  function slotNow() {
    return (root.classList.contains("presenting") ? null : group.slot) ?? slot;
  }

  // A lesson's card is beside the stage.
  /** @param {boolean} on */
  function present(on) {
    setPresenting(root, on);
    root.classList.toggle("beside", on && group.tables.size > 0);
    followStep();
    // Rows of a table show no words if they would be other ones in each lane, or too many lanes for large ones.
    const isTable = on && isCompared && count >= MANY;
    root.classList.toggle("wordless", isTable && (count >= CROWD || !haveSameWords(group.lanes)));
    if (!on) showEnding(false);
    for (const lane of group.lanes) {
      fillSlot(lane);
      lane.relayout();
    }
  }

  function position() {
    return group.playhead ? `${group.playhead.step} ${group.playhead.beat}` : "";
  }

  /** @type {LaneStage["setEnding"]} */
  function setEnding(element) {
    const open = isEndingOpen();
    if (ending) ending.remove();
    ending = element;
    if (!ending) return root.classList.remove("shows-ending");
    ending.hidden = !open;
    scene.append(ending);
  }

  const isEndingOpen = () => ending !== null && !ending.hidden;

  /** @type {LaneStage["showEnding"]} */
  function showEnding(on = !isEndingOpen()) {
    if (!ending || on === isEndingOpen() || (on && !group.presenting)) return false;
    ending.hidden = !on;
    shownAt = position();
    root.classList.toggle("shows-ending", on);
    return true;
  }

  hear("present", group.name, signal, ({ on }) => present(on));
  function followStep() {
    if (position() !== shownAt) showEnding(false);
    const { step = 0, last } = group.playhead ?? {};
    root.classList.toggle("ended", last !== undefined && step >= last());
  }

  hear("step", group.name, signal, followStep);
  signal.addEventListener("abort", () => {
    if (group.stage !== stage) return;
    group.stage = null;
    say("stage", { group: group.name }); // the lanes return to their own elements
  });
  const takeTheme = () => void (root.dataset.theme = themeOf(root));
  followTheme(takeTheme, signal);
  takeTheme();
  group.stage = stage;
  if (group.presenting) present(true);
  say("stage", { group: group.name });
  return stage;
}

/**
 * Move a lane to the stage of its group, or back to the element that it was made in if the group has no stage.
 * @param {Grid} grid
 * @param {ParentNode | null} home
 */
export function enterStage(grid, home) {
  const { root, group, elements, panels } = grid;
  const { element: part } = panels.windowControls;
  if (grid.lane && group.stage) {
    group.stage.insert(grid);
    if (!panels.transport) part.remove();
    else if (part.parentNode !== group.stage.part) group.stage.part.replaceChildren(part);
  } else if (root.parentNode !== home) {
    home?.append(root);
    root.style.order = "";
    root.append(...elements.controls);
    elements.card.append(part);
  }
  fillSlot(grid);
}

/**
 * Take a lane and its transport from the stage.
 * @param {Grid} grid
 * @param {ParentNode | null} home  where the root was made
 */
export function leaveStage({ root, elements, panels }, home) {
  if (root.parentNode !== home) home?.append(root);
  for (const element of [...elements.controls, panels.windowControls.element]) element.remove();
}
