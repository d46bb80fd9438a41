// The page's trainer makes the feeds that Python makes, key by key, and refuses what Python refuses.

/** @import {Live, Recipe} from "../../../film/browser/trainer/live_types.js" */
/** @import {FeedOptions} from "../../../film/browser/trainer/feeds/training_feed.js" */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { createTrainer } from "../../../film/browser/trainer/trainer.js";
import { TrainerError } from "../../../film/browser/trainer/trainer_error.js";

/** @typedef {{name: string, text: string, recipe: Recipe, options: FeedOptions, feed?: object, error?: string}} Case */

/** @type {{live: Live, cases: Case[]}} */
const { live, cases } = JSON.parse(readFileSync(join(process.env.FIXTURES ?? "", "trainer.json"), "utf-8"));
const trainer = createTrainer(live);

test("every feed equals Python's, key by key", () => {
  for (const { name, text, recipe, options, feed } of cases) {
    if (feed) assert.deepEqual(trainer.feed(trainer.train(text, recipe), options), feed, name);
  }
});

test("what Python refuses is refused with the same sentence", () => {
  const refused = cases.filter(({ error }) => error);
  assert.ok(refused.length);
  for (const { name, text, recipe, error } of refused) {
    assert.throws(
      () => trainer.train(text, recipe),
      (thrown) => thrown instanceof TrainerError && thrown.message === error,
      name,
    );
  }
});
