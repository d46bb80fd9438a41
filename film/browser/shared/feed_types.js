// The contract between Python and the browser. film/feed.py gives the meanings, units and packings of all keys.
// tests/film/test_feed_types.py compares the two files: same keys, same optional keys, same types.
//
//   /** @param {import("./feed_types.js").Feed} feed */
//   if (feed.training) feed.picked; else feed.names;

/** Whole numbers: "2:" and base64 of little-endian items of 2 bytes. @typedef {string} Packed */

/** Bytes, two hexadecimal digits each. @typedef {string} Hex */

/**
 * The characters that a label does not always show as they are.
 * @typedef {object} Characters
 * @property {string} hidden
 * @property {string} joining
 * @property {string} marks
 * @property {string} selectors
 * @property {Record<string, string[]>} names
 */

/**
 * The distinct words of the window by first appearance.
 * @typedef {object} Words
 * @property {Packed} lengths
 * @property {Packed} symbols
 * @property {Packed} closes
 * @property {Packed} frequencies
 */

/**
 * The running text of the window, and its position.
 * @typedef {object} Text
 * @property {Packed} words
 * @property {Packed} breaks
 * @property {number} start
 * @property {number} end
 * @property {number} total
 */

/**
 * @typedef {object} TrainingTextKeys
 * @property {number} letters
 */

/** @typedef {Text & TrainingTextKeys} TrainingText */

/**
 * The steps, one item each in every packed list.
 * @typedef {object} Steps
 * @property {Packed} left
 * @property {Packed} right
 * @property {Packed} count
 */

/**
 * @typedef {object} TrainingStepsKeys
 * @property {number} first
 * @property {Packed} tied
 * @property {Packed} differs
 * @property {Packed} replaced
 * @property {Packed} choices
 * @property {Packed} rivals
 * @property {Packed} rival_ids
 * @property {Packed} rival_losses
 */

/** @typedef {Steps & TrainingStepsKeys} TrainingSteps */

/**
 * @typedef {object} EncodingStepsKeys
 * @property {Packed} ids
 * @property {Packed} ranks
 */

/** @typedef {Steps & EncodingStepsKeys} EncodingSteps */

/**
 * The distinct initial symbols that the feed refers to.
 * @typedef {object} Symbols
 * @property {string} hex
 * @property {Packed} ids
 */

/**
 * @typedef {object} TrainingSymbolsKeys
 * @property {Packed} counts
 */

/** @typedef {Symbols & TrainingSymbolsKeys} TrainingSymbols */

/**
 * @typedef {object} EncodingSymbolsKeys
 * @property {Record<string, Hex>} others
 */

/** @typedef {Symbols & EncodingSymbolsKeys} EncodingSymbols */

/**
 * The pairs that tied at the first steps.
 * @typedef {object} Ties
 * @property {number} steps
 * @property {Packed} sizes
 * @property {Packed} ids
 */

/**
 * The keys of every feed.
 * @typedef {object} CommonFeed
 * @property {string} family
 * @property {string} cells
 * @property {string} id
 * @property {"bytes" | "characters"} unit
 * @property {Hex} marker
 * @property {string} marker_text
 * @property {Characters} characters
 * @property {number} last
 * @property {string} ending
 * @property {boolean} rows
 * @property {Words} words
 */

/**
 * What only the replay of a tokenizer's merge list has.
 * @typedef {object} Replay
 * @property {number} steps
 * @property {Packed} ids
 * @property {Packed} ranks
 * @property {number} merges
 * @property {Packed} best
 * @property {Packed} highest
 * @property {Packed} vocabulary
 */

/**
 * The second stage of a training.
 * @typedef {object} Stage
 * @property {number} after
 * @property {boolean} superwords
 * @property {number} tokens
 * @property {Packed} ids
 * @property {Packed} counts
 * @property {Packed} ends
 */

/**
 * @typedef {object} TrainingFeedKeys
 * @property {true} training
 * @property {TrainingText} text
 * @property {TrainingSymbols} symbols
 * @property {TrainingSteps} steps
 * @property {number} tokens
 * @property {string} rule
 * @property {string[][]} reasons
 * @property {number} seed
 * @property {Ties | null} ties
 * @property {number[]} picked
 * @property {boolean} picks
 * @property {boolean} overlaps
 * @property {boolean} whole
 * @property {number} further
 * @property {Packed} order
 * @property {Packed} barred
 * @property {Replay} [replay]
 * @property {Stage} [stage]
 * @property {Packed} [shades]
 * @property {Packed} [shaded]
 */

/** A training on a window of the corpus. @typedef {CommonFeed & TrainingFeedKeys} TrainingFeed */

/**
 * @typedef {object} EncodingFeedKeys
 * @property {false} training
 * @property {Text} text
 * @property {EncodingSymbols} symbols
 * @property {EncodingSteps} steps
 * @property {boolean} taken
 * @property {Record<Hex, number>} names
 */

/** An encoding of a window of a new text. @typedef {CommonFeed & EncodingFeedKeys} EncodingFeed */

/** @typedef {TrainingFeed | EncodingFeed} Feed */

/**
 * A label; if some bytes are no whole character: [text, bytes, text, …], the bytes in hexadecimal ("F0 9F").
 * @typedef {string | string[]} ChipLabel
 */

/**
 * One row of the pair table: a pair after k merges.
 * @typedef {object} PairRow
 * @property {number} rank
 * @property {number[]} ids
 * @property {ChipLabel[]} labels
 * @property {Hex[]} pair
 * @property {number} count
 * @property {number} share
 * @property {number} change
 * @property {boolean} new
 * @property {boolean} tied
 * @property {boolean} chosen
 */

/**
 * The pair table after k merges.
 * @typedef {object} PairTable
 * @property {number} step
 * @property {PairRow[]} rows
 * @property {number} total
 */

/**
 * A token in the picture of every way.
 * @typedef {object} WayToken
 * @property {ChipLabel} label
 * @property {ChipLabel} name
 * @property {boolean} ends
 * @property {number} shade
 */

/**
 * One split of the training text.
 * @typedef {object} WayNode
 * @property {number} merges
 * @property {number[]} tokens
 * @property {number} more
 * @property {boolean} meeting
 * @property {boolean} open
 * @property {number[][]} words
 */

/**
 * Merges from one node to another.
 * @typedef {object} WayStrand
 * @property {number} source
 * @property {number} target
 * @property {"merge" | "lens" | "run" | "knot" | "fray"} kind
 * @property {string} tie
 * @property {number} merges
 * @property {number[]} tokens
 * @property {number} more
 * @property {number} splits
 */

/**
 * The way of one training.
 * @typedef {object} WayLine
 * @property {string} title
 * @property {number[]} strands
 * @property {number} merges
 */

/**
 * The picture of every way to break the ties.
 * @typedef {object} EveryWay
 * @property {string} sentence
 * @property {number} until
 * @property {WayToken[]} tokens
 * @property {WayNode[]} nodes
 * @property {WayStrand[]} strands
 * @property {WayLine[]} lines
 * @property {number[][]} splits
 */

export {};
