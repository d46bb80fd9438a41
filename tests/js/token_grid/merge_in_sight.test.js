import assert from "node:assert/strict";
import { test } from "node:test";
import { fullestTop } from "../../../film/browser/token_grid/in_sight.js";

test("a lesson scrolls to where the text shows most of its pairs, the first above all", () => {
  const at = (/** @type {number} */ y, /** @type {string} */ name) => ({ y, low: y + 30, name });
  const sights = [at(0, "e a"), at(900, "l o"), at(1_200, "e a"), at(1_230, "a i"), at(5_000, "l o")];
  assert.equal(fullestTop(sights, ["e a", "a i"], 0, 300), 1_192);
  assert.equal(fullestTop(sights, ["e a", "a i"], 1_100, 300), 1_100); // both are in sight
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 300), 892); // the first alone weighs more than the others
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 400), 892);
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 10_000), 0);
  assert.equal(fullestTop([], ["e a"], 70, 300), 70);
});
