// Types shared by the files of the grid: one grid, and the drawings of its tokens.

/** @import {Group, LaneTitle, Light, Playhead} from "../shared/groups.js" */
/** @import {LaneStage} from "./lane_stage.js" */
/** @import {ChipColours, Theme} from "../shared/colour.js" */
/** @import {Feed} from "../shared/feed_types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {Layout} from "./layout.js" */
/** @import {Cells} from "../player/segmentation.js" */
/** @import {Options} from "./panels.js" */
/** @import {Elements, Panels} from "./elements.js" */
/** @import {VisibleArea} from "./in_sight.js" */

/**
 * What Python sends to a grid.
 * @typedef {object} GridData
 * @property {Feed} feed
 * @property {number} start  the step to begin with
 * @property {string} [subject]  what is trained on: while it is the same, another training leaves the step where it is
 * @property {string} group
 * @property {boolean} transport  whether this lane has the transport
 * @property {LaneTitle | null} lane
 * @property {Partial<Options>} options
 * @property {boolean} beatwise  whether Space goes from beat to beat
 * @property {boolean} linked  whether the address bar has the step
 * @property {boolean} [numbers]  whether the live numbers are in sight outside of the presenter view too
 * @property {import("./panels.js").RailData | null} [rail]  what has been learned, for a new text
 */

/**
 * Colours that the grid draws with, read from its style sheet.
 * @typedef {Record<"ink" | "soft" | "wall" | "accent" | "tie" | "panel" | "line", string>} Colours
 */

/**
 * The marks that are visible at this beat.
 * @typedef {object} VisibleMarks
 * @property {boolean} tied
 * @property {boolean} winner
 * @property {boolean} fresh
 * @property {boolean} differs
 * @property {boolean} losersFade  whether the tied pairs that are not merged fade
 */

/** The last move of the playhead, if it was by one step. @typedef {{rank: number, forwards: boolean}} LastMove */

/** A token that keys have reached. @typedef {{layout: Layout, cell: number}} Cursor */

/**
 * One grid, as grid.js has it, which alone writes its fields.
 * @typedef {object} GridState
 * @property {HTMLElement} root
 * @property {GridGroup} group
 * @property {Playhead} playhead  of the group
 * @property {GridData} data
 * @property {Model} model
 * @property {number} step  of the playhead, at most `last`
 * @property {number} last
 * @property {LaneTitle | null} lane
 * @property {Options} options
 * @property {Theme} theme
 * @property {Colours} colours
 * @property {string} font
 * @property {string} codeFont
 * @property {Elements} elements
 * @property {Panels} panels
 * @property {VisibleArea} visibleArea
 * @property {Cells} reading  the running text, or the distinct words of a corpus without one
 * @property {Layout[]} layouts  from top to bottom
 * @property {number} width  of the layouts
 * @property {number} fitted  width of the viewport that they were made for
 * @property {number} height  of all of them
 * @property {number} inset  px to the left of the layouts, which are in the middle of a stage
 * @property {boolean} drawsChips
 * @property {boolean} flows  whether the viewer has seen no other step of this feed than the last one
 * @property {VisibleMarks} visibleMarks
 * @property {Set<string>} tied  names of the pairs that tie for the next merge, as far as known
 * @property {LastMove | null} lastMove
 * @property {Light | null} lit
 * @property {Cursor | null} cursor
 * @property {(start: number) => void} moveWindow  asks Python for another part of a long text
 * @property {(pair: [number, number]) => void} pick  tells Python that the viewer picks another tied pair
 * @property {(id: number) => ChipColours} chip  colours of a token
 * @property {(id: number) => HTMLElement} chipFor  a token as an element
 * @property {(cells: Cells, start: number, end: number) => boolean} differsAt  whether another lane has other tokens here
 * @property {<Name extends keyof Options>(name: Name, value: Options[Name]) => void} choose  changes an option
 * @property {(cursor: Cursor | null) => void} setCursor
 * @property {() => void} look  redraws after another part of the layouts has come into sight
 * @property {() => void} relayout
 * @property {() => void} paintMarks
 * @property {(from: number, step: number, duration: number) => void} follow  paints the playhead's move; takes `duration` ms
 * @property {() => void} mark  paints the marks of the beat
 * @property {() => void} write  writes the texts and attributes of step and beat
 * @property {() => void} finish  ends the running animation at once
 * @property {(step: number) => string} why  says why the pair of a merge won its tie; "" without one
 * @property {() => {number: number, chips: HTMLElement[]}} vocabulary  its size now, and chips of its newest tokens
 * @property {() => string} tell  says the next merge and why it won, for the speaker; "" at the end and for a new text
 */

/** One grid, as the other files have it: they read its fields and call its functions. @typedef {Readonly<GridState>} Grid */

/** A group whose lanes are grids. @typedef {Omit<Group, "lanes" | "stage"> & {lanes: Set<Grid>, stage: LaneStage | null}} GridGroup */

/**
 * A way to draw the tokens.
 * @typedef {object} Drawing
 * @property {boolean} chips
 * @property {() => void} paintAll
 * @property {(from: number, step: number, duration: number) => void} follow
 * @property {() => void} finish
 * @property {() => void} remove
 * @property {() => Looks | null} looks  where its chips are, and how; null for cells
 * @property {(before: Looks) => void} moveFrom  lets the chips move from where those of another drawing were
 */

/** How each element of a drawing was drawn, for each layout. @typedef {Keyframe[][]} Looks */

export {};
