import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed, tokenOf } from "../../../../film/browser/token_grid/data/feed.js";
import {
  MOST_OWN,
  gameText,
  hasGame,
  newGame,
  withMerge,
} from "../../../../film/browser/token_grid/games/own_merges.js";
import { fixtures } from "../../fixtures.js";

/** @import {Game} from "../../../../film/browser/token_grid/games/own_merges.js" */

/**
 * Merge the two tokens with these labels.
 * @param {Game} game
 * @param {string} pair
 */
function play(game, pair) {
  const [left, right] = pair
    .split(" ")
    .map((label) => game.tokens.findIndex((token) => token.label === label));
  return withMerge(game, left, right);
}

test("a viewer who merges as the engine does has as many tokens as the engine", () => {
  let games = 0;
  for (const { feed, tokens } of fixtures.trainings) {
    const model = decodeFeed(feed);
    if (!hasGame(model)) continue;
    games += 1;
    let game = newGame(model);
    assert.equal(game.remaining, tokens[0]);
    for (let rank = 0; rank < game.last; rank++) {
      const labels = [model.steps.left[rank], model.steps.right[rank]].map((id) => tokenOf(model, id).label);
      game = play(game, labels.join(" "));
      assert.equal(game.remaining, tokens[rank + 1]);
    }
    assert.equal(game.merges, Math.min(MOST_OWN, model.last));
    assert.match(gameText(game), /A draw\.$/);
  }
  assert.ok(games > 5);
});

const [{ feed }] = fixtures.trainings; // low, lower, newest, widest

test("a merge joins neighbours everywhere, and can be undone", () => {
  const start = newGame(decodeFeed(feed));
  assert.equal(gameText(start), "95 tokens. Merge two neighbours; you have 10 merges.");
  const game = play(start, "l o");
  const words = game.words.map((word) => word.map((token) => game.tokens[token].label).join(" "));
  assert.deepEqual(words.slice(0, 2), ["lo w </w>", "lo w e r </w>"]);
  assert.equal(gameText(game), "You: 88 tokens. BPE: 86. 9 merges to go.");
  assert.equal(game.before, start);
});

test("tokens that are nowhere neighbours do not merge", () => {
  const start = newGame(decodeFeed(feed));
  assert.equal(play(start, "o l"), start);
});

test("the end names the winner", () => {
  const start = { ...newGame(decodeFeed(feed)), last: 1 };
  assert.equal(gameText(play(start, "l o")), "You: 88 tokens. BPE: 86. BPE wins by 2 tokens.");
  const ended = play(start, "l o");
  assert.equal(play(ended, "lo w"), ended);
  assert.match(gameText({ ...ended, remaining: 80 }), /^You: 80 tokens. BPE: 86. You win by 6 tokens: /);
});

test("there is no game without every word of the corpus, with pairs that may not merge, or without a merge", () => {
  const model = decodeFeed(feed);
  assert.equal(hasGame(model), true);
  assert.equal(hasGame({ ...model, whole: false }), false);
  assert.equal(hasGame({ ...model, barred: new Uint8Array([1, 2]) }), false);
  assert.equal(hasGame({ ...model, last: 0 }), false);
});
