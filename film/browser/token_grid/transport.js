// Transport: back, play, forward, a scrubber under a strip of ties and of tokens, of many merges a step to jump to, speed,
// guessing, and in the presenter view a choice between single beats and a film. The keys Home and End go to the ends.

/** @import {Grid} from "./types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {IconName} from "../shared/dom.js" */

import { make, setHidden, focusedBeside, icon, setIcon } from "../shared/dom.js";
import { mergeName, formatCount, formatNumber } from "../shared/numbers.js";
import { stageName, unitOf } from "./wording.js";
import { contextOf } from "../shared/colour.js";
import { isKnown } from "../shared/groups.js";
import { isFinished, isSecond } from "../player/feed.js";
import { tokensNow } from "../player/pair_counts.js";
import { SPEEDS } from "../player/playhead.js";

// The mark on the scrubber where a second stage begins: superwords, or what is learned after a replay.

const RIGHT = 0.6; // a mark beyond this share of the scrubber has its label on the left

/**
 * Return where the mark is, as a share of the scrubber, and its texts; null if a second stage does not begin between
 * the first and the last merge, or not in all lanes after the same merge.
 * @param {Model[]} models  of the lanes
 */
export function stageMark([model, ...others]) {
  const after = model.stage?.after ?? 0;
  if (!after || after >= model.last || others.some(({ stage }) => stage?.after !== after)) return null;
  const label = stageName(model);
  const first = `${mergeName(after)} on`;
  const title = model.stage?.superwords
    ? `From ${first}, a token may span several words.`
    : `From ${first}, the merges are learned from this text.`;
  return { share: after / Math.max(...[model, ...others].map(({ last }) => last)), label, title };
}

/** Make the mark of a grid's scrubber. @param {Grid} grid */
function createStageMark(grid) {
  const label = make("span", "");
  const element = make("div", "stage-mark", { "data-testid": "stage-mark", hidden: true }, label);

  function draw() {
    const lanes = [...grid.group.lanes].filter((lane) => lane !== grid);
    const mark = stageMark([grid.model, ...lanes.map(({ model }) => model)]);
    setHidden(element, !mark);
    if (!mark) return;
    element.style.setProperty("--at", String(mark.share));
    element.classList.toggle("left", mark.share > RIGHT);
    element.title = mark.title;
    label.textContent = mark.label;
  }
  return { element, draw };
}

const MOST_BY_SLIDER = 40; // merges: the slider hits each of so few, and more need a number that one can type
const QUIET = 0.45; // opacity of a bar of ties that decided the order only
const ABOVE_LINE = 2; // px over the line of tokens

/** Make the transport of a grid's group. @param {Grid} grid */
export function createTransport(grid) {
  const { playhead } = grid;
  const unit = unitOf(grid.model);
  const playIcon = icon("play");
  const play = transportButton("play", "Play", playIcon, () => playhead.toggle());
  play.classList.add("main");
  const strip = make("canvas", "ties", { "aria-hidden": "true" });
  const range = make("input", "range", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": grid.model.training ? "Merges done" : "Steps done",
    "data-testid": "scrubber",
  });
  const jump = make("input", "jump", {
    type: "number",
    min: 0,
    step: 1,
    inputmode: "numeric",
    "aria-label": `Go to a number of ${unit}s`,
    "data-testid": "jump",
  });
  const fromStart = make(
    "button",
    "from-start",
    {
      type: "button",
      "data-testid": "from-start",
      title: "From the start (Home)",
      "aria-label": "From the start",
      click: goToStart,
    },
    icon("start"),
    make("span", "", {}, "From the start"),
  );
  const mark = createStageMark(grid);
  const now = make("span", "now"); // in place of the number that one can type
  const total = make("span", "total");
  const speed = make("select", "speed", { "aria-label": "Speed", "data-testid": "speed", change: setSpeed });
  speed.append(...SPEEDS.map(({ label }, at) => make("option", "", { value: at }, label)));
  const scrub = make(
    "div",
    "scrub",
    {
      title: grid.model.training ? stripTitle(grid.model) : null,
    },
    make("span", "aside ties-word", { "aria-hidden": "true" }, "ties"),
    strip,
    range,
    mark.element,
  );
  const modes = [modeButton("Step by step", false), modeButton("Film", true)];
  const mode = make("div", "mode", { role: "group", "aria-label": "Presenter view" }, ...modes);
  const element = make(
    "div",
    "row transport",
    { role: "group", "aria-label": "Player", "data-testid": "transport" },
    transportButton("back", `One ${unit} back (←)`, icon("back"), () => playhead.back()),
    play,
    transportButton("next", `One ${unit} forward (→)`, icon("next"), () => playhead.forward()),
    fromStart,
    scrub,
    make("label", "after", { "data-testid": "after" }, jump, now, total),
    speed,
    mode,
  );
  let drawnLast = -1;
  let drawnStrip = "";

  function goToStart() {
    playhead.seek(0);
    if (focusedBeside(fromStart) === fromStart) play.focus({ preventScroll: true }); // the button is disabled there
    giveBackFocus();
  }

  // What opens at its end can be played from its start, as Play there does: the button says so.
  function opensAtEnd() {
    const { model, data, lane, group } = grid;
    const ends = (data.linked && model.training) || data.start >= model.last; // a page may open at the link's step
    return ends && isFinished(model) && model.last > 0 && !lane?.title && !group.next;
  }

  function setSpeed() {
    playhead.faster(Number(speed.value) - playhead.speed);
    giveBackFocus();
  }

  // A menu that keeps the focus would take the next keys of the clicker.
  function giveBackFocus() {
    if (grid.panels.presenter.isOn()) grid.elements.viewport.focus({ preventScroll: true });
  }

  /** @param {string} text @param {boolean} film */
  function modeButton(text, film) {
    const click = () => {
      grid.panels.presenter.setFilm(film);
      giveBackFocus();
    };
    return make(
      "button",
      "",
      { type: "button", "data-testid": film ? "mode-film" : "mode-beats", click },
      text,
    );
  }

  range.addEventListener("input", () => {
    playhead.scrubbing = true;
    playhead.seek(Number(range.value));
  });
  for (const kind of ["change", "pointerup", "pointercancel"]) {
    range.addEventListener(kind, () => {
      if (!playhead.scrubbing) return;
      playhead.scrubbing = false;
      playhead.tell();
    });
  }
  jump.addEventListener("change", () => playhead.seek(Math.round(Number(jump.value) || 0)));
  jump.addEventListener("keydown", (event) => {
    if (event.key === "Enter") jump.blur();
  });

  function draw() {
    const { step, playing, beat } = playhead;
    const last = playhead.last();
    if (last !== drawnLast) drawLast(last);
    mark.draw();
    setHidden(fromStart, !opensAtEnd());
    fromStart.disabled = !step;
    range.value = String(step);
    range.style.setProperty("--share", String(last ? step / last : 0));
    if (focusedBeside(jump) !== jump) jump.value = String(step);
    now.textContent = now.hidden ? "" : String(step);
    drawPlay(playing);
    modes.forEach((button, film) => setPressed(button, Boolean(film) === playhead.film));
    setHidden(mode, Boolean(grid.group.next));
    if (stripNow() !== drawnStrip) drawStrip();
    if (beat === "fast" && grid.root.dataset.playing === "true") return;
    const stage = isSecond(grid.model, step) ? `, ${stageName(grid.model)}` : "";
    range.setAttribute("aria-valuetext", `after ${formatNumber(step)} of ${formatCount(last, unit)}${stage}`);
    if (speed.value !== String(playhead.speed)) speed.value = String(playhead.speed);
  }

  /** @param {number} last */
  function drawLast(last) {
    drawnLast = last;
    range.max = jump.max = String(last);
    jump.style.width = `${String(last).length + 1.6}ch`;
    now.style.minWidth = `${String(last).length}ch`;
    setHidden(jump, last <= MOST_BY_SLIDER);
    setHidden(now, last > MOST_BY_SLIDER);
    total.textContent = ` of ${formatNumber(last)}`;
  }

  /** @param {boolean} playing */
  function drawPlay(playing) {
    const waits = playhead.beatwise && !grid.group.next;
    const label = playing ? "Pause (Space)" : waits ? "Next step (Space)" : "Play (Space)";
    if (play.title === label) return;
    setIcon(playIcon, playing ? "pause" : "play");
    play.title = label;
    play.setAttribute("aria-label", label);
  }

  // While merges are guessed, and in a lesson, a bar would tell too early that the next one is a tie, and the line how
  // many tokens it takes away.
  const isTelling = () => !playhead.beatwise && !grid.group.next;

  function barsNow() {
    const { step, beat } = playhead;
    if (!isKnown(grid.group, "tie") || isFinished(grid.model)) return 0;
    if (isTelling()) return Infinity;
    return step + Number(beat === "count" || beat === "select" || beat === "rest");
  }

  /** Return after how many merges the line ends; 0 without a line. */
  function lineNow() {
    if (!tokensNow(grid.model, 0) || !isKnown(grid.group, "token")) return 0;
    return isTelling() ? grid.last : Math.min(playhead.step, grid.last);
  }

  const stripNow = () => `${barsNow()} ${lineNow()}`;

  function drawStrip() {
    drawnStrip = stripNow();
    const line = lineNow();
    const hasTies = !playhead.beatwise && barsNow() > 0 && grid.model.steps.tied.some((count) => count > 1);
    scrub.classList.toggle("tied", hasTies);
    scrub.classList.toggle("lined", line > 0);
    const { clientWidth: width, clientHeight: height } = strip;
    if (!width) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    strip.width = width * ratio;
    strip.height = height * ratio;
    const context = contextOf(strip);
    context.scale(ratio, ratio);
    drawTies(grid, context, barsNow(), width, height);
    if (line) drawTokens(grid, context, line, width / playhead.last(), height);
  }

  return { element, draw, drawStrip };
}

/** Return what the strip over the scrubber shows. Where nothing is learned, nothing ties. @param {Grid["model"]} model */
function stripTitle(model) {
  const line = "Line: tokens in the text.";
  if (isFinished(model)) return line;
  return `Bars: pairs that tied at each merge, orange for a real choice. ${line}`;
}

/**
 * Draw one bar per merge, as high as the logarithm of the number of tied pairs. If several merges share a pixel, the
 * highest.
 * @param {Grid} grid @param {CanvasRenderingContext2D} context @param {number} end  merges whose ties may be seen
 * @param {number} width @param {number} height
 */
function drawTies(grid, context, end, width, height) {
  const { rivals } = grid.model;
  const { tied } = grid.model.steps;
  const bars = Math.min(tied.length, Math.floor(width / 2));
  const room = width / bars;
  const between = room > 6 ? 2 : room > 3 ? 1 : 0;
  const most = Math.log2(Array.from(tied).reduce((highest, count) => Math.max(highest, count), 4));
  for (let bar = 0; bar < bars; bar++) {
    const to = Math.floor(((bar + 1) * tied.length) / bars);
    let count = 0;
    let choice = false; // quiet where ties decided the order only
    for (let step = Math.floor((bar * tied.length) / bars); step < Math.min(to, end); step++) {
      count = Math.max(count, tied[step]);
      choice ||= rivals.has(step);
    }
    if (count < 2) continue;
    context.fillStyle = choice ? grid.colours.tie : grid.colours.soft;
    context.globalAlpha = choice ? 1 : QUIET;
    const high = Math.max(3, (Math.log2(count) / most) * height);
    context.fillRect(bar * room, height - high, Math.max(1, room - between), high);
  }
  context.globalAlpha = 1;
}

/**
 * Draw the tokens in the text as a line, from the top before the first merge towards none at the bottom. It begins and
 * ends where the handle of the scrubber does.
 * @param {Grid} grid @param {CanvasRenderingContext2D} context @param {number} end  merges that may be seen
 * @param {number} room  px of a merge
 * @param {number} height
 */
function drawTokens(grid, context, end, room, height) {
  const share = (height - ABOVE_LINE) / (tokensNow(grid.model, 0) ?? 1);
  const most = Math.min(end, Math.ceil(end * room)); // a point for each pixel
  context.beginPath();
  for (let point = 0; point <= most; point++) {
    const step = Math.round((point * end) / most);
    context.lineTo(step * room, height - (tokensNow(grid.model, step) ?? 0) * share);
  }
  context.lineJoin = "round";
  for (const [lineWidth, strokeStyle] of /** @type {const} */ ([
    [4, "panel"],
    [2, "accent"],
  ])) {
    Object.assign(context, { lineWidth, strokeStyle: grid.colours[strokeStyle] });
    context.stroke();
  }
}

/** @param {IconName} name @param {string} label @param {Element} sign @param {() => void} click */
function transportButton(name, label, sign, click) {
  return make("button", `button ${name}`, { type: "button", "aria-label": label, title: label, click }, sign);
}

/** @param {HTMLElement} button @param {boolean} pressed */
function setPressed(button, pressed) {
  if (button.ariaPressed !== String(pressed)) button.ariaPressed = String(pressed);
}

/**
 * Move the transport to the slot that the page has for it, or to the stage of several lanes. The presenter view keeps
 * it on the stage, or in a single grid.
 * @param {Grid} grid
 */
export function fillSlot({ group, panels, elements, theme }) {
  const slot = group.stage?.slotNow() ?? (panels.presenter.isOn() ? null : group.slot);
  if (!slot || !panels.transport) return;
  slot.dataset.theme = theme;
  if (slot.firstChild !== elements.controls[0]) slot.replaceChildren(...elements.controls);
  panels.transport.drawStrip();
}
