/** @import {Mark} from "../../film/browser/token_grid/marking.js" */
/** @import {Layout} from "../../film/browser/token_grid/layout.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import { countNow, decodeFeed, checksum, isFinished } from "../../film/browser/player/feed.js";
import {
  pairName,
  pairNamed,
  pairTable,
  tokensNow,
  tiedPairs,
} from "../../film/browser/player/pair_counts.js";
import { cellsOf } from "../../film/browser/player/segmentation.js";
import { fixtures } from "./fixtures.js";
import { eachMark, visibleMarksAt } from "../../film/browser/token_grid/marking.js";

for (const { name, feed, tables } of [...fixtures.trainings, ...fixtures.windows]) {
  test(`${name}: the pair table at every step is the engine's`, () => {
    const model = decodeFeed(feed);
    assert.equal(tables.length, model.last + 1);
    for (const table of tables) assert.deepEqual(pairTable(model, table.step), table);
  });

  test(`${name}: the tied pairs that the feed names are those of the pair table`, () => {
    const model = decodeFeed(feed);
    for (const { step, rows } of tables.slice(0, -1)) {
      const pairs = tiedPairs(model, step);
      const tied = rows.filter((row) => row.tied).map(({ ids: [left, right] }) => pairName(left, right));
      if (!pairs || pairs.length < 2) continue;
      const named = pairs.map(([left, right]) => pairName(left, right));
      assert.deepEqual(new Set(named.length > tied.length ? tied : named), new Set(tied));
      assert.equal(named.length, model.steps.tied[step]);
    }
  });
}

test("no pair ties in the mere replay of a tokenizer", () => {
  const replays = fixtures.trainings.map(({ feed }) => decodeFeed(feed)).filter(({ replay }) => replay);
  const finished = replays.filter(isFinished);
  assert.ok(finished.some(({ steps }) => steps.tied.some((count) => count > 1)));
  for (const model of finished)
    for (let step = 0; step < model.last; step++) assert.deepEqual(tiedPairs(model, step), []);
  assert.ok(replays.some((model) => !isFinished(model) && tiedPairs(model, model.last - 1)?.length));
});

test("words outside the window are counted and not drawn", () => {
  assert.ok(fixtures.windows.length > 2);
  for (const { feed } of fixtures.windows) {
    const model = decodeFeed(feed);
    const { words, text, counted } = cellsOf(model);
    assert.ok(model.further > 0);
    assert.equal(counted.words.length - words.words.length, model.further);
    assert.deepEqual(new Set(words.words), new Set(text.words));
  }
});

test("the pairs of a first stage are not counted here where the second one cuts its words elsewhere", () => {
  assert.ok(fixtures.cut_elsewhere.length > 2);
  for (const { feed } of fixtures.cut_elsewhere) assert.equal(pairTable(decodeFeed(feed), 0), null);
  const stages = fixtures.trainings.filter(({ feed }) => feed.training && feed.stage);
  assert.ok(stages.length > 2);
});

test("a token's count follows from both stages", () => {
  for (const { feed, tables } of fixtures.cut_elsewhere) {
    const model = decodeFeed(feed);
    for (const { step } of tables) {
      const ids = new Set([...model.symbols.map(({ id }) => id), ...model.steps.ids.slice(0, step)]);
      let total = 0;
      for (const id of ids) total += countNow(model, id, step) ?? 0;
      assert.equal(total, tokensNow(model, step));
    }
  }
});

test("a token that is an added one here and made by merges there is counted once for each place", () => {
  const actual = fixtures.trainings.find(({ name }) => name === "replay of AA, pairs");
  assert.ok(actual);
  const model = decodeFeed(actual.feed);
  for (let step = 0; step <= model.last; step++) {
    let total = 0;
    for (const id of [0, 1, 2]) total += countNow(model, id, step) ?? 0;
    assert.equal(total, tokensNow(model, step));
  }
  assert.equal(countNow(model, 2, 0), 1);
});

test("a replay names a pair of the highest count before every step, and where its merge is in the list", () => {
  const replays = fixtures.trainings.filter(({ feed }) => feed.training && feed.replay);
  let others = 0;
  for (const { name, feed, tables } of replays) {
    const isOrdered = !name.endsWith("out of order");
    const { replay, steps, last } = decodeFeed(feed);
    assert.ok(replay);
    for (const { step, rows } of tables.slice(0, replay.steps)) {
      const most = Math.max(...rows.map(({ count }) => count));
      const named = pairName(...replay.best[step]);
      const row = rows.find(({ ids: [left, right] }) => pairName(left, right) === named);
      assert.equal(replay.highest[step], most);
      if (rows.length < 50) assert.equal(row?.count, most);
      assert.equal(steps.tied[step] > 0, steps.count[step] === most);
      others += Number(steps.tied[step] === 0);
      if (isOrdered) assert.ok(replay.ranks[step] >= (step ? replay.ranks[step - 1] + 1 : 0));
    }
    if (replay.steps) assert.ok(replay.merges > replay.ranks[replay.steps - 1]);
    else assert.equal(last, 0);
  }
  assert.ok(others > 20);
});

test("tables with ties at the last step are among the fixtures", () => {
  const last = fixtures.trainings.map(({ tables }) => tables[tables.length - 1]);
  assert.ok(last.some(({ rows }) => rows.filter((row) => row.tied).length > 1));
});

test("there is no table where words of the corpus are not in the feed", () => {
  const [{ feed }] = fixtures.trainings;
  assert.equal(pairTable(decodeFeed(/** @type {any} */ ({ ...feed, whole: false })), 0), null);
  for (const encoding of fixtures.encodings) assert.equal(pairTable(decodeFeed(encoding.feed), 0), null);
});

test("a pair's name leads back to its ids", () => {
  assert.deepEqual(pairNamed(pairName(3, 70_000)), [3, 70_000]);
});

test("the checksum is CRC-32", () => {
  assert.equal(checksum([...Buffer.from("123456789")]), 0xcbf43926); // the check value of its definition
  assert.equal(checksum([]), 0);
});

// The places of tied pairs that a merge uses up are outlined, and only those.

/** @param {import("../../film/browser/player/feed.js").Model} model @param {number} step */
function marked(model, step) {
  const { counted: cells } = cellsOf(model);
  const layout = /** @type {Layout} */ (/** @type {unknown} */ ({ cells, metrics: { pill: 0 } }));
  const grid = { model, step, tied: new Set(["one", "other"]), cursor: null, differsAt: () => false };
  /** @type {[Mark, number, number][]} */
  const marks = [];
  const visibleMarks = visibleMarksAt("rest", false);
  eachMark({ ...grid, visibleMarks }, layout, 0, cells.size, (...mark) => void marks.push(mark));
  return { cells, marks };
}

test("a rival's place is outlined exactly where the merge uses it up", () => {
  let outlined = 0;
  for (const { name, feed } of fixtures.trainings) {
    const model = decodeFeed(feed);
    if (!model.whole || model.stage || model.replay) continue;
    for (let step = 0; step < model.last; step++) {
      const { cells, marks } = marked(model, step);
      const rivals = model.rivals.get(step) ?? [];
      const used = marks.filter(([mark]) => mark === "rival");
      outlined += used.length;
      if (rivals.length) assert.ok(used.length, `${name}, merge ${step + 1}`);
      else assert.deepEqual(used, [], `${name}, merge ${step + 1}`);
      const { left, right } = model.steps;
      if (left[step] === right[step]) continue; // a run: not every place of the pair is merged
      if (rivals.some(({ pair }) => pairName(...pair) === pairName(right[step], left[step]))) continue;
      const lost = used.reduce((sum, [, start]) => {
        return sum + model.words.frequency[cells.words[cells.item[start]]];
      }, 0);
      const losses = rivals.reduce((sum, rival) => sum + rival.lost, 0);
      assert.equal(lost, losses, `${name}, merge ${step + 1}`);
    }
  }
  assert.ok(outlined > 100);
});
