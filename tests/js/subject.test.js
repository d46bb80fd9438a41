import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "../../film/browser/subject/subject.js";
import { largestSize } from "../../film/browser/shared/dom.js";

test("the value between two points is on the line between them", () => {
  const [points, values] = [
    [0, 100, 1000],
    [100, 50, 25],
  ];
  assert.equal(valueAt(points, values, 550), 37.5);
  assert.equal(valueAt(points, values, 0), 100);
  assert.equal(valueAt(points, values, 5000), 25);
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
