/** @import {Ballot} from "../../film/browser/shared/ballot.js" */
/** @import {TalkTallies} from "../../ui/components/talk/tallies.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readTallies,
  tallyFile,
  tallyOf,
  withBallot,
  writtenTallies,
} from "../../ui/components/talk/tallies.js";
import { fixtures } from "./fixtures.js";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 27, 12);

/** @param {string} id @param {number[]} hands @param {Partial<Ballot>} [more] @returns {Ballot} */
function ballot(id, hands, more = {}) {
  const answers = hands.map((_, number) => ({ label: `answer ${number}`, right: number === 1 }));
  return {
    id,
    at: NOON,
    name: "lesson/1",
    where: "Step 1",
    asks: "Which?",
    answers,
    hands,
    open: true,
    ...more,
  };
}

/** @param {...Ballot} ballots */
function talksOf(...ballots) {
  return ballots.reduce((talks, one) => withBallot(talks, "A talk", one), /** @type {TalkTallies[]} */ ([]));
}

test("a question is in the list as soon as a hand is counted, and leaves with its last hand", () => {
  assert.deepEqual(talksOf(ballot("one", [0, 0])), []);
  const [talk] = talksOf(ballot("one", [1, 0]), ballot("one", [1, 2]));
  assert.deepEqual(
    talk.tallies.map(({ id, hands }) => [id, hands]),
    [["one", [1, 2]]],
  );
  assert.deepEqual(talksOf(ballot("one", [1, 0]), ballot("one", [0, 0])), []);
});

test("a question asked twice has two rows, in their order", () => {
  const after = ballot("after", [1, 8], { at: NOON + 60_000 });
  const talks = talksOf(ballot("before", [5, 4]), after, ballot("before", [5, 4], { open: false }));
  assert.deepEqual(
    talks.map(({ tallies }) => tallies.map(({ id, open }) => [id, open])),
    [
      [
        ["before", false],
        ["after", true],
      ],
    ],
  );
  assert.equal(tallyOf(talks, "A talk", after, NOON + HOUR)?.id, "after");
});

test("a talk goes on for four hours after its last question; then its next question begins another list", () => {
  const later = (/** @type {number} */ hours) => ballot("two", [1, 0], { at: NOON + hours * HOUR });
  assert.equal(talksOf(ballot("one", [1, 0]), later(3.9)).length, 1);
  assert.equal(talksOf(ballot("one", [1, 0]), later(4)).length, 2);
  assert.equal(withBallot(talksOf(ballot("one", [1, 0])), "Another talk", later(1)).length, 2);
  const talks = talksOf(ballot("one", [1, 0]));
  const asked = ballot("", [0, 0]);
  assert.equal(tallyOf(talks, "A talk", asked, NOON + 3 * HOUR)?.id, "one");
  assert.equal(tallyOf(talks, "A talk", asked, NOON + 25 * HOUR), null);
  assert.equal(tallyOf(talks, "Another talk", asked, NOON), null);
  assert.equal(tallyOf(talks, "A talk", ballot("", [0, 0, 0]), NOON), null); // other answers
});

test("what is written is read again, also a day later", () => {
  const talks = talksOf(ballot("one", [1, 0]), ballot("two", [3, 9_999], { name: "lesson/2" }));
  assert.deepEqual(readTallies(writtenTallies(talks)), { talks, isBroken: false });
  assert.deepEqual(readTallies(null), { talks: [], isBroken: false });
});

test("too much is left out from its oldest end", () => {
  const long = "x".repeat(600);
  const answers = Array.from({ length: 26 }, () => ({ label: long, right: false }));
  const many = Array.from({ length: 90 }, (_, number) =>
    ballot(String(number), Array(26).fill(1), { answers, at: NOON + number * 5 * HOUR }),
  );
  const talks = talksOf(...many);
  assert.equal(talks.length, 30);
  const read = readTallies(writtenTallies(talks));
  assert.equal(read.isBroken, false);
  assert.equal(read.talks.at(-1)?.tallies[0].id, "89");
  const [full] = talksOf(
    ...Array.from({ length: 230 }, (_, number) => ballot(`${number}`, [1, 0], { at: NOON + number })),
  );
  assert.deepEqual([full.tallies.length, full.tallies[0].id], [200, "30"]);
});

test("one talk that is too long to be kept loses its oldest questions, and not the whole list", () => {
  const answers = Array.from({ length: 26 }, () => ({ label: "x".repeat(600), right: false }));
  const talks = talksOf(
    ...Array.from({ length: 90 }, (_, at) =>
      ballot(String(at), Array(26).fill(1), { answers, at: NOON + at }),
    ),
  );
  const text = writtenTallies(talks);
  assert.ok(text.length <= 1_000_000);
  const [{ tallies }] = readTallies(text).talks;
  assert.ok(tallies.length > 40);
  assert.equal(tallies.at(-1)?.id, "89");
});

test("of a list that is too long the newest talks and questions stay", () => {
  const [one] = talksOf(ballot("one", [1, 0]));
  const many = Array.from({ length: 250 }, (_, at) => ({ ...one.tallies[0], id: String(at) }));
  const talks = Array.from({ length: 40 }, (_, at) => ({ ...one, began: NOON + at, tallies: many }));
  const text = JSON.stringify({ version: 1, talks });
  assert.ok(text.length > 1_000_000);
  const read = readTallies(text);
  assert.equal(read.isBroken, false);
  assert.deepEqual(
    [read.talks.length, read.talks[0].began, read.talks[0].tallies.length, read.talks[0].tallies[0].id],
    [30, NOON + 10, 200, "50"],
  );
});

test("what cannot be read is left out, and the rest of the list stays", () => {
  const [talk] = talksOf(ballot("one", [1, 0]), ballot("two", [0, 1], { name: "lesson/2" }));
  const stored = {
    version: 1,
    talks: [{ ...talk, tallies: [{}, ...talk.tallies] }, { title: "none" }, talk],
  };
  assert.deepEqual(readTallies(JSON.stringify(stored)), { talks: [talk, talk], isBroken: true });
});

test("what is no list of ours is refused", () => {
  const good = JSON.parse(writtenTallies(talksOf(ballot("one", [1, 0]))));
  assert.equal(readTallies(JSON.stringify(good)).isBroken, false);
  /** @type {((talk: any, stored: any) => void)[]} */
  const changes = [
    (_, stored) => (stored.version = 2),
    (_, stored) => (stored.talks = {}),
    (talk) => (talk.title = ["<img>"]),
    (talk) => (talk.began = "today"),
    (talk) => (talk.began = 1e300),
    (talk) => (talk.tallies = []),
    (talk) => (talk.tallies[0] = null),
    (talk) => delete talk.tallies[0].where,
    (talk) => (talk.tallies[0].asks = "x".repeat(601)),
    (talk) => (talk.tallies[0].hands = [1]),
    (talk) => (talk.tallies[0].hands = [1, -1]),
    (talk) => (talk.tallies[0].hands = [1, 0.5]),
    (talk) => (talk.tallies[0].hands = [1, "2"]),
    (talk) => (talk.tallies[0].hands = [1, 10_000]),
    (talk) => (talk.tallies[0].open = 1),
    (talk) => (talk.tallies[0].answers[0] = "a + b"),
    (talk) => (talk.tallies[0].answers[0].right = "yes"),
  ];
  for (const change of changes) {
    const stored = structuredClone(good);
    change(stored.talks[0], stored);
    assert.deepEqual(readTallies(JSON.stringify(stored)), { talks: [], isBroken: true }, String(change));
  }
  for (const text of ["{", "null", "7", '"text"', "[]", `[${"[".repeat(50_000)}`, "x".repeat(1_000_001)])
    assert.deepEqual(readTallies(text), { talks: [], isBroken: true }, text.slice(0, 10));
});

test("the file has a row for each answer, tells what is right only if it was told, and runs no formula", () => {
  const answers = [
    { label: '=1+1 "x"', right: false },
    { label: "u + g;=2", right: true },
  ];
  const open = ballot("one", [2, 7], { answers });
  const told = ballot("two", [0, 9], { answers, open: false, at: NOON + 1000 });
  const [talk] = talksOf(open, told);
  const asked = (/** @type {string} */ second) => `"A talk","2026-11-27T12:00:0${second}.000Z"`;
  assert.equal(
    tallyFile(talk),
    [
      '\ufeff"talk","asked at","number","where","question","answer","right","hands"',
      `${asked("0")},1,"Step 1","Which?","'=1+1 ""x""","",2`,
      `${asked("0")},1,"Step 1","Which?","u + g;'=2","",7`,
      `${asked("1")},2,"Step 1","Which?","'=1+1 ""x""","no",0`,
      `${asked("1")},2,"Step 1","Which?","u + g;'=2","yes",9`,
      "",
    ].join("\r\n"),
  );
});

test("a cell of the file is written as Python writes it, whatever stands before a formula", () => {
  const answers = [{ label: "a", right: true }];
  const [talk] = talksOf(ballot("one", [1], { answers }));
  const header = tallyFile({ ...talk, tallies: [] });
  const cell = (/** @type {string} */ title) => {
    const file = tallyFile({ ...talk, title });
    return file.slice(header.length + 1, file.lastIndexOf('","2026-11-27T')).replaceAll('""', '"');
  };
  for (const [text, expected] of fixtures.cells) assert.equal(cell(text), expected);
  const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const guarded = (/** @type {(character: string) => string} */ text) =>
    codes.filter((code) => cell(text(String.fromCharCode(code))) !== text(String.fromCharCode(code)));
  const [atStart, within] = fixtures.before_formulas;
  assert.deepEqual(
    guarded((character) => `${character}=1`),
    atStart,
  );
  assert.deepEqual(
    guarded((character) => `a;${character}=1`),
    within,
  );
});
