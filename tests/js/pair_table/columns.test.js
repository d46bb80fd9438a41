import assert from "node:assert/strict";
import { test } from "node:test";
import { PAIR_COLUMNS, rowText } from "../../../film/browser/pair_table/table.js";
import { fixtures } from "../fixtures.js";

const look = { theme: /** @type {const} */ ("light"), marker: "", picks: false, most: 1000 };

test("a row is drawn anew when any of its columns shows something else", () => {
  const [row] = fixtures.trainings[0].tables[1].rows;
  /** @type {Partial<typeof row>[]} */
  const changes = [
    { rank: 7 },
    { labels: ["x", row.labels[1], row.labels[2]] },
    { labels: [row.labels[0], row.labels[1], "x"] },
    { count: 999 },
    { change: 5, new: false },
    { share: 0.987 },
  ];
  const differing = new Set();
  for (const change of changes) {
    const changed = { ...row, ...change };
    assert.notEqual(rowText(changed, look), rowText(row, look));
    PAIR_COLUMNS.forEach(({ text }, at) => text(changed, look) !== text(row, look) && differing.add(at));
  }
  assert.equal(differing.size, PAIR_COLUMNS.length);
});
