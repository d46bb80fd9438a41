// The playhead of a group: which step, which beat, how fast. It owns every timer; lanes only draw what they are told.

import { say } from "../shared/groups.js";
import { STAGGER } from "./chips.js";

const BEATS = { count: 250, select: 400, fuse: 450, settle: 300 }; // ms at 1×
export const SPEEDS = [
  { label: "0.5×", factor: 0.5 }, { label: "1×", factor: 1 }, { label: "2×", factor: 2 }, { label: "4×", factor: 4 },
  { label: "12/s", rate: 12 }, { label: "30/s", rate: 30 }, { label: "60/s", rate: 60 },
];

// beat: rest | guess | count | select | fuse | settle
export function createPlayhead(group) {
  const head = {
    step: 0, beat: "rest", playing: false, scrubbing: false, beatwise: false, speed: 1, motion: true, changed: false,
    last: () => Math.max(0, ...[...group.lanes].map((lane) => lane.last)),
    seek, play, pause, toggle, forward, back, faster, setBeatwise, complete, tell, gather,
  };
  let timer = 0;
  let frame = 0;

  const pace = () => SPEEDS[head.speed].factor ?? 4;
  const fuseTime = () => (head.motion ? BEATS.fuse / pace() : 0);

  function tell() {
    for (const lane of group.lanes) lane.mark(head);
    say("step", { group: group.name, step: head.step, playing: head.playing, beat: head.beat });
  }

  function stop() {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    timer = frame = 0;
  }

  function move(step, duration) {
    const from = head.step;
    head.step = Math.max(0, Math.min(step, head.last()));
    head.changed ||= head.step !== from;
    for (const lane of group.lanes) lane.follow(from, head.step, duration, head);
  }

  // A lane came, or brought its own step: all stand where the playhead is.
  function gather() {
    for (const lane of group.lanes) if (lane.step !== Math.min(head.step, lane.last)) lane.follow(lane.step, head.step, 0);
    tell();
  }

  // Ends the running beat at once, so that a key acts on what is true now.
  function complete() {
    if (head.beat === "fuse") for (const lane of group.lanes) lane.finish();
    stop();
  }

  function rest(beat = head.beatwise && head.step < head.last() ? "guess" : "rest") {
    head.beat = beat;
    tell();
  }

  function seek(step, { animate = false } = {}) {
    complete();
    head.playing = false;
    const near = Math.abs(step - head.step) === 1;
    const duration = animate && near ? fuseTime() : 0;
    head.beat = duration ? "fuse" : "settle";
    move(step, duration);
    if (!duration) return rest();
    tell();
    timer = setTimeout(settle, duration + STAGGER);
  }

  // What the merge changed, before what comes next.
  function settle() {
    head.beat = "settle";
    tell();
    timer = setTimeout(() => rest(), BEATS.settle / pace());
  }

  function forward() {
    if (head.step >= head.last()) return complete(), rest();
    seek(head.step + 1, { animate: true });
  }

  function back() {
    seek(head.step - 1, { animate: true });
  }

  function play() {
    complete();
    if (head.step >= head.last()) move(0, 0);
    head.playing = true;
    beat(SPEEDS[head.speed].rate ? "fast" : "count");
  }

  function pause() {
    complete();
    head.playing = false;
    rest();
  }

  function toggle() {
    if (head.beatwise) return nextBeat();
    return head.playing ? pause() : play();
  }

  // Beats one by one: guess -> count -> select -> fuse -> guess. A key completes the fuse and leads on from the guess.
  function nextBeat() {
    const beat = head.beat === "fuse" || head.beat === "settle" ? "guess" : head.beat;
    complete();
    head.playing = false;
    if (head.step >= head.last()) return rest("rest");
    if (beat === "guess") return rest("count");
    if (beat === "count") return rest("select");
    return forward();
  }

  function setBeatwise(on) {
    head.beatwise = on;
    pause();
  }

  const AFTER = { count: "select", select: "fuse", fuse: "settle", settle: "count" };

  function beat(name) {
    if (!head.playing) return;
    if (name === "fast") return playFast();
    if (name === "count" && head.step >= head.last()) return pause();
    if (SPEEDS[head.speed].rate) return playFast();
    head.beat = name;
    if (name === "fuse") move(head.step + 1, fuseTime());
    tell();
    timer = setTimeout(() => beat(AFTER[name]), BEATS[name] / pace());
  }

  function playFast() {
    head.beat = "fast";
    let due = performance.now();
    tell();
    const tick = (now) => {
      const { rate } = SPEEDS[head.speed];
      if (!head.playing) return;
      if (!rate) return beat("count");
      const gap = 1000 / rate;
      if (now >= due) {
        const steps = Math.min(4, 1 + Math.floor((now - due) / gap));
        due = Math.max(due + steps * gap, now - gap);
        move(head.step + steps, 0);
        say("step", { group: group.name, step: head.step, playing: true });
        if (head.step >= head.last()) return pause();
      }
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }

  function faster(by) {
    head.speed = Math.max(0, Math.min(SPEEDS.length - 1, head.speed + by));
    if (head.playing) play();
    else tell();
  }

  return head;
}
