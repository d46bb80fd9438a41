import assert from "node:assert/strict";
import { test } from "node:test";
import { orderAt } from "../../../film/browser/pair_table/table.js";
import { fixtures } from "../fixtures.js";

const [{ tables }] = fixtures.trainings;
const { rows } = tables[0];

/** @param {typeof rows} some */
const pairs = (some) => some.map(({ labels }) => labels.slice(0, 2).join(" "));

test("before the answer, the order of the pairs tells neither counts nor the one that is chosen", () => {
  const guessed = pairs(orderAt("guess")(rows));
  assert.deepEqual(
    guessed,
    guessed.toSorted((one, other) => one.localeCompare(other, "en")),
  );
  assert.ok(rows.findIndex((row) => row.chosen) === 0);
  assert.ok(orderAt("guess")(rows).findIndex((row) => row.chosen) > 0);
});

test("while ties are counted they have no first one", () => {
  const tied = orderAt("count")(rows).filter((row) => row.tied);
  assert.ok(tied.length > 1);
  assert.deepEqual(
    pairs(tied),
    pairs(tied).toSorted((one, other) => one.localeCompare(other, "en")),
  );
  const counts = orderAt("count")(rows).map(({ count }) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => other - one),
  );
});

test("from the choice on, the chosen pair is first", () => {
  for (const beat of ["select", "fuse", "rest", undefined]) assert.equal(orderAt(beat)(rows)[0].chosen, true);
});
