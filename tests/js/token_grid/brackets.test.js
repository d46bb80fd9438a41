// Brackets below tied pairs: each has one, and none shares a row with one that it overlaps or touches.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bracketRows, tiedSpans } from "../../../film/browser/token_grid/painting.js";
import { decodeFeed, tiedPairs } from "../../../film/browser/player/feed.js";
import {
  MOST_BRACKETS,
  eachMark,
  hasBrackets,
  visibleMarksAt,
} from "../../../film/browser/token_grid/marking.js";
import { pairName } from "../../../film/browser/player/pair_counts.js";
import { eachToken, idAt } from "../../../film/browser/player/segmentation.js";
import { fixtures, readingCells } from "../fixtures.js";

/** @import {Marked} from "../../../film/browser/token_grid/marking.js" */
/** @import {Layout} from "../../../film/browser/token_grid/layout.js" */

test("e + s, s + t and t + </w> are on three rows, and the next word begins on the first that is free", () => {
  assert.deepEqual(
    bracketRows([
      [3, 5],
      [4, 6],
      [5, 7],
      [10, 12],
    ]),
    [0, 1, 2, 0],
  );
  assert.deepEqual(
    bracketRows([
      [0, 2],
      [2, 4],
      [6, 8],
    ]),
    [0, 1, 0],
  );
  assert.deepEqual(bracketRows([]), []);
});

test("a lesson that tells of no next merge marks none, and one that tells of a tie marks no winner", () => {
  const marks = (/** @type {{winner: boolean, tied: boolean} | null} */ tells) => {
    const { winner, tied, fresh } = visibleMarksAt("rest", false, tells);
    return { winner, tied, fresh };
  };
  assert.deepEqual(marks(null), { winner: true, tied: true, fresh: true });
  assert.deepEqual(marks({ winner: false, tied: false }), { winner: false, tied: false, fresh: true });
  assert.deepEqual(marks({ winner: false, tied: true }), { winner: false, tied: true, fresh: true });
});

for (const { name, feed } of fixtures.trainings) {
  const model = decodeFeed(feed);
  const cells = readingCells(model);
  test(`${name}: every tied pair has one bracket, apart from those that it overlaps or touches`, () => {
    for (let step = 0; step < model.last; step++) {
      const pairs = tiedPairs(model, step) ?? [];
      const tied = new Set(pairs.map(([left, right]) => pairName(left, right)));
      const grid = /** @type {Marked} */ (
        /** @type {unknown} */ ({ model, step, tied, visibleMarks: visibleMarksAt("rest", false) })
      );
      const layout = /** @type {Layout} */ (/** @type {unknown} */ ({ cells }));
      const spans = tiedSpans(grid, layout, 0, cells.size);
      /** @type {string[]} */
      const expected = [];
      let before = [-1, -1];
      eachToken(cells, step, 0, cells.size, (start, end) => {
        const id = idAt(cells, start, end);
        const [from, idBefore] = before;
        const together = from >= 0 && cells.item[from] === cells.item[start];
        if (together && tied.has(pairName(idBefore, id))) expected.push(`${from} ${end}`);
        before = [start, id];
      });
      assert.deepEqual(
        spans.map(({ span }) => span.join(" ")),
        expected,
      );
      if (tied.size > 1) assert.ok(!spans.length || spans.some(({ wins }) => wins));
      const rows = bracketRows(spans.map(({ span }) => span));
      for (const [at, { span }] of spans.entries()) {
        assert.ok(rows[at] < 3);
        for (let other = at + 1; other < spans.length && spans[other].span[0] <= span[1]; other++) {
          assert.notEqual(rows[other], rows[at], `${span} and ${spans[other].span}`);
        }
      }
    }
  });
}

test("dots mark the tied pairs where brackets have no room or would be too many", () => {
  const cells = {
    size: 2 * MOST_BRACKETS + 2,
    close: new Int32Array(2 * MOST_BRACKETS + 2).fill(0x7fffffff),
    item: Uint32Array.from({ length: 2 * MOST_BRACKETS + 2 }, (_, cell) => cell >> 1),
    symbol: Uint32Array.from({ length: 2 * MOST_BRACKETS + 2 }, (_, cell) => cell & 1),
    model: { symbols: [{ id: 5 }, { id: 6 }] },
  };
  const grid = /** @type {Marked} */ (
    /** @type {unknown} */ ({
      model: { last: 0 },
      step: 0,
      tied: new Set([pairName(5, 6), pairName(7, 8)]),
      visibleMarks: { ...visibleMarksAt("count", false), fresh: false },
      cursor: null,
    })
  );
  const layout = (/** @type {number} */ pill) =>
    /** @type {Layout} */ (/** @type {unknown} */ ({ cells, metrics: { pill } }));
  const dots = (/** @type {number} */ pill, /** @type {number} */ to) => {
    let marks = 0;
    eachMark(grid, layout(pill), 0, to, () => (marks += 1));
    return marks;
  };
  assert.equal(hasBrackets(grid, layout(12), 0, 2 * MOST_BRACKETS), true);
  assert.equal(dots(12, 2 * MOST_BRACKETS), 0);
  assert.equal(hasBrackets(grid, layout(12), 0, cells.size), false);
  assert.equal(dots(12, cells.size), MOST_BRACKETS + 1);
  assert.equal(dots(0, 20), 10);
});
