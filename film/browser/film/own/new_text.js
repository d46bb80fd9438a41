// A second field below the grid: a new text, split with the merges that the training has learned so far.

/** @import {EncodingFeed} from "../../shared/feed_types.js" */
/** @import {Trainer} from "../../trainer/trainer.js" */
/** @import {Training} from "../../trainer/training.js" */
/** @import {MakePart} from "../shadow_parts.js" */

import { make } from "../../shared/dom.js";
import { formatCount } from "../../shared/numbers.js";
import { TrainerError } from "../../trainer/text.js";
import { createLanesView } from "../lanes_view.js";
import { namesOf } from "./own_settings.js";

const NEW_GROUP = "film-new-text";
const MOST_NEW = 2_000; // characters: each is encoded anew at every key

/**
 * Make the field and what is below it.
 * @param {Trainer} trainer
 * @param {MakePart} part
 * @param {(text: string) => void} changed
 */
export function createNewText(trainer, part, changed) {
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

  /**
   * @param {string} text
   * @param {Training[]} trainings
   * @param {number} step
   * @returns {EncodingFeed[] | null}
   */
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

  /**
   * @param {string} sentence
   * @param {boolean} [wrong]
   */
  function say(sentence, wrong = false) {
    status.textContent = sentence;
    status.classList.toggle("wrong", wrong);
  }

  return { element, show };
}
