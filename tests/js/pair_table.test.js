/** @import {Light} from "../../film/browser/shared/groups.js" */
/** @import {PairRow} from "../../film/browser/player/pair_counts.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  rowsThatSlide,
  PAIR_COLUMNS,
  isLit,
  rowText,
  noteOf,
  staysBehind,
  orderAt,
} from "../../film/browser/pair_table/table.js";
import { linesWith, momentAt } from "../../film/browser/code/training.js";
import { fixtures } from "./fixtures.js";
import { decodeFeed } from "../../film/browser/player/feed.js";
import { pairTable } from "../../film/browser/player/pair_counts.js";

const look = { theme: /** @type {const} */ ("light"), marker: "", picks: false, most: 1000, why: "" };

/** Return another value of the same type. @param {unknown} value */
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
  const chosen = /** @type {PairRow} */ ({ ...row, chosen: true });
  assert.notEqual(rowText(chosen, { ...look, why: "picked by hand" }), rowText(chosen, look));
  assert.equal(differing.size, PAIR_COLUMNS.length);
});

test("a table that cannot follow fast playing says which counts it shows", () => {
  const { feed, tables } = fixtures.cut_elsewhere[0];
  assert.equal(pairTable(decodeFeed(feed), 1), null); // as in a text with more words than the feed may have
  assert.equal(
    noteOf(tables[1], staysBehind(2, 1, "fast", Infinity), "fast"),
    "Counts after 1 merge. The table follows when the grid stops.",
  );
});

test("a table that follows, and one at rest, says how many pairs there are", () => {
  const { tables } = fixtures.trainings[0];
  const pairs = `${tables[0].rows.length} pairs`;
  assert.equal(noteOf(tables[0], staysBehind(1, 0, "fast", 100), "fast"), pairs);
  assert.equal(noteOf(tables[0], staysBehind(0, 0, "fast", Infinity), "fast"), pairs);
  assert.equal(noteOf(tables[0], staysBehind(1, 0, undefined, Infinity), undefined), pairs);
  const more = { ...tables[0], total: 1_234 };
  assert.equal(noteOf(more, false, ""), `The ${more.rows.length} most frequent of 1,234 pairs`);
});

test("rows that keep their order slide, as many as can, and no two of them cross", () => {
  const slides = (/** @type {(number | undefined)[]} */ ...before) =>
    [...rowsThatSlide(before)].toSorted((one, other) => one - other);
  assert.deepEqual(slides(0, 32, 64), [0, 1, 2]);
  assert.deepEqual(slides(32, undefined, 0, 64), [2, 3]); // the first one would cross the third
  assert.deepEqual(slides(96, 0, 32, 64), [1, 2, 3]);
  assert.deepEqual(slides(64, 0, 96, 32), [1, 3]);
  assert.deepEqual(slides(undefined, undefined), []);
});

test("a row is lit by its pair, by a token of it, and by a figure that counts its pair", () => {
  const [first, second, third, fourth] = fixtures.trainings[0].tables[0].rows; // three tie, the first one is chosen
  const [left, right] = second.ids;
  const lit = (/** @type {Light} */ light) => [first, second, third, fourth].map((row) => isLit(row, light));
  assert.deepEqual(lit({ left, right }), [false, true, false, false]);
  assert.deepEqual(lit({ token: first.ids[0] })[0], true);
  assert.deepEqual(lit({ counts: "pair" }), [true, false, false, false]);
  assert.deepEqual(lit({ counts: "tied" }), [true, true, true, false]);
  assert.deepEqual(lit({ counts: "tokens" }), [false, false, false, false]);
  assert.deepEqual(lit({ none: true }), [false, false, false, false]);
});

test("the sentence gives no answer away, and says when no pairs are left", () => {
  const { tables } = fixtures.trainings[0];
  assert.equal(noteOf(tables[0], false, "guess"), "In alphabetical order: which pair is the most frequent?");
  assert.equal(
    noteOf({ step: 9, rows: [], total: 0 }, false, "rest"),
    "No pairs are left: every word is one token.",
  );
});

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

test("the lines of the code light up with the beats of a merge", () => {
  const lit = (/** @type {import("../../film/browser/shared/groups.js").Beat} */ beat) =>
    momentAt(3, beat).lit;
  assert.deepEqual(
    ["rest", "guess", "count", "select", "fuse", "settle", "fast"].map((beat) =>
      lit(/** @type {any} */ (beat)),
    ),
    ["rest", "rest", "count", "select", "fuse", "settle", ""],
  );
});

test("at the end of a training that had no pair left, the line lights up that ended it", () => {
  assert.equal(momentAt(3, "rest", 3).lit, "stop");
  assert.equal(momentAt(3, "guess", 3).lit, "stop");
  assert.equal(momentAt(3, undefined, 3).lit, "stop");
  assert.equal(momentAt(2, "rest", 3).lit, "rest");
  assert.equal(momentAt(3, "settle", 3).lit, "settle"); // it shows the merge before
});

test("while tokens fuse and settle, the code is about the merge that was made", () => {
  assert.deepEqual(
    [momentAt(3, "fuse").rank, momentAt(3, "settle").rank, momentAt(3, "rest").rank],
    [2, 2, 3],
  );
});

test("the code does not tell the next merge before it is selected", () => {
  assert.equal(momentAt(3, "guess").chosen, false);
  assert.equal(momentAt(3, "count").chosen, false);
  assert.equal(momentAt(3, "select").chosen, true);
});

const LINE = /** @type {const} */ ({ depth: 1, about: "It chooses." });

test("the lines of the rule stand in place of the textbook's choice", () => {
  const lines = linesWith(
    [
      { ...LINE, text: "", beat: "split" },
      { ...LINE, text: "counts = {}", beat: "count" },
      { ...LINE, text: "best = max(counts)", beat: "select" },
    ],
    { code: { split: [], select: ["seen = 1", "best = 2"] }, overlaps: true },
  );
  assert.deepEqual(
    lines.map(({ text, beat, depth }) => [text, beat, depth]),
    [
      ["counts = {}", "count", 1],
      ["seen = 1", "select", 1],
      ["best = 2", "select", 1],
    ],
  );
});

test("the line that takes pairs says whether overlapping ones count, and a spelled marker is explained", () => {
  const code = [
    { ...LINE, text: "for pair in pairs_of(word):", beat: /** @type {const} */ ("count") },
    { ...LINE, text: "", beat: /** @type {const} */ ("select") },
  ];
  const of = (/** @type {boolean} */ overlaps, /** @type {string} */ choice) =>
    linesWith(code, { code: { select: [choice] }, overlaps });
  assert.equal(of(true, "")[0].text, "for pair in pairwise(word):");
  assert.equal(of(false, "")[0].text, "for pair in pairs_apart(word):");
  assert.equal(of(true, "max(counts)")[1].about, "It chooses.");
  assert.match(of(true, "max(spelled(pair[0]))")[1].about, /marker/);
});

test("a training that the textbook does not tell has no lines", () => {
  const code = [{ ...LINE, text: "counts = {}", beat: /** @type {const} */ ("count") }];
  assert.deepEqual(linesWith(code, { code: {}, overlaps: true }), []);
});
