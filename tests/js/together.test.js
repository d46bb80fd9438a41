import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf } from "../../ui/components/lesson_card/together.js";

/** @type {(text: string, id?: number | null, term?: string) => import("../../ui/components/lesson_card/evidence.js").Piece} */
const piece = (text, id = null, term) => (term ? [text, id, term] : [text, id]);
const texts = (/** @type {ReturnType<typeof piece>[]} */ ...pieces) =>
  groupsOf(pieces).map((group) => group.map(([text]) => text).join(""));

test("the tokens of a word or a pair stay together, with the mark behind them", () => {
  const c = piece("c", 1);
  assert.deepEqual(texts(piece("a word: "), c, piece(" "), c, piece("."), c), ["a word: ", "c c.", "c"]);
  assert.deepEqual(texts(c, piece(" + "), c, piece(", then "), c), ["c + c,", " then ", "c"]);
  assert.deepEqual(texts(c, piece(" 10 times, "), c), ["c", " 10 times, ", "c"]);
  assert.deepEqual(texts(c, c, piece(" ")), ["cc", " "]);
});

test("a term keeps the mark behind it, and nothing else", () => {
  const term = piece("code point", null, "code-point");
  assert.deepEqual(texts(term, piece(". These two")), ["code point.", " These two"]);
  assert.deepEqual(texts(term, piece(" "), term), ["code point", " ", "code point"]);
  assert.deepEqual(texts(piece("Plain. "), term), ["Plain. ", "code point"]);
  assert.deepEqual(texts(), []);
});
