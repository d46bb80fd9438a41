// The panel "Your words": the text, the settings of its training, what became of it, and what can be saved of it.

/** @import {Live} from "../../trainer/live_types.js" */
/** @import {OwnSettings} from "./own_settings.js" */

import { make, makeButton } from "../../shared/dom.js";
import { MOST_MERGES } from "./own_limits.js";
import { createMenus } from "./own_menus.js";
import { namesOf } from "./own_settings.js";

const PROGRESS_AFTER = 300; // ms of work after which a training shows its progress

/** A pick that can be undone. @typedef {{lane: number, rank: number, text: string}} OwnPick */

/**
 * What the panel asks for.
 * @typedef {object} PanelListeners
 * @property {(change: Partial<OwnSettings>) => void} change
 * @property {(lane: number, change: {variant?: string, rule?: string}) => void} changeLane
 * @property {(pick: OwnPick) => void} undo
 * @property {() => void} stop
 * @property {() => void} reset
 * @property {(() => void) | null} compare  adds a second lane, or leaves it out; null where the film has several
 */

/**
 * Make the panel.
 * @param {Live} live
 * @param {PanelListeners} listeners
 */
export function createOwnPanel(live, { change, changeLane, undo, stop, reset, compare }) {
  const text = make("textarea", "", {
    "data-testid": "own-text",
    dir: "auto",
    "aria-label": "Your words",
    "aria-describedby": "own-status",
    input: () => change({ text: text.value }),
  });
  text.rows = 2;
  text.spellcheck = false;
  text.placeholder = "Type or paste a few words. They are merged while you type.";
  /** @type {ReturnType<typeof createMenus>[]} */
  let menus = [];
  const rows = make("div", "lane-menus");
  const other = makeButton("", "own-compare", () => compare?.());
  other.hidden = !compare;
  const merges = make("input", "", {
    type: "number",
    min: 0,
    step: 1,
    inputmode: "numeric",
    "aria-label": "Largest number of merges",
    "data-testid": "own-merges",
  });
  merges.max = String(MOST_MERGES);
  merges.addEventListener("input", () => {
    if (merges.value !== "") change({ merges: bounded(merges.valueAsNumber) });
  });
  merges.addEventListener("change", () => (merges.value = String(bounded(merges.valueAsNumber))));
  const status = make("p", "status", { id: "own-status", role: "status", "data-testid": "own-status" });
  const stopButton = makeButton("Stop", "own-stop", stop);
  const picks = make("p", "picks", { "data-testid": "own-picks", hidden: true });
  const back = makeButton("Back to the example", "own-reset", reset);
  back.title = "Shows the film’s own text again. Your words stay in the field.";
  const actions = make("div", "actions", {}, back);
  const copied = make("div", "copies");
  const element = make(
    "section",
    "own-words",
    { "aria-label": "Your words", "data-testid": "own-panel", id: "own-panel" },
    text,
    make("div", "settings", {}, rows, make("label", "", {}, make("span", "", {}, "Merges"), merges), other),
    make("div", "state", {}, status, stopButton, actions),
    copied,
    picks,
    make("p", "elsewhere", {}, live.elsewhere),
  );
  stopButton.hidden = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /**
   * Show the settings. What is being typed is left alone.
   * @param {OwnSettings} settings
   */
  function show(settings) {
    if (text.value !== settings.text) text.value = settings.text;
    if (menus.length !== settings.lanes.length) makeMenus(settings.lanes);
    settings.lanes.forEach((lane, index) => menus[index].show(lane));
    if (document.activeElement !== merges) merges.value = String(settings.merges);
  }

  /** @param {OwnSettings["lanes"]} lanes */
  function makeMenus(lanes) {
    menus = namesOf(lanes).map((name, index) => createMenus(live, name, (next) => changeLane(index, next)));
    rows.replaceChildren(...menus.map((one) => one.element));
    other.textContent = menus.length === 1 ? "Compare with another rule" : "One rule again";
  }

  /**
   * Say what became of a training.
   * @param {string} sentence
   * @param {boolean} [wrong]  whether something is wrong with the text
   */
  function say(sentence, wrong = false) {
    clearTimeout(waiting);
    waiting = undefined;
    stopButton.hidden = true;
    status.textContent = sentence;
    status.classList.toggle("wrong", wrong);
  }

  /**
   * Show how far a training is, if it takes long.
   * @param {() => string} sentence
   */
  function work(sentence) {
    if (!stopButton.hidden) status.textContent = sentence();
    else
      waiting ??= setTimeout(() => {
        stopButton.hidden = false;
        status.classList.remove("wrong");
        status.textContent = sentence();
      }, PROGRESS_AFTER);
  }

  /** @param {OwnPick[]} list */
  function showPicks(list) {
    picks.hidden = list.length === 0;
    picks.replaceChildren("Your picks; all later merges follow from them: ");
    for (const pick of list) {
      const button = makeButton(`Undo ${pick.text}`, "own-undo", () => undo(pick));
      button.title = "Lets the rule decide this merge again. Your later picks are removed too.";
      picks.append(button, " ");
    }
  }

  return { element, actions, copied, text, show, say, work, showPicks };
}

/** @param {number} merges */
function bounded(merges) {
  return Math.max(0, Math.min(MOST_MERGES, Math.round(merges) || 0));
}
