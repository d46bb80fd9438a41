import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAct, nextName } from "../../../ui/components/lesson_card/card_view.js";

const CALM = { asks: false, plays: false, waits: false, last: false };

test("a lesson asks, plays its stage to the end, and then goes on", () => {
  assert.equal(nextAct({ ...CALM, asks: true, waits: true, last: true }), "answer");
  assert.equal(nextAct({ ...CALM, plays: true, last: true }), "finish");
  assert.equal(nextAct({ ...CALM, waits: true, last: true }), "play");
  assert.equal(nextAct(CALM), "beat");
  assert.equal(nextAct({ ...CALM, last: true }), "lesson");
});

test("the button says what the next key does", () => {
  assert.equal(nextName("answer", "A lottery"), "Show the answer");
  assert.equal(nextName("lesson", "A lottery"), "Next lesson: A lottery");
  assert.equal(nextName("lesson", null), "All lessons done");
});
