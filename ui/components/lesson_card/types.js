// What Python sends to a lesson's card.

/** @import {Light} from "../../../film/browser/shared/groups.js" */
/** @import {ExerciseData, VerdictData} from "../exercise/types.js" */
/** @import {TermData} from "./terms.js" */
/** @import {Piece} from "../../../film/browser/sentence/chips.js" */
/** @import {Evidence} from "./evidence.js" */

/**
 * One beat of a lesson.
 * @typedef {object} LessonBeat
 * @property {number} step  of the training
 * @property {"grid" | "encoding" | "bytes" | "compare" | "models" | "pattern" | "curve" | "table" | "runs" | "word"} stage
 * @property {string} family  of the feed on the stage
 * @property {Piece[]} say
 * @property {Piece[]} question  empty if there is none
 * @property {Piece[]} answer
 * @property {ExerciseData | null} exercise  checks an answer to the question
 * @property {boolean} guess  whether the question is which pair comes next
 * @property {boolean} gives  whether highlighting would give the answer away
 * @property {Light | null} point  tokens to highlight
 * @property {[named: [string, string][], answered: [string, string][]]} named  the pairs that the text names, without the answer and with it
 * @property {Evidence | null} shown
 */

/**
 * What Python sends.
 * @typedef {object} LessonData
 * @property {string} slug
 * @property {string} title
 * @property {{slug: string, title: string} | null} next  the lesson that follows
 * @property {{slug: string, title: string} | null} before  the stop of a talk before the lesson
 * @property {string} marker
 * @property {boolean} lights  whether the grid has tokens of the ids sent
 * @property {LessonBeat[]} beats
 * @property {Record<string, TermData>} terms  of the glossary, as the lesson uses them
 * @property {Record<string, VerdictData>} verdicts  {beat: the verdict on its last answer}
 * @property {number} start  the beat to begin with
 * @property {string} group
 */

export {};
