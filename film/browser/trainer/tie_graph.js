// Every way to break every tie of a training, as bpe/analysis/tie_graph.py lists them. Its first lines say why few orders of
// picks must be listed.
//
// Numbers that can be large (ways, vocabularies, splits) are BigInt.

/** @import {Training} from "./training.js" */

import { sumOf } from "../shared/numbers.js";

// A pair as one number, as bpe/pair_ids.py has it. 2 ** 48 is exact.
const SHIFT = 2 ** 24;
const MOST_STORED = 12_000_000;
const MOST_LISTED_WAYS = 5_000;
const MOST_COPIED = 200_000;
export const MOST_WAYS = 1n << 4096n;
const BETWEEN_LOOKS = 20_000;
// How many entries things take besides the numbers in their lists, as in Python, so that both end alike.
const SIZE = {
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
// More pairs in any order than this have more orders than MOST_WAYS.
const MOST_ORDERED = 500;

/** @type {number[]} */
const NONE = [];

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
 * An edge before it is spelled. `rivals` are, for a choice, the tied pairs that overlap its pair.
 * @typedef {{source: number, target: number, pairs: number[], count: number, kind: Kind, rivals: number[]}} DrawnEdge
 */

/** Thrown where the listing must end. */
class ListingEnd extends Error {
  /** @param {Stopped} stopped */
  constructor(stopped) {
    super(stopped);
    this.stopped = stopped;
  }
}

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

/**
 * Return what is listed of a training.
 * @param {Training} training
 * @param {number} limit  the most merges that its recipe allows
 * @param {{mostSplits: number, mostSeconds: number}} bounds
 * @returns {ListingRequest}
 */
export function listingRequest({ words, corpus, symbols, recipe }, limit, bounds) {
  const appearing = [...new Set(words.flat())];
  const numberOf = new Map(appearing.map((id, number) => [id, number]));
  return {
    words: words.map((word) => word.map((id) => numberOf.get(id) ?? 0)),
    frequencies: corpus.frequencies,
    symbols: appearing.map((id) => symbols[id]),
    overlaps: recipe.overlaps !== "skip",
    minCount: recipe.min_count ?? 1,
    limit,
    byNumber: typeof recipe.merges === "number" || typeof recipe.vocab_size === "number",
    ...bounds,
  };
}

/**
 * List every way. It yields whenever the work could be ended.
 * @param {ListingRequest} request
 * @yields when the work could be ended
 * @returns {Generator<void, TieGraph>}
 */
export function* tieGraphSteps({
  words: initialWords,
  frequencies: initialFrequencies,
  symbols: initialSymbols,
  overlaps,
  minCount,
  limit,
  byNumber,
  mostSplits,
  mostSeconds,
}) {
  // By internal id: the symbol, and the initial symbols it consists of.
  const symbols = [...initialSymbols];
  /** @type {string[]} */
  const initial = symbols.map((_, number) => String(number));
  const initialLengths = symbols.map(() => 1);
  const idOf = new Map(initial.map((key, number) => [key, number]));
  // By form: its tokens, and for each pair what its merge makes of it.
  /** @type {number[][]} */
  let forms = [];
  /** @type {Map<string, number>} */
  let formOf = new Map();
  /** @type {Map<number, Merge>[]} */
  let mergesOf = [];
  // What is stored, in entries: of the level, of what is drawn, and of forms and symbols that merges made.
  let stored = 0;
  let entriesDrawn = 0;
  let entriesMade = 0;
  let sinceLook = 0;
  let groupNumber = 0;
  let left = 1_000 * mostSeconds; // ms of work
  let since = performance.now();
  // The words where all ways last met.
  /** @type {Map<string, number>} */
  const frequencyOf = new Map();
  initialWords.forEach((word, number) => {
    const key = word.join(",");
    frequencyOf.set(key, (frequencyOf.get(key) ?? 0) + initialFrequencies[number]);
  });
  const common = [...frequencyOf.keys()].map((key) => formNumber(key ? key.split(",").map(Number) : []));
  const frequencies = [...frequencyOf.values()];
  /** @type {Map<number, number>} */
  const counts = new Map();
  // And words in which the pair no longer occurs.
  /** @type {Map<number, number[]>} */
  const wordsOf = new Map();
  /** @type {Map<number, Set<number>>} */
  const byCount = new Map();
  // No pair's count is higher.
  let first = sumOf([...frequencyOf.keys()].map((key) => (key ? key.split(",").length : 0)));
  first *= frequencies.reduce((most, frequency) => Math.max(most, frequency), 0);
  // What is drawn: merges, segmentation, epoch, symbols in use.
  /** @type {{merges: number, segmentation: number, epoch: number, inUse: number[]}[]} */
  const nodes = [];
  /** @type {Map<string, DrawnEdge>} */
  const edges = new Map();
  let allDrawn = true;
  let allListed = true;
  let epoch = 0;
  /** @type {Map<number, string>} */
  let keyOf = new Map();
  /** @type {Map<string, number>} */
  let nodeOf = new Map();
  /** @type {Map<string, number>} */
  let segmentationOf = new Map();
  let segmentations = 0;
  // What is counted, by number of merges.
  /** @type {Map<number, bigint>} */
  const splits = new Map();
  /** @type {Map<number, bigint | null>} */
  const ways = new Map();
  /** @type {bigint[]} */
  const vocabularies = [1n];
  /** @type {Map<number, bigint>} */
  const ends = new Map();
  /** @type {number | null} */
  let knownUntil = null;
  let cutAt = 0;
  /** @type {Map<number, State>} */
  const ended = new Map();
  /** @type {Map<number, State>} */
  const frontier = new Map();

  // The bounds

  /** Look whether the listing must end, if so many entries were read or changed since the last look.
   * @param {number} entries
   * @yields when the work could be ended
   * @returns {Generator<void, void>} */
  function* spend(entries) {
    sinceLook += entries;
    if (sinceLook >= BETWEEN_LOOKS) yield* look();
  }

  /** @yields when the work could be ended
   * @returns {Generator<void, void>} */
  function* look() {
    sinceLook = 0;
    left -= performance.now() - since;
    yield;
    since = performance.now();
    if (left < 0) throw new ListingEnd("time");
    if (isFull()) throw new ListingEnd("memory");
  }

  function isFull() {
    return stored + entriesDrawn + entriesMade + SIZE.pair * counts.size > MOST_STORED;
  }

  // The words

  /** Count the pairs of the text.
   * @yields when the work could be ended
   * @returns {Generator<void, void>} */
  function* countText() {
    for (const [number, form] of common.entries()) {
      const pairs = countedPairs(forms[form]);
      for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + frequencies[number]);
      for (const pair of new Set(pairs)) listed(wordsOf, pair).push(number);
      yield* spend(2 * forms[form].length);
    }
    for (const [pair, count] of counts) filed(byCount, count).add(pair);
    first = Math.max(0, ...byCount.keys());
    entriesMade = 0;
    yield* look();
  }

  /** @param {number[]} tokens */
  function countedPairs(tokens) {
    return overlaps ? allPairs(tokens) : pairsApart(tokens);
  }

  /** Return the symbol that a merge makes. @param {number} pair */
  function symbolOf(pair) {
    const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
    const key = `${initial[one]},${initial[other]}`;
    const known = idOf.get(key);
    if (known !== undefined) return known;
    idOf.set(key, symbols.length);
    initial.push(key);
    initialLengths.push(initialLengths[one] + initialLengths[other]);
    symbols.push(symbols[one] + symbols[other]);
    entriesMade += SIZE.symbol + initialLengths[symbols.length - 1];
    return symbols.length - 1;
  }

  /** @param {number[]} tokens */
  function formNumber(tokens) {
    const key = tokens.join(",");
    const known = formOf.get(key);
    if (known !== undefined) return known;
    formOf.set(key, forms.length);
    forms.push(tokens);
    mergesOf.push(new Map());
    entriesMade += SIZE.form + tokens.length;
    return forms.length - 1;
  }

  /** Return what a merge makes of a form. @param {number} form @param {number} pair */
  function merge(form, pair) {
    let known = mergesOf[form].get(pair);
    if (known) return known;
    const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
    const tokens = forms[form];
    known = { form, pairs: NONE, times: NONE };
    if (tokens.includes(one) && tokens.includes(other)) {
      const after = mergeWord(tokens, one, other, symbolOf(pair));
      if (after.length < tokens.length) known = { form: formNumber(after), ...changesOf(tokens, after) };
      sinceLook += tokens.length;
    }
    mergesOf[form].set(pair, known);
    entriesMade += SIZE.merge + 8 * known.pairs.length;
    return known;
  }

  /**
   * Return the pairs whose number differs after a merge, and by how much.
   * @param {number[]} before
   * @param {number[]} after
   */
  function changesOf(before, after) {
    if (overlaps) {
      // Only what is not alike at both ends, and its neighbours.
      let begin = 0;
      while (begin < after.length && before[begin] === after[begin]) begin++;
      if (begin === after.length) begin = 0;
      let end = 0;
      while (
        before[before.length - 1 - end] === after[after.length - 1 - end] &&
        begin + end + 1 < after.length
      )
        end++;
      [begin, end] = [Math.max(0, begin - 1), Math.max(0, end - 1)];
      before = before.slice(begin, before.length - end);
      after = after.slice(begin, after.length - end);
    }
    /** @type {Map<number, number>} */
    const changes = new Map();
    for (const pair of countedPairs(before)) changes.set(pair, (changes.get(pair) ?? 0) - 1);
    for (const pair of countedPairs(after)) changes.set(pair, (changes.get(pair) ?? 0) + 1);
    const pairs = [...changes.keys()].filter((pair) => changes.get(pair));
    return { pairs, times: pairs.map((pair) => changes.get(pair) ?? 0) };
  }

  /** @param {number} form @param {Iterable<number>} path */
  function formAfter(form, path) {
    for (const pair of path) form = merge(form, pair).form;
    return form;
  }

  const formAt = (/** @type {Delta} */ words, /** @type {number} */ number) =>
    words.get(number) ?? common[number];
  const countOf = (/** @type {State} */ state, /** @type {number} */ pair) =>
    state.counts.get(pair) ?? counts.get(pair) ?? 0;

  /**
   * Find the pairs of the highest count of a state, which is at most `bound`.
   * @param {State} state
   * @param {number} bound
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* findTop(state, bound) {
    yield* spend(state.counts.size);
    let top = 0;
    for (const count of state.counts.values()) top = Math.max(top, count);
    let tied = new Set([...state.counts].filter(([, count]) => count === top).map(([pair]) => pair));
    const between = [...byCount.keys()].filter((count) => top <= count && count <= bound);
    for (const count of between.toSorted((one, other) => other - one)) {
      yield* spend(byCount.get(count)?.size ?? 0);
      const pairs = [...(byCount.get(count) ?? [])].filter((pair) => !state.counts.has(pair));
      if (pairs.length) {
        tied = new Set([...pairs, ...(count === top ? tied : [])]);
        top = count;
        break;
      }
    }
    state.topCount = top;
    state.tied = top ? tied : new Set();
  }

  /**
   * Return the words and counts of a state after further merges. `paths` has those of each word.
   * @param {State} state
   * @param {Map<number, number[]>} paths
   * @yields when the work could be ended
   * @returns {Generator<void, {words: Delta, counts: Map<number, number>}>}
   */
  function* apply(state, paths) {
    const words = new Map(state.words);
    const changed = new Map(state.counts);
    for (const [number, path] of paths) {
      const old = formAt(words, number);
      let form = old;
      for (const pair of path) {
        const { form: next, pairs, times } = merge(form, pair);
        form = next;
        pairs.forEach((other, at) => {
          const before = changed.get(other) ?? counts.get(other) ?? 0;
          changed.set(other, before + times[at] * frequencies[number]);
        });
      }
      if (form !== old) words.set(number, form);
    }
    yield* spend(paths.size + words.size + changed.size);
    return { words, counts: changed };
  }

  /** Let the words of a state be the common ones.
   * @param {State} state
   * @yields when the work could be ended
   * @returns {Generator<void, void>} */
  function* makeCommon(state) {
    for (const [number, next] of state.words) {
      const before = new Set(countedPairs(forms[common[number]]));
      for (const pair of new Set(countedPairs(forms[next])))
        if (!before.has(pair)) listed(wordsOf, pair).push(number);
      common[number] = next;
      yield* spend(forms[next].length);
    }
    for (const [pair, count] of state.counts) {
      const old = counts.get(pair) ?? 0;
      const bucket = byCount.get(old);
      bucket?.delete(pair);
      if (bucket && !bucket.size) byCount.delete(old);
      if (count) {
        filed(byCount, count).add(pair);
        counts.set(pair, count);
      } else {
        counts.delete(pair);
        wordsOf.delete(pair);
      }
    }
    state.words = new Map();
    state.counts = new Map();
    state.symbolsMade = [];
    epoch += 1;
    keyOf.set(state.node, "");
    if (forms.length > 4 * common.length + 10_000) {
      const tokens = common.map((form) => forms[form]);
      [forms, mergesOf] = [[], []];
      formOf = new Map();
      tokens.forEach((word, number) => (common[number] = formNumber(word)));
      entriesMade = sumOf(initialLengths.map((length) => SIZE.symbol + length));
    }
  }

  // The groups of one level

  /** @param {number[]} pairs @param {number[]} words @param {string} spots @returns {Group} */
  function newGroup(pairs, words, spots) {
    return { number: groupNumber++, pairs, words, spots, depths: [], exceeded: "", cut: false };
  }

  /**
   * Return the numbers of the words in which pairs can occur, ascending.
   * @param {State} state
   * @param {Iterable<number>} pairs
   * @yields when the work could be ended
   * @returns {Generator<void, number[]>}
   */
  function* wordsWith(state, pairs) {
    const numbers = new Set(state.words.keys());
    for (const pair of pairs) for (const number of wordsOf.get(pair) ?? []) numbers.add(number);
    yield* spend(numbers.size);
    return [...numbers].toSorted((one, other) => one - other);
  }

  /**
   * Return the groups of overlapping pairs among the tied pairs of a state, by first occurrence.
   * @param {State} state
   * @param {boolean} withSpots
   * @yields when the work could be ended
   * @returns {Generator<void, Group[]>}
   */
  function* groupsOf(state, withSpots) {
    const { tied } = state;
    /** @type {Map<number, number>} */
    const parents = new Map();
    /** @type {Map<number, Set<number>>} */
    const words = new Map();
    /** @type {Map<number, string[]>} */
    const spots = new Map();
    const root = (/** @type {number} */ pair) => {
      for (;;) {
        const parent = parents.get(pair) ?? pair;
        if (parent === pair) {
          parents.set(pair, pair);
          return pair;
        }
        pair = parent;
      }
    };
    for (const number of yield* wordsWith(state, tied)) {
      const tokens = forms[formAt(state.words, number)];
      yield* spend(tokens.length);
      let previous = -1;
      let before = 0;
      for (let at = 0; at + 1 < tokens.length; at++) {
        const pair = tokens[at] * SHIFT + tokens[at + 1];
        if (tied.has(pair)) {
          filed(words, pair).add(number);
          if (withSpots) {
            const some = spots.get(pair) ?? [];
            some.push(`${number} ${before} ${pair}`);
            spots.set(pair, some);
          }
          if (previous >= 0) {
            const [one, other] = [root(previous), root(pair)];
            parents.set(other, one);
          }
          previous = pair;
        } else previous = -1;
        before += initialLengths[tokens[at]];
      }
    }
    /** @type {Map<number, number[]>} */
    const members = new Map();
    for (const pair of words.keys()) {
      listed(members, root(pair)).push(pair);
    }
    return [...members.values()].map((pairs) => {
      const inWords = new Set(pairs.flatMap((pair) => [...(words.get(pair) ?? [])]));
      const at = pairs.flatMap((pair) => spots.get(pair) ?? []);
      return newGroup(
        pairs,
        [...inWords].toSorted((one, other) => one - other),
        at.toSorted().join(";"),
      );
    });
  }

  /**
   * List every way to merge the pairs of a group, at most so many of them.
   * @param {State} state
   * @param {Group} group
   * @param {number} most
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* explore(state, group, most) {
    const words = group.words.map((number) => formAt(state.words, number));
    const tied = group.pairs.toSorted((one, other) => one - other);
    /** @type {Local[]} */
    let last = [{ words, tied, changes: new Map(), path: NONE, ways: 1n, leaving: [] }];
    group.depths = [last];
    const spots = group.spots ? group.spots.split(";").length : 0;
    stored += SIZE.local + 2 * words.length + 2 * tied.length + SIZE.item * spots;
    let soFar = 1;
    while (last.some((local) => local.tied.length)) {
      yield* look();
      if (group.depths.length > most) {
        group.cut = true;
        return;
      }
      const following = yield* followers(state, group, soFar);
      if (group.exceeded) return;
      for (const local of last) {
        stored -= SIZE.item * local.changes.size;
        local.changes = new Map();
      }
      last = following;
      soFar += last.length;
      group.depths.push(last);
    }
  }

  /**
   * Return the segmentations after one more merge; sets `exceeded` if there are too many.
   * @param {State} state
   * @param {Group} group
   * @param {number} soFar  how many segmentations of the group are listed
   * @yields when the work could be ended
   * @returns {Generator<void, Local[]>}
   */
  function* followers(state, group, soFar) {
    const most = Math.min(mostSplits, 8 * mostSplits - soFar);
    /** @type {Local[]} */
    const following = [];
    const last = group.depths[group.depths.length - 1];
    // Different pairs lead to different segmentations.
    if (last.some(({ tied }) => tied.length > most)) {
      group.exceeded = "splits";
      return following;
    }
    const frequent = group.words.map((number) => frequencies[number]);
    /** @type {Map<string, number>} */
    const indexOf = new Map();
    for (const local of last) {
      yield* look();
      for (const pair of local.tied) {
        const next = local.words.map((form) => merge(form, pair).form);
        const key = next.join(",");
        let index = indexOf.get(key);
        if (index === undefined) {
          if (following.length === most) {
            group.exceeded = "splits";
            return following;
          }
          index = following.length;
          indexOf.set(key, index);
          const added = nextLocal(state, local, pair, next, frequent);
          following.push(added);
          stored += SIZE.local + next.length + added.tied.length + added.path.length;
          stored += SIZE.item * added.changes.size;
          if (isFull()) {
            group.exceeded = "memory";
            return following;
          }
        }
        local.leaving.push([pair, index]);
        stored += SIZE.item;
        following[index].ways += local.ways;
        yield* spend(next.length + local.tied.length);
      }
    }
    return following;
  }

  /**
   * Return the segmentation after one more merge. Only pairs with the new symbol gain occurrences.
   * @param {State} state
   * @param {Local} local
   * @param {number} pair
   * @param {number[]} next
   * @param {number[]} frequent
   * @returns {Local}
   */
  function nextLocal(state, local, pair, next, frequent) {
    const token = symbolOf(pair);
    const changes = new Map(local.changes);
    /** @type {Set<number>} */
    const touched = new Set();
    next.forEach((form, at) => {
      const before = local.words[at];
      if (form === before) return;
      const { pairs, times } = merge(before, pair);
      pairs.forEach((other, index) => {
        changes.set(other, (changes.get(other) ?? 0) + times[index] * frequent[at]);
        touched.add(other);
      });
    });
    const tied = local.tied.filter((other) => other !== pair && !touched.has(other));
    for (const other of touched) {
      const isNew = Math.floor(other / SHIFT) === token || other % SHIFT === token;
      if (isNew && countOf(state, other) + (changes.get(other) ?? 0) === state.topCount) tied.push(other);
    }
    const path = [...local.path, pair];
    return {
      words: next,
      tied: tied.toSorted((one, other) => one - other),
      changes,
      path,
      ways: 0n,
      leaving: [],
    };
  }

  // What is drawn

  /**
   * Return the number of a node. `symbolsMade` holds the symbols that were learned on one way to it.
   * @param {number} after  merges
   * @param {Delta} words
   * @param {number[]} symbolsMade
   * @yields when the work could be ended
   * @returns {Generator<void, number>}
   */
  function* draw(after, words, symbolsMade) {
    yield* spend(words.size + symbolsMade.length);
    const key = keyOfWords(words);
    const nodeKey = `${after} ${key}`;
    const known = nodeOf.get(nodeKey);
    if (known !== undefined) return known;
    if (!segmentationOf.has(key)) segmentationOf.set(key, segmentations++);
    /** @type {Set<number>} */
    const used = new Set();
    for (const form of words.values()) {
      for (const token of forms[form]) used.add(token);
      sinceLook += forms[form].length;
    }
    const inUse = symbolsMade.filter((symbol) => used.has(symbol));
    nodeOf.set(nodeKey, nodes.length);
    keyOf.set(nodes.length, key);
    const segmentation = segmentationOf.get(key) ?? 0;
    nodes.push({ merges: after, segmentation, epoch, inUse });
    stored += words.size;
    entriesDrawn += SIZE.node + inUse.length;
    if (nodes.length > 32 * mostSplits + 10 * after) throw new ListingEnd("splits");
    return nodes.length - 1;
  }

  /**
   * @param {number} source
   * @param {number} target
   * @param {number[]} pairs
   * @param {number} count
   * @param {Kind} kind
   * @param {number[]} [rivals]
   */
  function drawEdge(source, target, pairs, count, kind, rivals = NONE) {
    const key = `${source} ${target} ${pairs.join(",")}`;
    if (edges.has(key)) return;
    edges.set(key, { source, target, pairs, count, kind, rivals });
    entriesDrawn += SIZE.edge + 8 * pairs.length + rivals.length;
  }

  /**
   * Draw the ways through one level. Return the states after it, and whether the limit of merges cuts some off.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt  by node
   * @yields when the work could be ended
   * @returns {Generator<void, {arrived: State[], cut: boolean}>}
   */
  function* waysThrough(states, groupsAt) {
    /** @type {Map<number, State>} */
    const arrived = new Map();
    let cut = false;
    for (const state of states) {
      let groups = groupsAt.get(state.node) ?? [];
      const room = limit - state.merges;
      yield* spend(groups.length);
      if (sumOf(groups.map(longest)) > room || groups.some((group) => group.cut)) {
        // Now it matters which pairs are merged before the end: all orders must be listed.
        cut = true;
        const joint = yield* jointGroup(state, groups, room);
        if (joint === null) {
          if (sumOf(groups.map(shortest)) <= room) throw new ListingEnd("splits");
          allDrawn = false;
          continue;
        }
        groups = [joint];
      }
      for (const reached of yield* through(state, groups, cut)) {
        const before = arrived.get(reached.node);
        if (before) join(before, reached);
        else {
          arrived.set(reached.node, reached);
          stored += entriesOf(reached);
          if (arrived.size > mostSplits) throw new ListingEnd("splits");
        }
      }
    }
    return { arrived: [...arrived.values()], cut };
  }

  /**
   * Return all tied pairs of a state as one group; null if that is too much to list.
   * @param {State} state
   * @param {Group[]} groups
   * @param {number} room
   * @yields when the work could be ended
   * @returns {Generator<void, Group | null>}
   */
  function* jointGroup(state, groups, room) {
    const singles = groups.filter(isOneMerge).length;
    const most = Math.min(room, Math.floor(singles / 2));
    // Different sets of pairs that overlap nowhere lead to different segmentations.
    if (binomials(singles, most, BigInt(mostSplits + 1)).length <= most) return null;
    const words = new Set(groups.flatMap((group) => group.words));
    const joint = newGroup(
      [...state.tied],
      [...words].toSorted((one, other) => one - other),
      "",
    );
    const before = stored;
    yield* explore(state, joint, room);
    if (!joint.exceeded) return joint;
    stored = before;
    return null;
  }

  /**
   * Draw the ways of one state through a level: the pairs that overlap none, then one group after another.
   * @param {State} state
   * @param {Group[]} groups
   * @param {boolean} cut
   * @yields when the work could be ended
   * @returns {Generator<void, State[]>}
   */
  function* through(state, groups, cut) {
    const count = state.topCount;
    const quiet = state.tied.size === 1 ? "none" : cut ? "open" : "order only";
    const singles = groups.filter(isOneMerge);
    const current = { ...state };
    if (singles.length) {
      const pairs = singles.map((group) => group.pairs[0]);
      /** @type {Map<number, number[]>} */
      const paths = new Map();
      for (const group of singles)
        for (const number of group.words) listed(paths, number).push(group.pairs[0]);
      Object.assign(current, yield* apply(state, paths));
      current.symbolsMade = [...state.symbolsMade, ...pairs.map(symbolOf)];
      current.merges = state.merges + pairs.length;
      current.node = yield* draw(current.merges, current.words, current.symbolsMade);
      drawEdge(state.node, current.node, pairs, count, quiet);
      if (state.ways !== null)
        current.ways = pairs.length > MOST_ORDERED ? null : state.ways * perm(pairs.length, pairs.length);
    }
    let reached = [{ state: current, depth: singles.length }];
    for (const group of groups) {
      if (isOneMerge(group)) continue;
      const following = [];
      for (const before of reached)
        following.push(
          ...(yield* throughGroup(before.state, before.depth, group, count, {
            cut,
            alone: groups.length === 1,
          })),
        );
      reached = following;
    }
    return reached.map((after) => after.state);
  }

  /**
   * Draw the ways through one group. Return the states after it, with the number of the level's merges so far.
   * @param {State} before
   * @param {number} earlier
   * @param {Group} group
   * @param {number} count
   * @param {{cut: boolean, alone: boolean}} options
   * @yields when the work could be ended
   * @returns {Generator<void, {state: State, depth: number}[]>}
   */
  function* throughGroup(before, earlier, group, count, { cut, alone }) {
    const nodesAt = [[before.node]];
    const after = [];
    for (const [depth, locals] of group.depths.entries()) {
      yield* look();
      if (depth) nodesAt.push([]);
      for (const local of locals) {
        if (!depth) continue;
        const symbolsMade = [...before.symbolsMade, ...local.path.map(symbolOf)];
        const words = yield* wordsAfter(before.words, group.words, local.path);
        const node = yield* draw(before.merges + depth, words, symbolsMade);
        nodesAt[depth].push(node);
        if (local.tied.length) continue;
        const state = { ...before, merges: before.merges + depth, symbolsMade, node };
        const paths = new Map(group.words.map((number) => [number, local.path]));
        Object.assign(state, yield* apply(before, paths));
        if (before.ways !== null) {
          const many = before.ways * local.ways * comb(earlier + depth, depth);
          state.ways = many < MOST_WAYS ? many : null;
        }
        after.push({ state, depth: earlier + depth });
      }
    }
    for (const [depth, locals] of group.depths.entries()) {
      for (const [index, local] of locals.entries()) {
        const rivalsIn = local.tied.length > 1 ? rivalsOf(local) : new Map();
        for (const [pair, target] of local.leaving) {
          const isTied = !alone || local.tied.length > 1;
          const rivals = [...(rivalsIn.get(pair) ?? NONE)];
          const choice = rivals.length ? "choice" : "order only";
          const kind = isTied ? (cut ? "open" : choice) : "none";
          const [source, next] = [nodesAt[depth][index], nodesAt[depth + 1][target]];
          drawEdge(source, next, [pair], count, kind, kind === "choice" ? rivals : NONE);
        }
      }
    }
    return after;
  }

  /** Return for each tied pair of a group the other ones of them that overlap it, if any does. @param {Local} local */
  function rivalsOf({ words, tied }) {
    const some = new Set(tied);
    /** @type {Map<number, Set<number>>} */
    const rivals = new Map();
    for (const form of words) {
      const pairs = allPairs(forms[form]);
      for (let at = 1; at < pairs.length; at++) {
        const [before, after] = [pairs[at - 1], pairs[at]];
        if (before !== after && some.has(before) && some.has(after)) {
          filed(rivals, before).add(after);
          filed(rivals, after).add(before);
        }
      }
    }
    return rivals;
  }

  /** @param {Delta} words @param {number[]} numbers @param {number[]} path
   * @yields when the work could be ended
   * @returns {Generator<void, Delta>} */
  function* wordsAfter(words, numbers, path) {
    const after = new Map(words);
    for (const number of numbers) {
      const old = formAt(words, number);
      const next = formAfter(old, path);
      if (next !== old) after.set(number, next);
    }
    yield* spend(words.size + numbers.length * path.length);
    return after;
  }

  // The levels

  /**
   * Sort states into those that go on and those where training ends.
   * @param {State[]} states
   * @param {number} bound
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* arrive(states, bound) {
    for (const state of states) {
      const before = frontier.get(state.node) ?? ended.get(state.node);
      if (before) {
        join(before, state);
        continue;
      }
      yield* findTop(state, bound);
      (state.topCount < minCount ? ended : frontier).set(state.node, state);
    }
  }

  /** @param {Map<number, bigint | null>} more */
  function addWays(more) {
    for (const [after, number] of more) {
      const before = ways.has(after) ? (ways.get(after) ?? null) : 0n;
      const total = before === null || number === null ? null : before + number;
      ways.set(after, total === null || total >= MOST_WAYS ? null : total);
    }
  }

  /** @param {number} after */
  function knowUntil(after) {
    knownUntil = knownUntil === null ? after : Math.min(knownUntil, after);
  }

  /**
   * List the merges of the highest count that any state has.
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* level() {
    const count = Math.max(...[...frontier.values()].map(({ topCount }) => topCount));
    const states = [...frontier.values()].filter(({ topCount }) => topCount === count);
    const alone = frontier.size === 1 && !ended.size && !cutAt; // all ways pass this one
    if (alone && states[0].words.size) {
      yield* makeCommon(states[0]);
      beginLevel(states);
    }
    /** @type {Map<number, Group[]>} */
    const groupsAt = new Map();
    /** @type {Map<string, Group>} */
    const known = new Map();
    for (const state of states) {
      const room = limit - state.merges;
      const groups = yield* groupsOf(state, states.length > 1);
      for (const [index, group] of groups.entries()) {
        // At the same places the same happens, whatever differs elsewhere.
        const key = `${room} ${group.spots}`;
        const same = group.spots ? known.get(key) : undefined;
        if (same) groups[index] = same;
        else {
          yield* explore(state, group, room);
          known.set(key, group);
        }
      }
      groupsAt.set(state.node, groups);
      stored += groups.length;
    }
    /** @type {State[]} */
    let arrived;
    let cut;
    try {
      for (const groups of groupsAt.values()) {
        yield* spend(groups.length);
        for (const { exceeded } of groups) if (exceeded) throw new ListingEnd(exceeded);
        if (groups.reduce((all, group) => (group.cut ? all : all * finals(group)), 1) > mostSplits)
          throw new ListingEnd("splits");
      }
      ({ arrived, cut } = yield* waysThrough(states, groupsAt));
    } catch (error) {
      if (!(error instanceof ListingEnd)) throw error;
      yield* addFigures(states, groupsAt, true);
      for (const state of states) {
        frontier.delete(state.node);
        knowUntil(state.merges + knownDepth(state, groupsAt.get(state.node) ?? []));
      }
      throw error;
    }
    yield* addFigures(states, groupsAt, false);
    for (const state of states) frontier.delete(state.node);
    if (cut) cutAt = Math.max(cutAt, count);
    if (arrived.length === 1 && !frontier.size && !ended.size && !cutAt) yield* makeCommon(arrived[0]);
    yield* arrive(arrived, count - 1);
    const all = [...frontier.values(), ...ended.values()];
    if (count > cutAt) ends.set(count, BigInt(new Set(all.map(({ node }) => nodes[node].segmentation)).size));
    beginLevel(all);
  }

  /** Forget the segmentations that do not come again: all but those of these states. @param {State[]} states */
  function beginLevel(states) {
    keyOf = new Map(states.map(({ node }) => [node, keyOf.get(node) ?? ""]));
    nodeOf = new Map([...keyOf].map(([node, key]) => [`${nodes[node].merges} ${key}`, node]));
    segmentationOf = new Map([...keyOf].map(([node, key]) => [key, nodes[node].segmentation]));
    stored = sumOf(states.map((state) => entriesOf(state) + state.words.size));
  }

  // What is counted

  /**
   * Count the vocabularies after 0, 1, … merges as long as the ways are few: each way is followed by itself.
   * @param {State} start
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* listOneByOne(start) {
    // Their orders, and what they learn: a bit for each symbol.
    let followed = new Map([["", { state: start, orders: 1, learned: new Set([0n]) }]]);
    let entries = -entriesMade;
    while (vocabularies.length <= limit) {
      let number = 0;
      for (const { state, orders } of followed.values()) {
        yield* findTop(state, state.topCount || first);
        if (state.topCount < minCount) state.tied = new Set();
        number += orders * state.tied.size;
        if (number > MOST_LISTED_WAYS) return;
      }
      if (!number) return;
      /** @type {typeof followed} */
      const following = new Map();
      for (const { state, orders, learned } of followed.values())
        for (const pair of [...state.tied].toSorted((one, other) => one - other)) {
          const paths = new Map((yield* wordsWith(state, [pair])).map((word) => [word, [pair]]));
          const after = yield* apply(state, paths);
          entries += paths.size + after.words.size + after.counts.size + learned.size;
          if (entries + entriesMade > MOST_COPIED) return;
          const key = keyOfWords(after.words);
          let reached = following.get(key);
          if (!reached) {
            reached = { state: { ...state, ...after }, orders: 0, learned: new Set() };
            following.set(key, reached);
          }
          reached.orders += orders;
          const symbol = 1n << BigInt(symbolOf(pair));
          for (const vocabulary of learned) reached.learned.add(vocabulary | symbol);
        }
      followed = following;
      const all = new Set([...followed.values()].flatMap(({ learned }) => [...learned]));
      vocabularies.push(BigInt(all.size));
    }
  }

  /**
   * Return after how many merges of an unfinished level all segmentations are known.
   * @param {State} state
   * @param {Group[]} groups
   */
  function knownDepth(state, groups) {
    const exceeded = groups.filter((group) => group.exceeded).map((group) => group.depths.length - 1);
    return Math.min(...exceeded, sumOf(groups.map(shortest)), limit - state.merges);
  }

  /**
   * Add the numbers of segmentations and ways between the beginning and the end of a level.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt
   * @param {boolean} withFinals  whether the segmentations at the end count
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* addFigures(states, groupsAt, withFinals) {
    const { numbers, until } = yield* splitsOf(states, groupsAt, withFinals);
    /** @type {Map<string, [bigint[], bigint[]]>} */
    const orders = new Map();
    const waysOfStates = [];
    for (const state of states)
      waysOfStates.push(yield* waysOf(state, groupsAt.get(state.node) ?? [], orders, withFinals));
    for (const [after, number] of numbers) splits.set(after, (splits.get(after) ?? 0n) + number);
    for (const some of waysOfStates) addWays(some);
    if (until !== null) knowUntil(until);
  }

  /**
   * Return the number of segmentations in a level by number of merges, and up to which one it is known; null: all are.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt
   * @param {boolean} withFinals
   * @yields when the work could be ended
   * @returns {Generator<void, {numbers: Map<number, bigint>, until: number | null}>}
   */
  function* splitsOf(states, groupsAt, withFinals) {
    const groupsIn = (/** @type {State} */ state) => groupsAt.get(state.node) ?? [];
    const fewest = Math.min(...states.map((state) => state.merges));
    /** @type {Group[]} */
    let shared;
    /** @type {Map<number, Group[]>} */
    let apart;
    if (states.length === 1) {
      shared = groupsIn(states[0]);
      apart = new Map([[states[0].node, []]]);
    } else {
      const bySpots = states.map((state) => new Map(groupsIn(state).map((group) => [group.spots, group])));
      const same = [...bySpots[0].keys()].filter((spots) => bySpots.every((some) => some.has(spots)));
      const isSame = new Set(same);
      let least = 0; // with the fewest merges before them, they go farthest before the limit of merges ends them
      states.forEach((state, index) => (least = state.merges < states[least].merges ? index : least));
      shared = same.flatMap((spots) => bySpots[least].get(spots) ?? []);
      apart = new Map(
        states.map((state) => [state.node, groupsIn(state).filter((group) => !isSame.has(group.spots))]),
      );
    }
    const compared = yield* comparedStates(states, apart);
    if (compared === null) {
      // The states themselves differ.
      const number = BigInt(states.filter((state) => state.merges === fewest).length);
      return { numbers: new Map([[fewest, number]]), until: fewest };
    }
    const room = limit - fewest;
    let most = room;
    const singles = shared.filter(isOneMerge).length;
    let allDepths = binomials(singles, room, MOST_WAYS);
    if (allDepths.length <= Math.min(singles, room)) most = allDepths.length - 1;
    /** @type {bigint[]} */
    let finalDepths = rangeOf(Math.min(singles, most) + 1, (depth) => (depth === singles ? 1n : 0n));
    for (const group of shared) {
      if (isOneMerge(group)) continue;
      yield* spend(allDepths.length * group.depths.length);
      const sizes = group.depths.map((locals) => BigInt(locals.length));
      allDepths = convolved(allDepths, sizes, most);
      const large = allDepths.findIndex((number) => number >= MOST_WAYS);
      if (large >= 0) {
        most = large - 1;
        allDepths.length = large;
      }
      finalDepths = convolved(finalDepths, finalSizes(group).map(BigInt), most);
    }
    /** @type {Map<number, bigint>} */
    const numbers = new Map();
    const add = (
      /** @type {Map<number, Set<string>>} */ begins,
      /** @type {bigint[]} */ depths,
      /** @type {bigint} */ sign,
    ) => {
      for (const [begin, keys] of begins)
        for (const [depth, more] of depths.entries())
          if (begin + depth <= fewest + most) {
            const before = numbers.get(begin + depth) ?? 0n;
            numbers.set(begin + depth, before + sign * BigInt(keys.size) * more);
          }
    };
    add(compared.every, allDepths, 1n);
    add(compared.final, finalDepths, withFinals ? 0n : -1n);
    return { numbers, until: most === room ? null : fewest + most };
  }

  /**
   * Return which segmentations the groups of several states lead to, by number of merges; null if they are too many.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt
   * @yields when the work could be ended
   * @returns {Generator<void, {every: Map<number, Set<string>>, final: Map<number, Set<string>>} | null>}
   */
  function* comparedStates(states, groupsAt) {
    const many = states.map((state) =>
      (groupsAt.get(state.node) ?? []).reduce(
        (all, group) => all * sumOf(group.depths.map((locals) => locals.length)),
        1,
      ),
    );
    if (sumOf(many) > 16 * mostSplits) return null;
    /** @type {Map<number, Set<string>>} */
    const every = new Map();
    /** @type {Map<number, Set<string>>} */
    const final = new Map();
    let entries = 0;
    for (const state of states) {
      yield* look();
      /** @type {{words: Delta, depth: number, isFinal: boolean}[]} */
      let reached = [{ words: state.words, depth: 0, isFinal: true }];
      for (const group of groupsAt.get(state.node) ?? []) {
        const further = [];
        for (const before of reached)
          for (const [depth, locals] of group.depths.entries())
            for (const local of locals)
              further.push({
                words: yield* wordsAfter(before.words, group.words, local.path),
                depth: before.depth + depth,
                isFinal: before.isFinal && !local.tied.length,
              });
        reached = further;
      }
      for (const { words, depth, isFinal } of reached) {
        const [key, after] = [keyOfWords(words), state.merges + depth];
        filed(every, after).add(key);
        if (isFinal) filed(final, after).add(key);
        entries += SIZE.item + words.size;
        if (entries > MOST_STORED / 4) return null;
        yield* spend(words.size);
      }
    }
    return { every, final };
  }

  /**
   * Return the number of orders that lead through a state into its level, by number of merges.
   * @param {State} state
   * @param {Group[]} groups
   * @param {Map<string, [bigint[], bigint[]]>} orders  those of the groups of other states
   * @param {boolean} withFinals
   * @yields when the work could be ended
   * @returns {Generator<void, Map<number, bigint | null>>}
   */
  function* waysOf(state, groups, orders, withFinals) {
    const room = limit - state.merges;
    const deepest = Math.min(room, sumOf(groups.map((group) => group.depths.length - 1)));
    /** @type {Map<number, bigint | null>} */
    const numbers = new Map(rangeOf(deepest + 1, (depth) => [state.merges + depth, null]));
    yield* spend(groups.length + numbers.size);
    const { ways: before } = state;
    if (before === null) return numbers;
    const key = groups
      .map(({ number }) => number)
      .toSorted((one, other) => one - other)
      .join(",");
    let known = orders.get(key);
    if (!known) {
      known = yield* ordersThrough(groups, room);
      orders.set(key, known);
    }
    const [every, final] = known;
    for (const [depth, number] of every.entries())
      numbers.set(state.merges + depth, before * (number - (withFinals ? 0n : (final[depth] ?? 0n))));
    return numbers;
  }

  /**
   * Return by depth in how many orders groups can be merged, and how many of these leave nothing to merge.
   * Both lists end before MOST_WAYS.
   * @param {Group[]} groups
   * @param {number} room
   * @yields when the work could be ended
   * @returns {Generator<void, [bigint[], bigint[]]>}
   */
  function* ordersThrough(groups, room) {
    const singles = groups.filter(isOneMerge).length;
    let every = [1n];
    while (every.length <= Math.min(singles, room)) {
      const number = every[every.length - 1] * BigInt(singles - every.length + 1);
      if (number >= MOST_WAYS) break;
      every.push(number);
    }
    /** @type {bigint[]} */
    let final = every.map((number, depth) => (depth === singles ? number : 0n));
    for (const group of groups) {
      if (isOneMerge(group)) continue;
      yield* spend(every.length * group.depths.length);
      const all = group.depths.map((locals) => locals.reduce((total, local) => total + local.ways, 0n));
      const last = group.depths.map((locals) =>
        locals.reduce((total, local) => (local.tied.length ? total : total + local.ways), 0n),
      );
      every = convolved(every, all, room, comb);
      final = convolved(final, last, room, comb);
      const large = every.findIndex((number) => number >= MOST_WAYS);
      if (large >= 0) every.length = large;
      final.length = Math.min(final.length, every.length);
    }
    return [every, final];
  }

  /** @returns {TieGraph} */
  function result(/** @type {Stopped} */ stopped) {
    const last = Math.max(0, ...splits.keys());
    const until = knownUntil === null ? last : Math.min(knownUntil, last);
    const numbers = rangeOf(until + 1, (after) => after);
    if (byNumber && until === limit) stopped = ""; // what comes after it is not asked for
    else if (!stopped && knownUntil !== null) stopped = "figures";
    const leastEnd = ends.size ? Math.min(...ends.keys()) : first + 1;
    const complete = !stopped ? null : byNumber ? until : leastEnd;
    /** @type {bigint | null} */
    let results = null;
    if (!allListed && until === limit && !ended.size) results = splits.get(limit) ?? null;
    else if (allListed && (knownUntil === null || knownUntil >= limit || !cutAt)) {
      results = BigInt(new Set([...ended.keys()].map((node) => nodes[node].segmentation)).size);
      if (cutAt) {
        const atLimit = [...ended.values()].filter((state) => state.merges === limit).length;
        results += (splits.get(limit) ?? 0n) - BigInt(atLimit);
      }
    }
    return {
      splits: numbers.map((after) => splits.get(after) ?? 0n),
      ends,
      complete,
      ways: numbers.map((after) => ways.get(after) ?? null),
      vocabularies: numbers.map((after) => vocabularies[after] ?? null),
      results,
      orders: allListed ? ordersOf() : null,
      ...drawing(allListed && allDrawn),
      stopped,
      mostSplits,
    };
  }

  /** Return the number of ways in which training can go, from beginning to end. */
  function ordersOf() {
    const all = [...ended.values()].map((state) => state.ways);
    if (cutAt) {
      all.push(ways.get(limit) ?? null);
      for (const state of ended.values())
        if (state.merges === limit) all.push(state.ways === null ? null : -state.ways);
    }
    let total = 0n;
    for (const number of all) {
      if (number === null) return null;
      total += number;
    }
    return total;
  }

  /**
   * Return nodes and edges. Unless the graph is `whole`, ways that have not met yet may meet later.
   * A listing that was stopped may have nodes to which no edge leads yet: they are left out.
   * @param {boolean} whole
   */
  function drawing(whole) {
    /** @type {number[][]} */
    const leaving = nodes.map(() => []);
    for (const { source, target } of edges.values()) leaving[source].push(target);
    const reachable = new Set([0]);
    for (const number of reachable) for (const target of leaving[number]) reachable.add(target);
    const reached = [...reachable].toSorted((one, other) => one - other);
    const numberOf = new Map(reached.map((node, number) => [node, number]));
    const order = [...reached];
    order.sort((one, other) => nodes[one].merges - nodes[other].merges);
    /** @type {Set<number>} */
    const meetings = new Set();
    const pending = new Set([0]);
    let hasEnded = false;
    const lastMeeting = nodes.map(() => 0);
    let latest = 0;
    for (const number of order) {
      lastMeeting[number] = latest;
      if (pending.size === 1 && pending.has(number) && !hasEnded) {
        meetings.add(number);
        latest = number;
      }
      pending.delete(number);
      for (const target of leaving[number]) pending.add(target);
      hasEnded ||= !leaving[number].length;
    }
    // By node: the segmentations in which the ways from there end, as bits.
    /** @type {Map<number, number>} */
    const bitOf = new Map();
    const endsOf = nodes.map(() => 0n);
    for (const number of order.toReversed()) {
      for (const target of leaving[number]) endsOf[number] |= endsOf[target];
      if (leaving[number].length) continue;
      const { segmentation } = nodes[number];
      if (!bitOf.has(segmentation)) bitOf.set(segmentation, bitOf.size);
      endsOf[number] = 1n << BigInt(bitOf.get(segmentation) ?? 0);
    }
    const edgesOfWays = [...edges.values()].filter(({ source }) => reachable.has(source));
    /** @type {Map<string, bigint>} */
    const endsAfter = new Map();
    for (const { source, target, pairs, rivals } of edgesOfWays)
      if (rivals.length) endsAfter.set(`${source} ${pairs[0]}`, endsOf[target]);
    return {
      nodes: reached.map((number) => {
        const { merges: after, segmentation, epoch: own, inUse } = nodes[number];
        const before = nodes[lastMeeting[number]];
        const old = new Set(before.epoch === own ? before.inUse : []);
        const tokens = inUse.filter((symbol) => !old.has(symbol)).map((symbol) => symbols[symbol]);
        return { merges: after, segmentation, tokens, meeting: meetings.has(number) };
      }),
      edges: edgesOfWays.map(({ source, target, pairs, count, kind, rivals }) => {
        const isSame = rivals.every((rival) => endsAfter.get(`${source} ${rival}`) === endsOf[target]);
        const spelled = pairs.map(
          (pair) =>
            /** @type {[string, string]} */ ([symbols[Math.floor(pair / SHIFT)], symbols[pair % SHIFT]]),
        );
        const shownKind = kind !== "choice" ? kind : isSame ? "detour" : whole ? "fork" : kind;
        const nodesOfEdge = { source: numberOf.get(source) ?? 0, target: numberOf.get(target) ?? 0 };
        return { ...nodesOfEdge, pairs: spelled, count, kind: shownKind };
      }),
    };
  }

  /** @type {State} */
  const start = {
    merges: 0,
    words: new Map(),
    counts: new Map(),
    symbolsMade: [],
    node: yield* draw(0, new Map(), []),
    ways: 1n,
    topCount: 0,
    tied: new Set(),
  };
  ways.set(0, 0n);
  /** @type {Stopped} */
  let stopped = "";
  frontier.set(start.node, start);
  try {
    yield* countText();
    yield* listOneByOne(start);
    frontier.delete(start.node);
    yield* arrive([start], first);
    while (frontier.size) {
      yield* look();
      yield* level();
    }
  } catch (error) {
    if (!(error instanceof ListingEnd)) throw error;
    ({ stopped } = error);
    allListed = false;
    // Of what was not listed, only the beginning is known.
    for (const state of frontier.values()) knowUntil(state.merges);
  }
  for (const state of [...frontier.values(), ...ended.values()]) {
    splits.set(state.merges, (splits.get(state.merges) ?? 0n) + 1n);
    addWays(new Map([[state.merges, state.ways]]));
  }
  return result(stopped);
}

/** Whether a group is one pair, which makes no other pair of the same count. @param {Group} group */
function isOneMerge({ depths, pairs, exceeded, cut }) {
  return depths.length === 2 && pairs.length === 1 && !exceeded && !cut;
}

/** Return by depth the number of segmentations in which nothing of a group is left to merge. @param {Group} group */
function finalSizes({ depths }) {
  return depths.map((locals) => locals.filter(({ tied }) => !tied.length).length);
}

/** @param {Group} group */
function finals(group) {
  return sumOf(finalSizes(group));
}

/** Return the least number of merges after which nothing of a group can be left to merge. @param {Group} group */
function shortest(group) {
  const depth = finalSizes(group).findIndex((number) => number);
  return depth < 0 ? group.depths.length : depth;
}

/** Return the greatest number of merges after which nothing of a group is left to merge. @param {Group} group */
function longest(group) {
  return Math.max(
    0,
    finalSizes(group).findLastIndex((number) => number),
  );
}

/** Return how many entries a state takes. @param {State} state */
function entriesOf({ words, counts, symbolsMade }) {
  return SIZE.state + SIZE.item * (words.size + counts.size) + symbolsMade.length;
}

/**
 * Return the list under a key, which is new if there is none.
 * @template Key, Item
 * @param {Map<Key, Item[]>} lists
 * @param {Key} key
 * @returns {Item[]}
 */
function listed(lists, key) {
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
function filed(sets, key) {
  const known = sets.get(key);
  if (known) return known;
  /** @type {Set<Item>} */
  const added = new Set();
  sets.set(key, added);
  return added;
}

/** @param {Delta} words */
function keyOfWords(words) {
  return [...words]
    .toSorted(([one], [other]) => one - other)
    .map(([number, form]) => `${number}:${form}`)
    .join(",");
}

/** Add the ways of another state with the same segmentation. @param {State} state @param {State} other */
function join(state, other) {
  state.ways = state.ways === null || other.ways === null ? null : state.ways + other.ways;
}

/**
 * Return a word with a pair replaced from left to right.
 * @template Token
 * @param {Token[]} tokens
 * @param {Token} left
 * @param {Token} right
 * @param {Token} token
 */
export function mergeWord(tokens, left, right, token) {
  /** @type {Token[]} */
  const after = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] === left && at + 1 < tokens.length && tokens[at + 1] === right) {
      after.push(token);
      at += 1;
    } else after.push(tokens[at]);
  }
  return after;
}

/** @param {number[]} tokens */
function allPairs(tokens) {
  return tokens.slice(1).map((right, at) => tokens[at] * SHIFT + right);
}

/** Return the pairs, but none that overlaps an equal one before it. @param {number[]} tokens */
function pairsApart(tokens) {
  const apart = [];
  let before = -1;
  for (const pair of allPairs(tokens)) {
    before = pair === before ? -1 : pair;
    if (before >= 0) apart.push(pair);
  }
  return apart;
}

/**
 * Return how many sets of 0, 1, … `most` things there are among some; the list ends before `below`.
 * @param {number} of
 * @param {number} most
 * @param {bigint} below
 */
function binomials(of, most, below) {
  const numbers = [1n];
  while (numbers.length <= Math.min(of, most)) {
    const number = (numbers[numbers.length - 1] * BigInt(of - numbers.length + 1)) / BigInt(numbers.length);
    if (number >= below) break;
    numbers.push(number);
  }
  return numbers;
}

/**
 * Return, for each sum of two depths up to `most`, the number of ways to combine them, each weighted by `times`.
 * @param {bigint[]} one
 * @param {bigint[]} other
 * @param {number} most
 * @param {(of: number, chosen: number) => bigint} [times]
 */
function convolved(one, other, most, times = () => 1n) {
  const sums = rangeOf(Math.min(one.length + other.length - 1, most + 1), () => 0n);
  for (const [depth, number] of one.entries())
    for (const [more, each] of other.entries())
      if (number && each && depth + more < sums.length)
        sums[depth + more] += number * each * times(depth + more, more);
  return sums;
}

/** @template Item @param {number} length @param {(at: number) => Item} make @returns {Item[]} */
function rangeOf(length, make) {
  return Array.from({ length: Math.max(0, length) }, (_, at) => make(at));
}

/** @param {number} of @param {number} chosen */
function perm(of, chosen) {
  let total = 1n;
  for (let at = 0; at < chosen; at++) total *= BigInt(of - at);
  return total;
}

/** @param {number} of @param {number} chosen */
function comb(of, chosen) {
  return chosen > of ? 0n : perm(of, chosen) / perm(chosen, chosen);
}
