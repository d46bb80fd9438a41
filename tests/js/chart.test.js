import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf } from "../../film/browser/chart/chart.js";
import { longestBar } from "../../film/browser/chart/rows.js";

const VALUES = new Map([
  [0, 80],
  [10, 40],
  [100, 20],
]);
const LINE = { points: [...VALUES.keys()], value: (/** @type {number} */ step) => VALUES.get(step) };

test("a line begins at the left edge of the chart, falls, and ends at the right edge", () => {
  assert.equal(pathOf(LINE, { last: 100, most: 80 }), "M0.0000 0.0000L0.1000 0.5000L1.0000 0.7500");
});

test("a line that ends early ends where its last merge is", () => {
  assert.ok(pathOf(LINE, { last: 200, most: 80 }).endsWith("L0.5000 0.7500"));
});

test("a training without merges is drawn too", () => {
  assert.equal(pathOf({ points: [0], value: () => 5 }, { last: 0, most: 5 }), "M0.0000 0.0000");
});

test("bars have the scale of the longest one that is to be seen", () => {
  const rows = [{ amounts: [76] }, {}, { amounts: [400, 424] }];
  assert.equal(longestBar(rows, 0), 824);
  assert.equal(longestBar(rows, 1), 76);
  assert.equal(longestBar([], 0), 1);
});
