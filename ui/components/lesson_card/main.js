// A lesson's card goes from beat to beat. It moves the grid of its group to each beat's step and highlights its tokens.
// The keys of the grid change the beat too, through the group's `next` and `back`.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Answer} from "./practice.js" */
/** @import {Card} from "./card.js" */
/** @import {LessonData} from "./card_view.js" */

import { placeStage, setPresenting } from "../../../film/browser/shared/dom.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { dragGrids } from "../../../film/browser/shared/moving_numbers.js";
import { createReport } from "../../../film/browser/shared/report.js";
import { createPractice } from "./practice.js";
import { keepAtOnce } from "../../streamlit_gaps/kept_text/storage.js";
import { actOf, beatOf, drawNext, isEncoding, isOnStage, isPending, lookOf } from "./card.js";
import { createCardView } from "./card_view.js";
import { drawAstray, leaveGroup, moveGrid } from "./stage.js";
import { createTerms } from "./terms.js";
import { placeText } from "./text_place.js";

export default mount(createCard);

/** @param {Component<LessonData>} component @returns {Controller<LessonData>} */
function createCard(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const card = newCard(component, signal);
  const { group, root } = card;
  const next = () => goForth(card);
  const back = () => goBack(card);
  group.tables.add(root); // the presenter view leaves room beside the grid
  group.next = next;
  group.back = back;
  hear("step", group.name, signal, ({ step, playing }) => {
    // Another stage has grids of its own, which begin at a step of their own.
    if ([...group.lanes].some((lane) => !card.moved.has(lane)) && isOnStage(card)) return moveGrid(card);
    drawAstray(card, step, playing);
    drawNext(card);
  });
  hear("present", group.name, signal, ({ on }) => {
    setPresenting(root, on);
    placeText(card);
    setTimeout(() => signal.aborted || moveGrid(card)); // after the grid has set its own mode of beats
  });
  dragGrids(card.view.told, group);
  signal.addEventListener("abort", () => {
    leaveGroup(card);
    if (group.next === next) delete group.next;
    if (group.back === back) delete group.back;
  });

  function remove() {
    clearTimeout(card.looking);
    placeStage(false);
    card.view.remove();
    lifetime.abort();
  }

  if (group.presenting) say("present", { group: group.name, on: true }); // the presentation began before this card was drawn

  return { update: (called) => updateCard(card, called), remove };
}

/** Make a card at its first beat, with its elements. @param {Component<LessonData>} component @param {AbortSignal} signal */
function newCard(component, signal) {
  const root = rootOf(component, "[data-testid=lesson]");
  const practice = createPractice((answer) => sendAnswer(card, answer));
  const leave = (/** @type {string} */ name, /** @type {string} */ slug) =>
    card.component.setTriggerValue(name, slug);
  /** @type {Card} */
  const card = {
    root,
    group: groupNamed(component.data.group),
    component,
    data: component.data,
    theme: themeOf(root),
    at: 0,
    answered: new Set(),
    played: new Set(),
    moved: new WeakSet(),
    fresh: true,
    leaving: false,
    larger: new Map(),
    looking: undefined,
    report: createReport(() => card.component.setStateValue("beat", `${card.data.slug} ${card.at}`), signal),
    practice,
    view: createCardView(root, practice.element, {
      next: () => goForth(card),
      goBack: () => goBack(card),
      go: (beat) => go(card, beat),
      moveGrid: () => moveGrid(card),
    }),
    term: createTerms(root, () => card.data.terms, leave),
  };
  return card;
}

/** Show what Python has sent. Another lesson begins at its `start`. @param {Card} card @param {Component<LessonData>} called */
function updateCard(card, called) {
  const { at, data: before, fresh, practice, root, theme, view } = card;
  const { data } = called;
  const themeNow = themeOf(root);
  card.component = called;
  card.data = data;
  const turned = !fresh && before.slug === data.slug && before.asked !== data.asked; // to another beat, from a menu
  const other = fresh || turned || before.slug !== data.slug;
  const verdict = data.verdicts[at];
  const judged = !other && verdict && verdict.answers !== before.verdicts[at]?.answers;
  if (!other && themeNow === theme && !judged) return drawNext(card);
  if (themeNow !== theme || other) practice.forget();
  card.theme = themeNow;
  root.dataset.theme = themeNow;
  if (other) beginLesson(card);
  if (judged) {
    keepAtOnce("exercises", verdict.record ?? ""); // a reload may come before the run that stores all attempts
    return receiveVerdict(card);
  }
  draw(card);
  moveGrid(card);
  if (other && !fresh && !card.group.presenting) view.focusNext(); // Space then continues the chosen lesson
  if (turned) card.report.soon();
  card.fresh = false;
}

/** @param {Card} card */
function beginLesson(card) {
  const { start, verdicts } = card.data;
  card.leaving = false;
  card.answered = new Set(Array.from({ length: start }, (_, beat) => beat));
  card.played = new Set(card.answered);
  card.at = start;
  for (const [beat, { right }] of Object.entries(verdicts)) if (right) card.answered.add(Number(beat));
}

/** Show the verdict on an answer. A right one opens the answer, as the next key does. @param {Card} card */
function receiveVerdict(card) {
  const { answered, at, data, practice, view } = card;
  const { right } = data.verdicts[at];
  const focused = practice.isFocused();
  if (!right) return practice.judge(data.verdicts[at]);
  answered.add(at);
  playStage(card);
  if (focused) view.focusNext();
}

/** @param {Card} card @param {Answer | null} answer  null if the viewer opens the answer */
function sendAnswer({ at, component, data }, answer) {
  component.setTriggerValue("answer", { lesson: data.slug, beat: at, answer });
}

/** Do what the next key does. @param {Card} card */
function goForth(card) {
  const { answered, at, data, group, practice } = card;
  const does = actOf(card);
  const busy = practice.isFocused() && !group.presenting;
  if (does === "answer" && busy) return; // an arrow key inside the controls must not give the answer away
  if (does === "answer") {
    answered.add(at);
    if (beatOf(card).exercise) sendAnswer(card, null);
  }
  if (does === "answer" || does === "play") return playStage(card);
  if (does === "finish") return group.playhead?.seek(group.playhead.last());
  if (does === "beat") return go(card, at + 1);
  turnTo(card, data.next);
}

/** @param {Card} card */
function goBack(card) {
  const { at, data } = card;
  if (at === 0 && data.before) turnTo(card, data.before);
  else go(card, at - 1);
}

/** @param {Card} card @param {number} beat */
function go(card, beat) {
  const { at: before, data, played } = card;
  card.leaving = false;
  card.at = Math.max(0, Math.min(beat, data.beats.length - 1));
  const same = data.beats[before].family === beatOf(card).family;
  if (same && played.has(before)) played.add(card.at); // the same encoding is on the stage already
  draw(card);
  moveGrid(card);
  card.report.soon();
}

const LONGEST_TURN = 4_000; // ms after which another press asks again

/** @param {Card} card @param {{slug: string} | null} lesson  the one before or after this one */
function turnTo(card, lesson) {
  if (!lesson || card.leaving) return;
  card.leaving = true;
  setTimeout(() => (card.leaving = false), LONGEST_TURN);
  card.component.setTriggerValue("lesson", lesson.slug);
}

/** Play the encoding on the stage: once its question has been answered, or with a key of its own. @param {Card} card */
function playStage(card) {
  const { at, group, played } = card;
  const plays = isEncoding(card);
  played.add(at);
  draw(card);
  moveGrid(card);
  if (!plays) return;
  group.playhead?.seek(0);
  group.playhead?.play();
}

/** @param {Card} card */
function draw(card) {
  const { at, data, practice, view } = card;
  const pending = isPending(card);
  const look = lookOf(card);
  view.drawBeat(data, at, pending, look);
  practice.draw({ beat: at, controls: beatOf(card).exercise, verdict: data.verdicts[at], pending }, look);
  drawNext(card);
  if (!isOnStage(card)) placeText(card);
}
