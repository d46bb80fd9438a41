/** @import {Feed} from "../../film/browser/shared/feed_types.js" */
/** @import {PairRow} from "../../film/browser/player/pair_counts.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed, isReplayed } from "../../film/browser/player/feed.js";
import { pairName } from "../../film/browser/player/pair_counts.js";
import {
  NO_SCORE,
  answerTo,
  readScore,
  scoreAfter,
  scoreText,
} from "../../film/browser/token_grid/prediction.js";
import { fixtures } from "./fixtures.js";

/** @param {PairRow[]} rows */
const namesOfTied = (rows) => {
  return new Set(rows.filter((row) => row.tied).map(({ ids: [left, right] }) => pairName(left, right)));
};

test("every pair of the pair table at every step gets the verdict of the engine", () => {
  const verdicts = { right: 0, tied: 0, wrong: 0 };
  let barred = 0; // pairs that are frequent enough, but that the preset never merges
  for (const { feed, tables } of fixtures.trainings) {
    const model = decodeFeed(feed);
    for (const { step, rows } of tables.slice(0, -1)) {
      const tied = namesOfTied(rows);
      for (const { ids, chosen, tied: isTied, count } of rows) {
        const expected = chosen ? "right" : isTied && !isReplayed(model, step) ? "tied" : "wrong";
        barred += Number(!chosen && !isTied && count >= model.steps.count[step]);
        const { verdict } = answerTo(model, [ids[0], ids[1]], { step, tied, count });
        assert.equal(verdict, expected);
        verdicts[verdict] += 1;
      }
    }
  }
  assert.ok(Math.min(...Object.values(verdicts)) > 50, JSON.stringify(verdicts));
  assert.ok(barred > 0);
});

const [{ feed }] = fixtures.trainings;

/**
 * Answer in the training of low, lower, newest, widest, whose first merge is a tie of e + s, s + t and t + </w>.
 * @param {string} left
 * @param {string} right
 * @param {Partial<import("../../film/browser/token_grid/prediction.js").Known>} [known]
 */
function answer(left, right, known = {}) {
  const model = decodeFeed(/** @type {Feed} */ (feed));
  const ids = [left, right].map((label) => model.symbols.find((symbol) => symbol.label === label)?.id ?? -1);
  const tied = namesOfTied(fixtures.trainings[0].tables[0].rows);
  return answerTo(model, [ids[0], ids[1]], { step: 0, tied, count: null, ...known });
}

test("a right answer says how often the pair occurs, and which rule decided a tie", () => {
  assert.deepEqual(answer("e", "s"), {
    verdict: "right",
    text: "Right! e + s occurs 9 times. It ties with 2 other pairs. “First occurrence” picks e + s: it comes first in the text, at newest.",
  });
  const picked = { ...decodeFeed(/** @type {Feed} */ (feed)), picked: [0] };
  const ids = [picked.steps.left[0], picked.steps.right[0]];
  const { text } = answerTo(picked, [ids[0], ids[1]], { step: 0, tied: new Set(), count: null });
  assert.match(text, / Picked by hand: e \+ s\.$/);
});

test("a tied pair is right too", () => {
  const text =
    "Also right: s + t ties at 9. “First occurrence” picks e + s: it comes first in the text, at newest.";
  assert.deepEqual(answer("s", "t"), { verdict: "tied", text });
  assert.deepEqual(answer("s", "t", { tied: new Set(), count: 9 }), { verdict: "tied", text });
});

test("a wrong answer says why, and shows the better pair in a word", () => {
  const text = "Not this time. l + o occurs 7 times, but e + s occurs 9 times. Look at n e w e s t </w>.";
  assert.deepEqual(answer("l", "o", { count: 7 }), { verdict: "wrong", text });
  const unknown = "Not this time. e + s occurs 9 times. Look at n e w e s t </w>.";
  assert.equal(answer("l", "o").text, unknown);
});

test("the score counts tied pairs as right, and a wrong answer ends the streak", () => {
  let score = NO_SCORE;
  assert.equal(scoreText(score), "");
  for (const verdict of /** @type {const} */ (["right", "tied", "wrong", "right"]))
    score = scoreAfter(score, verdict);
  assert.deepEqual(score, { asked: 4, right: 3, streak: 1, best: 2 });
  assert.equal(scoreText(score), "3 of 4 right · streak 1 · best 2");
});

test("a stored score that cannot be one is no score", () => {
  const score = { asked: 4, right: 3, streak: 1, best: 2 };
  assert.deepEqual(readScore(score), score);
  const forged = [
    null,
    "4",
    [],
    {},
    { ...score, right: 5 },
    { ...score, asked: "4" },
    { ...score, best: NaN },
  ];
  for (const stored of [...forged, { ...score, streak: -1 }, { ...score, streak: 3 }])
    assert.equal(readScore(stored), NO_SCORE);
});
