import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures } from "../fixtures.js";
import {
  mergeName,
  mergeNumber,
  formatCount,
  formatNumber,
  unpackNumbers,
} from "../../../film/browser/shared/numbers.js";

test("a column is unpacked by the bytes of its numbers", () => {
  assert.deepEqual(unpackNumbers("1:AQIs"), Uint8Array.of(1, 2, 44));
  assert.deepEqual(unpackNumbers("2:AQAsAQ=="), Uint16Array.of(1, 300)); // the example of film/packing.py
  assert.deepEqual(unpackNumbers("4:AAABAP////8="), Uint32Array.of(65_536, 4_294_967_295));
});

test("a column that is empty or missing has no numbers", () => {
  for (const column of [null, undefined, ""])
    assert.equal(unpackNumbers(/** @type {any} */ (column)).length, 0);
  assert.equal(unpackNumbers("1:").length, 0);
});

test("numbers are written with commas, counts with their noun", () => {
  assert.equal(formatNumber(1_234_567), "1,234,567");
  assert.equal(formatCount(1, "token"), "1 token");
  assert.equal(formatCount(0, "token"), "0 tokens");
  assert.equal(formatCount(1200, "time"), "1,200 times");
});

test("people count merges from 1, here as in Python", () => {
  assert.ok(fixtures.merge_names.length > 400);
  for (const [rank, name] of fixtures.merge_names) {
    assert.equal(mergeName(rank), name);
    assert.equal(`merge ${mergeNumber(rank)}`, name);
  }
  assert.equal(mergeName(0), "merge 1");
  assert.equal(mergeName(999), "merge 1,000");
});
