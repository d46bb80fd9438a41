// The position of a viewer in a lesson.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createPosition } from "../../film/browser/lesson/position.js";

/** @import {LessonData} from "../../film/browser/lesson/lesson.js" */

/** Return a lesson whose beats have a question and an encoding. @param {string} slug */
function lesson(slug) {
  const beat = { question: ["Which?"], stage: 0, step: 0, guess: false };
  return /** @type {LessonData} */ (
    /** @type {unknown} */ ({ slug, beats: [beat, beat], stages: [{ kind: "encoding" }] })
  );
}

test("who comes back to a beat finds it answered and played, and another beat as new", () => {
  const first = createPosition({ playhead: null });
  first.open(lesson("a"), 1);
  assert.deepEqual([first.isPending(), first.step(5)], [true, 0]);
  first.answer();
  first.play();
  const back = createPosition({ playhead: null });
  back.open(lesson("a"), 1);
  assert.deepEqual([back.isPending(), back.step(5)], [false, 5]);
  back.open(lesson("b"), 1);
  assert.deepEqual([back.isPending(), back.step(5)], [true, 0]);
  back.open(lesson("a"), 1); // another lesson was between
  assert.deepEqual([back.isPending(), back.step(5)], [true, 0]);
});
