// The training of the viewer's own words: one for each lane. Another request ends the one that runs.

/** @import {Trainer} from "../../trainer/trainer.js" */
/** @import {Training} from "../../trainer/training.js" */
/** @import {TrainingFeed} from "../../shared/feed_types.js" */
/** @import {OwnSettings} from "./own_settings.js" */

import { sharedShades } from "../../trainer/feeds.js";
import { TrainerError } from "../../trainer/text.js";
import { recipeOf } from "./own_settings.js";

/** @typedef {{settings: OwnSettings, trainings: Training[], feeds: TrainingFeed[]}} Trained */

/**
 * What hears of a training.
 * @typedef {object} TrainingListeners
 * @property {(trained: Trained) => void} ends
 * @property {(error: TrainerError, lane: number) => void} fails
 * @property {(merged: number, total: number, lane: number) => void} goesOn  total is 0 while the words are counted
 */

/**
 * Return a function that trains, and one that ends the training that runs.
 * @param {Trainer} trainer
 * @param {TrainingListeners} listeners
 */
export function createOwnTraining(trainer, { ends, fails, goesOn }) {
  let job = new AbortController();

  function stop() {
    job.abort();
  }

  /** @param {OwnSettings} settings */
  async function train(settings) {
    const { text, lanes, merges } = settings;
    stop();
    job = new AbortController();
    const { signal } = job;
    /** @type {Training[]} */
    const trainings = [];
    try {
      for (const [index, lane] of lanes.entries()) {
        const progress = (/** @type {number} */ merged, /** @type {number} */ total) =>
          goesOn(merged, total, index);
        // oxlint-disable-next-line no-await-in-loop -- one lane after the other: they share one processor
        trainings.push(await trainer.trainInSlices(text, recipeOf(lane, merges), { signal, progress }));
      }
      ends({ settings, trainings, feeds: feedsOf(trainer, trainings) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TrainerError)) throw error;
      fails(error, trainings.length);
    }
  }

  return { train, stop };
}

/**
 * Return the feeds of lanes, in the colours that they share.
 * @param {Trainer} trainer
 * @param {Training[]} trainings
 * @param {boolean} [picks]  whether the viewer may pick another tied pair
 */
export function feedsOf(trainer, trainings, picks = true) {
  const feeds = trainings.map((training) => trainer.feed(training, { picks }));
  return trainings.length === 1 ? feeds : sharedShades(trainings, feeds);
}
