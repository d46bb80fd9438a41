// A lesson's card goes from beat to beat. It moves the grid of its group to each beat's step and highlights its tokens.
// The keys of the grid change the beat too, through the group's `next` and `back`.

/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {GridGroup} from "../../../film/browser/token_grid/types.js" */
/** @import {Look} from "../../../film/browser/shared/sentence.js" */
/** @import {LessonData} from "./card_view.js" */
/** @import {Answer} from "../exercise/practice.js" */

import { placeStage, setPresenting } from "../../../film/browser/shared/dom.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { activate, groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { createReport } from "../../../film/browser/shared/report.js";
import { createCardView, nextAct } from "./card_view.js";
import { createPractice } from "../exercise/practice.js";
import { createTerms } from "./terms.js";

const PATIENCE = 200; // number of tries to find the lesson's grid, which may be drawn after the card
const BETWEEN_LOOKS = 50; // ms
const TRIED = new Set(["grid", "encoding"]); // stages whose words may be larger below the text than beside it
const MOST_TRIED = 900; // cells of a stage; a longer text scrolls in either place
const LARGER = 1.1; // so many times larger at least

/** @param {Component<LessonData>} component @returns {Controller<LessonData>} */
function createCard(component) {
  const root = rootOf(component, "[data-testid=lesson]");
  /** @type {GridGroup} */
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
  let leaving = false; // another lesson has been asked for: a key that is pressed twice must not skip one
  /** @type {Map<string, boolean>} */
  const larger = new Map(); // lesson and window -> whether its words are larger below the text
  /** @type {Timer} */
  let looking;
  const report = createReport(() => component.setStateValue("beat", `${data.slug} ${at}`), signal);

  const practice = createPractice(sendAnswer);
  const view = createCardView(root, practice.element, { next, goBack, go, moveGrid });
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
    placeText();
    setTimeout(() => signal.aborted || moveGrid()); // after the grid has set its own mode of beats
  });
  signal.addEventListener("abort", () => {
    group.tables.delete(root);
    delete group.asks;
    delete group.asksNext;
    delete group.tells;
    delete group.answer;
    delete group.named;
    delete group.speech;
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
    const turned = !fresh && before.slug === data.slug && before.asked !== data.asked; // to another beat, from a menu
    const other = fresh || turned || before.slug !== data.slug;
    const verdict = data.verdicts[at];
    const judged = !other && verdict && verdict.answers !== before.verdicts[at]?.answers;
    if (!other && themeNow === theme && !judged) return drawNext();
    if (themeNow !== theme || other) practice.forget();
    theme = themeNow;
    root.dataset.theme = theme;
    if (other) {
      leaving = false;
      answered = new Set(Array.from({ length: data.start }, (_, beat) => beat));
      played = new Set(answered);
      at = data.start;
      for (const [beat, { right }] of Object.entries(data.verdicts)) if (right) answered.add(Number(beat));
    }
    if (judged) return receiveVerdict();
    draw();
    moveGrid();
    if (other && !fresh) view.focusNext(); // Space then continues the chosen lesson
    if (turned) report.soon();
    fresh = false;
  }

  // The verdict on an answer has come. A right one opens the answer, as the next key does.
  function receiveVerdict() {
    const { right } = data.verdicts[at];
    const focused = practice.isFocused();
    if (!right) return practice.judge(data.verdicts[at]);
    answered.add(at);
    playStage();
    if (focused) view.focusNext();
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
    turnTo(data.next);
  }

  /** @param {{slug: string} | null} lesson  the one before or after this one */
  function turnTo(lesson) {
    if (!lesson || leaving) return;
    leaving = true;
    component.setTriggerValue("lesson", lesson.slug);
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
    if (at === 0 && data.before) turnTo(data.before);
    else go(at - 1);
  }

  /** @param {number} beat */
  function go(beat) {
    const before = at;
    leaving = false;
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
    group.asksNext = group.asks && now().guess;
    group.tells = now().tells;
    if (group.asks && now().exercise?.kind === "pair") group.answer = practice.answer;
    else delete group.answer;
    say("asked", { group: group.name });
    const { playhead } = group;
    if (!playhead || !isOnStage()) {
      if (looks < PATIENCE) looking = setTimeout(() => moveGrid(looks + 1), BETWEEN_LOOKS);
      return;
    }
    for (const lane of group.lanes) moved.add(lane);
    placeText();
    activate(group);
    playhead.setBeatwise(isHiding());
    const step = stepNow(playhead.last());
    if (playhead.step !== step) playhead.seek(step, { animate: now().stage !== "encoding" });
    point();
    group.named = now().named[Number(!isPending())];
    say("named", { group: group.name });
    tell();
    drawNext();
  }

  // What the speaker reads on the second screen: also the answer, before the room sees it.
  function tell() {
    const text = (/** @type {import("../../../film/browser/shared/sentence.js").Piece[]} */ pieces) => {
      return pieces.map(([piece]) => piece).join("");
    };
    const beat = now();
    const following = data.beats[at + 1];
    group.speech = {
      at: at + 1,
      of: data.beats.length,
      now: [text(beat.say), text(beat.question), text(beat.answer)],
      next: following ? text(following.say) : (data.next?.title ?? ""),
    };
    say("speech", { group: group.name });
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

  /** @param {number} step @param {boolean} playing */
  function drawAstray(step, playing) {
    const off = now().stage !== "encoding" && isOnStage() && step !== now().step;
    if (off && !view.isAstray()) say("light", { group: group.name, from: "lesson", none: true });
    const way = step > now().step ? "ahead" : "back";
    view.drawAstray(off && !playing ? way : "");
  }

  function draw() {
    const pending = isPending();
    /** @type {Look} */
    const look = { theme, marker: data.marker, lights: data.lights, term, point };
    view.drawBeat(data, at, pending, look);
    practice.draw({ beat: at, controls: now().exercise, verdict: data.verdicts[at], pending }, look);
    drawNext();
    if (!isOnStage()) placeText();
  }

  // In the presenter view a text stands above a stage that is wide, and above words that are larger there.
  function placeText() {
    stand(now().above || (group.presenting && isLargerBelow()));
  }

  /** @param {boolean} above */
  function stand(above) {
    root.classList.toggle("above", above);
    placeStage(above && group.presenting);
    view.fit();
  }

  // Decided once for a lesson, so that no beat and no answer moves the words to another place.
  function isLargerBelow() {
    if (!TRIED.has(now().stage)) return false;
    const where = `${data.slug} ${innerWidth} × ${innerHeight}`;
    const before = larger.get(where);
    if (before !== undefined) return before;
    const [lane, ...others] = [...group.lanes].filter(({ root: grid }) => grid.clientWidth);
    if (!lane || others.length || !isOnStage() || lane.reading.size > MOST_TRIED) return false;
    stand(false);
    const beside = lettersOf(lane);
    stand(true);
    const isLarger = fitsAbove() && lettersOf(lane) > LARGER * beside;
    larger.set(where, isLarger);
    if (!isLarger) stand(false);
    lane.relayout();
    return isLarger;
  }

  // Whether the texts of all beats with words on the stage fit above them, with their questions and their answers.
  function fitsAbove() {
    const copy = /** @type {HTMLElement} */ (root.cloneNode());
    for (const name of ["popover", "data-testid"]) copy.removeAttribute(name);
    copy.inert = true;
    copy.style.visibility = "hidden";
    root.after(copy);
    const exercise = createPractice(() => {});
    const nothing = () => {};
    const card = createCardView(copy, exercise.element, {
      next: nothing,
      goBack: nothing,
      go: nothing,
      moveGrid: nothing,
    });
    const fits = (/** @type {number} */ beat, /** @type {boolean} */ pending) => {
      const look = { theme, marker: data.marker, lights: data.lights, term, point };
      const { exercise: controls } = data.beats[beat];
      card.drawBeat(data, beat, pending, look);
      exercise.draw({ beat, controls, verdict: data.verdicts[beat], pending }, look);
      card.fit();
      return card.isWhole();
    };
    const all = data.beats.every(({ stage, question }, beat) => {
      return !TRIED.has(stage) || (fits(beat, false) && (!question.length || fits(beat, true)));
    });
    card.remove();
    copy.remove();
    return all;
  }

  function drawNext() {
    view.drawNext(act(), data.next);
  }

  function remove() {
    clearTimeout(looking);
    placeStage(false);
    view.remove();
    lifetime.abort();
  }

  if (group.presenting) say("present", { group: group.name, on: true }); // the presentation began before this card was drawn

  return { update, remove };
}

/**
 * Return the height of a grid's letters; half of it if its words do not fit.
 * @param {import("../../../film/browser/token_grid/types.js").Grid} grid
 */
function lettersOf(grid) {
  grid.relayout();
  const letters = Math.min(...grid.layouts.map(({ metrics }) => metrics.size));
  return grid.height > grid.elements.viewport.clientHeight + 1 ? letters / 2 : letters;
}

export default mount(createCard);
