/** @import {Group} from "../../film/browser/shared/groups.js" */

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { visibleMerges, createPlayhead, stepsAtOnce } from "../../film/browser/player/playhead.js";

/** @type {{group: string, step: number, playing: boolean, beat: string}[]} */
let events = [];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = new EventTarget();
  events = [];
  page.addEventListener("mbm:step", (event) => events.push(/** @type {CustomEvent} */ (event).detail));
  Object.assign(globalThis, {
    window: page,
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: () => undefined,
  });
});

/**
 * Let times pass one after the other, as a timer that another one sets needs the next.
 * @param {number[]} times  in ms
 */
function pass(...times) {
  for (const time of times) mock.timers.tick(time);
}

/** Make a playhead over one lane that notes where it was led. @param {number} last @param {boolean} [trains] */
function playheadOver(last, trains = true) {
  /** @type {[from: number, step: number, duration: number][]} */
  const moves = [];
  const lane = {
    last,
    model: { training: trains },
    step: 0,
    mark: () => undefined,
    write: () => undefined,
    finish: () => undefined,
    follow: (/** @type {[number, number, number]} */ ...move) => moves.push(move),
  };
  const group = {
    name: "one",
    lanes: new Set([lane]),
    tables: new Set(),
    playhead: null,
    slot: null,
    stage: null,
    presenting: false,
  };
  const playhead = createPlayhead(/** @type {Group} */ (/** @type {unknown} */ (group)));
  group.playhead = /** @type {any} */ (playhead);
  return { playhead, moves, group };
}

test("playing counts, selects, fuses and settles, then goes on with the next merge", () => {
  const { playhead, moves } = playheadOver(2);
  const beats = () => [playhead.beat, playhead.step];
  playhead.play();
  assert.deepEqual(beats(), ["count", 0]);
  mock.timers.tick(250);
  assert.deepEqual(beats(), ["select", 0]);
  mock.timers.tick(400);
  assert.deepEqual(beats(), ["fuse", 1]);
  mock.timers.tick(450);
  assert.deepEqual(beats(), ["settle", 1]);
  mock.timers.tick(300);
  assert.deepEqual(beats(), ["count", 1]);
  pass(250, 400, 450, 300);
  assert.deepEqual(beats(), ["rest", 2]);
  assert.equal(playhead.playing, false);
  assert.deepEqual(moves, [
    [0, 1, 450],
    [1, 2, 450],
  ]);
});

test("speed shortens every beat", () => {
  const { playhead } = playheadOver(9);
  playhead.faster(1);
  assert.equal(playhead.speed, 2); // 2×
  playhead.play();
  pass(125, 200, 225, 150);
  assert.deepEqual([playhead.beat, playhead.step], ["count", 1]);
  playhead.faster(-9);
  assert.equal(playhead.speed, 0);
  playhead.faster(99);
  assert.equal(playhead.speed, 6);
});

test("a frame makes the steps that are due, but few enough to be seen", () => {
  assert.equal(stepsAtOnce(60, 3), 3);
  assert.equal(stepsAtOnce(60, 1_000), 4);
});

test("a step stays between the first and the last one", () => {
  const { playhead } = playheadOver(5);
  playhead.seek(99);
  assert.equal(playhead.step, 5);
  playhead.seek(-1);
  assert.equal(playhead.step, 0);
  playhead.back();
  assert.equal(playhead.step, 0);
});

test("a jump does not move tokens, a step forward does, and without motion nothing does", () => {
  const { playhead, moves } = playheadOver(5);
  playhead.seek(3);
  playhead.forward();
  playhead.motion = false;
  playhead.forward();
  assert.deepEqual(
    moves.map(([, , duration]) => duration),
    [0, 450, 0],
  );
});

test("beat by beat: guess, count, select, fuse, settle, and the next guess", () => {
  const { playhead } = playheadOver(2);
  playhead.setBeatwise(true);
  const beats = [playhead.beat];
  const visible = [visibleMerges(playhead)];
  for (let press = 0; press < 3; press++) {
    playhead.toggle();
    beats.push(playhead.beat);
    visible.push(visibleMerges(playhead));
  }
  assert.deepEqual(beats, ["guess", "count", "select", "fuse"]);
  assert.deepEqual(visible, [0, 0, 1, 1]); // the selected merge is the first one that the strip of Compare may tell
  pass(450 + 150, 10_000);
  assert.deepEqual([playhead.beat, playhead.step], ["settle", 1]); // the changes stay until the next key
  playhead.nextBeat();
  assert.deepEqual([playhead.beat, playhead.step], ["guess", 1]);
  playhead.seek(2);
  playhead.nextBeat();
  assert.equal(playhead.beat, "rest"); // nothing is left to guess
  playhead.setBeatwise(false);
  assert.equal(visibleMerges(playhead), Infinity);
});

test("a step of an encoding takes two keys, one to select and one to fuse, forwards and backwards", () => {
  const { playhead } = playheadOver(2, false);
  playhead.setBeatwise(true);
  const after = (/** @type {() => void} */ key) => {
    key();
    pass(450 + 150, 10_000);
    return [playhead.beat, playhead.step];
  };
  assert.deepEqual(after(playhead.nextBeat), ["select", 0]);
  assert.deepEqual(after(playhead.nextBeat), ["guess", 1]);
  assert.deepEqual(after(playhead.nextBeat), ["select", 1]);
  assert.deepEqual(after(playhead.previousBeat), ["guess", 1]);
  assert.deepEqual(after(playhead.previousBeat), ["select", 0]);
  playhead.nextBeat();
  pass(450 + 150);
  playhead.nextBeat(); // before the next guess has come
  assert.deepEqual([playhead.beat, playhead.step], ["select", 1]);
});

test("beats go backwards too, and a merge comes apart before its own beats", () => {
  const { playhead, moves } = playheadOver(3);
  playhead.setBeatwise(true);
  playhead.seek(1);
  playhead.nextBeat();
  playhead.nextBeat();
  const beats = [];
  for (let press = 0; press < 3; press++) {
    beats.push([playhead.beat, playhead.step]);
    playhead.previousBeat();
  }
  pass(450 + 150);
  beats.push([playhead.beat, playhead.step]);
  assert.deepEqual(beats, [
    ["select", 1],
    ["count", 1],
    ["guess", 1],
    ["select", 0],
  ]);
  assert.deepEqual(moves.at(-1), [1, 0, 450]);
  for (let press = 0; press < 5; press++) playhead.previousBeat();
  assert.deepEqual([playhead.beat, playhead.step], ["guess", 0]);
});

test("a key during a merge completes it, forwards and backwards", () => {
  const { playhead } = playheadOver(3);
  playhead.setBeatwise(true);
  for (let press = 0; press < 4; press++) playhead.nextBeat();
  assert.deepEqual([playhead.beat, playhead.step], ["settle", 1]);
  playhead.previousBeat();
  playhead.nextBeat();
  assert.deepEqual([playhead.beat, playhead.step], ["select", 0]);
});

test("a whole merge in the presenter view ends at the next guess", () => {
  const { playhead } = playheadOver(3);
  playhead.setBeatwise(true);
  playhead.forward();
  pass(450 + 150, 300);
  assert.deepEqual([playhead.beat, playhead.step], ["guess", 1]);
});

test("a key in the middle of a beat completes it", () => {
  const { playhead } = playheadOver(9);
  playhead.play();
  pass(250, 400, 10);
  playhead.toggle();
  assert.deepEqual([playhead.playing, playhead.beat, playhead.step], [false, "rest", 1]);
  mock.timers.tick(10_000);
  assert.equal(playhead.step, 1);
});

test("playing at the end begins anew", () => {
  const { playhead } = playheadOver(1);
  playhead.seek(1);
  playhead.play();
  assert.deepEqual([playhead.step, playhead.playing], [0, true]);
});

test("the page hears of every beat", () => {
  const { playhead } = playheadOver(1);
  playhead.play();
  mock.timers.tick(250);
  assert.deepEqual(events.at(-1), { group: "one", step: 0, playing: true, beat: "select" });
});

test("after the last merge one more key shows the ending of lanes, and a key back hides it", () => {
  const { playhead, group } = playheadOver(1);
  /** @type {boolean[]} */
  const frames = [];
  let open = false;
  const showEnding = (/** @type {boolean} */ on) => {
    if (on === open) return false;
    frames.push((open = on));
    return true;
  };
  Object.assign(group, { stage: { showEnding } });
  playhead.setBeatwise(true);
  playhead.seek(1);
  playhead.nextBeat();
  playhead.previousBeat();
  assert.deepEqual([frames, playhead.step], [[true, false], 1]);
  playhead.forward();
  playhead.back();
  assert.deepEqual([frames, playhead.step], [[true, false, true, false], 1]);
  playhead.back();
  assert.equal(playhead.step, 0);
});
