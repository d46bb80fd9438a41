// A GIF of a range of steps: its controls, its size beforehand, its progress and its Stop.

/** @import {Fonts} from "./shapes.js" */
/** @import {Painter} from "./gif.js" */
/** @import {Picture} from "./scene.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Timer} from "../shared/dom.js" */
/** @import {PictureData} from "./main.js" */

import { paintScene } from "./canvas.js";
import { MOST_FRAMES, breathe, createGif, encodeGif, framePainter } from "./gif.js";
import { make, download } from "../shared/dom.js";
import { rootOf } from "../shared/mount.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { pictureOf } from "./scene.js";

// A range of steps as an animated GIF: which steps, how large it will be, and the work in slices.

const SAMPLES = 3; // changes that are encoded to estimate the size of all

/**
 * Return the steps that the frames show: from before the first merge to after the last one. If there are too many,
 * every n-th of them and the last.
 * @param {number} first  number of the first merge, from 1
 * @param {number} last  number of the last merge
 * @param {number} [most]  frames
 */
export function stepsOf(first, last, most = MOST_FRAMES) {
  const every = Math.max(1, Math.ceil((last - first + 1) / (most - 1)));
  const steps = [];
  for (let step = first - 1; step < last; step += every) steps.push(step);
  return { steps: [...steps, last], every };
}

/**
 * Make the painter of a picture's frames, which are all of one size.
 * @param {Picture} picture
 * @param {number[]} steps
 * @param {Fonts} fonts
 */
function painterOf(picture, steps, fonts) {
  const head = Math.max(...steps.map(picture.headHeight));
  return framePainter(picture.sceneAt(steps[0], head), (context, step) =>
    paintScene(context, picture.sceneAt(step, head), fonts),
  );
}

/**
 * Return about how many bytes the GIF will have: those of the first frame, and of a few changes for all.
 * @param {Painter} painter
 * @param {number[]} steps
 * @param {AbortSignal} signal
 */
async function estimateSize({ width, height, pixelsAt }, steps, signal) {
  let first = 0;
  let changes = 0;
  const samples = Math.min(SAMPLES, steps.length - 1);
  for (let sample = 0; sample < samples && !signal.aborted; sample++) {
    await breathe(); // oxlint-disable-line no-await-in-loop -- one after the other, so that the page stays alive
    const at = Math.floor((sample * (steps.length - 1)) / samples);
    const gif = createGif(width, height);
    gif.add(pixelsAt(steps[at]), 0);
    const size = gif.size();
    gif.add(pixelsAt(steps[at + 1]), 0);
    first ||= size;
    changes += gif.size() - size;
  }
  return first + (changes / samples) * (steps.length - 1);
}

const AT_FIRST = 20; // merges, from the step on screen
const ESTIMATE_AFTER = 250; // ms after the last change until the size is estimated
const FRAME_RATES = {
  0.5: "1 frame in 2 seconds",
  1: "1 frame a second",
  2: "2 frames a second",
  4: "4 frames a second",
  10: "10 frames a second",
};

/** Make the controls. @param {Component<PictureData>} component @returns {Controller<PictureData>} */
export function createMoving(component) {
  let { group, footer } = component.data;
  const from = numberField("first");
  const to = numberField("last");
  const speed = make("select", "", { "aria-label": "Speed", change: describe });
  for (const [value, text] of Object.entries(FRAME_RATES)) speed.append(make("option", "", { value }, text));
  speed.value = "1";
  const noun = make("span");
  const size = make("p", "size", { "aria-live": "polite", "data-testid": "gif-size" });
  const progress = make("progress", "", { "aria-label": "Frames done" });
  const stop = make(
    "button",
    "",
    { type: "button", "data-testid": "gif-stop", click: () => job?.abort() },
    "Stop",
  );
  const button = make("button", "save", { type: "button", click: save }, "Save GIF");
  const working = make("div", "row working", { hidden: true }, progress, stop);
  const range = make("div", "row range", {}, noun, from, "to", to, speed);
  rootOf(component, ".picture").replaceChildren(range, size, working, button);
  /** @type {AbortController | null} */
  let job = null;
  let estimate = new AbortController();
  /** @type {Timer} */
  let waiting;

  /** @param {string} name */
  function numberField(name) {
    return make("input", "", {
      type: "number",
      min: 1,
      step: 1,
      "aria-label": `${name} merge`,
      input: describe,
    });
  }

  /** Return the merges that the fields name, within the training; null without any. */
  function asked() {
    const ready = pictureOf(group, footer, { moving: true });
    const last = ready?.picture.last ?? 0;
    if (!ready || !last) return null;
    const within = (/** @type {HTMLInputElement} */ field, /** @type {number} */ other) =>
      Math.max(1, Math.min(last, Math.round(Number(field.value)) || other));
    const [one, another] = [within(from, 1), within(to, last)];
    return { ...ready, ...stepsOf(Math.min(one, another), Math.max(one, another)) };
  }

  function describe() {
    clearTimeout(waiting);
    estimate.abort();
    estimate = new AbortController();
    const ready = asked();
    button.disabled = !ready;
    if (!ready) return void (size.textContent = "There is no merge to show yet.");
    const every = `A GIF has at most ${formatNumber(MOST_FRAMES)} frames: this one shows every ${ordinalOf(ready.every)} ${ready.noun}.`;
    const bound = ready.every > 1 ? ` ${every}` : "";
    const part = ready.picture.note && ` Draws ${ready.picture.note}.`;
    size.textContent = `${formatCount(ready.steps.length, "frame")}.${bound}${part}`;
    const { signal } = estimate;
    waiting = setTimeout(() => addSize(ready, bound + part, signal), ESTIMATE_AFTER);
  }

  /** @param {NonNullable<ReturnType<typeof asked>>} ready @param {string} more @param {AbortSignal} signal */
  async function addSize({ picture, steps, fonts }, more, signal) {
    const painter = painterOf(picture, steps, fonts);
    const bytes = await estimateSize(painter, steps, signal);
    if (signal.aborted || job) return;
    const pixels = `${formatNumber(painter.width)} × ${formatNumber(painter.height)} px`;
    size.textContent = `${formatCount(steps.length, "frame")}, ${pixels}, about ${megabytes(bytes)}.${more}`;
  }

  async function save() {
    const ready = asked();
    if (!ready || job) return;
    const { picture, steps, fonts } = ready;
    estimate.abort();
    job = new AbortController();
    follow(0, steps.length);
    working.hidden = false;
    button.disabled = true;
    try {
      const painter = painterOf(picture, steps, fonts);
      const blob = await encodeGif(painter, steps, 1000 / Number(speed.value), job.signal, (frames) =>
        follow(frames, steps.length),
      );
      if (blob) download(blob, `${ready.noun}s-${steps[0] + 1}-${steps[steps.length - 1]}.gif`);
      size.textContent = blob ? `Saved: ${megabytes(blob.size)}.` : "Stopped: nothing was saved.";
    } finally {
      job = null;
      working.hidden = true;
      button.disabled = false;
    }
  }

  /** @param {number} frames @param {number} of */
  function follow(frames, of) {
    progress.max = of;
    progress.value = frames;
    size.textContent = `Frame ${formatNumber(frames)} of ${formatNumber(of)}`;
  }

  /** @type {Controller<PictureData>["update"]} */
  function update({ data }) {
    ({ group, footer } = data);
    if (job) return;
    const ready = pictureOf(group, footer, { moving: true });
    const last = ready?.picture.last ?? 0;
    range.hidden = !last;
    if (ready && !from.value) {
      const first = Math.min(last, ready.step + 1);
      from.value = String(first);
      to.value = String(Math.min(last, first + AT_FIRST - 1));
    }
    for (const field of [from, to]) field.max = String(last);
    noun.textContent = ready?.noun === "step" ? "Steps" : "Merges";
    describe();
  }

  // A GIF on its way is finished also if the controls go: its file then appears among the downloads.
  return {
    update,
    remove() {
      clearTimeout(waiting);
      estimate.abort();
    },
  };
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(Math.max(bytes, 1e4) / 1e6).toFixed(2)} MB`;
}

/** @param {number} value  at least 2 */
function ordinalOf(value) {
  const ends = /** @type {Record<string, string>} */ ({ one: "st", two: "nd", few: "rd", other: "th" });
  return `${value}${ends[new Intl.PluralRules("en", { type: "ordinal" }).select(value)]}`;
}
