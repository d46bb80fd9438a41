/** @import {Ballot} from "../../film/browser/shared/ballot.js" */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  answerOfKey,
  askAgain,
  askRoom,
  hearBallot,
  lastBallot,
  raiseHand,
  revealAnswers,
  setHands,
  setKeeper,
} from "../../film/browser/shared/ballot.js";

const ASKED = {
  name: "lesson/1",
  where: "A lesson, step 1",
  asks: "Which pair is merged first?",
  answers: [
    { label: "a + b", right: false },
    { label: "u + g", right: true },
  ],
};

/** @returns {Ballot} */
function ballot() {
  const last = lastBallot();
  assert.ok(last);
  return last;
}

beforeEach(() => {
  setKeeper(null);
  for (const name of [ASKED.name, "before"]) {
    askRoom({ ...ASKED, name }, { open: true });
    for (const answer of [0, 1]) setHands(answer, 0);
    revealAnswers(false);
  }
});

test("letters count hands, and there are never fewer than none or more than 9,999", () => {
  askRoom(ASKED, { open: true });
  assert.deepEqual(
    ["a", "B", "c", "@", "Enter"].map((key) => answerOfKey(key, ballot())),
    [0, 1, -1, -1, -1],
  );
  raiseHand(0, 1);
  raiseHand(1, -1);
  assert.deepEqual(ballot().hands, [1, 0]);
  setHands(0, 1e9);
  setHands(1, NaN);
  setHands(2, 5); // no such answer
  assert.deepEqual(ballot().hands, [9_999, 0]);
});

test("a question comes back with its hands, and with its answer if that was told", () => {
  askRoom(ASKED, { open: true });
  raiseHand(0, 1);
  const { id } = ballot();
  askRoom(ASKED, { open: true }); // closed on the stage by accident, and opened again
  assert.deepEqual([ballot().id, ballot().hands], [id, [1, 0]]);
  revealAnswers(true);
  askRoom(ASKED, { open: true }); // the lesson came back to it
  assert.deepEqual([ballot().id, ballot().open], [id, false]);
  assert.deepEqual(ballot().hands, [1, 0]);
});

test("on a page that keeps no list, the hands of earlier questions stay too", () => {
  askRoom(ASKED, { open: true });
  setHands(1, 7);
  revealAnswers(true);
  askRoom({ ...ASKED, name: "lesson/2" }, { open: true });
  assert.deepEqual(ballot().hands, [0, 0]);
  askRoom(ASKED, { open: true });
  assert.deepEqual([ballot().hands, ballot().open], [[0, 7], false]);
  setKeeper({ find: () => null, keep: () => {} }); // its list was cleared
  askRoom({ ...ASKED, name: "lesson/2" }, { open: true });
  askRoom(ASKED, { open: true });
  assert.deepEqual([ballot().hands, ballot().open], [[0, 0], true]);
});

test("a question whose answer was told without any hands is no second asking", () => {
  askRoom(ASKED, { open: false });
  const { id } = ballot();
  askRoom(ASKED, { open: true });
  assert.deepEqual([ballot().id, ballot().open], [id, true]);
});

test("an answer that stands on a lesson's card is told, and the keeper learns of it", () => {
  /** @type {Ballot[]} */
  const kept = [];
  setKeeper({ find: () => null, keep: (one) => kept.push({ ...one }) });
  askRoom(ASKED, { open: true });
  raiseHand(1, 1);
  askRoom(ASKED, { open: false });
  assert.deepEqual(
    kept.map(({ open, hands }) => [open, hands[1]]),
    [
      [true, 1],
      [false, 1],
    ],
  );
});

test("asked once more, a question has another id and no hands", () => {
  askRoom(ASKED, { open: true });
  raiseHand(1, 1);
  const { id } = ballot();
  askAgain();
  assert.notEqual(ballot().id, id);
  assert.deepEqual([ballot().name, ballot().hands, ballot().open], ["lesson/1", [0, 0], true]);
});

test("a keeper that comes after its question gives the hands back, unless the answers are others", () => {
  askRoom(ASKED, { open: true });
  const kept = { ...ballot(), id: "kept", hands: [3, 4] };
  setKeeper({ find: () => ({ ...kept, hands: [1, 2, 3] }), keep: () => {} });
  assert.deepEqual(ballot().hands, [0, 0]);
  setKeeper({ find: () => kept, keep: () => {} });
  assert.deepEqual([ballot().id, ballot().hands], ["kept", [3, 4]]);
});

test("whoever listens hears each change until the signal aborts", () => {
  const lifetime = new AbortController();
  let heard = 0;
  hearBallot(lifetime.signal, () => heard++);
  askRoom(ASKED, { open: true });
  raiseHand(0, 1);
  revealAnswers(true);
  revealAnswers(true); // nothing changes
  assert.equal(heard, 3);
  lifetime.abort();
  raiseHand(0, 1);
  assert.equal(heard, 3);
});

test("a talk that ends leaves the hands that the page counted, though its script is another", async () => {
  const again = "../../film/browser/shared/ballot.js?talk"; // another component's copy of the module
  const talk = await import(again);
  assert.notEqual(talk.setKeeper, setKeeper);
  askRoom(ASKED, { open: true });
  setHands(1, 7);
  askRoom({ ...ASKED, name: "before" }, { open: true });
  talk.setKeeper({ find: () => null, keep: () => {} });
  talk.setKeeper(null);
  askRoom(ASKED, { open: true });
  assert.deepEqual(ballot().hands, [0, 7]);
});
