// What Python sends about an exercise and about the last answer to it.

/** @import {Piece} from "../../../film/browser/sentence/chips.js" */

/** A token: its label, its id (-1 for none), and the kind of its chip. @typedef {[label: string, id: number, kind: string]} Chip */

/**
 * The controls of an exercise. Only those of its kind are there.
 * @typedef {object} ExerciseData
 * @property {"pair" | "number" | "order" | "tokens" | "text" | "choice"} kind
 * @property {{ids: [number, number], pair: [Chip, Chip]}[]} [options]  pairs to choose from
 * @property {{pair: [Chip, Chip]}[]} [items]  merges to put in order
 * @property {string[]} [symbols]  the initial symbols of a text, as labels
 * @property {number[]} [words]  how many of them are in each word
 * @property {{tokens: Chip[]}[]} [splits]  words in their tokens, to choose one from
 */

/**
 * The verdict on the last answer.
 * @typedef {object} VerdictData
 * @property {boolean} right
 * @property {Piece[]} sentence
 * @property {number} tries
 * @property {number} answers  received, so that equal answers differ
 */

/** A pair of ids, a number, an order of positions, or a text. @typedef {number | string | number[]} Answer */

export {};
