// Which lanes leave the majority at a merge.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leavesMajority } from "../../../ui/components/compare_parts/strip.js";

test("only the lanes that differ from most are framed; without a majority, all are", () => {
  assert.deepEqual(leavesMajority([7, 7, 7, 4, 7, null]), [false, false, false, true, false, true]);
  assert.deepEqual(leavesMajority([7, 4]), [true, true]);
  assert.deepEqual(leavesMajority([7, 7, 4, 4]), [true, true, true, true]);
  assert.deepEqual(leavesMajority([7, 7, 7]), [false, false, false]);
  assert.deepEqual(leavesMajority([null, null, 3]), [false, false, true]);
});
