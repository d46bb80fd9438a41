// What film/lesson_page.py writes into a lesson's film.

/** @import {Feed} from "../shared/feed/feed_types.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Piece} from "../sentence/chips.js" */
/** @import {Subject} from "../subject/types.js" */
/** @import {RailData} from "../token_grid/panels/rail.js" */
/** @import {OwnData} from "../film/film_data.js" */
/** @import {Site} from "../film/site.js" */
/** @import {Recipe} from "../trainer/live_types.js" */

/** A lane of a stage: the number of its feed, its title, and how far it is ahead of the first lane. @typedef {{feed: number, title: string, ahead: number}} StageLane */

/**
 * What fills the stage of one beat or of several.
 * @typedef {object} Stage
 * @property {"grid" | "encoding" | "compare" | "subject" | "bytes" | "models"} kind
 * @property {StageLane[]} lanes  of a grid, an encoding or a comparison
 * @property {RailData | null} rail  of an encoding
 * @property {Subject | null} subject
 * @property {import("../aligned_rows/rows.js").RowsData | null} rows
 * @property {import("../models_table/models.js").TableData | null} table
 */

/**
 * @typedef {object} FilmBeat
 * @property {number} step
 * @property {number} stage  its number
 * @property {Piece[]} say
 * @property {Piece[]} question
 * @property {Piece[]} answer
 * @property {boolean} guess  whether the question is which pair comes next
 * @property {boolean} gives  whether highlighting would give the answer away
 * @property {Light | null} point
 * @property {[[string, string][], [string, string][]]} named  pairs that the text names, without the answer and with it
 */

/**
 * @typedef {object} LessonFilm
 * @property {string} title
 * @property {number} start  the beat to begin with
 * @property {string} note
 * @property {string} marker
 * @property {boolean} lights
 * @property {FilmBeat[]} beats
 * @property {Stage[]} stages  the first one is the training's grid
 * @property {Feed[]} feeds
 * @property {Site} site
 * @property {OwnData} own
 * @property {Recipe | null} recipe  of the training; null if a page cannot train in the same way
 * @property {Record<string, string>} styles
 */

export {};
