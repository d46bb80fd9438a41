// The answers that a viewer types or orders in an exercise.

import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, numberOf, splitsOf, textWith } from "../../../ui/components/exercise/practice.js";

const LOWER = ["l", "o", "w", "e", "r", "</w>"];

test("a text and its splits are the same thing", () => {
  for (const splits of [[], [3], [1, 2, 3, 4, 5], [2, 5]]) {
    const text = textWith(LOWER, new Set(splits));
    assert.deepEqual([...(splitsOf(LOWER, text) ?? [])], splits);
  }
  assert.equal(textWith(LOWER, new Set([3])), "low er</w>");
});

test("a text that does not spell the symbols has no splits", () => {
  for (const typed of ["", "low", "low er", "low er</w> x", "lo w er< /w>", "LOWER</w>"]) {
    assert.equal(splitsOf(LOWER, typed), null, typed);
  }
});

test("an element moves by one position and stays at the ends", () => {
  assert.deepEqual(moved(["a", "b", "c"], 0, 1), ["b", "a", "c"]);
  assert.deepEqual(moved(["a", "b", "c"], 2, -1), ["a", "c", "b"]);
  assert.deepEqual(moved(["a", "b"], 0, -1), ["a", "b"]);
  assert.deepEqual(moved(["a", "b"], 1, 1), ["a", "b"]);
});

test("a number may have separators, a full stop or a word after it, and nothing else", () => {
  for (const [typed, number] of [
    ["12", 12],
    [" 1,234 ", 1234],
    ["1 234 567", 1234567],
    ["1\u202f234", 1234],
    ["1’234", 1234],
    ["20.", 20],
    ["14 tokens", 14],
    ["4 times.", 4],
    ["１２", 12],
    ["0", 0],
  ]) {
    assert.equal(numberOf(String(typed)), number);
  }
  for (const typed of ["", "-1", "1.5", "twelve", "1,2", "4 or 5", "3 + 1", "9".repeat(13)])
    assert.equal(numberOf(typed), null);
});
