// What is typed on stage, as a training of its own below the field: it trains while it is typed, with the settings of what
// was on the stage, and then plays. Nothing of it is in an address or in a storage.

/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {Live, Recipe} from "../trainer/live_types.js" */
/** @import {EncodingFeed} from "../shared/feed_types.js" */
/** @import {Typing} from "../shared/groups.js" */
/** @import {FilmLane} from "./site.js" */
/** @import {OwnSettings} from "./own_settings.js" */
/** @import {LanesView, MakePart} from "./views.js" */

import { activate, groupNamed, say, typing } from "../shared/groups.js";
import { formatCount, sumOf, unpackNumbers } from "../shared/numbers.js";
import { createStageField } from "../text_on_stage/field.js";
import { TrainerError } from "../trainer/text.js";
import { createTrainer } from "../trainer/trainer.js";
import { createOwnTraining, trainedText } from "./own_settings.js";
import { createLanesView } from "./views.js";

export const TYPED_GROUP = "text-on-stage";
const PLAYS_AFTER = 400; // ms after the last key until it plays: before, each key begins anew
const MOST_IN_LIST = 16; // words that are drawn one below the other

/**
 * How a text is drawn: by a training in the page, or by somebody else, who then calls `show`.
 * @typedef {object} Source
 * @property {() => Omit<OwnSettings, "text"> | null} settings  null if the page cannot train with them
 * @property {(index: number) => {title: string, subtitle: string}} titleOf  a lane
 * @property {(text: string) => void} ask  asks somebody else
 * @property {TypedView} [view]  what draws the answers of somebody else in place of lanes
 */

/** What draws a text below the field. @typedef {Pick<LanesView, "element" | "build" | "update" | "clear">} TypedView */

/**
 * Join the field of the stage. Returns what shows lanes that somebody else has made or says why there are none, and what
 * leaves the field.
 * @param {Typing} field
 * @param {Live} live
 * @param {MakePart} part
 * @param {Source} source
 */
export function createTextOnStage(field, live, part, { settings, titleOf, ask, view = lanesBelow(part) }) {
  /** @type {GridGroup} */
  const group = groupNamed(TYPED_GROUP);
  group.leave = field.close; // leaving the presenter view of its grids closes the field; they are no place of a talk
  field.below.append(view.element);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let starting;
  let built = 0; // lanes
  let text = "";
  const training = createOwnTraining(createTrainer(live), {
    ends: (trained) => {
      const lanes = trained.feeds.map((feed, index) => ({ feed, ...titleOf(index) }));
      show(lanes, trainedText(trained));
    },
    fails: ({ message }) => refuse(message),
    goesOn: () => undefined,
  });

  /** @param {string} next */
  function change(next) {
    text = next;
    clearTimeout(starting);
    training.stop();
    if (!text.trim()) return clear();
    const asked = settings();
    if (asked) training.train({ ...asked, text });
    else ask(text);
  }

  /**
   * Draw lanes at their first step, and play them after a moment.
   * @param {FilmLane[]} lanes
   * @param {string} sentence
   */
  function show(lanes, sentence) {
    if (!field.isOpen()) return;
    const few = text.trim().split(/\s+/).length <= MOST_IN_LIST;
    const drawn = lanes.map((lane) => ({
      ...lane,
      options: few ? { view: /** @type {const} */ ("words") } : {},
    }));
    if (built === lanes.length) view.update(drawn);
    else view.build(drawn, 0);
    if (!built) enter();
    built = lanes.length;
    group.playhead?.seek(0);
    field.say(sentence);
    starting = setTimeout(() => group.playhead?.play(), PLAYS_AFTER);
  }

  /** Say why nothing is drawn. @param {string} sentence */
  function refuse(sentence) {
    clear();
    field.say(sentence, true);
  }

  // Its grids are as large as in every presenter view.
  function enter() {
    if (group.playhead) group.playhead.film = true;
    activate(group);
    say("present", { group: TYPED_GROUP, on: true });
  }

  function clear() {
    clearTimeout(starting);
    if (!built) return;
    built = 0;
    group.playhead?.pause();
    say("present", { group: TYPED_GROUP, on: false });
    group.presenting = false;
    view.clear();
  }

  function play() {
    clearTimeout(starting);
    const { playhead } = group;
    if (!playhead) return;
    if (playhead.step >= playhead.last()) playhead.seek(0);
    playhead.play();
    [...group.lanes][0]?.elements.viewport.focus({ preventScroll: true });
  }

  function close() {
    training.stop();
    clear();
  }

  field.attach({ change, play, close });
  function remove() {
    close();
    field.attach(null);
    view.element.remove();
  }
  return { show, refuse, remove };
}

/** @param {MakePart} part */
function lanesBelow(part) {
  return createLanesView(TYPED_GROUP, part, { rests: () => undefined, picks: () => undefined });
}

/**
 * Let T open the field on a page that trains by itself.
 * @param {MakePart} part
 * @param {Live} live
 * @param {Pick<Source, "settings" | "titleOf"> & {encode: ((text: string) => EncodingFeed) | null}} source  `encode` splits
 *   a text with the merges of the film's own; null if the page does not have that text
 */
export function offerTextOnStage(part, live, { settings, titleOf, encode }) {
  const { host, root } = part("mbm stage-field", "stage-field", "text-on-stage");
  document.body.append(host);
  const join = () => {
    const field = typing();
    if (!field) return;
    const stage = createTextOnStage(field, live, part, {
      settings: () => (encode && field.isOverEncoding() ? null : settings()),
      titleOf,
      ask,
    });

    /** @param {string} text */
    function ask(text) {
      if (!encode) return;
      try {
        const feed = encode(text);
        stage.show([{ feed, title: "", subtitle: "" }], formatCount(tokensAtEnd(feed), "token"));
      } catch (error) {
        if (!(error instanceof TrainerError)) throw error;
        stage.refuse(error.message);
      }
    }
  };
  createStageField(/** @type {HTMLElement} */ (root.firstElementChild), join, new AbortController().signal);
}

/** Return how many tokens a text has when all steps of its encoding are done. @param {EncodingFeed} feed */
function tokensAtEnd({ words, steps }) {
  const frequencies = unpackNumbers(words.frequencies);
  const symbols = [...unpackNumbers(words.lengths)].map((length, at) => length * frequencies[at]);
  return sumOf(symbols) - sumOf([...unpackNumbers(steps.count)]);
}

/**
 * Return the settings of a stage for another text: picks were of pairs that this text may lack.
 * @param {Pick<OwnSettings, "lanes" | "merges">} settings
 * @returns {Omit<OwnSettings, "text">}
 */
export function settingsOnStage({ lanes, merges }) {
  return {
    lanes: lanes.map((lane) => ({ ...lane, picks: {} })),
    merges: Math.max(LEAST_MERGES, merges),
    newText: "",
  };
}

/**
 * Return the same of recipes.
 * @param {Recipe[]} recipes
 * @param {number} merges  that the longest of them has learned
 */
export function settingsOf(recipes, merges) {
  const lanes = recipes.map((base) => ({ variant: base.variant, rule: base.tie_break, picks: {}, base }));
  return settingsOnStage({ lanes, merges });
}

const LEAST_MERGES = 100; // a lesson stops after some merges: here a name is merged to its end
