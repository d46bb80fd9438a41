import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed, isReplayed, tiedPairs, tokenOf } from "../../../../film/browser/token_grid/data/feed.js";
import { bestTop, pairsOfScene, weightsOf } from "../../../../film/browser/token_grid/story/scene_view.js";
import { sceneAt, scenesOf, storyNumbers, tempoOf } from "../../../../film/browser/token_grid/story/story.js";
import { stepsAtOnce } from "../../../../film/browser/token_grid/timing/speeds.js";
import { fixtures } from "../../fixtures.js";

const trainings = fixtures.trainings.filter(({ tokens }) => tokens.length > 1);
const models = trainings.map(({ feed }) => decodeFeed(feed));

test("a story slows down at the first tie, the largest tie and the longest token", () => {
  for (const model of models) {
    const scenes = scenesOf(model);
    const ties = Array.from(model.steps.tied, (tied, step) => (isReplayed(model, step) ? 0 : tied));
    const lengths = Array.from(model.steps.ids, (id) => tokenOf(model, id).length);
    const most = Math.max(...ties);
    const expected = new Set([lengths.indexOf(Math.max(...lengths))]);
    if (most > 1) {
      expected.add(ties.findIndex((count) => count > 1));
      expected.add(ties.indexOf(most));
    }
    assert.deepEqual(
      scenes.map(({ step }) => step),
      [...expected].toSorted((one, other) => one - other),
    );
  }
});

test("scenes are told in plain words", () => {
  assert.deepEqual(
    scenesOf(models[0]).map(({ text }) => text),
    [
      "Merge 1: the first tie, and the largest: 3 pairs occur 9 times.",
      "Merge 8: the longest token: newest</w>.",
    ],
  );
});

test("a story of any length ends within 30 seconds, and shows the beats of its scenes", () => {
  for (const last of [3, 12, 40, 300, 10_000]) {
    const scenes = [0, 1, 2].map((step) => ({ step, text: "" }));
    const tempo = tempoOf(last, scenes);
    let seconds = 0;
    for (let step = 0; step < last; step++) {
      const { factor, rate } = tempo(step);
      seconds += factor ? 1.4 / factor : 1 / (rate ?? 0);
    }
    assert.ok(seconds < 30.001, `${last} merges take ${seconds} s`);
    assert.equal(tempo(1).factor, 0.5);
    assert.ok((tempo(last).rate !== undefined) === last > 80, String(last));
  }
});

test("scenes with a text of their own leave time to read it", () => {
  const texts = ["A short one.", "x".repeat(110), "x".repeat(90), "x".repeat(80)];
  const scenes = texts.map((text, at) => ({ step: at * 100, text }));
  const tempo = tempoOf(400, scenes);
  const seconds = scenes.map(({ step }) => 1.4 / (tempo(step).factor ?? 0));
  assert.deepEqual(
    seconds.map((time) => time.toFixed(1)),
    ["2.8", "5.0", "4.1", "3.6"],
  );
  const rest = 396 / (tempo(1).rate ?? 0);
  assert.ok(Math.abs(seconds.reduce((sum, time) => sum + time, rest) - 30) < 0.001);
  const long = tempoOf(
    400,
    scenes.map((scene) => ({ ...scene, text: "x".repeat(1_000) })),
  );
  assert.ok(400 / (long(1).rate ?? 0) < 30);
});

test("a scene begins with its merge and ends when it has settled", () => {
  const scenes = [{ step: 4, text: "" }];
  const at = (/** @type {number} */ step, /** @type {string} */ beat) => sceneAt(scenes, step, beat)?.step;
  assert.deepEqual([at(4, "count"), at(4, "select"), at(5, "fuse"), at(5, "settle")], [4, 4, 4, 4]);
  assert.deepEqual([at(4, "settle"), at(5, "count"), at(3, "fast")], [undefined, undefined, undefined]);
});

test("the five numbers are the engine's", () => {
  for (const [number, { tokens }] of trainings.entries()) {
    const model = models[number];
    const values = storyNumbers(model).map(([, value]) => value);
    assert.equal(values[0], tokens[0].toLocaleString("en"));
    assert.equal(values[1], tokens[tokens.length - 1].toLocaleString("en"));
    assert.equal(values[2], String(model.last));
  }
  assert.deepEqual(storyNumbers(models[0]).slice(3), [
    ["Merges that broke a tie", "9"],
    ["Longest token", "newest</w> (7 characters)"],
  ]);
});

test("a frame makes the steps that are due, but never passes a scene", () => {
  const tempo = tempoOf(10_000, [{ step: 7, text: "" }]);
  const rate = tempo(0).rate ?? 0;
  assert.equal(stepsAtOnce(tempo, 0, rate, 3), 3);
  assert.equal(stepsAtOnce(tempo, 0, rate, 20), 7);
  assert.equal(stepsAtOnce(tempo, 8, rate, 1_000), Math.ceil(rate / 15));
});

test("a scene scrolls to where the text shows most of it, and stays if that is in sight", () => {
  const at = (/** @type {number} */ y, /** @type {string} */ name) => ({ y, low: y + 30, name });
  const sights = [at(0, "e a"), at(900, "BREAD"), at(1_200, "e a"), at(1_230, "a i"), at(5_000, "BRAID")];
  const pairs = weightsOf([], ["e a", "a i"]);
  assert.equal(bestTop(sights, pairs, 0, 300), 1_194);
  assert.equal(bestTop(sights, pairs, 1_100, 300), 1_100);
  const words = weightsOf(["BREAD", "BRAID"], ["e a", "a i"]);
  assert.equal(bestTop(sights, words, 0, 300), 894);
  assert.equal(bestTop(sights, words, 0, 400), 894);
  assert.equal(bestTop(sights, words, 0, 10_000), 0);
  assert.equal(bestTop([], words, 70, 300), 70);
});

test("a scene marks the pairs that tie, also those that the feed does not name", () => {
  for (const model of models) {
    const unnamed = { ...model, ties: { starts: new Uint32Array(1), ids: new Uint32Array(0) } };
    for (let step = 0; step < model.last; step++) {
      const named = (tiedPairs(model, step) ?? []).map((pair) => pair.join(" "));
      if (model.replay || !model.whole || named.length < 2) continue;
      assert.deepEqual(new Set(pairsOfScene({ model: unnamed, step })), new Set(named));
      assert.equal(pairsOfScene({ model, step })[0], `${model.steps.left[step]} ${model.steps.right[step]}`);
    }
    assert.equal(pairsOfScene({ model: { ...model, whole: false }, step: 0 }).length, 1);
  }
});
