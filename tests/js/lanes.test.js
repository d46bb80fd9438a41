// Lanes of one text under several variants: which tokens differ, compared with the engine's segmentations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeed } from "../../film/browser/player/feed.js";
import { lanesInRow } from "../../film/browser/token_grid/lane_stage.js";
import { differsFrom, rivalsOf } from "../../film/browser/player/lanes.js";
import { cellsOf, eachToken } from "../../film/browser/player/segmentation.js";
import { bytesOf, characterLength, decodeBytes } from "../../film/browser/player/spelling.js";
import { fixtures } from "./fixtures.js";
import { lastTokens } from "../../film/browser/token_grid/headline.js";
import { tokensNow, vocabularyNow } from "../../film/browser/player/pair_counts.js";

/**
 * Return the letters [from, to) that each token covers: bytes that are neither a marker nor part of white space.
 * @param {string[]} tokens  in hexadecimal
 * @param {number} markerByte
 */
function lettersOf(tokens, markerByte) {
  const bytes = tokens.map(bytesOf);
  const text = bytes.flat().filter((byte) => byte !== markerByte);
  const isLetter = text.map(() => true);
  for (let at = 0; at < text.length;) {
    const length = characterLength(text, at) || 1;
    if (decodeBytes(text.slice(at, at + length)).trim() === "") isLetter.fill(false, at, at + length);
    at += length;
  }
  let read = 0;
  let letters = 0;
  return bytes.map((token) => {
    const from = letters;
    for (const byte of token) if (byte !== markerByte && isLetter[read++]) letters += 1;
    return `${from} ${letters}`;
  });
}

/**
 * Return the bytes [from, to) that each token covers, as lanes of one variant are compared.
 * @param {string[]} tokens  in hexadecimal
 */
function bytesCovered(tokens) {
  let reached = 0;
  return tokens.map((token) => `${reached} ${(reached += token.length / 2)}`);
}

/** @type {Map<string, typeof fixtures.trainings>} */
const texts = new Map();
for (const training of fixtures.trainings) {
  const [text] = training.name.split(",");
  if (training.feed.text.total) texts.set(text, [...(texts.get(text) ?? []), training]);
}

for (const [text, trainings] of texts) {
  const lanes = trainings.map(({ feed, segmentations, name }) => ({
    model: decodeFeed(feed),
    segmentations,
    name,
    step: 0,
  }));

  test(`${text}: the tokens that differ are those whose letters the engine splits otherwise`, () => {
    const kinds = new Set();
    for (const one of lanes) {
      for (const other of lanes) {
        if (!rivalsOf(one, [other]).length) continue;
        for (const share of [0, 0.5, 1]) {
          for (const lane of [one, other]) lane.step = Math.floor(lane.model.last * share);
          const sameCells = one.model.feed.cells === other.model.feed.cells;
          const [mine, theirs] = [one, other].map(({ model, step, segmentations }) => {
            const tokens = segmentations[step].split(" ");
            return sameCells ? bytesCovered(tokens) : lettersOf(tokens, model.spelling.markerByte);
          });
          const elsewhere = new Set(theirs);
          const expected = mine.map((token) => {
            const [from, to] = token.split(" ").map(Number);
            return from < to && !elsewhere.has(token);
          });
          const cells = cellsOf(one.model).text;
          /** @type {boolean[]} */
          const differs = [];
          eachToken(cells, one.step, 0, cells.size, (start, end) =>
            differs.push(differsFrom([other], cells, start, end)),
          );
          assert.deepEqual(differs, expected, `${one.name} beside ${other.name} at ${share}`);
          for (const value of differs) kinds.add(value);
        }
      }
    }
    assert.deepEqual(kinds, new Set([true, false]));
  });
}

test("a lane is no rival of itself, nor of another text or of an encoding", () => {
  const [one, other] = [...texts.values()].map(([{ feed }]) => ({ model: decodeFeed(feed), step: 0 }));
  const encoding = { model: decodeFeed(fixtures.encodings[0].feed), step: 0 };
  assert.deepEqual(rivalsOf(one, [one, other, encoding]), []);
  const twin = { model: decodeFeed(one.model.feed), step: 3 };
  assert.deepEqual(rivalsOf(one, [one, twin]), [twin]);
});

test("up to eight lanes make a grid of two rows at most, as full as they can be", () => {
  const inRow = [1, 2, 3, 4, 5, 6, 7, 8].map(lanesInRow);
  assert.deepEqual(inRow, [1, 2, 3, 2, 3, 3, 4, 4]); // `lanes_in_row` of Compare says the same
});

test("tokens and vocabulary after every merge are the engine's", () => {
  for (const { name, feed, tokens, vocabulary } of [...fixtures.trainings, ...fixtures.cut_elsewhere]) {
    const model = decodeFeed(feed);
    const steps = [...tokens.keys()];
    assert.deepEqual(
      steps.map((step) => tokensNow(model, step)),
      tokens,
      name,
    );
    assert.deepEqual(
      steps.map((step) => vocabularyNow(model, step)),
      vocabulary,
      name,
    );
  }
});

test("an encoding tells neither", () => {
  const model = decodeFeed(fixtures.encodings[0].feed);
  assert.deepEqual([tokensNow(model, 0), vocabularyNow(model, 0)], [null, null]);
});

test("the ticker has the last five tokens, the newest first", () => {
  const model = decodeFeed(fixtures.trainings[0].feed);
  const { ids } = model.steps;
  assert.deepEqual(lastTokens(model, 0), []);
  assert.deepEqual(lastTokens(model, 2), [ids[1], ids[0]]);
  assert.deepEqual(lastTokens(model, 9), [ids[8], ids[7], ids[6], ids[5], ids[4]]);
});
