// A lesson goes from beat to beat: its card says what a beat tells, and beside it stands what that is about. The grid there
// moves to the beat's step and highlights its tokens. The keys of the grid change the beat too, through the group's `next`
// and `back`. One view draws this on the page and in a film.

/** @import {Theme} from "../shared/colour.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Look, Piece} from "../shared/sentence.js" */
/** @import {MakePart} from "../stage/parts.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {CardData} from "./card_view.js" */
/** @import {Answer, Practice, VerdictData} from "./practice.js" */
/** @import {StagesData} from "./stages.js" */

import { labelText } from "../shared/chip.js";
import { themeOf } from "../shared/colour.js";
import { make } from "../shared/dom.js";
import { placeStage, setPresenting } from "../shared/on_stage.js";
import { activate, groupNamed, hear, say } from "../shared/groups.js";
import { dragGrids, hasDragged, moveNumbers } from "../shared/moving_numbers.js";
import { createCardView } from "./card_view.js";
import { createPosition } from "./position.js";
import { createStages } from "./stages.js";
import { createTextPlace } from "./text_place.js";

/** The beats of a lesson, and what they show. @typedef {CardData & StagesData} LessonData */

/**
 * What a page or a film adds to a lesson. A film has neither exercises nor other lessons.
 * @typedef {object} Around
 * @property {(beat: number) => void} turned  the viewer has turned to a beat
 * @property {(beat: number) => void} [drawn]  a beat is on the page
 * @property {() => boolean} [isAway]  whether something else has the place of the lesson, and the keys
 * @property {(send: (answer: Answer) => void) => Practice} [practises]  makes the controls of exercises
 * @property {(beat: number, answer: Answer | null) => void} [answered]  null if the viewer opens the answer
 * @property {(slug: string) => void} [leaves]  the viewer asks for another lesson
 * @property {(root: HTMLElement) => Look["term"]} [terms]  makes what draws the terms of a sentence
 */

const LONGEST_TURN = 4_000; // ms after which another press asks for the next lesson again

/**
 * Make a lesson. It is empty until `open` is called.
 * @param {MakePart} part
 * @param {string} name  of the group
 * @param {Around} around
 */
export function createLesson(
  part,
  name,
  { turned, drawn, isAway, practises, answered: tellAnswer, leaves, terms },
) {
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const card = part("mbm card lesson", "lesson");
  const root = /** @type {HTMLElement} */ (card.root.firstElementChild);
  for (const [key, value] of Object.entries({ role: "article", "aria-label": "Lesson" }))
    root.setAttribute(key, value);
  const stage = make("div", "stage-place", { "data-testid": "lesson-stage" });
  const player = part("grid", "grid-transport", "token-grid");
  const slot = /** @type {HTMLElement} */ (player.root.firstElementChild);
  const element = make(
    "div",
    "mbm lesson-stage",
    {},
    make("div", "card-place", {}, card.host),
    stage,
    make("div", "player-place", {}, player.host),
  );
  const viewer = createPosition(group);
  const practice = practises?.((answer) => tellAnswer?.(viewer.at(), answer)) ?? null;
  const view = createCardView(root, practice?.element ?? null, { next, goBack: back, go, moveGrid });
  const stages = createStages(stage, part, name);
  const term = terms?.(root);
  const place = createTextPlace(root, group, view, practises);

  let isLeaving = false; // another lesson has been asked for: a key that is pressed twice must not skip one
  let isMoving = false; // the grid is being brought to the beat
  /** @type {Theme} */
  let theme;

  group.slot = slot;
  group.tables.add(root); // the presenter view leaves room beside the grid
  group.next = next;
  group.back = back;
  hear("step", name, signal, ({ step, playing }) => {
    if (isMoving) return;
    drawAstray(step, playing);
    drawNext();
  });
  hear("present", name, signal, ({ on }) => {
    setPresenting(root, on);
    placeText();
    setTimeout(afterStage); // after the grid has set its own mode of beats
  });
  dragGrids(view.told, group);

  /** Show the beat in the other view. A step to which the viewer has gone meanwhile stays. */
  function afterStage() {
    if (signal.aborted) return;
    if (view.isAstray()) group.playhead?.setBeatwise(viewer.isHiding());
    else moveGrid();
  }

  /** Begin a lesson at a beat. @param {LessonData} lesson @param {number} start */
  function open(lesson, start) {
    isLeaving = false;
    viewer.open(lesson, start);
    practice?.forget();
    draw();
  }

  /** Take the same lesson, with what has changed of it. @param {LessonData} lesson */
  function update(lesson) {
    const before = viewer.lesson().verdicts?.[viewer.at()];
    viewer.take(lesson);
    const verdict = lesson.verdicts?.[viewer.at()];
    if (themeOf(root) !== theme) {
      practice?.forget();
      draw();
    } else if (verdict && verdict.answers !== before?.answers) judge(verdict);
    else drawNext();
    stages.update();
  }

  /** Show the verdict on an answer. A right one opens the answer, as the next key does. @param {VerdictData} verdict */
  function judge(verdict) {
    const focused = practice?.isFocused();
    if (!verdict.right) return practice?.judge(verdict);
    viewer.answer();
    playStage();
    if (focused) view.focusNext();
  }

  // What the keys and the buttons do.

  function next() {
    const does = viewer.act();
    if (does === "answer") {
      // An arrow key inside the controls must not give the answer away.
      if (practice?.isFocused() && !group.presenting) return;
      viewer.answer();
      if (viewer.beat().exercise) tellAnswer?.(viewer.at(), null);
    }
    if (does === "answer" || does === "play") return playStage();
    if (does === "finish") return group.playhead?.seek(group.playhead.last());
    if (does === "beat") return go(viewer.at() + 1);
    turnTo(viewer.lesson().next);
  }

  function back() {
    const { before } = viewer.lesson();
    if (viewer.at() === 0 && before) turnTo(before);
    else go(viewer.at() - 1);
  }

  /** @param {number} beat */
  function go(beat) {
    isLeaving = false;
    viewer.turn(beat);
    draw();
    turned(viewer.at());
  }

  /** @param {{slug: string} | null | undefined} lesson  the one before or after this one */
  function turnTo(lesson) {
    if (!lesson || isLeaving) return;
    isLeaving = true;
    setTimeout(() => (isLeaving = false), LONGEST_TURN);
    leaves?.(lesson.slug);
  }

  /** Play the encoding on the stage: once its question has been answered, or with a key of its own. */
  function playStage() {
    viewer.play();
    draw();
    if (!viewer.isEncoding()) return;
    group.playhead?.seek(0);
    group.playhead?.play();
  }

  // What is drawn.

  function draw() {
    theme = themeOf(root);
    for (const one of [element, root]) one.dataset.theme = theme;
    const [lesson, at, beat, pending] = [viewer.lesson(), viewer.at(), viewer.beat(), viewer.isPending()];
    askGroup();
    view.drawBeat(lesson, at, pending, look());
    practice?.draw({ beat: at, controls: beat.exercise, verdict: lesson.verdicts?.[at], pending }, look());
    isMoving = true;
    stages.show(lesson, beat.stage, beat.step);
    element.classList.toggle("unseen-grid", !GRIDS.has(viewer.kind()));
    moveGrid();
    drawn?.(at);
  }

  /** Tell the grids what the beat keeps to itself. */
  function askGroup() {
    const { guess, tells, exercise } = viewer.beat();
    group.asks = viewer.isPending();
    group.asksNext = group.asks && guess;
    group.tells = tells;
    if (practice && group.asks && exercise?.kind === "pair") group.answer = practice.answer;
    else delete group.answer;
  }

  /** Move the grid of the beat to its step, and highlight the beat's tokens. */
  function moveGrid() {
    askGroup();
    say("asked", { group: name });
    const { playhead } = group;
    if (!playhead) return;
    isMoving = true;
    placeText();
    if (!isAway?.()) activate(group);
    playhead.setBeatwise(viewer.isHiding());
    const step = viewer.step(playhead.last());
    if (playhead.step !== step) playhead.seek(step, { animate: !viewer.isEncoding() });
    point();
    group.named = viewer.beat().named[Number(!viewer.isPending())];
    say("named", { group: name });
    tellSpeech();
    isMoving = false;
    drawAstray(playhead.step, playhead.playing);
    drawNext();
  }

  function placeText() {
    place.put(viewer.lesson(), viewer.at(), look());
  }

  /** Say on the card that the grid is at another step than the beat; a sentence with a number to drag says it itself. @param {number} step @param {boolean} playing */
  function drawAstray(step, playing) {
    moveNumbers(view.told, step);
    if (hasDragged(view.told)) return view.drawAstray("");
    const beat = viewer.beat();
    const off = !viewer.isEncoding() && step !== beat.step;
    if (off && !view.isAstray()) say("light", { group: name, from: "lesson", none: true });
    view.drawAstray(off && !playing ? (step > beat.step ? "ahead" : "back") : "");
  }

  function drawNext() {
    view.drawNext(viewer.act(), viewer.lesson().next ?? null);
  }

  /** Highlight tokens in the grid. @param {Light} [light]  by default the beat's tokens */
  function point(light) {
    const beat = viewer.beat();
    const givesAway = viewer.isPending() && beat.guess && beat.gives;
    const about = light ?? (givesAway ? null : beat.point) ?? { none: true };
    say("light", { group: name, from: "lesson", ...about });
  }

  /** Return how the card's sentences look. @returns {Look} */
  function look() {
    const { marker, lights } = viewer.lesson();
    return { theme, marker, lights, term, point };
  }

  /** Give the speaker's notes the answer, too, before the room sees it. */
  function tellSpeech() {
    const { beats, next: other } = viewer.lesson();
    const [beat, following] = [viewer.beat(), beats[viewer.at() + 1]];
    group.speech = {
      at: viewer.at() + 1,
      of: beats.length,
      now: [spokenText(beat.say), spokenText(beat.question)],
      answer: spokenText(beat.answer),
      next: following ? spokenText(following.say) : (other?.title ?? ""),
    };
    say("speech", { group: name });
  }

  function remove() {
    placeStage(false);
    view.remove();
    lifetime.abort();
    stages.remove();
    group.tables.delete(root);
    for (const asked of /** @type {const} */ (["asks", "asksNext", "tells", "answer", "named", "speech"])) {
      delete group[asked];
    }
    if (group.slot === slot) group.slot = null;
    if (group.next === next) delete group.next;
    if (group.back === back) delete group.back;
  }

  return { element, open, update, remove, draw, focusNext: view.focusNext, viewer };
}

const GRIDS = new Set(["grid", "encoding", "compare"]); // stages whose grid is seen

/** Return a sentence as text. @param {Piece[]} pieces */
function spokenText(pieces) {
  return pieces.map(([piece]) => labelText(piece)).join("");
}
