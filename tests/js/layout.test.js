// Where cells stand. node has no canvas, so every character is 10 px wide here.

/** @import {Layout} from "../../film/browser/token_grid/layout.js" */
/** @import {Cells} from "../../film/browser/player/segmentation.js" */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { directionsOf, leftToRightRuns, sidesOf } from "../../film/browser/token_grid/directions.js";
import { decodeFeed } from "../../film/browser/player/feed.js";
import {
  arrange,
  boxesOf,
  layOutCells,
  lineEnd,
  wallsOf,
  isBroken,
  metricsOf,
} from "../../film/browser/token_grid/layout.js";
import { linesInMotion, placeBetween } from "../../film/browser/token_grid/cell_drawing.js";
import { cellsOf, eachToken, tokensMadeBetween } from "../../film/browser/player/segmentation.js";
import { decodeBytes } from "../../film/browser/player/spelling.js";
import { fixtures, readingCells } from "./fixtures.js";
import { measureByLetters } from "./letters.js";
import { statesOf } from "../../film/browser/token_grid/panels.js";
import { fullestTop } from "../../film/browser/token_grid/in_sight.js";
import { coloursOf } from "../../film/browser/shared/colour.js";
import {
  PHASES,
  blendFrames,
  fadeFrames,
  flashFrames,
  leanFrames,
  leansOf,
} from "../../film/browser/token_grid/chip_motion.js";

const WIDE = 600;
const NARROW = 120;

before(measureByLetters);

const feeds = [...fixtures.trainings, ...fixtures.encodings].filter((_, at) => at % 3 === 0);
const named = [
  ...feeds.map(({ name, feed }) => ({ name, feed })),
  ...fixtures.directions.map(({ feed }, at) => ({ name: `both directions ${at}`, feed })),
];

/** @param {Cells} cells @param {number} width @param {boolean} drawsChips */
function layOut(cells, width, drawsChips) {
  return layOutCells(cells, metricsOf(15, "monospace"), width, drawsChips);
}

/**
 * Return the tokens by the lines they stand on: [line, low x, high x].
 * @param {Layout} layout
 * @param {number} step
 */
function spansOf(layout, step) {
  /** @type {[number, number, number][]} */
  const spans = [];
  eachToken(layout.cells, step, 0, layout.cells.size, (start, end) => {
    for (const { x, y, w } of boxesOf(layout, start, end)) spans.push([y, x, x + w]);
  });
  return spans.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
}

for (const { name, feed } of named) {
  const model = decodeFeed(feed);
  const rows = Object.values(cellsOf(model)).filter((cells) => cells.size);

  for (const drawsChips of [true, false]) {
    test(`${name}, ${drawsChips ? "chips" : "cells"}: no token overlaps another at any step`, () => {
      for (const cells of rows) {
        for (const width of [WIDE, NARROW]) {
          const layout = layOut(cells, width, drawsChips);
          for (const step of [0, 1, Math.floor(model.last / 2), model.last]) {
            arrange(layout, step);
            const spans = spansOf(layout, step);
            spans.slice(1).forEach(([line, low], at) => {
              assert.ok(line > spans[at][0] || low >= spans[at][2] - 0.01);
            });
          }
        }
      }
    });
  }

  test(`${name}: a word keeps its line at every step`, () => {
    for (const cells of rows) {
      const layout = layOut(cells, WIDE, true);
      const lines = Array.from(layout.line);
      const short = [...cells.words.keys()].filter((item) => !isBroken(layout, item));
      for (let step = 0; step <= model.last; step++) {
        arrange(layout, step);
        for (const item of short)
          assert.equal(layout.line[cells.firstCell[item]], lines[cells.firstCell[item]]);
      }
    }
  });

  test(`${name}: lines made for the last step hold as much as fits, and no token is cut`, () => {
    for (const cells of rows.filter((one) => !one.distinct)) {
      const layout = layOutCells(cells, metricsOf(15, "monospace"), WIDE, true, undefined, model.last);
      arrange(layout, model.last);
      if (layout.direction || layout.longItems.length) continue;
      for (const [, low, high] of spansOf(layout, model.last)) {
        assert.ok(low >= 0);
        assert.ok(high <= WIDE + 0.01);
      }
      for (let line = 0; line + 1 < layout.lineStart.length; line++) {
        const item = cells.item[layout.lineStart[line + 1]];
        const [from, to] = [cells.firstCell[item], cells.firstCell[item + 1]];
        const former = cells.symbol[from - 1];
        if (model.breaks.has(item) || model.symbols[former].kind === "newline") continue;
        const next = boxesOf(layout, from, to).reduce((sum, { w }) => sum + w, 0);
        const end = boxesOf(layout, layout.lineStart[line], from).reduce(
          (most, { x, w }) => Math.max(most, x + w),
          0,
        );
        assert.ok(end + next + layout.metrics.wall + layout.metrics.gap > WIDE, "the next word does not fit");
      }
      const early = layOutCells(cells, metricsOf(15, "monospace"), WIDE, true);
      assert.ok(layout.lineStart.length <= early.lineStart.length);
    }
  });

  for (const drawsChips of [true, false]) {
    test(`${name}, ${drawsChips ? "chips" : "cells"}: a word is narrower by each merge in it, and by no other`, () => {
      for (const cells of rows) {
        const layout = layOut(cells, WIDE, drawsChips);
        const whole = [...cells.words.keys()].filter((item) => !isBroken(layout, item));
        const widths = () => {
          return whole.map((item) => {
            const [from, to] = [cells.firstCell[item], cells.firstCell[item + 1]];
            return boxesOf(layout, from, to).reduce((sum, { w }) => sum + w, 0);
          });
        };
        const every = Math.ceil(model.last / 12);
        for (let step = 0; step < model.last; step += every) {
          arrange(layout, step);
          const wide = widths();
          arrange(layout, step + 1);
          widths().forEach((width, at) => {
            const [from, to] = [cells.firstCell[whole[at]], cells.firstCell[whole[at] + 1]];
            const merged = cells.close.subarray(from, to - 1).some((closes) => closes === step);
            const difference = wide[at] - width;
            assert.ok(merged ? difference > 1 : Math.abs(difference) < 0.01, `${difference}`);
          });
        }
      }
    });
  }

  test(`${name}: the lines that a step changes hold all that moves, and stand as laid out anew`, () => {
    for (const cells of rows) {
      for (const width of [WIDE, NARROW]) {
        const layout = layOut(cells, width, false);
        for (const [older, newer] of [
          [0, 1],
          [1, model.last],
          [0, model.last],
        ]) {
          if (older >= newer) continue;
          arrange(layout, older);
          const moved = linesInMotion(layout, tokensMadeBetween(cells, older, newer), older, newer, newer);
          const x = Array.from(layout.x);
          arrange(layout, newer);
          assert.deepEqual(x, Array.from(layout.x));
          for (const lines of moved) placeBetween(lines, 0);
          const back = Array.from(layout.x);
          arrange(layout, older);
          assert.deepEqual(back, Array.from(layout.x));
        }
      }
    }
  });

  test(`${name}: chips end where their token ends, and close up inside`, () => {
    const layout = layOut(rows[0], WIDE, true);
    for (const step of [0, Math.floor(model.last / 2), model.last]) {
      arrange(layout, step);
      eachToken(layout.cells, step, 0, layout.cells.size, (start, end) => {
        const cells = Array.from({ length: end - start }, (_, at) => start + at);
        cells.sort((a, b) => layout.x[a] - layout.x[b]);
        if (new Set(cells.map((cell) => layout.line[cell])).size > 1) return;
        cells.forEach((cell, at) => {
          assert.deepEqual(sidesOf(layout, cell, step), [at === 0, at === cells.length - 1]);
          if (at)
            assert.ok(Math.abs(layout.x[cell] - layout.x[cells[at - 1]] - layout.w[cells[at - 1]]) < 0.01);
        });
      });
    }
  });

  test(`${name}: a wall stands between neighbouring words of a line`, () => {
    const cells = readingCells(model);
    if (cells.distinct) return;
    const layout = layOut(cells, WIDE, true);
    arrange(layout, 0);
    layout.lineStart.forEach((from, line) => {
      const to = lineEnd(layout, line);
      const extents = [...new Set(cells.item.slice(from, to))].map((item) => {
        const own = Array.from({ length: to - from }, (_, at) => from + at).filter(
          (cell) => cells.item[cell] === item,
        );
        return [
          Math.min(...own.map((cell) => layout.x[cell])),
          Math.max(...own.map((cell) => layout.x[cell] + layout.w[cell])),
        ];
      });
      extents.sort((one, other) => one[0] - other[0]);
      const walls = [...wallsOf(layout, from, to).values()].toSorted((one, other) => one - other);
      assert.equal(walls.length, Math.max(0, extents.length - 1));
      walls.forEach((x, at) => assert.ok(x > extents[at][1] && x < extents[at + 1][0]));
    });
  });
}

test("a token of a letter and some digits stands in one piece, so these digits run from right to left", () => {
  const cells = cellsOf(decodeFeed(fixtures.directions[2].feed)).text;
  const layout = layOut(cells, 2000, false);
  const last = cells.firstCell[cells.words.length - 1];
  assert.ok(layout.x[last] > layout.x[last + 1] && layout.x[last + 1] > layout.x[last + 2]); // ת, 2, 4
});

fixtures.directions.slice(0, 2).forEach(({ feed, directions }, at) => {
  const model = decodeFeed(feed);
  const cells = cellsOf(model).text;

  test(`both directions ${at}: each word's direction is that of its first strong character`, () => {
    assert.deepEqual(Array.from(directionsOf(cells) ?? []), directions);
  });

  test(`both directions ${at}: digits and Latin letters run from left to right in every word`, () => {
    const layout = layOut(cells, 2000, false);
    const runs = leftToRightRuns(cells, layout.direction);
    assert.ok(runs);
    let digits = 0;
    for (let cell = 1; cell < cells.size; cell++) {
      if (cells.item[cell] !== cells.item[cell - 1] || !runs.to[cell] || runs.from[cell] === cell) continue;
      digits += 1;
      assert.ok(layout.x[cell] > layout.x[cell - 1]);
    }
    assert.ok(digits > 0);
  });

  test(`both directions ${at}: right-to-left letters run from right to left`, () => {
    const layout = layOut(cells, 2000, false);
    const letters = (/** @type {number} */ cell) => decodeBytes(model.symbols[cells.symbol[cell]].bytes);
    let pairs = 0;
    for (let cell = 1; cell < cells.size; cell++) {
      const both = [cell - 1, cell].every((one) => /^[\u0590-\u06ff]$/.test(letters(one)));
      if (!both || cells.item[cell] !== cells.item[cell - 1] || layout.line[cell] !== layout.line[cell - 1])
        continue;
      pairs += 1;
      assert.ok(layout.x[cell] < layout.x[cell - 1]);
    }
    assert.ok(pairs > 5 || model.feed.unit === "bytes");
  });
});

const ROWS = [7, 8, 9].map((id) => ({ parts: [], id, name: "" }));

test("a merge lights up when it is used, and is marked when it is next", () => {
  assert.deepEqual(statesOf(ROWS, [9, 7], 0, true), ["", "", "next"]);
  assert.deepEqual(statesOf(ROWS, [9, 7], 1, true), ["next", "", "used"]);
  assert.deepEqual(statesOf(ROWS, [9, 7], 2, true), ["used", "", "used"]);
});

test("what comes next is hidden as long as it may not be seen", () => {
  assert.deepEqual(statesOf(ROWS, [9, 7], 1, false), ["", "", "used"]);
});

test("a lesson scrolls to where the text shows most of its pairs, the first above all", () => {
  const at = (/** @type {number} */ y, /** @type {string} */ name) => ({ y, low: y + 30, name });
  const sights = [at(0, "e a"), at(900, "l o"), at(1_200, "e a"), at(1_230, "a i"), at(5_000, "l o")];
  assert.equal(fullestTop(sights, ["e a", "a i"], 0, 300), 1_198);
  assert.equal(fullestTop(sights, ["e a", "a i"], 1_100, 300), 1_100); // both are in sight
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 300), 898); // the first alone weighs more than the others
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 400), 898);
  assert.equal(fullestTop(sights, ["l o", "e a", "a i"], 0, 10_000), 0);
  assert.equal(fullestTop([], ["e a"], 70, 300), 70);
});

test("a merge ends within its time, and the meeting begins when the leaning ends", () => {
  const frames = leanFrames(3.5);
  const offsets = frames.map(({ offset }) => Number(offset ?? -1)).filter((offset) => offset >= 0);
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  );
  assert.equal(offsets[0], PHASES.lean);
  assert.equal(offsets[1], PHASES.lean + PHASES.meet);
  assert.ok(PHASES.lean + PHASES.meet + PHASES.flash <= 1);
  assert.equal(frames[0].transform, "none");
  assert.equal(frames[frames.length - 1].transform, "none");
});

test("the outer parts lean apart in full, a middle one less, a single one not at all", () => {
  assert.deepEqual(leansOf(2, 3.5), [-3.5, 3.5]);
  assert.deepEqual(leansOf(3, 3), [-3, 0, 3]);
  assert.deepEqual(leansOf(1, 3), [0]);
});

test("the new colour spreads from the seam to the whole chip", () => {
  const [begin, , end] = flashFrames(0.25);
  assert.equal(begin.clipPath, "inset(0 75.00% 0 25.00%)");
  assert.equal(end.clipPath, "inset(0)");
});

test("a blend begins and ends with the colours of the two chips", () => {
  const [one, other] = [coloursOf("dark", "es"), coloursOf("dark", "est")];
  const frames = blendFrames(one, other);
  assert.deepEqual(frames[0], { backgroundColor: one.fill, borderColor: one.edge });
  assert.deepEqual(frames[frames.length - 1], { backgroundColor: other.fill, borderColor: other.edge });
});

test("what changes lines is never seen between them", () => {
  const frames = fadeFrames("1px 2px", "3px 4px");
  const [, removed, comes] = frames;
  assert.deepEqual([removed.opacity, comes.opacity], [0, 0]);
  assert.equal(removed.offset, comes.offset);
  assert.deepEqual(
    frames.map(({ translate }) => translate),
    ["1px 2px", "1px 2px", "3px 4px", "3px 4px"],
  );
});
