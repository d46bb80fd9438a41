import assert from "node:assert/strict";
import { test } from "node:test";
import { PAIR_COLUMNS, rowText } from "../../../film/browser/pair_table/table.js";
import { fixtures } from "../fixtures.js";

/** @import {PairRow} from "../../../film/browser/shared/feed_types.js" */

const look = { theme: /** @type {const} */ ("light"), marker: "", picks: false, most: 1000 };

/**
 * Return another value of the same type.
 * @param {unknown} value
 */
function another(value) {
  if (Array.isArray(value)) return value.map((item) => `${item}x`);
  return typeof value === "number" ? value + 0.5 : !value;
}

test("a row is drawn anew when any of its columns shows something else", () => {
  const row = { ...fixtures.trainings[0].tables[1].rows[0], new: false };
  const differing = new Set();
  for (const [key, value] of Object.entries(row)) {
    const changed = /** @type {PairRow} */ ({ ...row, [key]: another(value) });
    PAIR_COLUMNS.forEach(({ text }, at) => {
      if (text(changed, { ...look, most: 3 }) === text(row, { ...look, most: 3 })) return;
      assert.notEqual(rowText(changed, look), rowText(row, look));
      differing.add(at);
    });
  }
  assert.equal(differing.size, PAIR_COLUMNS.length);
});
