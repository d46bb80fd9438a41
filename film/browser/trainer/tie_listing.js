// What a listing of every way knows and stores, and its bounds.

export const MOST_STORED = 12_000_000;

export const MOST_WAYS = 1n << 4096n;

const BETWEEN_LOOKS = 20_000;

// How many entries things take besides the numbers in their lists, as in Python, so that both end alike.
export const SIZE = {
  pair: 64,
  form: 32,
  merge: 16,
  symbol: 48,
  local: 64,
  node: 64,
  edge: 64,
  state: 64,
  item: 12,
};

/** @type {number[]} */
export const NONE = [];

/** @typedef {"none" | "order only" | "detour" | "fork" | "open" | "choice"} Kind */
/**
 * Why a listing ended early; "" if it did not. "figures": all is listed, but `splits` ends early.
 * @typedef {"" | "splits" | "memory" | "time" | "figures"} Stopped
 */

/**
 * One segmentation of the training text, after so many merges.
 * @typedef {object} WaysNode
 * @property {number} merges
 * @property {number} segmentation  nodes with the same number split the text alike
 * @property {string[]} tokens  in use here, but not yet where all ways last met
 * @property {boolean} meeting  whether all ways pass this node
 */

/**
 * One merge; or several pairs that are merged one after another, in any order.
 * @typedef {{source: number, target: number, pairs: [string, string][], count: number, kind: Kind}} WaysEdge
 */

/**
 * @typedef {object} TieGraph
 * @property {bigint[]} splits
 * @property {Map<number, bigint>} ends
 * @property {number | null} complete
 * @property {(bigint | null)[]} ways
 * @property {(bigint | null)[]} vocabularies
 * @property {bigint | null} results
 * @property {bigint | null} orders
 * @property {WaysNode[]} nodes
 * @property {WaysEdge[]} edges
 * @property {Stopped} stopped
 * @property {number} mostSplits
 */

/** Number of a word -> its form, if it differs from that of the common words. @typedef {Map<number, number>} Delta */
/**
 * What a merge makes of a word, and by how much the number of some pairs in it changes.
 * @typedef {{form: number, pairs: number[], times: number[]}} Merge
 */

/**
 * One segmentation of the words in which the pairs of a group occur.
 * @typedef {object} Local
 * @property {number[]} words
 * @property {number[]} tied  pairs of the group that have the level's count here, ascending
 * @property {Map<number, number>} changes  of pair counts, since the beginning of the level
 * @property {number[]} path
 * @property {bigint} ways
 * @property {[number, number][]} leaving  pair, index of the next one in the next depth
 */

/**
 * Tied pairs that overlap, and every way to merge them.
 * @typedef {object} Group
 * @property {number} number
 * @property {number[]} pairs  by first occurrence
 * @property {number[]} words  numbers of the words in which they occur
 * @property {string} spots  where they are; "" if not asked for
 * @property {Local[][]} depths
 * @property {Stopped} exceeded  why the next depth is not listed
 * @property {boolean} cut
 */

/**
 * A segmentation in which all pairs above some count are merged.
 * @typedef {object} State
 * @property {number} merges
 * @property {Delta} words
 * @property {Map<number, number>} counts
 * @property {number[]} symbolsMade
 * @property {number} node
 * @property {bigint | null} ways
 * @property {number} topCount
 * @property {Set<number>} tied
 */

/**
 * A node before its symbols are spelled.
 * @typedef {{merges: number, segmentation: number, epoch: number, inUse: number[]}} DrawnNode
 */

/**
 * An edge before it is spelled. `rivals` are, for a choice, the tied pairs that overlap its pair.
 * @typedef {{source: number, target: number, pairs: number[], count: number, kind: Kind, rivals: number[]}} DrawnEdge
 */

/**
 * What is listed, and the bounds.
 * @typedef {object} ListingRequest
 * @property {number[][]} words  as numbers of symbols, which count by first appearance
 * @property {number[]} frequencies
 * @property {string[]} symbols
 * @property {boolean} overlaps
 * @property {number} minCount
 * @property {number} limit  of merges
 * @property {boolean} byNumber  whether a number of merges ends the training
 * @property {number} mostSplits
 * @property {number} mostSeconds  of work
 */

/** @typedef {ReturnType<typeof newListing>} Listing */

/** Thrown where the listing must end. */
export class ListingEnd extends Error {
  /** @param {Stopped} stopped */
  constructor(stopped) {
    super(stopped);
    this.stopped = stopped;
  }
}

/**
 * Return what a listing knows and stores, before it begins.
 * @param {ListingRequest} request
 */
export function newListing({ symbols, overlaps, minCount, limit, byNumber, mostSplits, mostSeconds }) {
  const initial = symbols.map((_, number) => String(number));
  return {
    overlaps,
    minCount,
    limit,
    byNumber,
    mostSplits,
    // By internal id: the symbol, and the initial symbols it consists of.
    symbols: [...symbols],
    initial,
    initialLengths: symbols.map(() => 1),
    idOf: new Map(initial.map((key, number) => [key, number])),
    // By form: its tokens, and for each pair what its merge makes of it.
    forms: /** @type {number[][]} */ ([]),
    formOf: /** @type {Map<string, number>} */ (new Map()),
    mergesOf: /** @type {Map<number, Merge>[]} */ ([]),
    // What is stored, in entries: of the level, of what is drawn, and of forms and symbols that merges made.
    stored: 0,
    entriesDrawn: 0,
    entriesMade: 0,
    sinceLook: 0,
    groupNumber: 0,
    left: 1_000 * mostSeconds, // ms of work
    since: performance.now(),
    // The words where all ways last met.
    common: /** @type {number[]} */ ([]),
    frequencies: /** @type {number[]} */ ([]),
    counts: /** @type {Map<number, number>} */ (new Map()),
    wordsOf: /** @type {Map<number, number[]>} */ (new Map()), // and words in which the pair no longer occurs
    byCount: /** @type {Map<number, Set<number>>} */ (new Map()),
    first: 0, // no pair's count is higher
    // What is drawn.
    nodes: /** @type {DrawnNode[]} */ ([]),
    edges: /** @type {Map<string, DrawnEdge>} */ (new Map()),
    allDrawn: true,
    allListed: true,
    epoch: 0,
    keyOf: /** @type {Map<number, string>} */ (new Map()),
    nodeOf: /** @type {Map<string, number>} */ (new Map()),
    segmentationOf: /** @type {Map<string, number>} */ (new Map()),
    segmentations: 0,
    // What is counted, by number of merges.
    splits: /** @type {Map<number, bigint>} */ (new Map()),
    ways: /** @type {Map<number, bigint | null>} */ (new Map()),
    vocabularies: [1n],
    ends: /** @type {Map<number, bigint>} */ (new Map()),
    knownUntil: Infinity,
    cutAt: 0,
    ended: /** @type {Map<number, State>} */ (new Map()),
    frontier: /** @type {Map<number, State>} */ (new Map()),
  };
}

/**
 * Look whether the listing must end, if so many entries were read or changed since the last look.
 * @param {Listing} listing
 * @param {number} entries
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* spend(listing, entries) {
  listing.sinceLook += entries;
  if (listing.sinceLook >= BETWEEN_LOOKS) yield* look(listing);
}

/**
 * @param {Listing} listing
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* look(listing) {
  listing.sinceLook = 0;
  listing.left -= performance.now() - listing.since;
  yield;
  listing.since = performance.now();
  if (listing.left < 0) throw new ListingEnd("time");
  if (isFull(listing)) throw new ListingEnd("memory");
}

/** @param {Listing} listing */
export function isFull(listing) {
  return (
    listing.stored + listing.entriesDrawn + listing.entriesMade + SIZE.pair * listing.counts.size >
    MOST_STORED
  );
}

/** Return how many entries a state takes. @param {State} state */
export function entriesOf({ words, counts, symbolsMade }) {
  return SIZE.state + SIZE.item * (words.size + counts.size) + symbolsMade.length;
}

/**
 * Return the list under a key, which is new if there is none.
 * @template Key, Item
 * @param {Map<Key, Item[]>} lists
 * @param {Key} key
 * @returns {Item[]}
 */
export function listed(lists, key) {
  const known = lists.get(key);
  if (known) return known;
  /** @type {Item[]} */
  const added = [];
  lists.set(key, added);
  return added;
}

/**
 * Return the set under a key, which is new if there is none.
 * @template Key, Item
 * @param {Map<Key, Set<Item>>} sets
 * @param {Key} key
 * @returns {Set<Item>}
 */
export function filed(sets, key) {
  const known = sets.get(key);
  if (known) return known;
  /** @type {Set<Item>} */
  const added = new Set();
  sets.set(key, added);
  return added;
}
