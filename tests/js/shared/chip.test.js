import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chipLength,
  isPartOfCharacter,
  labelText,
  readable,
  shortened,
  tabsOf,
} from "../../../film/browser/shared/chip.js";

/** @type {[label: string | string[], text: string, length: number, isPart: boolean][]} */
const CASES = [
  ["low", "low", 3, false],
  ["low\ufffe</w>\uffff", "low</w>", 4, false], // a tab is as wide as a letter
  ["low</w>", "low</w>", 7, false], // typed
  [["\ufffe▁\uffff", "E0"], "▁E0", 3, true],
  ["<0xC3>", "<0xC3>", 6, false], // typed
  [["", "F0 9F"], "F0 9F", 5, true],
  [["·", "E0"], "·E0", 3, true],
  [["<0xF0>", "F0"], "<0xF0> F0", 8, false],
  [["a", "F0", "b"], "a F0 b", 4, false],
];

for (const [label, text, length, isPart] of CASES) {
  test(`a chip's label ${JSON.stringify(label)} is ${text} as text`, () => {
    assert.equal(labelText(label), text);
    assert.equal(chipLength(label), length);
    assert.equal(isPartOfCharacter(label), isPart);
  });
}

test("a long label is cut, whatever it is made of", () => {
  const bytes = Array.from({ length: 50 }, () => "F0").join(" ");
  const many = Array.from({ length: 40 }, (_, at) => (at % 2 ? "F0" : "a"));
  for (const label of ["a".repeat(100), ["a".repeat(100), bytes, "b"], many]) {
    assert.ok(chipLength(shortened(label)) < 100);
    assert.equal(typeof shortened(label), typeof label);
  }
});

test("bytes beside right-to-left letters stay as they are", () => {
  assert.deepEqual(readable(["ש</w>", "D7"], "</w>"), ["ש\u2066</w>\u2069", "D7"]);
});

test("a label tells where markers stand, and a typed one is letters", () => {
  assert.deepEqual(tabsOf("low\ufffe</w>\uffff"), { before: false, letters: "low", after: true });
  assert.deepEqual(tabsOf("\ufffe▁\ufffflow"), { before: true, letters: "low", after: false });
  assert.deepEqual(tabsOf("of\ufffe</w>\uffffthe"), { before: false, letters: "of</w>the", after: false });
  assert.deepEqual(tabsOf("</w>"), { before: false, letters: "</w>", after: false });
});

test("a long label keeps the whole marker at its end", () => {
  const label = `${"a".repeat(100)}\ufffe</w>\uffff`;
  assert.match(/** @type {string} */ (shortened(label)), /… a{11}\ufffe<\/w>\uffff$/);
});
