// A question about one step, beside the grid. The grid hides the next merge until it is answered.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Look, Piece} from "../../../film/browser/shared/sentence.js" */
/** @import {Answer, ExerciseData, VerdictData} from "./practice.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { groupNamed, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { paragraph } from "../../../film/browser/shared/sentence.js";
import { createPractice } from "./practice.js";

/**
 * What Python sends.
 * @typedef {object} AskedData
 * @property {string} name  of the question
 * @property {string} group  of the grid
 * @property {string} marker
 * @property {Piece[]} question
 * @property {ExerciseData} exercise
 * @property {VerdictData | null} verdict  on the last answer
 * @property {Piece[] | null} solution  once it is answered or opened
 */

const PATIENCE = 200; // number of tries to find the grid, which may be drawn after the card
const BETWEEN_LOOKS = 50; // ms

/** @param {Component<AskedData>} component @returns {Controller<AskedData>} */
function createAsked(component) {
  const root = rootOf(component, "[data-testid=asked-step]");
  const group = groupNamed(component.data.group);
  let { data } = component;
  let lastText = "";
  /** @type {import("../../../film/browser/shared/dom.js").Timer} */
  let looking;

  const practice = createPractice((/** @type {Answer} */ answer) =>
    component.setTriggerValue("answer", { answer }),
  );
  const question = make("p", "question");
  const reply = make("div", "", { "aria-live": "polite" });
  const open = makeButton("Show the answer", "asked-open", () =>
    component.setTriggerValue("answer", { answer: null }),
  );
  const leave = makeButton("Go on with this training", "asked-leave", () =>
    component.setTriggerValue("leave", true),
  );
  leave.className = "next";
  root.append(question, practice.element, reply, make("div", "turn", {}, open, leave));

  /** @type {Controller<AskedData>["update"]} */
  function update(called) {
    component = called;
    data = called.data;
    const theme = themeOf(root);
    const now = JSON.stringify([data, theme]);
    if (now === lastText) return;
    lastText = now;
    root.dataset.theme = theme;
    /** @type {Look} */
    const look = { theme, marker: data.marker, lights: false, point: () => {} };
    const pending = data.solution === null;
    const focused = practice.isFocused();
    root.dataset.answered = String(!pending);
    question.replaceChildren(...paragraph("", data.question, look).childNodes);
    practice.draw({ beat: 0, controls: data.exercise, verdict: data.verdict ?? undefined, pending }, look);
    reply.replaceChildren(...(data.solution ? [paragraph("answer", data.solution, look)] : []));
    open.hidden = !pending;
    leave.hidden = pending;
    if (focused && !pending) leave.focus({ preventScroll: true });
    setUpGrid();
  }

  // Hides or opens the next merge in the grid.
  function setUpGrid(looks = 0) {
    clearTimeout(looking);
    const pending = data.solution === null;
    group.asks = pending;
    if (pending && data.exercise.kind === "pair") group.answer = practice.answer;
    else delete group.answer;
    say("asked", { group: group.name });
    const { playhead } = group;
    if (playhead) playhead.setBeatwise(pending);
    else if (looks < PATIENCE) looking = setTimeout(() => setUpGrid(looks + 1), BETWEEN_LOOKS);
  }

  function remove() {
    clearTimeout(looking);
    delete group.asks;
    delete group.answer;
    group.playhead?.setBeatwise(false);
  }

  return { update, remove };
}

export default mount(createAsked);
