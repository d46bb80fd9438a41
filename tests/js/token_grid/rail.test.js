import assert from "node:assert/strict";
import { test } from "node:test";
import { statesOf } from "../../../film/browser/token_grid/panels.js";

const ROWS = [7, 8, 9].map((id) => ({ parts: [], id, name: "" }));

test("a merge lights up when it is used, and is marked when it is next", () => {
  assert.deepEqual(statesOf(ROWS, [9, 7], 0, true), ["", "", "next"]);
  assert.deepEqual(statesOf(ROWS, [9, 7], 1, true), ["next", "", "used"]);
  assert.deepEqual(statesOf(ROWS, [9, 7], 2, true), ["used", "", "used"]);
});

test("what comes next is hidden as long as it may not be seen", () => {
  assert.deepEqual(statesOf(ROWS, [9, 7], 1, false), ["", "", "used"]);
});
