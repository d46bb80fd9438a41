import assert from "node:assert/strict";
import { test } from "node:test";
import { bandsOf, isPart, measureColumns, readCell } from "../../../film/browser/aligned_rows/rows.js";

/**
 * @param {number} start
 * @param {number} end
 * @param {import("../../../film/browser/shared/feed_types.js").ChipLabel} label
 */
function cell(start, end, label = "ab", kind = "token") {
  return readCell([start, end, label, "", kind, -1, 0]);
}

test("a cell's columns are wide enough for what stands in it", () => {
  const rows = [[cell(0, 1, "a"), cell(1, 2, "a")], [cell(0, 2, "a long label over both")]];
  const { first, last, widths } = measureColumns(rows);
  assert.deepEqual([first, last], [0, 2]);
  assert.ok(widths[0] + widths[1] >= "a long label over both".length * 9);
  assert.equal(widths[0], widths[1]);
});

test("wide characters take the room of two letters", () => {
  const width = (/** @type {string} */ label) => measureColumns([[cell(0, 1, label)]]).widths[0];
  assert.equal(width("語語"), width("abcd"));
});

test("bands follow each other, fit the room, and cut no cell where they need not", () => {
  const words = Array.from({ length: 30 }, (_, at) => cell(3 * at, 3 * at + 3, "wordword"));
  const letters = Array.from({ length: 90 }, (_, at) => cell(at, at + 1, "w"));
  for (const room of [200, 400, 1000]) {
    const { bands, columns } = bandsOf([words, letters], room);
    assert.equal(bands[0][0], 0);
    assert.equal(bands.at(-1)?.[1], 90);
    bands.forEach(([from, to], at) => {
      if (at) assert.equal(from, bands[at - 1][1]);
      const width = columns.widths.slice(from, to).reduce((sum, one) => sum + one, 0);
      assert.ok(width <= room);
      assert.equal(to % 3, 0);
    });
  }
});

test("a cell wider than the room is cut", () => {
  const { bands } = bandsOf([[cell(0, 4, "a token that is much wider than the room there is")]], 100);
  assert.ok(bands.length > 1);
});

test("the last band is not much shorter than the others", () => {
  const letters = Array.from({ length: 21 }, (_, at) => cell(at, at + 1, "w"));
  const { bands } = bandsOf([letters], 20 * 27);
  assert.equal(bands.length, 2);
  const [one, other] = bands.map(([from, to]) => to - from);
  assert.ok(Math.abs(one - other) <= 4);
});

test("rows without cells have no bands", () => {
  assert.deepEqual(bandsOf([[]], 100).bands, []);
});

test("a part of a character is known by its bytes, and typed text that looks like them is none", () => {
  assert.ok(isPart(cell(0, 1, ["", "E2 82"])));
  assert.ok(!isPart(cell(0, 1, ["", "E2", "a"])));
  assert.ok(!isPart(cell(0, 1, ["", "E2"], "lost")));
  assert.ok(!isPart(cell(0, 1, "<0xE2>")));
});
