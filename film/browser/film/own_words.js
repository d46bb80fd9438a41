// "Your words": the film trains on what the viewer types, and plays that instead of its recording.

/** @import {Live} from "../trainer/live_types.js" */
/** @import {LaneSettings, OwnSettings, Trained} from "./own_settings.js" */
/** @import {EncodingFeed} from "../shared/feed_types.js" */
/** @import {Trainer} from "../trainer/trainer.js" */
/** @import {Training} from "../trainer/training.js" */
/** @import {LanePick} from "../stage/lanes_view.js" */
/** @import {FilmView} from "./views.js" */
/** @import {MakePart} from "../stage/parts.js" */
/** @import {TablePick} from "../stage/table_view.js" */
/** @import {OwnData, Film} from "./site.js" */

import { make, makeButton } from "../shared/dom.js";
import {
  MOST_MERGES,
  namesOf,
  readOwnHash,
  firstSettings,
  withOtherLanes,
  withoutPicks,
  createOwnTraining,
  DAMAGE,
  EMPTY,
  OWN_TITLE,
  footerOf,
  picksOfLanes,
  progressText,
  titlesOf,
  trainedText,
  wayOf,
} from "./own_settings.js";
import { formatCount, mergeName } from "../shared/numbers.js";
import { TrainerError } from "../trainer/text.js";
import { createLanesView } from "../stage/lanes_view.js";
import { hexText } from "../player/spelling.js";
import { createTrainer } from "../trainer/trainer.js";
import { isEmbedded } from "./site.js";
import { createTyping } from "../token_grid/typing.js";
import { createOutputs, lanesOf } from "./own_outputs.js";

// The menus of one lane: how its text is split, and how ties are broken.

/**
 * Make the menus.
 * @param {Live} live
 * @param {string} name  of the lane; "" for the only one
 * @param {(change: {variant?: string, rule?: string}) => void} changed
 */
function createMenus(live, name, changed) {
  const of = name && ` of ${name}`;
  const variant = menu("own-variant", `How the text is split${of}`, live.variants, (slug) =>
    changed({ variant: slug }),
  );
  const rule = menu("own-rule", `Rule for ties${of}`, live.rules, (slug) => changed({ rule: slug }));
  const element = make(
    "div",
    "row menus",
    {},
    ...(name ? [make("span", "lane-name", {}, name)] : []),
    make("label", "", {}, make("span", "", {}, "Split into"), variant),
    make("label", "", {}, make("span", "", {}, "Ties"), rule),
  );

  /** @param {LaneSettings} lane */
  function show(lane) {
    fill(variant, live.variants, lane.variant);
    fill(
      rule,
      live.rules.filter((row) => row.menu || row.slug === lane.rule),
      lane.rule,
    );
  }

  return { element, show };
}

/** A row of a menu. @typedef {{slug: string, title: string, brief: string}} MenuRow */

/** @param {string} testId @param {string} label @param {MenuRow[]} rows @param {(slug: string) => void} changed */
function menu(testId, label, rows, changed) {
  const element = make("select", "", { "aria-label": label, "data-testid": testId });
  element.addEventListener("change", () => {
    element.title = briefOf(rows, element.value);
    changed(element.value);
  });
  return element;
}

/** @param {HTMLSelectElement} element @param {MenuRow[]} rows @param {string} slug  of the row that is chosen */
function fill(element, rows, slug) {
  if (element.options.length !== rows.length) {
    element.replaceChildren(...rows.map((row) => make("option", "", { value: row.slug }, row.title)));
  }
  element.value = slug;
  element.title = briefOf(rows, slug);
}

/** @param {MenuRow[]} rows @param {string} slug */
function briefOf(rows, slug) {
  return rows.find((row) => row.slug === slug)?.brief ?? "";
}

// The panel "Your words": the text, the settings of its training, what became of it, and what can be saved of it.

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

/** Make the panel. @param {Live} live @param {PanelListeners} listeners */
function createOwnPanel(live, { change, changeLane, undo, stop, reset, compare }) {
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
  const rows = make("div", "row lane-menus");
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
  const actions = make("div", "row actions", {}, back);
  const copied = make("div", "copies");
  const element = make(
    "section",
    "own-words",
    { "aria-label": "Your words", "data-testid": "own-panel", id: "own-panel" },
    text,
    make(
      "div",
      "row settings",
      {},
      rows,
      make("label", "", {}, make("span", "", {}, "Merges"), merges),
      other,
    ),
    make("div", "row state", {}, status, stopButton, actions),
    copied,
    picks,
    make("p", "elsewhere", {}, live.elsewhere),
  );
  stopButton.hidden = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /** Show the settings. What is being typed is left alone. @param {OwnSettings} settings */
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

  /** Show how far a training is, if it takes long. @param {() => string} sentence */
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

  return { element, actions, copied, text, status, show, say, work, showPicks };
}

/** @param {number} merges */
function bounded(merges) {
  return Math.max(0, Math.min(MOST_MERGES, Math.round(merges) || 0));
}

// A second field below the grid: a new text, split with the merges that the training has learned so far.

const NEW_GROUP = "film-new-text";
const MOST_NEW = 2_000; // characters: each is encoded anew at every key

/**
 * Make the field and what is below it.
 * @param {Trainer} trainer
 * @param {MakePart} part
 * @param {(text: string) => void} changed
 */
function createNewText(trainer, part, changed) {
  const field = make("textarea", "", {
    "data-testid": "own-new-text",
    dir: "auto",
    "aria-describedby": "own-new-status",
    input: () => changed(field.value),
  });
  field.rows = 2;
  field.spellcheck = false;
  field.placeholder =
    "Type a text that was not used for training. It is split with the merges learned so far.";
  const status = make("p", "status", {
    id: "own-new-status",
    role: "status",
    "data-testid": "own-new-status",
  });
  const view = createLanesView(NEW_GROUP, part, { rests: () => undefined, picks: () => undefined });
  const label = make("label", "words", {}, make("span", "", {}, "New text"), field);
  const element = make(
    "section",
    "own-words new-text",
    { "aria-label": "New text" },
    label,
    status,
    view.element,
  );
  let built = 0; // lanes

  /**
   * Split the text with the first `step` merges of each lane.
   * @param {string} text
   * @param {Training[]} trainings
   * @param {number} step
   */
  function show(text, trainings, step) {
    if (field.value !== text) field.value = text;
    const feeds = trainings.length ? encoded(text, trainings, step) : null;
    view.element.hidden = !feeds;
    if (!feeds) return;
    const titles = namesOf(feeds);
    const lanes = feeds.map((feed, index) => ({ feed, title: titles[index], subtitle: "" }));
    if (built === lanes.length) view.update(lanes);
    else view.build(lanes, 0);
    built = lanes.length;
    view.group.playhead?.seek(view.group.playhead.last());
  }

  /** @param {string} text @param {Training[]} trainings @param {number} step @returns {EncodingFeed[] | null} */
  function encoded(text, trainings, step) {
    say("");
    if (!text) return null;
    const { length } = [...text];
    if (length > MOST_NEW) {
      say(
        `A new text has at most ${formatCount(MOST_NEW, "character")} here; this one has ${formatCount(length, "character")}.`,
        true,
      );
      return null;
    }
    try {
      const feeds = trainings.map((training) => trainer.encodingFeed(training, text, step));
      const merges = Math.min(step, Math.max(...trainings.map(({ log }) => log.left.length)));
      say(
        merges
          ? `Split with the first ${formatCount(merges, "merge")}.`
          : "No merge has been done yet. Step forward in the grid above.",
      );
      return feeds;
    } catch (error) {
      if (!(error instanceof TrainerError)) throw error;
      say(error.message, true);
      return null;
    }
  }

  /** @param {string} sentence @param {boolean} [wrong] */
  function say(sentence, wrong = false) {
    status.textContent = sentence;
    status.classList.toggle("wrong", wrong);
  }

  return { element, show };
}

const MERGES_ON_STAGE = 100; // at least
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
    panel.text.select(); // what one types takes its place
    if (!isOn && settings.text) train();
    else if (!isOn) panel.say(EMPTY);
  }

  /** @param {Partial<OwnSettings>} changes */
  function change(changes) {
    settings = { ...settings, ...changes };
    train();
  }

  /** Change a lane, which ends its picks. @param {number} lane @param {Partial<LaneSettings>} changes */
  function changeLane(lane, changes) {
    setLane(lane, { ...settings.lanes[lane], picks: {}, ...changes });
    train();
  }

  function compare() {
    settings = withOtherLanes(settings, own.live);
    panel.show(settings);
    train();
  }

  /** @param {number} lane @param {LaneSettings} next */
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
    view.showWay(wayOf(film, first, next));
  }

  /** @type {import("./own_settings.js").TrainingListeners["fails"]} */
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

  /** @param {number} lane @param {LanePick | TablePick} asked */
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

  /** Bring the recording back. @param {number} step @param {boolean} [closes]  whether it also closes the panel */
  function showRecording(step, closes = true) {
    training.stop();
    isOn = false;
    trained = null;
    panel.showPicks([]);
    outputs.clear();
    if (closes) open(false);
    view.setStale(false);
    view.build(film.lanes, step, film.title, true);
    view.showWay(film.way);
    view.seek(step);
    outputs.writeSoon();
  }

  /** Train with these settings and go to a step. @param {OwnSettings} next @param {number} step */
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

  const before = { settings, step: 0, isOn }; // the field was shown on stage
  createTyping(
    {
      field: () => panel.text,
      about: () => panel.status,
      opens() {
        Object.assign(before, { settings, step: view.step(), isOn });
        // A film may stop after some merges: here a name is merged to its end.
        settings = { ...settings, merges: Math.max(MERGES_ON_STAGE, settings.merges) };
      },
      sends: () => undefined,
      closes(isChanged) {
        settings = before.settings;
        panel.show(settings);
        if (!isChanged) return;
        if (before.isOn) begin(settings, before.step);
        else showRecording(before.step, false);
        newText.element.hidden = panel.element.hidden || !isOn;
      },
    },
    new AbortController().signal,
  );

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
