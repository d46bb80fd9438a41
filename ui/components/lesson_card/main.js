// A lesson's card goes from beat to beat. It moves the grid of its group to each beat's step and highlights its tokens.
// The keys of the grid change the beat too, through the group's `next` and `back`.

/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Look} from "./evidence.js" */
/** @import {LessonData} from "./types.js" */
/** @import {Answer} from "../exercise/types.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton, setPresenting } from "../../../film/browser/shared/dom.js";
import { activate, groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { createReport } from "../../../film/browser/shared/report.js";
import { dotElement, evidenceElements, keyHints, paragraph, stripElements } from "./evidence.js";
import { nextAct, nextName } from "./next_act.js";
import { createPractice } from "./practice.js";
import { createTerms } from "./terms.js";

const PATIENCE = 200; // number of tries to find the lesson's grid, which may be drawn after the card
const BETWEEN_LOOKS = 50; // ms

/**
 * @param {Component<LessonData>} component
 * @returns {Controller<LessonData>}
 */
function createCard(component) {
  const root = rootOf(component, "[data-testid=lesson]");
  const group = groupNamed(component.data.group);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  let theme = themeOf(root);
  let at = 0; // the beat
  /** @type {Set<number>} */
  let answered = new Set(); // beats whose question has been answered
  /** @type {Set<number>} */
  let played = new Set(); // beats whose encoding has been played
  /** @type {WeakSet<object>} */
  const moved = new WeakSet(); // grids that were moved to a beat
  let fresh = true; // nothing has been drawn
  /** @type {Timer} */
  let looking;
  const report = createReport(() => component.setStateValue("beat", `${data.slug} ${at}`), signal);

  const position = make("span", "where");
  const dots = make("span", "beats", { role: "group", "aria-label": "Steps of the lesson" });
  const text = make("div", "said", { "aria-live": "polite" });
  const reply = make("div", "said", { "aria-live": "polite", hidden: true }); // the answer to the question
  const learned = make("div", "learned", { "data-testid": "lesson-learned", hidden: true });
  const evidence = make("div", "shown", { "data-testid": "lesson-shown", hidden: true });
  const practice = createPractice(sendAnswer);
  const statement = make("div", "told", { "data-testid": "lesson-told" }, text, practice.element, reply);
  const astray = make("div", "astray", { hidden: true, "data-testid": "lesson-astray" });
  const back = makeButton("Back", "lesson-back", goBack);
  const forth = makeButton("", "lesson-next", next);
  forth.className = "next";
  const controls = make("div", "turn", {}, back, forth, ...keyHints());
  root.append(make("div", "beats", {}, position, dots), statement, astray, controls, learned, evidence);

  const leave = (/** @type {string} */ name, /** @type {string} */ slug) =>
    component.setTriggerValue(name, slug);
  const term = createTerms(root, () => data.terms, leave);

  group.tables.add(root); // the presenter view leaves room beside the grid
  group.next = next;
  group.back = goBack;
  hear("step", group.name, signal, ({ step, playing }) => {
    // Another stage has grids of its own, which begin at a step of their own.
    if ([...group.lanes].some((lane) => !moved.has(lane)) && isOnStage()) return moveGrid();
    drawAstray(step, playing);
    drawNext();
  });
  hear("present", group.name, signal, ({ on }) => {
    setPresenting(root, on);
    setTimeout(() => signal.aborted || moveGrid()); // after the grid has set its own mode of beats
  });
  if (group.presenting) say("present", { group: group.name, on: true }); // the presentation began before this card was drawn
  signal.addEventListener("abort", () => {
    group.tables.delete(root);
    delete group.asks;
    delete group.answer;
    if (group.next === next) delete group.next;
    if (group.back === goBack) delete group.back;
  });

  // Another lesson begins at its `start`.
  /** @type {Controller<LessonData>["update"]} */
  function update(called) {
    component = called;
    const before = data;
    const themeNow = themeOf(root);
    data = called.data;
    const other = fresh || before.slug !== data.slug;
    const verdict = data.verdicts[at];
    const judged = !other && verdict && verdict.answers !== before.verdicts[at]?.answers;
    if (!other && themeNow === theme && !judged) return;
    if (themeNow !== theme || other) practice.forget();
    theme = themeNow;
    root.dataset.theme = theme;
    if (other) {
      answered = new Set(Array.from({ length: data.start }, (_, beat) => beat));
      played = new Set(answered);
      at = data.start;
      for (const [beat, { right }] of Object.entries(data.verdicts)) if (right) answered.add(Number(beat));
    }
    if (judged) return receiveVerdict();
    draw();
    moveGrid();
    if (other && !fresh) forth.focus({ preventScroll: true }); // Space then continues the chosen lesson
    fresh = false;
  }

  // The verdict on an answer has come. A right one opens the answer, as the next key does.
  function receiveVerdict() {
    const { right } = data.verdicts[at];
    const focused = practice.isFocused();
    if (!right) return practice.judge(data.verdicts[at]);
    answered.add(at);
    playStage();
    if (focused) forth.focus({ preventScroll: true });
  }

  /** @param {Answer | null} answer  null if the viewer opens the answer */
  function sendAnswer(answer) {
    component.setTriggerValue("answer", { lesson: data.slug, beat: at, answer });
  }

  const now = () => data.beats[at];
  const isPending = () => now().question.length > 0 && !answered.has(at);

  // The grid hides the next pair while a question about it is open, or comes before the next merge.
  function isGuessing() {
    for (let beat = at; data.beats[beat]?.step === now().step; beat++) {
      if (data.beats[beat].guess && !answered.has(beat)) return true;
    }
    return false;
  }

  // What the next key does.
  function act() {
    const { playhead } = group;
    const film = now().stage === "encoding" && isOnStage();
    return nextAct({
      asks: isPending(),
      plays: film && playhead?.playing === true,
      waits: film && !played.has(at) && (playhead?.last() ?? 0) > 0,
      last: at === data.beats.length - 1,
    });
  }

  function next() {
    const does = act();
    const busy = practice.isFocused() && !group.presenting;
    if (does === "answer" && busy) return; // an arrow key inside the controls must not give the answer away
    if (does === "answer") {
      answered.add(at);
      if (now().exercise) sendAnswer(null);
    }
    if (does === "answer" || does === "play") return playStage();
    if (does === "finish") return group.playhead?.seek(group.playhead.last());
    if (does === "beat") return go(at + 1);
    if (data.next) component.setTriggerValue("lesson", data.next.slug);
  }

  // An encoding plays once its question has been answered, or with a key of its own.
  function playStage() {
    const plays = now().stage === "encoding" && isOnStage();
    played.add(at);
    draw();
    moveGrid();
    if (!plays) return;
    group.playhead?.seek(0);
    group.playhead?.play();
  }

  function goBack() {
    go(at - 1);
  }

  /** @param {number} beat */
  function go(beat) {
    const before = at;
    at = Math.max(0, Math.min(beat, data.beats.length - 1));
    const same = data.beats[before].family === now().family;
    if (same && played.has(before)) played.add(at); // the same encoding is on the stage already
    draw();
    moveGrid();
    report.soon();
  }

  /** Return whether the grid of this beat has been drawn. */
  function isOnStage() {
    const { family } = now();
    return group.playhead !== null && [...group.lanes].some((lane) => lane.model.feed.family === family);
  }

  // Moves the grid of this beat to its step, and highlights the beat's tokens.
  function moveGrid(looks = 0) {
    clearTimeout(looking);
    group.asks = isPending();
    if (group.asks && now().exercise?.kind === "pair") group.answer = practice.answer;
    else delete group.answer;
    say("asked", { group: group.name });
    const { playhead } = group;
    if (!playhead || !isOnStage()) {
      if (looks < PATIENCE) looking = setTimeout(() => moveGrid(looks + 1), BETWEEN_LOOKS);
      return;
    }
    for (const lane of group.lanes) moved.add(lane);
    activate(group);
    playhead.setBeatwise(isHiding());
    const step = stepNow(playhead.last());
    if (playhead.step !== step) playhead.seek(step, { animate: now().stage !== "encoding" });
    point();
    drawNext();
  }

  // The grid hides what comes next as long as the text asks for it, and an encoding until it is played.
  function isHiding() {
    const { stage } = now();
    if (stage === "encoding") return !played.has(at);
    return isGuessing() || (stage === "compare" && isPending());
  }

  /** @param {number} last  of the encoding on the stage */
  function stepNow(last) {
    if (now().stage !== "encoding") return now().step;
    return played.has(at) ? last : 0;
  }

  /** @param {Light} [light]  by default the beat's tokens */
  function point(light) {
    const givesAway = isPending() && now().guess && now().gives;
    const about = light ?? (givesAway ? null : now().point) ?? { none: true };
    say("light", { group: group.name, from: "lesson", ...about });
  }

  /**
   * Show a note that the viewer moved the grid, so that text and grid are at different steps.
   * @param {number} step
   * @param {boolean} playing
   */
  function drawAstray(step, playing) {
    const off = now().stage !== "encoding" && isOnStage() && step !== now().step;
    if (off && astray.hidden) say("light", { group: group.name, from: "lesson", none: true });
    astray.hidden = !off || playing;
    if (!off) return;
    const click = () => {
      moveGrid();
      forth.focus({ preventScroll: true });
    };
    const attributes = { type: "button", "data-testid": "lesson-return", click };
    const sentence = step > now().step ? "You have moved ahead." : "You have moved back.";
    const again = make("button", "", attributes, "Return to the lesson");
    astray.replaceChildren(make("span", "", {}, sentence), again);
  }

  function draw() {
    const { beats } = data;
    const beat = now();
    const pending = isPending();
    /** @type {Look} */
    const look = { theme, marker: data.marker, lights: data.lights, term, point };
    root.dataset.beat = String(at);
    root.dataset.lesson = data.slug;
    root.dataset.answered = String(!pending);
    position.textContent = `${at + 1} of ${beats.length}`;
    dots.replaceChildren(...beats.map((_, number) => dotElement(number, at, go)));
    const question = beat.question.length ? [paragraph("question", beat.question, look)] : [];
    const answer = beat.question.length && !pending ? [paragraph("answer", beat.answer, look)] : [];
    text.replaceChildren(paragraph("say", beat.say, look), ...question);
    reply.replaceChildren(...answer);
    reply.hidden = !answer.length;
    practice.draw({ beat: at, controls: beat.exercise, verdict: data.verdicts[at], pending }, look);
    evidence.hidden = (pending && !beat.open) || !beat.shown;
    evidence.replaceChildren(...(beat.shown ? evidenceElements(beat.shown, look) : []));
    learned.hidden = !beat.learned?.rows.length;
    learned.replaceChildren(...(beat.learned ? stripElements(beat.learned, look) : []));
    back.disabled = at === 0;
    drawNext();
  }

  function drawNext() {
    const does = act();
    forth.disabled = does === "lesson" && !data.next;
    forth.textContent = nextName(does, data.next?.title ?? null);
  }

  function remove() {
    clearTimeout(looking);
    lifetime.abort();
  }

  return { update, remove };
}

export default mount(createCard);
