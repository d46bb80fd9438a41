// "Your words": the film trains on what the viewer types, and plays that instead of its recording.

/** @import {FilmView} from "../film_view.js" */
/** @import {LanePick} from "../lanes_view.js" */
/** @import {OwnData, Film} from "../film_data.js" */
/** @import {MakePart} from "../shadow_parts.js" */
/** @import {TablePick} from "../table_view.js" */
/** @import {OwnPick} from "./own_panel.js" */
/** @import {LaneSettings, OwnSettings} from "./own_settings.js" */
/** @import {Trained} from "./own_training.js" */

import { make } from "../../shared/dom.js";
import { mergeName, formatCount } from "../../shared/numbers.js";
import { hexText } from "../../token_grid/data/spelling.js";
import { createTrainer } from "../../trainer/trainer.js";
import { isEmbedded } from "../site.js";
import { createNewText } from "./new_text.js";
import { readOwnHash } from "./own_address.js";
import { createOutputs, lanesOf } from "./own_outputs.js";
import { createOwnPanel } from "./own_panel.js";
import { firstSettings, namesOf, withOtherLanes, withoutPicks } from "./own_settings.js";
import { createOwnTraining } from "./own_training.js";
import {
  DAMAGE,
  EMPTY,
  OWN_TITLE,
  footerOf,
  picksOfLanes,
  progressText,
  titlesOf,
  trainedText,
} from "./own_wording.js";

const STOPPED = "Stopped. Type on, or change a setting, to train again.";

/**
 * Make the panel, the button that opens it, and the field for a new text.
 * @param {Film & {own: OwnData}} film
 * @param {FilmView} view
 * @param {MakePart} part
 */
export function createOwnWords(film, view, part) {
  const { own } = film;
  const trainer = createTrainer(own.live);
  const first = firstSettings(film, own.live, own.text);
  let settings = first;
  /** @type {Trained | null} */
  let trained = null;
  let isOn = false; // whether the film plays the viewer's words
  let note = ""; // a sentence about a pick that ended
  /** @type {number | null} */
  let wantedStep = null; // the step to go to after the training
  const training = createOwnTraining(trainer, {
    ends: take,
    fails: dropPick,
    goesOn: (merged, total, lane) =>
      panel.work(() => progressText(namesOf(settings.lanes)[lane], merged, total)),
  });
  const panel = createOwnPanel(own.live, {
    change,
    changeLane,
    undo,
    stop,
    reset,
    compare: film.lanes.length === 1 ? compare : null,
  });
  const outputs = createOutputs(film, view, trainer, () => ({
    settings,
    trained: isOn ? trained : null,
    isOn,
    changed: settings !== first,
  }));
  panel.actions.append(...outputs.buttons);
  panel.copied.append(...outputs.elements);
  const newText = createNewText(trainer, part, (text) => {
    settings = { ...settings, newText: text };
    split();
    outputs.writeSoon();
  });
  const button = make("button", "turn", {
    type: "button",
    "data-testid": "own-words",
    "aria-controls": "own-panel",
    "aria-expanded": String(own.opens),
    click: () => open(button.getAttribute("aria-expanded") !== "true"),
  });
  button.textContent = OWN_TITLE;
  button.hidden = own.opens;
  panel.element.hidden = !own.opens;
  newText.element.hidden = true;
  panel.show(settings);

  /** @param {boolean} wanted */
  function open(wanted) {
    panel.element.hidden = !wanted;
    newText.element.hidden = !wanted || !isOn;
    button.setAttribute("aria-expanded", String(wanted));
    if (!wanted) return;
    panel.text.focus();
    if (!isOn && settings.text) train();
    else if (!isOn) panel.say(EMPTY);
  }

  /** @param {Partial<OwnSettings>} changes */
  function change(changes) {
    settings = { ...settings, ...changes };
    train();
  }

  /**
   * Change a lane, which ends its picks.
   * @param {number} lane
   * @param {Partial<LaneSettings>} changes
   */
  function changeLane(lane, changes) {
    setLane(lane, { ...settings.lanes[lane], picks: {}, ...changes });
    train();
  }

  function compare() {
    settings = withOtherLanes(settings, own.live);
    panel.show(settings);
    train();
  }

  /**
   * @param {number} lane
   * @param {LaneSettings} next
   */
  function setLane(lane, next) {
    settings = { ...settings, lanes: settings.lanes.map((one, index) => (index === lane ? next : one)) };
  }

  /** Train, and resolve when the lanes are on the page or the text is refused. */
  async function train() {
    outputs.clear();
    const { film: limit } = own.live.limits;
    const { length } = settings.text.length > limit ? [...settings.text] : settings.text;
    if (length <= limit) return training.train(settings);
    training.stop();
    const most = formatCount(limit, "character");
    refuse(
      `At most ${most} here; this text has ${formatCount(length, "character")}. The app accepts longer texts.`,
    );
  }

  function stop() {
    training.stop();
    refuse(STOPPED);
  }

  /** @param {Trained} next */
  function take(next) {
    const before = isOn ? trained?.feeds.length : undefined;
    trained = next;
    const lanes = lanesOf(film, next.settings, next.feeds);
    if (lanes.length === before) view.update(lanes);
    else view.build(lanes, wantedStep ?? view.step(), OWN_TITLE);
    isOn = true;
    view.setStale(false);
    if (wantedStep !== null) view.seek(wantedStep);
    wantedStep = null;
    newText.element.hidden = panel.element.hidden;
    panel.say(`${trainedText(next)} ${note}`.trim());
    panel.showPicks(picksOfLanes(settings.lanes, view.models()));
    note = "";
    split();
    outputs.writeSoon();
  }

  /** @type {import("./own_training.js").TrainingListeners["fails"]} */
  function dropPick(error, lane) {
    if (error.rank === undefined) return refuse(error.message);
    // The text has changed, and the pair that was picked no longer ties.
    note = `Your pick of ${mergeName(error.rank)} is no longer a tie; the rule decides again.`;
    setLane(lane, withoutPicks(settings.lanes[lane], error.rank));
    train();
  }

  /** @param {string} why */
  function refuse(why) {
    panel.say(why, true);
    if (!view.isBuilt()) showRecording(wantedStep ?? film.step, false);
    view.setStale(isOn);
  }

  /**
   * @param {number} lane
   * @param {LanePick | TablePick} asked
   */
  function pick(lane, asked) {
    if (!isOn) return;
    const { rank } = asked;
    const [left, right] = "left" in asked ? [hexText(asked.left), hexText(asked.right)] : asked.pair;
    const before = withoutPicks(settings.lanes[lane], rank);
    setLane(lane, { ...before, picks: { ...before.picks, [rank]: [left, right] } });
    wantedStep = rank;
    train();
  }

  /** @param {OwnPick} undone */
  function undo({ lane, rank }) {
    setLane(lane, withoutPicks(settings.lanes[lane], rank));
    wantedStep = rank;
    train();
  }

  function reset() {
    training.stop();
    if (own.opens) return begin(first, film.step);
    settings = { ...settings, lanes: first.lanes };
    panel.show(settings);
    showRecording(film.step);
    button.focus();
  }

  /**
   * Bring the recording back.
   * @param {number} step
   * @param {boolean} [closes]  whether it also closes the panel
   */
  function showRecording(step, closes = true) {
    training.stop();
    isOn = false;
    trained = null;
    panel.showPicks([]);
    outputs.clear();
    if (closes) open(false);
    view.setStale(false);
    view.build(film.lanes, step, film.title, true);
    view.seek(step);
    outputs.writeSoon();
  }

  /**
   * Train with these settings and go to a step.
   * @param {OwnSettings} next
   * @param {number} step
   */
  function begin(next, step) {
    settings = next;
    wantedStep = step;
    panel.show(settings);
    return train();
  }

  /**
   * Follow an address. Returns whether there is anything to see.
   * @param {string} fragment  its hash
   * @param {number} step
   */
  async function follow(fragment, step) {
    const asked = await readOwnHash(fragment, own.live, first);
    if (asked) {
      outputs.follow(asked.settings);
      note = DAMAGE[asked.damage];
      if (!isEmbedded()) panel.element.hidden = false;
      button.setAttribute("aria-expanded", String(!panel.element.hidden));
      await begin(asked.settings, step);
    } else if (own.opens && !view.isBuilt()) await begin(first, step);
    else if (isOn && !own.opens) showRecording(step);
    return view.isBuilt();
  }

  function split() {
    if (isOn && trained) newText.show(settings.newText, trained.trainings, view.step());
  }

  return {
    button,
    panel: panel.element,
    newText: newText.element,
    follow,
    pick,
    rests: split,
    leave: () => outputs.follow(settings),
    hasNews: outputs.hasNews,
    hash: outputs.hash,
    footer: () => (isOn ? footerOf(titlesOf(film, settings.lanes)) : film.title),
  };
}
