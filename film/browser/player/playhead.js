// The playhead of a group: its step, beat and speed. It owns all timers; lanes only draw what it asks for.

/** @import {Timer} from "../shared/dom.js" */
/** @import {Beat, Group, Playhead} from "../shared/groups.js" */

import { say } from "../shared/groups.js";
import { stepOfLane } from "./lanes.js";

// The beats of a merge, and the order in which they follow each other.

/** ms between the starts of the first and the last line while chips fuse */
export const STAGGER = 150;

/** How long each beat takes. @type {Record<"count" | "select" | "fuse" | "settle", number>} */
export const BEATS = { count: 250, select: 400, fuse: 450, settle: 300 }; // ms at 1×
/** The next beat for a key; after selecting, the tokens fuse. @type {{[from in Beat]?: Beat}} */
const NEXT_BEAT = { guess: "count", count: "select", settle: "guess" };
/** The beat before for a key; before guessing, the merge is undone. @type {{[from in Beat]?: Beat}} */
const BEAT_BEFORE = { select: "count", count: "guess" };
/** The same while a new text is encoded: nothing is counted. @type {[next: typeof NEXT_BEAT, before: typeof BEAT_BEFORE]} */
const OF_ENCODING = [{ guess: "select", settle: "select" }, { select: "guess" }];
/** The next beat while a merge plays. @type {Record<keyof typeof BEATS, keyof typeof BEATS>} */
const PLAYED_NEXT = { count: "select", select: "fuse", fuse: "settle", settle: "count" };

/**
 * Return how many merges the viewer may see: all, or while keys go from beat to beat those done and a selected one.
 * @param {{beatwise: boolean, step: number, beat: Beat}} playhead
 */
export function visibleMerges({ beatwise, step, beat }) {
  if (!beatwise) return Infinity;
  return step + Number(beat === "select" || beat === "rest");
}

// The speeds that a playhead plays at.

/** With beats (faster by a factor), or without (steps a second). @typedef {{label: string, factor?: number, rate?: number}} Speed */

/** The speeds to choose from. @type {Speed[]} */
export const SPEEDS = [
  { label: "0.5×", factor: 0.5 },
  { label: "1×", factor: 1 },
  { label: "2×", factor: 2 },
  { label: "4×", factor: 4 },
  { label: "12/s", rate: 12 },
  { label: "30/s", rate: 30 },
  { label: "60/s", rate: 60 },
];

/** The factor of a single step at a speed without beats. */
export const FASTEST = 4;

const FRAMES = 15; // a second, on the slowest screen that still keeps the time

/**
 * Return how many steps one frame makes: those that are due, but few enough to be seen.
 * @param {number} rate  steps a second
 * @param {number} due
 */
export function stepsAtOnce(rate, due) {
  return Math.min(due, Math.ceil(rate / FRAMES));
}

/** The beats at which the merge of a step waits for a key. @type {Set<Beat>} */
const ASKED_FOR = new Set(["guess", "count", "select"]);

/** Make the playhead of a group. @param {Group} group @returns {Playhead} */
export function createPlayhead(group) {
  /** @type {Timer} */
  let timer;
  let frame = 0;
  /** @type {Beat | undefined} */
  let restingAt; // the beat that the running merge ends in, if a key asked for one
  /** @type {Playhead} */
  const playhead = {
    step: 0,
    beat: "rest",
    playing: false,
    scrubbing: false,
    beatwise: false,
    predicting: false,
    film: false,
    speed: 1,
    motion: true,
    last: () => Math.max(0, ...[...group.lanes].map((lane) => lane.last)),
    seek,
    play,
    pause,
    toggle,
    forward,
    back,
    nextBeat,
    previousBeat,
    resume,
    faster,
    setBeatwise,
    tell,
    gather,
  };

  const atEnd = () => playhead.step >= playhead.last();
  const trains = () => [...group.lanes].some((lane) => lane.model.training);
  const speed = () => SPEEDS[playhead.speed];
  const pace = () => speed().factor ?? FASTEST;
  const fuseTime = () => (playhead.motion ? BEATS.fuse / pace() : 0);

  // Canvases first, in `move` too: to draw text on one, the browser styles and lays out a page that has changed.
  function tell() {
    const { step, playing, beat } = playhead;
    for (const lane of group.lanes) lane.mark();
    for (const lane of group.lanes) lane.write();
    say("step", { group: group.name, step, playing, beat });
  }

  function stop() {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    timer = undefined;
    frame = 0;
  }

  /** @param {number} step @param {number} duration */
  function move(step, duration) {
    const from = playhead.step;
    playhead.step = Math.max(0, Math.min(step, playhead.last()));
    for (const lane of group.lanes) lane.follow(from, playhead.step, duration);
  }

  function gather() {
    for (const lane of group.lanes) {
      if (lane.step !== stepOfLane(lane, playhead.step)) lane.follow(lane.step, playhead.step, 0);
    }
    tell();
  }

  // Ends the running beat at once, so that a key acts on the current state.
  function complete() {
    if (playhead.beat === "fuse") for (const lane of group.lanes) lane.finish();
    stop();
  }

  /** @param {Beat} [beat] */
  function rest(beat = playhead.beatwise && !atEnd() ? "guess" : "rest") {
    playhead.beat = beat;
    restingAt = undefined;
    tell();
  }

  /** @type {Playhead["seek"]} */
  function seek(step, { animate = false } = {}) {
    moveTo(step, animate);
  }

  /** Go to a step. @param {number} step @param {boolean} animate @param {Beat} [beat]  the beat to rest at */
  function moveTo(step, animate, beat) {
    complete();
    playhead.playing = false;
    const near = Math.abs(step - playhead.step) === 1;
    const duration = animate && near ? fuseTime() : 0;
    playhead.beat = duration ? "fuse" : "settle";
    move(step, duration);
    restingAt = beat;
    if (!duration) return rest(beat);
    tell();
    timer = setTimeout(() => (beat ? rest(beat) : settle()), duration + STAGGER);
  }

  // Shows the changes by the merge, before the next pair.
  function settle() {
    playhead.beat = "settle";
    tell();
    timer = setTimeout(() => rest(), BEATS.settle / pace());
  }

  function forward() {
    if (!atEnd()) return seek(playhead.step + 1, { animate: true });
    complete();
    end();
  }

  function back() {
    if (!group.stage?.showEnding(false)) seek(playhead.step - 1, { animate: true });
  }

  function play() {
    complete();
    if (atEnd()) move(0, 0);
    playhead.playing = true;
    if (speed().rate) playFast();
    else playBeat("count");
  }

  function pause() {
    complete();
    playhead.playing = false;
    rest();
  }

  function toggle() {
    if (playhead.beatwise && !group.next) nextBeat();
    else if (playhead.playing) pause();
    else play();
  }

  // Guess -> count -> select -> fuse -> settle -> the next guess, each with a key of its own. A key during the fuse
  // completes it. Of an encoding, a step takes two keys: guess -> select -> fuse, and the next guess comes by itself.
  function nextBeat() {
    const { beat } = playhead;
    if (beat === "fuse" && !playhead.playing) return completeMerge();
    complete();
    playhead.playing = false;
    if (atEnd()) end();
    else if (beat === "select" || beat === "rest") {
      moveTo(playhead.step + 1, true, trains() ? "settle" : undefined);
    } else rest((trains() ? NEXT_BEAT : OF_ENCODING[0])[beat] ?? "guess");
  }

  // After the last merge several lanes show what became of it.
  function end() {
    rest("rest");
    group.stage?.showEnding(true);
  }

  function previousBeat() {
    if (group.stage?.showEnding(false)) return;
    const { beat } = playhead;
    if (beat === "fuse" && !playhead.playing) return completeMerge();
    complete();
    playhead.playing = false;
    const before = (trains() ? BEAT_BEFORE : OF_ENCODING[1])[beat];
    if (before) rest(before);
    else if (playhead.step > 0) moveTo(playhead.step - 1, true, "select");
    else rest();
  }

  /** @type {Playhead["resume"]} */
  function resume(beat) {
    if (playhead.beatwise && !atEnd() && ASKED_FOR.has(beat)) rest(beat);
  }

  function completeMerge() {
    complete();
    rest(restingAt);
  }

  /** @type {Playhead["setBeatwise"]} */
  function setBeatwise(on) {
    playhead.beatwise = on;
    pause();
  }

  /** @param {keyof typeof BEATS} beat */
  function playBeat(beat) {
    if (!playhead.playing) return;
    if (beat === "count" && atEnd()) return pause();
    if (beat === "count" && speed().rate) return playFast();
    playhead.beat = beat;
    if (beat === "fuse") move(playhead.step + 1, fuseTime());
    tell();
    timer = setTimeout(() => playBeat(PLAYED_NEXT[beat]), BEATS[beat] / pace());
  }

  function playFast() {
    let due = performance.now();
    const tick = (/** @type {number} */ now) => {
      const { rate } = speed();
      if (!playhead.playing) return;
      if (!rate) return playBeat("count");
      const gap = 1000 / rate;
      if (now >= due) {
        const steps = stepsAtOnce(rate, 1 + Math.floor((now - due) / gap));
        due = Math.max(due + steps * gap, now - gap);
        move(playhead.step + steps, 0);
        tell();
        if (atEnd()) return pause();
      }
      frame = requestAnimationFrame(tick);
    };
    playhead.beat = "fast";
    tell();
    frame = requestAnimationFrame(tick);
  }

  /** @type {Playhead["faster"]} */
  function faster(by) {
    playhead.speed = Math.max(0, Math.min(SPEEDS.length - 1, playhead.speed + by));
    if (playhead.playing) play();
    else tell();
  }

  return playhead;
}

/**
 * Return whether steps follow each other so fast that grids out of sight leave them out.
 * @param {Playhead} playhead
 */
export function isFast({ scrubbing, beat }) {
  return scrubbing || beat === "fast";
}
