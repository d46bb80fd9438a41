// The counts of tied pairs: each pair has one on the seam between its tokens, and none covers another. And what figures
// light: as many places as they say.

import assert from "node:assert/strict";
import { labelText } from "../../film/browser/shared/chip.js";
import { before, test } from "node:test";
import { EDGE, countsIn, tiedSpans } from "../../film/browser/token_grid/painting.js";
import { decodeFeed, tokenOf } from "../../film/browser/player/feed.js";
import {
  MOST_COUNTS,
  eachMark,
  hasCounts,
  litRanges,
  visibleMarksAt,
} from "../../film/browser/token_grid/marking.js";
import { pairName, tiedPairs } from "../../film/browser/player/pair_counts.js";
import { eachToken, idAt, cellsOf } from "../../film/browser/player/segmentation.js";
import { arrange, boxesOf, layOutCells, metricsOf } from "../../film/browser/token_grid/layout.js";
import { cellRun, runsOf } from "../../film/browser/token_grid/runs.js";
import {
  decodeBytes,
  invisibleNames,
  bytesOf,
  characterLength,
  chipLabelOf,
  codePointText,
  hexText,
  isolated,
  labelOf,
  spellingOf,
} from "../../film/browser/player/spelling.js";
import { fixtures, readingCells } from "./fixtures.js";
import { measureByLetters } from "./letters.js";

/** @import {Light} from "../../film/browser/shared/groups.js" */
/** @import {Lit, Marked} from "../../film/browser/token_grid/marking.js" */
/** @import {Layout} from "../../film/browser/token_grid/layout.js" */

before(measureByLetters);

test("a lesson that tells of no next merge marks none, and one that tells of a tie marks no winner", () => {
  const marks = (/** @type {{winner: boolean, tied: boolean} | null} */ tells) => {
    const { winner, tied, fresh } = visibleMarksAt("rest", false, tells);
    return { winner, tied, fresh };
  };
  assert.deepEqual(marks(null), { winner: true, tied: true, fresh: true });
  assert.deepEqual(marks({ winner: false, tied: false }), { winner: false, tied: false, fresh: true });
  assert.deepEqual(marks({ winner: false, tied: true }), { winner: false, tied: true, fresh: true });
});

// Two of five: every text and every preset is among them.
for (const training of fixtures.trainings.filter((_, at) => at % 5 < 2)) {
  const { name, feed } = training;
  const model = decodeFeed(feed);
  const cells = readingCells(model);

  test(`${name}: a figure lights as many places as it says`, () => {
    const { counted } = cellsOf(model);
    const layout = /** @type {Layout} */ (/** @type {unknown} */ ({ cells: counted }));
    for (let step = 0; step <= model.last; step += step < 6 ? 1 : 5) {
      const table = training.tables[step];
      const tied = new Set(
        table.rows.filter((row) => row.tied).map(({ ids: [left, right] }) => pairName(left, right)),
      );
      const visibleMarks = visibleMarksAt("rest", false);
      const ranges = (/** @type {Light} */ lit) => {
        const grid = /** @type {Lit} */ ({ model, step, tied, visibleMarks, layouts: [layout], lit });
        return litRanges(grid, layout, 0, counted.size);
      };
      const times = (/** @type {Light} */ lit) =>
        ranges(lit).reduce((sum, [start]) => sum + model.words.frequency[counted.item[start]], 0);
      for (const [at, { ids, count, chosen }] of table.rows.entries()) {
        if (chosen) assert.equal(times({ counts: "pair" }), count, `next pair, step ${step}`);
        if (!chosen && at % 4 !== step % 4) continue; // every fourth row, at each step another one
        assert.equal(times({ counts: "pair", left: ids[0], right: ids[1] }), count, `pair, step ${step}`);
      }
      if (step === model.last) assert.equal(times({ counts: "pair" }), 0);
      assert.equal(times({ counts: "tokens" }), training.tokens[step], `tokens, step ${step}`);
      if (tied.size && step < model.last && !model.replay)
        assert.equal(times({ counts: "tied" }), tied.size * model.steps.count[step]);
      const first = ranges({ counts: "vocabulary" }).map(([start, end]) => idAt(counted, start, end));
      const ids = ranges({ counts: "tokens" }).map(([start, end]) => idAt(counted, start, end));
      const all = new Set(ids.filter((id) => id >= 0 && !tokenOf(model, id).unknown));
      assert.deepEqual(new Set(first), all, `vocabulary, step ${step}`);
      assert.equal(first.length, all.size);
    }
  });
  test(`${name}: every tied pair has one count, on the seam between its tokens, apart from the others`, () => {
    for (let step = 0; step < model.last; step += step < 6 ? 1 : 3) {
      const pairs = tiedPairs(model, step) ?? [];
      const tied = new Set(pairs.map(([left, right]) => pairName(left, right)));
      const grid = /** @type {Marked} */ (
        /** @type {unknown} */ ({ model, step, tied, visibleMarks: visibleMarksAt("rest", false) })
      );
      const layout = /** @type {Layout} */ (/** @type {unknown} */ ({ cells }));
      const spans = tiedSpans(grid, layout, 0, cells.size);
      /** @type {string[]} */
      const expected = [];
      let previous = [-1, -1];
      eachToken(cells, step, 0, cells.size, (start, end) => {
        const id = idAt(cells, start, end);
        const [from, idBefore] = previous;
        const together = from >= 0 && cells.item[from] === cells.item[start];
        if (together && tied.has(pairName(idBefore, id))) expected.push(`${from} ${start} ${end}`);
        previous = [start, id];
      });
      assert.deepEqual(
        spans.map(({ span }) => span.join(" ")),
        expected,
      );
      if (tied.size > 1) assert.ok(!spans.length || spans.some(({ wins }) => wins));
      for (const width of [600, 160]) {
        const lines = layOutCells(cells, metricsOf(20, "mono", 12), width, true);
        arrange(lines, step);
        const counts = countsIn(grid, lines, 0, cells.size, 20);
        for (const { pill } of counts) assert.ok(pill.x > -EDGE && pill.x + pill.w <= lines.width + EDGE);
        assert.equal(counts.length, tied.size > 1 && spans.length <= MOST_COUNTS ? spans.length : 0);
        for (const [at, { pill }] of counts.entries()) {
          const [start, seam, end] = spans[at].span;
          const one = boxesOf(lines, start, seam);
          const other = boxesOf(lines, seam, end);
          const sides = [...one, ...other].flatMap(({ x, w }) => [x, x + w]);
          const middle = pill.x + pill.w / 2;
          const moved = pill.x < 0 || pill.x + pill.w > lines.width; // away from the edge of the canvas
          assert.ok(sides.some((x) => Math.abs(x - middle) <= (moved ? pill.w / 2 : lines.metrics.gap)));
          const next = counts[at + 1]?.pill;
          if (next)
            assert.ok(Math.abs(next.x - pill.x) >= pill.w || Math.abs(next.y - pill.y) > 0.7 * pill.h);
        }
      }
    }
  });
}

test("the count of a pair on two lines is where its first line ends: in a right-to-left word at the left", () => {
  const model = decodeFeed(fixtures.directions[0].feed);
  const cells = readingCells(model);
  const layout = layOutCells(cells, metricsOf(20, "mono", 12), 70, true);
  arrange(layout, 0);
  const apart = Array.from({ length: cells.size - 1 }, (_, cell) => cell).filter(
    (cell) => cells.item[cell] === cells.item[cell + 1] && layout.line[cell] !== layout.line[cell + 1],
  );
  const tied = new Set(
    Array.from({ length: cells.size - 1 }, (_, at) =>
      pairName(idAt(cells, at, at + 1), idAt(cells, at + 1, at + 2)),
    ),
  );
  const grid = /** @type {Marked} */ (
    /** @type {unknown} */ ({ model, step: 0, tied, visibleMarks: visibleMarksAt("rest", false) })
  );
  const spans = tiedSpans(grid, layout, 0, cells.size);
  const counts = countsIn(grid, layout, 0, cells.size, 20);
  const sides = new Set();
  for (const cell of apart) {
    const [{ x, w }] = boxesOf(layout, cell, cell + 1);
    const isLeft = layout.direction?.[cells.item[cell]] === 1 && !layout.ltrRuns?.to[cell];
    const { pill } = counts[spans.findIndex(({ span }) => span[0] === cell)];
    const edge = isLeft ? x : x + w;
    const most = layout.width + EDGE - 1 - pill.w;
    assert.equal(pill.x, Math.max(1 - EDGE, Math.min(edge - pill.w / 2, most)), `cell ${cell}`);
    sides.add(isLeft);
  }
  assert.equal(sides.size, 2);
});

test("dots mark the tied pairs where counts have no room or would be too many", () => {
  const cells = {
    size: 2 * MOST_COUNTS + 2,
    close: new Int32Array(2 * MOST_COUNTS + 2).fill(0x7fffffff),
    item: Uint32Array.from({ length: 2 * MOST_COUNTS + 2 }, (_, cell) => cell >> 1),
    symbol: Uint32Array.from({ length: 2 * MOST_COUNTS + 2 }, (_, cell) => cell & 1),
    ends: new Uint8Array(2 * MOST_COUNTS + 2),
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
  assert.equal(hasCounts(grid, layout(12), 0, 2 * MOST_COUNTS), true);
  assert.equal(dots(12, 2 * MOST_COUNTS), 0);
  assert.equal(hasCounts(grid, layout(12), 0, cells.size), false);
  assert.equal(dots(12, cells.size), MOST_COUNTS + 1);
  assert.equal(dots(0, 20), 10);
});

for (const { name, feed } of [...fixtures.trainings, ...fixtures.encodings]) {
  const model = decodeFeed(feed);

  test(`${name}: the runs of a token are its cells, in order`, () => {
    for (const cells of Object.values(cellsOf(model))) {
      for (const step of [0, model.last]) {
        eachToken(cells, step, 0, cells.size, (start, end) => {
          const runs = runsOf(cells, start, end, true);
          assert.equal(runs[0].from, start);
          assert.equal(runs[runs.length - 1].to, end);
          runs.slice(1).forEach((run, at) => assert.equal(run.from, runs[at].to));
          assert.ok(runs.every(({ text, kind }) => text.length > 0 || kind === "marker"));
        });
      }
    }
  });
}

test("the bytes of a whole character are written as that character, cut apart as bytes", () => {
  const actual = fixtures.encodings.find(({ name }) => name === "rank, hf-bytelevel");
  assert.ok(actual);
  const model = decodeFeed(actual.feed);
  const { text } = cellsOf(model);
  const whole = [...text.charCells.keys()].filter((cell) => text.charCells[cell] > 1);
  assert.ok(whole.length);
  for (const cell of whole) {
    const length = text.charCells[cell];
    const bytes = Array.from(text.symbol.slice(cell, cell + length), (at) => model.symbols[at].bytes[0]);
    const runs = runsOf(text, cell, cell + length, true);
    assert.deepEqual([runs.length, runs[0].to - runs[0].from], [1, length]);
    if (runs[0].kind === "char") assert.equal(runs[0].text, decodeBytes(bytes));
    assert.match(cellRun(text, cell).text, /^[0-9A-F]{2}$/);
  }
});

test("an invisible character of its own is drawn as its abbreviation, and named", () => {
  const actual = fixtures.trainings.find(({ name }) => name === "invisible, sentencepiece");
  assert.ok(actual);
  const model = decodeFeed(actual.feed);
  const { text } = cellsOf(model);
  const runs = Array.from({ length: text.size }, (_, cell) => cellRun(text, cell));
  const visited = new Set(runs.filter(({ kind }) => kind === "invisible").map((run) => run.text));
  for (const short of ["NBSP", "SHY", "RLO", "PDF", "ZWSP", "VS16", "LSEP", "ZWJ"]) {
    assert.ok(visited.has(short), short);
  }
  const labels = new Set([...text.symbol].map((at) => model.symbols[at].label));
  for (const short of visited) assert.ok(labels.has(`<${short}>`), short); // one character has one name
  const names = model.symbols.flatMap(({ bytes }) => invisibleNames(bytes, model.spelling));
  assert.ok(names.includes("RLO: right-to-left override, U+202E"));
});

for (const { variant, marker, marker_text: text, characters, labels } of fixtures.labels) {
  test(`${variant}: ${labels.length} labels are the engine's`, () => {
    const spelling = spellingOf(marker ? parseInt(marker, 16) : -1, text, characters);
    assert.ok(labels.length > 1000);
    for (const [hex, label, chip, inSentence] of labels) {
      assert.equal(labelOf(bytesOf(hex), spelling), label, hex);
      assert.deepEqual(chipLabelOf(bytesOf(hex), spelling), chip, hex);
      assert.equal(labelText(chip), inSentence, hex);
    }
  });
}

test("a character has the length that UTF-8 gives it; what is cut or malformed has none", () => {
  for (const character of ["a", "é", "▁", "👩", "\u0800", "\u{10FFFF}"]) {
    const bytes = [...Buffer.from(character)];
    assert.equal(characterLength(bytes, 0), bytes.length);
    assert.equal(characterLength(bytes, 0, bytes.length - 1), 0);
    for (let at = 1; at < bytes.length; at++) assert.equal(characterLength(bytes, at), 0);
  }
  const malformed = ["c0af", "e09fbf", "eda080", "f08fbfbf", "f4908080", "f5808080", "ff"];
  for (const hex of malformed) assert.equal(characterLength(bytesOf(hex), 0), 0, hex);
});

test("bytes and their spelling lead back to each other", () => {
  assert.deepEqual(bytesOf("00c3a9ff"), [0, 0xc3, 0xa9, 0xff]);
  assert.equal(hexText([0, 0xc3, 0xa9, 0xff]), "00c3a9ff");
  assert.equal(codePointText("\u{1F469}"), "U+1F469");
});

test("only right-to-left labels are isolated", () => {
  assert.equal(isolated("low"), "low");
  assert.equal(isolated("שלום"), "\u2068שלום\u2069");
});
