// The page's trainer makes exactly the feeds that Python makes, and refuses what Python refuses.

/** @import {Live, Recipe} from "../../../film/browser/trainer/live_types.js" */
/** @import {FeedOptions} from "../../../film/browser/trainer/feeds.js" */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { sharedShades } from "../../../film/browser/trainer/feeds.js";
import { decodeFeed } from "../../../film/browser/player/feed.js";
import { kindText, whyWon } from "../../../film/browser/token_grid/wording.js";
import { createTrainer } from "../../../film/browser/trainer/trainer.js";
import { TrainerError } from "../../../film/browser/trainer/text.js";

/** @typedef {{name: string, text: string, recipe: Recipe, options: FeedOptions, feed?: object, ties?: [number, string, string][], encoded?: [string, number, object], error?: string}} Case */

/** @typedef {{text: string, recipes: Recipe[], shades: string[]}} Lanes */

/** @type {{live: Live, cases: Case[], lanes: Lanes[]}} */
const { live, cases, lanes } = JSON.parse(
  readFileSync(join(process.env.FIXTURES ?? "", "trainer.json"), "utf-8"),
);
const trainer = createTrainer(live);

test("every feed equals Python's", () => {
  for (const { name, text, recipe, options, feed } of cases) {
    if (feed) assert.deepEqual(trainer.feed(trainer.train(text, recipe), options), feed, name);
  }
});

test("the page says why a pair won and what its merge takes from the others, with Python's words", () => {
  /** Leave out what keeps letters of two directions in order. @param {string} text */
  const plain = (text) => text.replace(/[\u2066-\u2069]/g, "");
  const rules = new Set();
  const kinds = new Set();
  for (const { name, text, recipe, options, ties = [] } of cases) {
    if (!ties.length) continue;
    const model = decodeFeed(trainer.feed(trainer.train(text, recipe), options));
    for (const [rank, why, kind] of ties) {
      const sentences = [whyWon(model, rank), kindText(model, rank)].map(plain);
      if (sentences.some((sentence) => sentence.includes(" … "))) continue; // a long token is shortened on a screen
      assert.deepEqual(sentences, [why, kind], `${name}, merge ${rank + 1}`);
      if (why) rules.add(recipe.tie_break);
      kinds.add(model.rivals.has(rank));
    }
  }
  assert.deepEqual([...rules].toSorted(), live.rules.map(({ slug }) => slug).toSorted());
  assert.equal(kinds.size, 2);
});

test("every encoding of a new text equals Python's", () => {
  for (const { name, text, recipe, encoded } of cases) {
    if (!encoded) continue;
    const [added, merges, feed] = encoded;
    assert.deepEqual(
      trainer.encodingFeed(trainer.train(text, recipe), added, merges),
      feed,
      `${added} in ${name}`,
    );
  }
});

test("lanes share their colours as in Python", () => {
  for (const { text, recipes, shades } of lanes) {
    const trainings = recipes.map((recipe) => trainer.train(text, recipe));
    const feeds = sharedShades(
      trainings,
      trainings.map((training) => trainer.feed(training)),
    );
    assert.deepEqual(
      feeds.map((feed) => feed.shades),
      shades,
    );
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
