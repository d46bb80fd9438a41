// Ids in a row, their tokens, and the text decoded so far. A slider goes through them, and play moves it.

/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { chipElement, labelText } from "../../../film/browser/shared/chip.js";
import { coloursOf, themeOf } from "../../../film/browser/shared/colour.js";
import { icon, make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";

/** A step as Python sends it. @typedef {[typedId: string, id: number, label: ChipLabel, text: string, pending: string, problem: string]} SentStep */

/**
 * The decoding of one id.
 * @typedef {object} DecodeStep
 * @property {string} typedId  the id, as it was typed
 * @property {number} id  -1 if it is no id
 * @property {ChipLabel} label
 * @property {string} text  what it adds to the text
 * @property {string} pending  bytes that wait for the rest of their character
 * @property {string} problem  why it is no id; "" for an id
 */

const INTERVAL = 420; // ms per token

/** @param {Component<{steps: SentStep[]}>} component @returns {Controller<{steps: SentStep[]}>} */
function createDecoding(component) {
  const root = rootOf(component, "[data-testid=decoding]");
  const out = make("div", "out card", { "data-testid": "decoded-text" });
  const status = make("p", "said", { "aria-live": "polite" });
  const slider = make("input", "slider", {
    type: "range",
    role: "slider",
    min: 0,
    "aria-label": "Tokens decoded",
    input: () => goTo(Number(slider.value)),
  });
  const play = make("button", "button", { type: "button", click: toggle });
  const back = pressButton("One token back", icon("back"), () => goTo(position - 1));
  const next = pressButton("One token forward", icon("next"), () => goTo(position + 1));
  const ids = make("div", "row ids");
  root.replaceChildren(out, make("div", "row controls", {}, back, play, next, slider, status), ids);
  /** @type {DecodeStep[]} */
  let steps = [];
  /** @type {HTMLElement[]} */
  let chips = [];
  let lastText = ""; // the steps, as text
  let theme = themeOf(root);
  let position = 0; // steps whose text is shown
  /** @type {Timer} */
  let timer;

  /** @type {Controller<{steps: SentStep[]}>["update"]} */
  function update({ data }) {
    const text = JSON.stringify(data.steps);
    const themeNow = themeOf(root);
    const other = text !== lastText;
    if (!other && themeNow === theme) return;
    steps = data.steps.map(readStep);
    lastText = text;
    theme = themeNow;
    root.dataset.theme = theme;
    slider.max = String(steps.length);
    chips = steps.map(chip);
    ids.replaceChildren(...chips);
    pause();
    show(other ? steps.length : position);
  }

  /** @param {DecodeStep} step @param {number} at */
  function chip({ typedId, id, label, problem }, at) {
    const bad = Boolean(problem);
    const colours = bad || id < 0 ? null : coloursOf(theme, label);
    const body = chipElement(bad ? "no such id" : label, colours, colours ? "" : "unknown");
    const about = bad ? problem : `id ${typedId}: ${labelText(label)}`;
    const attributes = { type: "button", "aria-label": about, title: problem, click: () => goTo(at + 1) };
    return make("button", "id", attributes, make("small", "", {}, typedId), body);
  }

  /** @param {number} at */
  function goTo(at) {
    pause();
    show(at);
  }

  /** @param {number} at */
  function show(at) {
    position = Math.max(0, Math.min(at, steps.length));
    slider.value = String(position);
    const before = steps.slice(0, Math.max(0, position - 1)).map(({ text }) => text);
    const last = position ? steps[position - 1] : null;
    out.replaceChildren(
      make("span", "", {}, before.join("")),
      ...(last ? lastElements(last) : [emptyElement()]),
    );
    const waiting = last?.pending ? `; the bytes ${last.pending} wait for the rest of their character` : "";
    const count = `${formatNumber(position)} of ${formatNumber(steps.length)} tokens`;
    status.textContent = last?.problem || `${count}${waiting}`;
    chips.forEach((element, number) => {
      element.classList.toggle("ahead", number >= position);
      element.classList.toggle("now", number === position - 1);
    });
  }

  function toggle() {
    if (timer) pause();
    else start();
  }

  function start() {
    if (position >= steps.length) show(0);
    timer = setInterval(() => (position < steps.length ? show(position + 1) : pause()), INTERVAL);
    drawPlay();
  }

  function pause() {
    clearInterval(timer);
    timer = undefined;
    drawPlay();
  }

  function drawPlay() {
    play.setAttribute("aria-label", timer ? "Pause" : "Play");
    play.replaceChildren(icon(timer ? "pause" : "play"));
  }

  return { update, remove: pause };
}

/** @param {SentStep} step @returns {DecodeStep} */
function readStep([typedId, id, label, text, pending, problem]) {
  return { typedId, id, label, text, pending, problem };
}

/** @param {string} label @param {Element} sign @param {() => void} click */
function pressButton(label, sign, click) {
  return make("button", "button", { type: "button", "aria-label": label, click }, sign);
}

/** @param {DecodeStep} step */
function lastElements({ text, pending }) {
  const title = "part of a character that is not complete yet";
  const bytes = pending.split(" ").filter(Boolean);
  return [make("mark", "", {}, text), ...bytes.map((byte) => make("span", "byte", { title }, byte))];
}

function emptyElement() {
  return make("span", "empty", {}, "nothing decoded yet");
}

export default mount(createDecoding);
