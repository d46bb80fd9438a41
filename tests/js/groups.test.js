// The events between the components of a page: only those that a component sent are heard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { activate, activeGroup, groupNamed, hear, say } from "../../film/browser/shared/groups.js";
import { groupsOf, withWholeSums } from "../../film/browser/shared/sentence.js";

const page = new EventTarget();
Object.assign(globalThis, { window: page });

test("an event that no component sent is ignored, whatever it holds", () => {
  /** @type {unknown[]} */
  const heard = [];
  hear("step", "watch", new AbortController().signal, (detail) => heard.push(detail));
  const forged = [
    null,
    undefined,
    7,
    "x",
    [],
    {},
    { group: "watch" },
    { group: "watch", step: "x", beat: {} },
  ];
  for (const detail of forged) page.dispatchEvent(new CustomEvent("mbm:step", { detail }));
  page.dispatchEvent(new Event("mbm:step"));
  assert.deepEqual(heard, []);
  const sent = { group: "watch", step: 3, playing: false };
  say("step", { ...sent, group: "another" });
  say("step", sent);
  assert.deepEqual(heard, [sent]);
});

test("keys go to the grid of the page that is there, and not to that of a page that was left", () => {
  const [lesson, watch] = [groupNamed("lesson of a talk"), groupNamed("watch after it")];
  const grid = /** @type {import("../../film/browser/shared/groups.js").Lane} */ ({});
  lesson.lanes.add(grid);
  activate(lesson);
  assert.equal(activeGroup(), lesson);
  lesson.lanes.clear();
  watch.lanes.add(grid);
  assert.equal(activeGroup(), watch);
  watch.lanes.clear();
  assert.equal(activeGroup(), null);
});

/** @type {(text: string, id?: number | null, term?: string) => import("../../film/browser/shared/sentence.js").Piece} */
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

test("no line ends within a sum", () => {
  const whole = (/** @type {string} */ text) => withWholeSums(text).replaceAll("\u00a0", "_");
  assert.equal(whole("a count of 6 + 3 = 9. And"), "a count of 6_+_3_=_9. And");
  assert.equal(whole("400 × 824 = 329,600, or 17 − 14 = 3"), "400_×_824_=_329,600, or 17_−_14_=_3");
  assert.equal(whole("in 2016 or 2 - more"), "in 2016 or 2 - more");
});

test("a term keeps the mark behind it, and nothing else", () => {
  const term = piece("code point", null, "code-point");
  assert.deepEqual(texts(term, piece(". These two")), ["code point.", " These two"]);
  assert.deepEqual(texts(term, piece(" "), term), ["code point", " ", "code point"]);
  assert.deepEqual(texts(piece("Plain. "), term), ["Plain. ", "code point"]);
  assert.deepEqual(texts(), []);
});
