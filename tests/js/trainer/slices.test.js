// A training in slices is the same training, and a page that waits for it stays responsive.

/** @import {Live} from "../../../film/browser/trainer/live_types.js" */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { createTrainer } from "../../../film/browser/trainer/trainer.js";
import { TrainerError } from "../../../film/browser/trainer/text.js";

/** @type {{live: Live}} */
const { live } = JSON.parse(readFileSync(join(process.env.FIXTURES ?? "", "trainer.json"), "utf-8"));
const trainer = createTrainer(live);
const [{ slug: variant }] = live.variants;
const [{ slug: rule }] = live.rules;
const recipe = { variant, tie_break: rule, merges: 3_000 };
const LONG = Array.from({ length: 30_000 }, (_, at) => ((at * at * 7 + at) % 9_973).toString(26)).join(" ");

test("a training in slices learns what a training at once learns", async () => {
  const text = LONG.slice(0, 20_000);
  const inSlices = await trainer.trainInSlices(text, recipe);
  assert.deepEqual(trainer.feed(inSlices), trainer.feed(trainer.train(text, recipe)));
});

test("between the slices other work is done, and the progress only grows", async () => {
  /** @type {number[]} */
  const reports = [];
  let others = 0;
  const timer = setInterval(() => others++, 1);
  await trainer.trainInSlices(LONG, recipe, {
    progress(merges, total) {
      reports.push(merges);
      assert.ok(merges <= total || total === 0);
    },
  });
  clearInterval(timer);
  assert.ok(others > 0);
  assert.ok(reports.length > 1);
  assert.deepEqual(
    reports,
    reports.toSorted((one, other) => one - other),
  );
});

test("the next keystroke ends a training", async () => {
  const control = new AbortController();
  const training = trainer.trainInSlices(LONG, recipe, {
    signal: control.signal,
    progress: () => control.abort(),
  });
  await assert.rejects(training, { name: "AbortError" });
  await assert.rejects(trainer.trainInSlices("low", recipe, { signal: control.signal }), {
    name: "AbortError",
  });
});

test("a pick that no longer ties is refused, and the error names its merge", () => {
  assert.throws(
    () => trainer.train("low lower", { ...recipe, picks: { 1: 99 } }),
    (error) => error instanceof TrainerError && error.rank === 1 && error.message.includes("merge 2"),
  );
});

for (const pick of [99, -1, 0.5, ["6c"], ["zz", "zz"], [], null, "6c6f"]) {
  test(`a pick from a forged address is refused in one sentence: ${JSON.stringify(pick)}`, () => {
    const picks = /** @type {Record<number, number>} */ ({ 0: pick });
    assert.throws(() => trainer.train("low lower", { ...recipe, picks }), TrainerError);
  });
}

for (const merges of [NaN, -1, 1e9, Infinity]) {
  test(`a number of merges from a forged address ends the training: ${merges}`, () => {
    assert.ok(trainer.train("low lower", { ...recipe, merges }).log.left.length < 9);
  });
}

test("a slug that is no row is refused in one sentence", () => {
  assert.throws(() => trainer.train("low", { ...recipe, variant: "none" }), TrainerError);
});
