import assert from "node:assert/strict";
import { test } from "node:test";
import { chipText } from "../../../film/browser/shared/chip.js";

test("a token that is part of a character shows the digits of its bytes only", () => {
  assert.deepEqual(["<0xF0><0x9F>", "·<0xE0>", "low", "a<0xF0>", "<0x"].map(chipText), [
    "F0 9F",
    "·E0",
    "low",
    "a<0xF0>",
    "<0x",
  ]);
});
