import assert from "node:assert/strict";
import { test } from "node:test";
import { longestBar, pathOf, placeOf, sentenceOf, valueAt } from "../../film/browser/subject/subject.js";
import { largestSize } from "../../film/browser/shared/dom.js";

const LINE = { name: "the text", values: [100, 50, 25] };
const CHART = { points: [0, 100, 1000], lines: [LINE, { name: "another", values: [100, 80, 60] }], at: 100 };

test("a line begins at the left edge of the chart, falls, and ends at the right edge", () => {
  const coordinates = CHART.points.map((point, number) => placeOf(CHART, point, LINE.values[number]));
  assert.deepEqual(coordinates, [
    [66, 0],
    [133.2, 175],
    [738, 262.5],
  ]);
  assert.equal(pathOf(CHART, LINE), "M66 0L133.2 175L738 262.5");
});

test("a training without merges is drawn too", () => {
  const chart = { points: [0], lines: [{ name: "the text", values: [100] }], at: 0 };
  assert.equal(pathOf(chart, chart.lines[0]), "M66 0");
});

test("a chart says its values to those who cannot see it", () => {
  assert.equal(sentenceOf(CHART), "After 100 of 1,000 merges: the text: 50 percent; another: 80 percent");
});

test("a dot between two points is on the line between them, and the line up to it ends there", () => {
  assert.equal(valueAt(CHART, LINE, 550), 37.5);
  assert.equal(valueAt(CHART, LINE, 0), 100);
  assert.equal(valueAt(CHART, LINE, 5000), 25);
  assert.ok(pathOf(CHART, LINE, 550).endsWith(`L${placeOf(CHART, 550, 37.5).join(" ")}`));
});

test("bars have the scale of the longest one that is to be seen", () => {
  /** @type {import("../../film/browser/subject/subject.js").Row[]} */
  const rows = [{ items: [], amounts: [76] }, { items: ["words"] }, { items: [], amounts: [400, 424] }];
  const subject = { kind: /** @type {const} */ ("bars"), title: "", rows, more: "", waits: 1 };
  assert.equal(longestBar(subject, false), 824);
  assert.equal(longestBar(subject, true), 76);
  assert.equal(longestBar({ ...subject, rows: [] }, false), 1);
});

test("type is as large as fits, to half a pixel", () => {
  const size = largestSize(14, 120, (letters) => letters <= 61.3);
  assert.ok(size <= 61.3 && size > 60.8);
  const most = largestSize(14, 120, () => true);
  assert.equal(most, 120);
});

test("type is never smaller than the least, even if that does not fit", () => {
  const least = largestSize(14, 120, () => false);
  assert.equal(least, 14);
});
