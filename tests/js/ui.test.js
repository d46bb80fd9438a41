// Which lanes leave the majority at a merge.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting, formatsOf, orderOf, widthsOf } from "../../film/browser/chip_table/columns.js";
import { leavesMajority } from "../../ui/view/comparison/strip.js";
import { nextName } from "../../film/browser/lesson/card_view.js";
import { nextAct } from "../../film/browser/lesson/position.js";
import { movedBy, readNumber, splitsOf, textWith } from "../../film/browser/lesson/practice.js";
import { merged } from "../../ui/view/lesson_card/progress.js";

test("only the lanes that differ from most are framed; without a majority, all are", () => {
  assert.deepEqual(leavesMajority(["es", "es", "es", "st", "es", undefined]), [
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
  assert.deepEqual(leavesMajority(["es", "st"]), [true, true]);
  assert.deepEqual(leavesMajority(["es", "es", "st", "st"]), [true, true, true, true]);
  assert.deepEqual(leavesMajority(["es", "es", "es"]), [false, false, false]);
  assert.deepEqual(leavesMajority([undefined, undefined, "es"]), [false, false, true]);
});

const CALM = { asks: false, plays: false, waits: false, last: false };

test("a lesson asks, plays its stage to the end, and then goes on", () => {
  assert.equal(nextAct({ ...CALM, asks: true, waits: true, last: true }), "answer");
  assert.equal(nextAct({ ...CALM, plays: true, last: true }), "finish");
  assert.equal(nextAct({ ...CALM, waits: true, last: true }), "play");
  assert.equal(nextAct(CALM), "beat");
  assert.equal(nextAct({ ...CALM, last: true }), "lesson");
});

test("the button says what the next key does", () => {
  assert.equal(nextName("answer", "A lottery"), "Show the answer");
  assert.equal(nextName("lesson", "A lottery"), "Next lesson: A lottery");
  assert.equal(nextName("lesson", null), "The end");
});

// The answers that a viewer types or orders in an exercise.

const LOWER = ["l", "o", "w", "e", "r", "</w>"];

test("a text and its splits are the same thing", () => {
  for (const splits of [[], [3], [1, 2, 3, 4, 5], [2, 5]]) {
    const text = textWith(LOWER, new Set(splits));
    assert.deepEqual([...(splitsOf(LOWER, text) ?? [])], splits);
  }
  assert.equal(textWith(LOWER, new Set([3])), "low er</w>");
});

test("a text that does not spell the symbols has no splits", () => {
  for (const typed of ["", "low", "low er", "low er</w> x", "lo w er< /w>", "LOWER</w>"]) {
    assert.equal(splitsOf(LOWER, typed), null, typed);
  }
});

test("an element moves by one position and stays at the ends", () => {
  assert.deepEqual(movedBy(["a", "b", "c"], 0, 1), ["b", "a", "c"]);
  assert.deepEqual(movedBy(["a", "b", "c"], 2, -1), ["a", "c", "b"]);
  assert.deepEqual(movedBy(["a", "b"], 0, -1), ["a", "b"]);
  assert.deepEqual(movedBy(["a", "b"], 1, 1), ["a", "b"]);
});

test("a number may have separators, a full stop or a word after it, and nothing else", () => {
  for (const [typed, number] of [
    ["12", 12],
    [" 1,234 ", 1234],
    ["1 234 567", 1234567],
    ["1\u202f234", 1234],
    ["1’234", 1234],
    ["20.", 20],
    ["14 tokens", 14],
    ["4 times.", 4],
    ["１２", 12],
    ["0", 0],
  ]) {
    assert.equal(readNumber(String(typed)), number);
  }
  for (const typed of ["", "-1", "1.5", "twelve", "1,2", "4 or 5", "3 + 1", "9".repeat(13)])
    assert.equal(readNumber(typed), null);
});

// What two tabs have answered.

const WRONG = [2, 0, false, 13];
const RIGHT = [1, 1, false, 14];
const SHOWN = [0, 0, true];

/** @type {Record<string, [stored: unknown[] | undefined, own: unknown[] | undefined, merged: unknown[]]>} */
const ATTEMPTS = {
  "only the other tab has tried": [WRONG, undefined, WRONG],
  "only this tab has tried": [undefined, WRONG, WRONG],
  "a right one stays": [RIGHT, WRONG, RIGHT],
  "a right one comes": [WRONG, RIGHT, RIGHT],
  "a right one before it was shown elsewhere": [RIGHT, SHOWN, RIGHT],
  "more tries": [WRONG, [1, 0, false, 12], WRONG],
  "as many tries": [WRONG, [2, 0, false, 12], [2, 0, false, 12]],
  "it was shown elsewhere": [SHOWN, WRONG, [2, 0, true, 13]],
  "a try after it was shown is not right": [[3, 3, true, 14], WRONG, [3, 3, true, 14]],
};

test("two tabs keep the better attempts at each exercise, and all finished lessons", () => {
  for (const [name, [stored, own, expected]] of Object.entries(ATTEMPTS)) {
    const [before, now] = [stored, own].map((attempt) => JSON.stringify(attempt ? { "a/1": attempt } : {}));
    assert.deepEqual(JSON.parse(merged("exercises", before, now)), { "a/1": expected }, name);
  }
  assert.equal(merged("lessons_done", "bytes ties", "bytes counts"), "bytes counts ties");
  assert.equal(merged("lessons_done", null, "bytes"), "bytes");
  assert.equal(merged("place", "bytes 1", "ties 2"), "ties 2");
  assert.equal(merged("exercises", "no JSON", '{"a/1":[1,1,false]}'), '{"a/1":[1,1,false]}');
});

/** @typedef {import("../../film/browser/chip_table/columns.js").TableData} TableData */

/** @type {TableData["columns"]} */
const COLUMNS = [
  ["lane", "text", "", null, ""],
  ["times", "number", "", null, "×"],
  ["tokens per word", "figure", "", null, ""],
];
/** @type {TableData["rows"]} */
const ROWS = [
  ["a", 1, "10.5 (9 to 12)"],
  ["b", 0.85, "9.75 (9 to 11)"],
  ["c", null, ""],
];
const TABLE = { columns: COLUMNS, rows: ROWS, tokens: [] };

test("a column writes all its numbers with as many decimals as one of them needs", () => {
  assert.deepEqual([1, 0.85, 1200].map(formatsOf(TABLE)[1]), ["1.00×", "0.85×", "1,200.00×"]);
  assert.equal(formatsOf({ columns: [["share", "number", "", 1, "%"]], rows: [[1]] })[0](12.345), "12.3%");
  assert.equal(formatsOf({ columns: [["id", "number", "", 0, ""]], rows: [[-1]] })[0](-1), "−1");
});

test("figures with an interval are sorted as numbers, and empty cells come last", () => {
  assert.deepEqual(orderOf(TABLE, 2, false), [1, 0, 2]);
  assert.deepEqual(orderOf(TABLE, 2, true), [0, 1, 2]);
  const rows = ["7,034", "−1.82 (−2.64 to −1.07)", "223", "−0.05 (−0.07 to −0.03)"].map((text) => [
    "",
    0,
    text,
  ]);
  assert.deepEqual(orderOf({ ...TABLE, rows }, 2, false), [1, 3, 2, 0]);
});

test("a column is as wide as its content, and a long title takes two lines", () => {
  const wide = (/** @type {string} */ title) =>
    widthsOf({ ...TABLE, columns: [[title, "number", "", null, ""]], rows: [[1]] })[0];
  assert.ok(wide("words split the same way, %") < 8 * 27);
  assert.ok(wide("tokens") < wide("unknown tokens"));
});

test("where there is little room, long texts and tokens are shortened alike, and numbers never", () => {
  /** @type {TableData["columns"][0][1][]} */
  const kinds = ["tokens", "number", "text", "text"];
  const fit = (/** @type {number} */ room) => fitting([320, 300, 220, 60], kinds, room);
  assert.deepEqual(fit(900), { widths: [320, 300, 220, 60], isClose: false });
  // Cells stand closer before anything is cut, and one scrolls to what is still out of sight.
  assert.deepEqual(fit(860), { widths: [310, 290, 210, 50], isClose: true });
  assert.deepEqual(fit(750), { widths: [235, 290, 174, 50], isClose: true });
  assert.deepEqual(fit(300), { widths: [120, 290, 120, 50], isClose: true });
});
