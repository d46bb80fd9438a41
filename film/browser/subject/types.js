// What Python sends to the stage of a lesson.

/** @import {Item} from "../sentence/chips.js" */

/**
 * A row of tokens: what gave it, and the number of the part of a pattern that it is about.
 * @typedef {{name?: string, items: Item[], alternative?: number}} Row
 */

/** Lines in percent over points, which are numbers of merges; `at` is one of them. @typedef {{points: number[], lines: Line[], at: number}} Chart */
/** @typedef {{name: string, values: number[]}} Line */

/**
 * What fills the stage.
 * @typedef {object} Subject
 * @property {"pattern" | "curve" | "rows" | "word"} kind
 * @property {string} title
 * @property {Row[]} rows
 * @property {string} more  a note below the rows, or ""
 * @property {Chart} [chart]  of a curve
 * @property {number} waits  how many of the last rows stay hidden until the answer
 */

/**
 * @typedef {object} SubjectData
 * @property {Subject} subject
 * @property {string} group  of the grid with which it enters the presenter view
 * @property {string} marker  how labels spell it
 */

export {};
