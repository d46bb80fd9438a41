import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf } from "../../../film/browser/token_grid/prediction.js";

const row = (/** @type {string} */ labels, /** @type {number} */ count, tied = false, chosen = false) => {
  return { labels: labels.split(" "), count, tied, chosen };
};
const ROWS = [row("e s", 9, true, true), row("s t", 9, true), row("l o", 7), row("a b", 6), row("o w", 5)];

test("the audience chooses between the four most frequent pairs, whose order says nothing", () => {
  assert.deepEqual(
    choicesOf(ROWS).map(({ row: { labels } }) => labels.join("")),
    ["ab", "es", "lo", "st"],
  );
});

test("every pair that ties is right", () => {
  assert.deepEqual(
    choicesOf(ROWS).map(({ right }) => right),
    [false, true, false, true],
  );
});
