// The trainer of a page: it trains on a text that somebody types, as `bpe.train` does, and makes the same feed.

/** @import {EncodingFeed, TrainingFeed} from "../shared/feed_types.js" */
/** @import {Live, Recipe} from "./live_types.js" */
/** @import {FeedOptions} from "./feeds.js" */
/** @import {Training} from "./training.js" */

import { trainingSteps } from "./training.js";
import { encodingFeed, trainingFeed } from "./feeds.js";

// Milliseconds of work between two moments at which the page can draw and hear keys.
const SLICE = 8;

/** @returns {Promise<void>} */
function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** @param {Live} live  what Python wrote into the page */
export function createTrainer(live) {
  return {
    live,

    /**
     * Train at once. Throws TrainerError for a text or a recipe that Python refuses too.
     * @param {string} text
     * @param {Recipe} recipe
     * @returns {Training}
     */
    train(text, recipe) {
      const steps = trainingSteps(live, text, recipe);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    },

    /**
     * Train in slices, between which the page stays responsive. Rejects when the signal is aborted.
     * @param {string} text
     * @param {Recipe} recipe
     * @param {{signal?: AbortSignal, progress?: (done: number, total: number) => void}} [options]
     * @returns {Promise<Training>}
     */
    async trainInSlices(text, recipe, { signal, progress } = {}) {
      const steps = trainingSteps(live, text, recipe);
      // Not at once: one paste or one key may tell of many changes, each of which stops the work before.
      await nextTask();
      signal?.throwIfAborted();
      let end = performance.now() + SLICE;
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        if (performance.now() < end) continue;
        progress?.(...step.value);
        // oxlint-disable-next-line no-await-in-loop -- one slice after the other
        await nextTask();
        signal?.throwIfAborted();
        end = performance.now() + SLICE;
      }
    },

    /**
     * Return the feed of a training, as Python makes it.
     * @param {Training} training
     * @param {FeedOptions} [options]
     * @returns {TrainingFeed}
     */
    feed: (training, options) => trainingFeed(training, options),

    /**
     * Return the feed of a new text, encoded step by step with the first merges of a training. Throws TrainerError for half
     * a character.
     * @param {Training} training
     * @param {string} text
     * @param {number} [merges]  all of them by default
     * @returns {EncodingFeed}
     */
    encodingFeed: (training, text, merges) => encodingFeed(training, text, merges),
  };
}

/** @typedef {ReturnType<typeof createTrainer>} Trainer */
