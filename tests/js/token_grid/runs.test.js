import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed } from "../../../film/browser/player/feed.js";
import { cellRun, runsOf } from "../../../film/browser/token_grid/runs.js";
import { cellsOf, eachToken } from "../../../film/browser/player/segmentation.js";
import { decodeBytes, invisibleNames } from "../../../film/browser/player/spelling.js";
import { fixtures } from "../fixtures.js";

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
  const names = model.symbols.flatMap(({ bytes }) => invisibleNames(bytes, model.spelling));
  assert.ok(names.includes("RLO: right-to-left override, U+202E"));
});
