import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed } from "../../../film/browser/player/feed.js";
import { lastTokens } from "../../../film/browser/token_grid/headline.js";
import { tokensNow, vocabularyNow } from "../../../film/browser/player/pair_counts.js";
import { fixtures } from "../fixtures.js";

test("tokens and vocabulary after every merge are the engine's", () => {
  for (const { name, feed, tokens, vocabulary } of [...fixtures.trainings, ...fixtures.cut_elsewhere]) {
    const model = decodeFeed(feed);
    const steps = [...tokens.keys()];
    assert.deepEqual(
      steps.map((step) => tokensNow(model, step)),
      tokens,
      name,
    );
    assert.deepEqual(
      steps.map((step) => vocabularyNow(model, step)),
      vocabulary,
      name,
    );
  }
});

test("an encoding tells neither", () => {
  const model = decodeFeed(fixtures.encodings[0].feed);
  assert.deepEqual([tokensNow(model, 0), vocabularyNow(model, 0)], [null, null]);
});

test("the ticker has the last five tokens, the newest first", () => {
  const model = decodeFeed(fixtures.trainings[0].feed);
  const { ids } = model.steps;
  assert.deepEqual(lastTokens(model, 0), []);
  assert.deepEqual(lastTokens(model, 2), [ids[1], ids[0]]);
  assert.deepEqual(lastTokens(model, 9), [ids[8], ids[7], ids[6], ids[5], ids[4]]);
});
