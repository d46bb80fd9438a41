import assert from "node:assert/strict";
import { test } from "node:test";
import { countNow, decodeFeed, tokenOf } from "../../film/browser/player/feed.js";
import {
  boundariesOf,
  cellsOf,
  eachToken,
  endOf,
  idAt,
  joinedText,
  startOf,
  tokensAt,
  tokensMade,
  tokensMadeBetween,
} from "../../film/browser/player/segmentation.js";
import { hexText } from "../../film/browser/player/spelling.js";
import { fixtures, readingCells, tokensOf } from "./fixtures.js";

for (const { name, feed, segmentations } of [
  ...fixtures.trainings,
  ...fixtures.windows,
  ...fixtures.encodings,
]) {
  const model = decodeFeed(feed);
  const cells = readingCells(model);

  test(`${name}: the tokens at every step are the engine's`, () => {
    assert.equal(segmentations.length, model.last + 1);
    segmentations.forEach((expected, step) => {
      assert.equal(tokensOf(cells, step).join(" "), expected);
      assert.equal(tokensAt(cells, step), expected.split(" ").length);
    });
  });

  test(`${name}: the id of every token leads to its bytes`, () => {
    for (let step = 0; step <= model.last; step++) {
      eachToken(cells, step, 0, cells.size, (start, end) => {
        const id = idAt(cells, start, end);
        if (id < 0) return;
        const bytes = Array.from(cells.symbol.slice(start, end), (at) => model.symbols[at].bytes).flat();
        assert.equal(hexText(tokenOf(model, id).bytes), hexText(bytes));
      });
    }
  });

  test(`${name}: a step makes exactly the tokens that were not there before it`, () => {
    for (let step = 0; step < model.last; step++) {
      /** @type {[number, number][]} */
      const fresh = [];
      eachToken(cells, step + 1, 0, cells.size, (start, end) => {
        if (startOf(cells, step, end - 1) !== start) fresh.push([start, end]);
      });
      assert.deepEqual(tokensMade(cells, step), fresh);
      assert.deepEqual(tokensMadeBetween(cells, step, step + 1), fresh);
      for (const boundary of boundariesOf(cells, step)) {
        assert.equal(endOf(cells, step, boundary), boundary + 1);
        assert.ok(endOf(cells, step + 1, boundary) > boundary + 1);
      }
    }
  });
}

for (const { name, feed } of [...fixtures.trainings, ...fixtures.encodings]) {
  const model = decodeFeed(feed);
  const cells = readingCells(model);

  test(`${name}: several steps make exactly the tokens that were not there before them`, () => {
    const third = Math.floor(model.last / 3);
    for (const [older, newer] of [
      [0, third],
      [third, 2 * third],
      [third, model.last],
    ]) {
      const before = new Set(spansOf(cells, older));
      const fresh = spansOf(cells, newer).filter((span) => !before.has(span));
      assert.deepEqual(tokensMadeBetween(cells, older, newer).map(String), fresh);
    }
  });
}

/**
 * Return the tokens after `step` steps, each as "start,end".
 * @param {import("../../film/browser/player/segmentation.js").Cells} cells
 * @param {number} step
 */
function spansOf(cells, step) {
  /** @type {string[]} */
  const spans = [];
  eachToken(cells, step, 0, cells.size, (...span) => spans.push(String(span)));
  return spans;
}

for (const { name, feed } of fixtures.trainings) {
  const model = decodeFeed(feed);
  const { words } = cellsOf(model);

  test(`${name}: a token's count follows from the merges`, () => {
    assert.ok(model.whole);
    for (const step of [0, 1, Math.floor(model.last / 2), model.last]) {
      /** @type {Map<number, number>} */
      const counts = new Map();
      eachToken(words, step, 0, words.size, (start, end) => {
        const id = idAt(words, start, end);
        counts.set(id, (counts.get(id) ?? 0) + model.words.frequency[words.item[start]]);
      });
      for (const { id } of model.symbols)
        if (id >= 0) assert.equal(countNow(model, id, step), counts.get(id) ?? 0);
      for (const id of model.steps.ids) assert.equal(countNow(model, id, step), counts.get(id) ?? 0);
    }
  });

  test(`${name}: the frame joins back to the same text at every step`, () => {
    const cells = readingCells(model);
    const text = joinedText(cells, 0);
    for (let step = 1; step <= model.last; step++) assert.equal(joinedText(cells, step), text);
  });
}
