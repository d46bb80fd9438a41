// Ids in a row, their tokens, and the text they have given so far; a slider goes through them, play does it by itself.

import { COLOURINGS, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { icon, make } from "../../../film/browser/shared/dom.js";
import { mount } from "../../../film/browser/shared/mount.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";

const STEP = { given: 0, id: 1, label: 2, text: 3, pending: 4, problem: 5 };
const BEAT = 420; // milliseconds a token

function createDecoding(parentElement) {
  const root = parentElement.querySelector("[data-testid=decoding]");
  const state = { steps: [], text: "", theme: "", at: 0, timer: 0, chips: [] };
  const out = make("div", "out card", { "data-testid": "decoded-text" });
  const said = make("p", "said", { "aria-live": "polite" });
  const slider = make("input", "slider", { type: "range", role: "slider", min: 0, "aria-label": "Tokens decoded", input: () => (pause(), show(Number(slider.value))) });
  const play = make("button", "press", { type: "button", click: () => (state.timer ? pause() : start()) }, "");
  const back = make("button", "press", { type: "button", "aria-label": "One token back", click: () => (pause(), show(state.at - 1)) }, icon("back"));
  const next = make("button", "press", { type: "button", "aria-label": "One token forward", click: () => (pause(), show(state.at + 1)) }, icon("next"));
  const ids = make("div", "ids");
  root.replaceChildren(out, make("div", "controls", {}, back, play, next, slider, said), ids);

  function update({ data }) {
    const text = JSON.stringify(data.steps);
    const theme = themeOf(root);
    const other = text !== state.text;
    if (!other && theme === state.theme) return;
    Object.assign(state, { steps: data.steps, text, theme });
    root.dataset.theme = theme;
    slider.max = data.steps.length;
    state.chips = data.steps.map(chip);
    ids.replaceChildren(...state.chips);
    pause();
    show(other ? data.steps.length : state.at);
  }

  function chip(step, at) {
    const bad = Boolean(step[STEP.problem]);
    const body = make("span", `chip${bad || step[STEP.id] < 0 ? " bad" : ""}`, { dir: "auto" }, bad ? "no such id" : step[STEP.label]);
    if (!bad && step[STEP.id] >= 0) paintChip(body, COLOURINGS.identity.chip(state.theme, { id: step[STEP.id] }));
    return make("button", "id", { type: "button", "aria-label": bad ? step[STEP.problem] : `id ${step[STEP.given]}: ${step[STEP.label]}`, title: step[STEP.problem], click: () => (pause(), show(at + 1)) }, make("small", "", {}, step[STEP.given]), body);
  }

  function show(at) {
    state.at = Math.max(0, Math.min(at, state.steps.length));
    slider.value = state.at;
    const done = state.steps.slice(0, state.at);
    const last = done.at(-1);
    const before = done.slice(0, -1).map((step) => step[STEP.text]).join("");
    const parts = [make("span", "", {}, before)];
    if (last) parts.push(make("mark", "", {}, last[STEP.text]));
    for (const byte of last?.[STEP.pending].split(" ").filter(Boolean) ?? []) parts.push(make("span", "byte", { title: "a byte of a character that is not whole yet" }, byte));
    if (!done.length) parts.push(make("span", "empty", {}, "nothing decoded yet"));
    out.replaceChildren(...parts);
    const waiting = last?.[STEP.pending] ? `; ${last[STEP.pending]} wait for the rest of their character` : "";
    said.textContent = last?.[STEP.problem] || `${formatNumber(state.at)} of ${formatNumber(state.steps.length)} tokens${waiting}`;
    state.chips.forEach((chip, number) => {
      chip.classList.toggle("ahead", number >= state.at);
      chip.classList.toggle("now", number === state.at - 1);
    });
  }

  function start() {
    if (state.at >= state.steps.length) show(0);
    state.timer = setInterval(() => (state.at < state.steps.length ? show(state.at + 1) : pause()), BEAT);
    face();
  }

  function pause() {
    clearInterval(state.timer);
    state.timer = 0;
    face();
  }

  function face() {
    play.setAttribute("aria-label", state.timer ? "Pause" : "Play");
    play.replaceChildren(icon(state.timer ? "pause" : "play"));
  }

  return { update, remove: pause };
}

export default mount(createDecoding);
