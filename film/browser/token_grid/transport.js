// Transport: first, back, play, forward, last, a scrubber under a strip of ties, a step to jump to, speed.

import { icon, make, setIcon } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { SPEEDS } from "./playhead.js";

export function createTransport(grid) {
  const { head } = grid;
  const button = (name, label, act) => make("button", `button ${name}`, { type: "button", "aria-label": label, title: label, click: act }, icon(name));
  const play = button("play", "Play", () => head.toggle());
  const strip = make("canvas", "ties", { "aria-hidden": "true" });
  const range = make("input", "range", { type: "range", min: 0, step: 1, "aria-label": "Merges applied", "data-testid": "scrubber" });
  const jump = make("input", "jump", { type: "number", min: 0, step: 1, inputmode: "numeric", "aria-label": "Jump to step", "data-testid": "jump" });
  const total = make("span", "total");
  const speed = make("select", "speed", { "aria-label": "Speed", "data-testid": "speed", change: () => head.faster(Number(speed.value) - head.speed) });
  speed.append(...SPEEDS.map((row, at) => make("option", "", { value: at }, row.label)));
  const element = make("div", "transport", { role: "group", "aria-label": "Transport", "data-testid": "transport" },
    button("first", "First (Home)", () => head.seek(0)),
    button("back", "One merge back (←)", () => head.back()),
    play,
    button("next", "One merge forward (→)", () => head.forward()),
    button("last", "Last (End)", () => head.seek(head.last())),
    make("div", "scrub", {}, strip, range),
    make("label", "after", {}, "after ", jump, total),
    speed);

  range.addEventListener("input", () => {
    head.scrubbing = true;
    head.seek(Number(range.value));
  });
  for (const kind of ["change", "pointerup", "pointercancel"]) {
    range.addEventListener(kind, () => {
      if (!head.scrubbing) return;
      head.scrubbing = false;
      head.tell();
    });
  }
  jump.addEventListener("change", () => head.seek(Math.round(Number(jump.value) || 0)));
  jump.addEventListener("keydown", (event) => event.key === "Enter" && jump.blur());

  let known = -1;

  function draw() {
    const last = head.last();
    if (last !== known) drawLast(last);
    range.value = head.step;
    range.style.setProperty("--share", last ? head.step / last : 0);
    if (grid.focused() !== jump) jump.value = head.step;
    drawPlay();
    if (head.beat === "fast" && grid.root.dataset.playing === "true") return;
    range.setAttribute("aria-valuetext", `after ${head.step} of ${last} merges`);
    speed.value = head.speed;
  }

  function drawLast(last) {
    known = last;
    range.max = jump.max = last;
    jump.style.width = `${String(last).length + 1.6}ch`;
    total.textContent = ` of ${formatNumber(last)}`;
  }

  function drawPlay() {
    const label = head.playing ? "Pause (Space)" : "Play (Space)";
    if (play.title !== label) {
      setIcon(play.firstChild, head.playing ? "pause" : "play");
      play.title = label;
      play.setAttribute("aria-label", label);
    }
  }

  // One bar per merge, as high as the logarithm of how many pairs tied; where merges outnumber pixels, the highest.
  function drawStrip() {
    const width = strip.clientWidth;
    const height = strip.clientHeight;
    if (!width) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    strip.width = width * ratio;
    strip.height = height * ratio;
    const context = strip.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = grid.colours.tie;
    const { tied } = grid.model.steps;
    const bars = Math.min(tied.length, Math.floor(width / 2));
    const most = Math.log2(Math.max(4, tied.reduce((most, count) => Math.max(most, count), 0)));
    for (let bar = 0; bar < bars; bar++) {
      let count = 0;
      for (let rank = Math.floor((bar * tied.length) / bars); rank < Math.floor(((bar + 1) * tied.length) / bars); rank++) count = Math.max(count, tied[rank]);
      if (count < 2) continue;
      const high = Math.max(3, (Math.log2(count) / most) * height);
      const from = (bar * width) / bars;
      context.fillRect(from, height - high, Math.max(1, width / bars - (width / bars > 6 ? 2 : width / bars > 3 ? 1 : 0)), high);
    }
  }

  return { element, draw, drawStrip };
}
