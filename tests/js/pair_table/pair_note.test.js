import assert from "node:assert/strict";
import { test } from "node:test";
import { noteOf, staysBehind } from "../../../film/browser/pair_table/table.js";
import { decodeFeed } from "../../../film/browser/player/feed.js";
import { pairTable } from "../../../film/browser/player/pair_counts.js";
import { fixtures } from "../fixtures.js";

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
  assert.equal(noteOf(more, false, ""), `the ${more.rows.length} most frequent of 1,234 pairs`);
});

test("the sentence gives no answer away, and says when no pairs are left", () => {
  const { tables } = fixtures.trainings[0];
  assert.equal(noteOf(tables[0], false, "guess"), "In alphabetical order: which pair is the most frequent?");
  assert.equal(
    noteOf({ step: 9, rows: [], total: 0 }, false, "rest"),
    "No pairs are left: every word is one token.",
  );
});
