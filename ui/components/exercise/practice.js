// The exercise of a beat on a card. Its controls stay as they are until another beat comes.

/** @import {Answer, ExerciseData, VerdictData} from "./types.js" */
/** @import {Look} from "../../../film/browser/sentence/chips.js" */

import { focusedBeside, make } from "../../../film/browser/shared/page/dom.js";
import { createExercise } from "./controls.js";

/**
 * What is drawn.
 * @typedef {object} Practice
 * @property {number} beat
 * @property {ExerciseData | null} controls
 * @property {VerdictData} [verdict]  on the last answer
 * @property {boolean} pending  whether the question is open
 */

/**
 * Make the part of the card that holds exercises.
 * @param {(answer: Answer) => void} send
 */
export function createPractice(send) {
  const element = make("div", "practice", { hidden: true });
  /** @type {(ReturnType<typeof createExercise> & {beat: number}) | null} */
  let exercise = null;

  /**
   * @param {Practice} practice
   * @param {Look} look
   */
  function draw({ beat, controls, verdict, pending }, look) {
    if (exercise?.beat !== beat) exercise = null;
    if (controls && !exercise) exercise = { ...createExercise(controls, look, send), beat };
    if (exercise && verdict) exercise.setVerdict(verdict);
    element.hidden = !exercise || (!pending && !verdict?.right);
    const before = element.firstChild;
    if (before !== exercise?.element) element.replaceChildren(...(exercise ? [exercise.element] : []));
  }

  return {
    element,
    draw,
    /** Begin the exercise anew when it is drawn next. */
    forget: () => void (exercise = null),
    /** Return whether the focus is in the controls. */
    isFocused: () => element.contains(focusedBeside(element)),
    /** @param {VerdictData} verdict */
    judge: (verdict) => exercise?.setVerdict(verdict),
    /** @param {Answer} answer */
    answer: (answer) => exercise?.send(answer),
  };
}
