// Every way to break every tie of a training, as bpe/analysis/tie_graph.py lists them. Its first lines say why few orders of
// picks must be listed.
//
// Numbers that can be large (ways, vocabularies, splits) are BigInt.

/** @import {Training} from "./training.js" */

import { sumOf } from "../shared/numbers.js";

// A pair as one number, as bpe/pair_ids.py has it. 2 ** 48 is exact.
const SHIFT = 2 ** 24;
const MOST_STORED = 3_000_000;
const MOST_SETS = 5_000;
export const MOST_WAYS = 1n << 4096n;
// More pairs in any order than this have more orders than MOST_WAYS.
const MOST_ORDERED = 500;

/** @typedef {"none" | "order only" | "detour" | "fork" | "open" | "choice"} Kind */
/** Why a listing ended early; "" if it did not. @typedef {"" | "splits" | "memory" | "time"} Stopped */

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
/** The sets of learned tokens, a bit for each internal id; null if they are too many. @typedef {Set<bigint> | null} Histories */

/**
 * One segmentation of the words in which the pairs of a group occur.
 * @typedef {object} Local
 * @property {number[]} words
 * @property {number[]} tied  pairs of the group that have the level's count here, ascending
 * @property {Map<number, number>} changes  of pair counts, since the beginning of the level
 * @property {number[]} path
 * @property {bigint} ways
 * @property {Histories} histories
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
 * @property {boolean} exceeded
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
 * @property {Histories} histories
 * @property {number} topCount
 * @property {Set<number>} tied
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
  // By form: its tokens, its pairs, and the forms that merges make of it.
  /** @type {number[][]} */
  let forms = [];
  /** @type {Map<string, number>} */
  let formOf = new Map();
  /** @type {number[][]} */
  let pairsOf = [];
  /** @type {Map<number, number>[]} */
  let mergedForms = [];
  let formTokens = 0;
  let stored = 0;
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
  /** @type {Map<number, Set<number>>} */
  const wordsOf = new Map();
  /** @type {Map<number, Set<number>>} */
  const byCount = new Map();
  common.forEach((form, number) => {
    for (const pair of pairsOf[form]) {
      counts.set(pair, (counts.get(pair) ?? 0) + frequencies[number]);
      filed(wordsOf, pair).add(number);
    }
  });
  for (const [pair, count] of counts) filed(byCount, count).add(pair);
  // What is drawn: merges, segmentation, epoch, symbols in use.
  /** @type {{merges: number, segmentation: number, epoch: number, inUse: number[]}[]} */
  const nodes = [];
  /** @type {Map<string, {source: number, target: number, pairs: number[], count: number, kind: Kind}>} */
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
  /** @type {Map<number, bigint | null>} */
  const vocabularies = new Map();
  /** @type {Map<number, Histories>} */
  const sets = new Map();
  /** @type {bigint | null} */
  let factor = 1n;
  /** @type {Map<number, bigint>} */
  const ends = new Map();
  /** @type {number | null} */
  let knownUntil = null;
  let cutAt = 0;
  /** @type {Map<number, State>} */
  const ended = new Map();
  /** @type {Map<number, State>} */
  const frontier = new Map();

  // The words

  /** @param {number} pair */
  function merged(pair) {
    const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
    const key = `${initial[one]},${initial[other]}`;
    const known = idOf.get(key);
    if (known !== undefined) return known;
    idOf.set(key, symbols.length);
    initial.push(key);
    initialLengths.push(initialLengths[one] + initialLengths[other]);
    symbols.push(symbols[one] + symbols[other]);
    return symbols.length - 1;
  }

  /** @param {number[]} tokens */
  function formNumber(tokens) {
    const key = tokens.join(",");
    const known = formOf.get(key);
    if (known !== undefined) return known;
    formOf.set(key, forms.length);
    forms.push(tokens);
    pairsOf.push(overlaps ? allPairs(tokens) : pairsApart(tokens));
    mergedForms.push(new Map());
    formTokens += tokens.length;
    return forms.length - 1;
  }

  /** @param {number} form @param {Iterable<number>} path */
  function merge(form, path) {
    for (const pair of path) {
      let next = mergedForms[form].get(pair);
      if (next === undefined) {
        const [one, other] = [Math.floor(pair / SHIFT), pair % SHIFT];
        const tokens = forms[form];
        next =
          tokens.includes(one) && tokens.includes(other)
            ? formNumber(mergeWord(tokens, one, other, merged(pair)))
            : form;
        mergedForms[form].set(pair, next);
      }
      form = next;
    }
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
   */
  function findTop(state, bound) {
    let top = 0;
    for (const count of state.counts.values()) top = Math.max(top, count);
    let tied = new Set([...state.counts].filter(([, count]) => count === top).map(([pair]) => pair));
    const between = [...byCount.keys()].filter((count) => top <= count && count <= bound);
    for (const count of between.toSorted((one, other) => other - one)) {
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
   */
  function apply(state, paths) {
    const words = new Map(state.words);
    const changed = new Map(state.counts);
    for (const [number, path] of paths) {
      const old = formAt(words, number);
      const next = merge(old, path);
      if (next === old) continue;
      words.set(number, next);
      const frequency = frequencies[number];
      for (const pair of pairsOf[old])
        changed.set(pair, (changed.get(pair) ?? counts.get(pair) ?? 0) - frequency);
      for (const pair of pairsOf[next])
        changed.set(pair, (changed.get(pair) ?? counts.get(pair) ?? 0) + frequency);
    }
    return { words, counts: changed };
  }

  /** Let the words of a state be the common ones. @param {State} state */
  function makeCommon(state) {
    for (const [number, next] of state.words) {
      const before = new Set(pairsOf[common[number]]);
      const after = new Set(pairsOf[next]);
      for (const pair of before) if (!after.has(pair)) wordsOf.get(pair)?.delete(number);
      for (const pair of after) if (!before.has(pair)) filed(wordsOf, pair).add(number);
      common[number] = next;
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
      formTokens = 0;
      [forms, pairsOf, mergedForms] = [[], [], []];
      formOf = new Map();
      tokens.forEach((word, number) => (common[number] = formNumber(word)));
    }
  }

  // The groups of one level

  /** @param {number[]} pairs @param {number[]} words @param {string} spots @returns {Group} */
  function newGroup(pairs, words, spots) {
    return { number: groupNumber++, pairs, words, spots, depths: [], exceeded: false, cut: false };
  }

  /**
   * Return the groups of overlapping pairs among the tied pairs of a state, by first occurrence.
   * @param {State} state
   * @param {boolean} withSpots
   */
  function groupsOf(state, withSpots) {
    const { tied } = state;
    const numbers = new Set(state.words.keys());
    for (const pair of tied) for (const number of wordsOf.get(pair) ?? []) numbers.add(number);
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
    for (const number of [...numbers].toSorted((one, other) => one - other)) {
      const tokens = forms[formAt(state.words, number)];
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
      const top = root(pair);
      members.set(top, [...(members.get(top) ?? []), pair]);
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
    const frequent = group.words.map((number) => frequencies[number]);
    group.depths = [
      [
        {
          words,
          tied: group.pairs.toSorted((one, other) => one - other),
          changes: new Map(),
          path: [],
          ways: 1n,
          histories: new Set([0n]),
          leaving: [],
        },
      ],
    ];
    let listed = 1;
    while (group.depths[group.depths.length - 1].some(({ tied }) => tied.length)) {
      if (group.depths.length > most) {
        group.cut = true;
        return;
      }
      /** @type {Map<string, number>} */
      const indexOf = new Map();
      /** @type {Local[]} */
      const following = [];
      for (const local of group.depths[group.depths.length - 1]) {
        yield* look();
        for (const pair of local.tied) {
          const next = local.words.map((form) => merge(form, [pair]));
          const key = next.join(",");
          let index = indexOf.get(key);
          if (index === undefined) {
            index = following.length;
            indexOf.set(key, index);
            following.push(nextLocal(state, local, pair, next, frequent));
            if (following.length > mostSplits || listed + following.length > 8 * mostSplits) {
              group.exceeded = true;
              return;
            }
          }
          local.leaving.push([pair, index]);
          const reached = following[index];
          reached.ways += local.ways;
          reached.histories = extended(reached.histories, local.histories, [1n << BigInt(merged(pair))]);
        }
      }
      listed += following.length;
      group.depths.push(following);
    }
  }

  /**
   * @param {State} state
   * @param {Local} local
   * @param {number} pair
   * @param {number[]} next
   * @param {number[]} frequent
   * @returns {Local}
   */
  function nextLocal(state, local, pair, next, frequent) {
    const token = merged(pair);
    const changes = new Map(local.changes);
    const candidates = new Set(local.tied);
    next.forEach((form, at) => {
      if (form === local.words[at]) return;
      for (const lost of pairsOf[local.words[at]]) changes.set(lost, (changes.get(lost) ?? 0) - frequent[at]);
      for (const gained of pairsOf[form]) {
        changes.set(gained, (changes.get(gained) ?? 0) + frequent[at]);
        if (Math.floor(gained / SHIFT) === token || gained % SHIFT === token) candidates.add(gained);
      }
    });
    candidates.delete(pair);
    const tied = [...candidates].filter(
      (other) => countOf(state, other) + (changes.get(other) ?? 0) === state.topCount,
    );
    return {
      words: next,
      tied: tied.toSorted((one, other) => one - other),
      changes,
      path: [...local.path, pair],
      ways: 0n,
      histories: new Set(),
      leaving: [],
    };
  }

  /** @yields when the work could be ended
   * @returns {Generator<void, void>} */
  function* look() {
    left -= performance.now() - since;
    yield;
    since = performance.now();
    if (left < 0) throw new ListingEnd("time");
    if (stored + formTokens > MOST_STORED) throw new ListingEnd("memory");
  }

  // What is drawn

  /**
   * Return the number of a node. `symbolsMade` holds the symbols that were learned on one way to it.
   * @param {number} merges
   * @param {Delta} words
   * @param {number[]} symbolsMade
   */
  function draw(merges, words, symbolsMade) {
    const key = keyOfWords(words);
    const nodeKey = `${merges} ${key}`;
    const known = nodeOf.get(nodeKey);
    if (known !== undefined) return known;
    if (!segmentationOf.has(key)) segmentationOf.set(key, segmentations++);
    const used = new Set([...words.values()].flatMap((form) => forms[form]));
    nodeOf.set(nodeKey, nodes.length);
    keyOf.set(nodes.length, key);
    const segmentation = segmentationOf.get(key) ?? 0;
    nodes.push({ merges, segmentation, epoch, inUse: symbolsMade.filter((symbol) => used.has(symbol)) });
    stored += words.size + 1;
    if (nodes.length > 32 * mostSplits + 10 * merges) throw new ListingEnd("splits");
    return nodes.length - 1;
  }

  /**
   * @param {number} source
   * @param {number} target
   * @param {number[]} pairs
   * @param {number} count
   * @param {Kind} kind
   */
  function drawEdge(source, target, pairs, count, kind) {
    const key = `${source} ${target} ${pairs.join(",")}`;
    if (!edges.has(key)) edges.set(key, { source, target, pairs, count, kind });
  }

  /**
   * Draw the ways through one level. Return the states after it, and whether the limit of merges cuts some off.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt  by node
   * @param {boolean} alone  whether all ways pass the one state
   * @yields when the work could be ended
   * @returns {Generator<void, {arrived: State[], cut: boolean}>}
   */
  function* waysThrough(states, groupsAt, alone) {
    /** @type {Map<number, State>} */
    const arrived = new Map();
    let cut = false;
    for (const state of states) {
      let groups = groupsAt.get(state.node) ?? [];
      const room = limit - state.merges;
      const longest = groups.reduce(
        (total, group) => total + Math.max(0, ...finalsOf(group).map(({ depth }) => depth)),
        0,
      );
      if (longest > room || groups.some((group) => group.cut)) {
        // Now it matters which pairs are merged before the end: all orders must be listed.
        cut = true;
        const words = new Set(groups.flatMap((group) => group.words));
        const joint = newGroup(
          [...state.tied],
          [...words].toSorted((one, other) => one - other),
          "",
        );
        yield* explore(state, joint, room);
        if (joint.exceeded) {
          if (sumOf(groups.map(shortest)) <= room) throw new ListingEnd("splits");
          allDrawn = false;
          continue;
        }
        groups = [joint];
      }
      const oneResult = alone && !cut && groups.every((group) => finalsOf(group).length === 1);
      for (const reached of yield* through(state, groups, !oneResult, cut)) {
        const before = arrived.get(reached.node);
        if (before) join(before, reached);
        else {
          arrived.set(reached.node, reached);
          if (arrived.size > mostSplits) throw new ListingEnd("splits");
        }
      }
    }
    return { arrived: [...arrived.values()], cut };
  }

  /**
   * Draw the ways of one state through a level: the pairs that overlap none, then one group after another.
   * @param {State} state
   * @param {Group[]} groups
   * @param {boolean} withHistories
   * @param {boolean} cut
   * @yields when the work could be ended
   * @returns {Generator<void, State[]>}
   */
  function* through(state, groups, withHistories, cut) {
    const count = state.topCount;
    const quiet = state.tied.size === 1 ? "none" : cut ? "open" : "order only";
    const singles = groups.filter(isOneMerge);
    const current = { ...state };
    if (singles.length) {
      const pairs = singles.map((group) => group.pairs[0]);
      /** @type {Map<number, number[]>} */
      const paths = new Map();
      for (const group of singles)
        for (const number of group.words) paths.set(number, [...(paths.get(number) ?? []), group.pairs[0]]);
      const symbolsMade = pairs.map(merged);
      Object.assign(current, apply(state, paths));
      current.symbolsMade = [...state.symbolsMade, ...symbolsMade];
      current.merges = state.merges + pairs.length;
      current.node = draw(current.merges, current.words, current.symbolsMade);
      drawEdge(state.node, current.node, pairs, count, quiet);
      if (state.ways !== null)
        current.ways = pairs.length > MOST_ORDERED ? null : state.ways * perm(pairs.length, pairs.length);
      if (withHistories) {
        const learned = symbolsMade.reduce((bits, symbol) => bits | (1n << BigInt(symbol)), 0n);
        current.histories = extended(new Set(), state.histories, [learned]);
      }
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
            withHistories,
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
   * @param {{cut: boolean, alone: boolean, withHistories: boolean}} options
   * @yields when the work could be ended
   * @returns {Generator<void, {state: State, depth: number}[]>}
   */
  function* throughGroup(before, earlier, group, count, { cut, alone, withHistories }) {
    const nodesAt = [[before.node]];
    const after = [];
    for (const [depth, locals] of group.depths.entries()) {
      yield* look();
      if (depth) nodesAt.push([]);
      for (const local of locals) {
        if (!depth) continue;
        const symbolsMade = [...before.symbolsMade, ...local.path.map(merged)];
        const merges = before.merges + depth;
        const words = wordsAfter(before.words, group.words, local.path);
        const node = draw(merges, words, symbolsMade);
        nodesAt[depth].push(node);
        if (local.tied.length) continue;
        const state = { ...before, merges, symbolsMade, node };
        Object.assign(state, apply(before, new Map(group.words.map((number) => [number, local.path]))));
        if (before.ways !== null) {
          const many = before.ways * local.ways * comb(earlier + depth, depth);
          state.ways = many < MOST_WAYS ? many : null;
        }
        if (withHistories)
          state.histories =
            local.histories === null ? null : extended(new Set(), before.histories, local.histories);
        after.push({ state, depth: earlier + depth });
      }
    }
    for (const [depth, locals] of group.depths.entries()) {
      for (const [index, local] of locals.entries()) {
        const overlapping = local.tied.length > 1 ? overlappingPairs(local) : new Set();
        for (const [pair, target] of local.leaving) {
          const isTied = !alone || local.tied.length > 1;
          const choice = overlapping.has(pair) ? "choice" : "order only";
          const kind = isTied ? (cut ? "open" : choice) : "none";
          drawEdge(nodesAt[depth][index], nodesAt[depth + 1][target], [pair], count, kind);
        }
      }
    }
    return after;
  }

  /** Return the tied pairs of a group that overlap another one of them. @param {Local} local */
  function overlappingPairs({ words, tied }) {
    const some = new Set(tied);
    /** @type {Set<number>} */
    const overlapping = new Set();
    for (const form of words) {
      const pairs = allPairs(forms[form]);
      for (let at = 1; at < pairs.length; at++) {
        const [before, after] = [pairs[at - 1], pairs[at]];
        if (before !== after && some.has(before) && some.has(after)) {
          overlapping.add(before);
          overlapping.add(after);
        }
      }
    }
    return overlapping;
  }

  /** @param {Delta} words @param {number[]} numbers @param {number[]} path */
  function wordsAfter(words, numbers, path) {
    const after = new Map(words);
    for (const number of numbers) {
      const old = formAt(words, number);
      const next = merge(old, path);
      if (next !== old) after.set(number, next);
    }
    return after;
  }

  // The levels

  /**
   * Sort states into those that go on and those where training ends.
   * @param {State[]} states
   * @param {number} bound
   */
  function arrive(states, bound) {
    for (const state of states) {
      const before = frontier.get(state.node) ?? ended.get(state.node);
      if (before) {
        join(before, state);
        continue;
      }
      findTop(state, bound);
      (state.topCount < minCount ? ended : frontier).set(state.node, state);
    }
  }

  /** @param {Map<number, bigint | null>} more */
  function addWays(more) {
    for (const [merges, number] of more) {
      const before = ways.has(merges) ? (ways.get(merges) ?? null) : 0n;
      const total = before === null || number === null ? null : before + number;
      ways.set(merges, total === null || total >= MOST_WAYS ? null : total);
    }
  }

  /** @param {number} merges */
  function knowUntil(merges) {
    knownUntil = knownUntil === null ? merges : Math.min(knownUntil, merges);
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
      meetVocabularies(states, null, true);
      makeCommon(states[0]);
      beginLevel(states);
    }
    /** @type {Map<number, Group[]>} */
    const groupsAt = new Map();
    /** @type {Map<string, Group>} */
    const known = new Map();
    for (const state of states) {
      const room = limit - state.merges;
      const groups = groupsOf(state, states.length > 1);
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
    }
    /** @type {State[]} */
    let arrived;
    let cut;
    try {
      const isTooMany = [...groupsAt.values()].some(
        (groups) =>
          groups.some((group) => group.exceeded) ||
          groups.reduce((all, group) => (group.cut ? all : all * finalsOf(group).length), 1) > mostSplits,
      );
      if (isTooMany) throw new ListingEnd("splits");
      ({ arrived, cut } = yield* waysThrough(states, groupsAt, alone));
    } catch (error) {
      if (!(error instanceof ListingEnd)) throw error;
      yield* addFigures(states, groupsAt, alone, true);
      for (const state of states) {
        frontier.delete(state.node);
        knowUntil(state.merges + knownDepth(state, groupsAt.get(state.node) ?? []));
      }
      throw error;
    }
    yield* addFigures(states, groupsAt, alone, false);
    for (const state of states) frontier.delete(state.node);
    if (cut) cutAt = Math.max(cutAt, count);
    const isBottleneck = arrived.length === 1 && !frontier.size && !ended.size && !cutAt;
    meetVocabularies(arrived, alone ? (groupsAt.get(states[0].node) ?? []) : null, isBottleneck);
    if (isBottleneck) makeCommon(arrived[0]);
    arrive(arrived, count - 1);
    const all = [...frontier.values(), ...ended.values()];
    if (count > cutAt) ends.set(count, BigInt(new Set(all.map(({ node }) => nodes[node].segmentation)).size));
    beginLevel(all);
  }

  /** Forget the segmentations that do not come again: all but those of these states. @param {State[]} states */
  function beginLevel(states) {
    keyOf = new Map(states.map(({ node }) => [node, keyOf.get(node) ?? ""]));
    nodeOf = new Map([...keyOf].map(([node, key]) => [`${nodes[node].merges} ${key}`, node]));
    segmentationOf = new Map([...keyOf].map(([node, key]) => [key, nodes[node].segmentation]));
    stored = sumOf(states.map((state) => 2 * state.words.size + state.counts.size));
  }

  // What is counted

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
   * Add the numbers of segmentations, ways and vocabularies between the beginning and the end of a level.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt
   * @param {boolean} alone
   * @param {boolean} withFinals  whether the segmentations at the end count
   * @yields when the work could be ended
   * @returns {Generator<void, void>}
   */
  function* addFigures(states, groupsAt, alone, withFinals) {
    const numbers = yield* splitsOf(states, groupsAt, withFinals);
    if (numbers === null) knowUntil(Math.min(...states.map(({ merges }) => merges)));
    else for (const [merges, number] of numbers) splits.set(merges, (splits.get(merges) ?? 0n) + number);
    /** @type {Map<string, [bigint[], bigint[]]>} */
    const orders = new Map();
    for (const state of states) {
      const groups = groupsAt.get(state.node) ?? [];
      addWays(waysOf(state, groups, orders, withFinals));
      addSets(state, groups, alone);
    }
  }

  /**
   * Return the number of segmentations in a level by number of merges; null if there are too many to compare.
   * @param {State[]} states
   * @param {Map<number, Group[]>} groupsAt
   * @param {boolean} withFinals
   * @yields when the work could be ended
   * @returns {Generator<void, Map<number, bigint> | null>}
   */
  function* splitsOf(states, groupsAt, withFinals) {
    const groupsIn = (/** @type {State} */ state) => groupsAt.get(state.node) ?? [];
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
      states.forEach(({ merges }, index) => (least = merges < states[least].merges ? index : least));
      shared = same.flatMap((spots) => bySpots[least].get(spots) ?? []);
      apart = new Map(
        states.map((state) => [state.node, groupsIn(state).filter((group) => !isSame.has(group.spots))]),
      );
    }
    const compared = yield* comparedStates(states, apart);
    if (compared === null) return null;
    const room = limit - Math.min(...states.map(({ merges }) => merges));
    const singles = shared.filter(isOneMerge).length;
    let allDepths = rangeOf(Math.min(singles, room) + 1, (depth) => comb(singles, depth));
    let finalDepths = [...rangeOf(singles, () => 0n), 1n];
    for (const group of shared) {
      if (isOneMerge(group)) continue;
      const sizes = group.depths.map((locals) => BigInt(locals.length));
      const finalSizes = group.depths.map((locals) =>
        BigInt(locals.filter(({ tied }) => !tied.length).length),
      );
      allDepths = convolved(allDepths, sizes, room);
      finalDepths = convolved(finalDepths, finalSizes, room);
    }
    /** @type {Map<number, bigint>} */
    const numbers = new Map();
    const add = (
      /** @type {Map<number, Set<string>>} */ begins,
      /** @type {bigint[]} */ depths,
      /** @type {bigint} */ sign,
    ) => {
      for (const [merges, keys] of begins)
        for (const [depth, more] of depths.entries())
          if (merges + depth <= limit) {
            const before = numbers.get(merges + depth) ?? 0n;
            numbers.set(merges + depth, before + sign * BigInt(keys.size) * more);
          }
    };
    add(compared.every, allDepths, 1n);
    add(compared.final, finalDepths, withFinals ? 0n : -1n);
    return numbers;
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
    for (const state of states) {
      yield* look();
      /** @type {{words: Delta, depth: number, isFinal: boolean}[]} */
      let reached = [{ words: state.words, depth: 0, isFinal: true }];
      for (const group of groupsAt.get(state.node) ?? [])
        reached = reached.flatMap((before) =>
          group.depths.flatMap((locals, depth) =>
            locals.map((local) => ({
              words: wordsAfter(before.words, group.words, local.path),
              depth: before.depth + depth,
              isFinal: before.isFinal && !local.tied.length,
            })),
          ),
        );
      for (const { words, depth, isFinal } of reached) {
        const [key, merges] = [keyOfWords(words), state.merges + depth];
        filed(every, merges).add(key);
        if (isFinal) filed(final, merges).add(key);
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
   * @returns {Map<number, bigint | null>}
   */
  function waysOf(state, groups, orders, withFinals) {
    const room = limit - state.merges;
    const singles = groups.filter(isOneMerge).length;
    const longest = Math.min(room, sumOf(groups.map((group) => group.depths.length - 1)));
    const { ways: before } = state;
    if (before === null || singles > MOST_ORDERED)
      return new Map(rangeOf(longest + 1, (depth) => [state.merges + depth, null]));
    const key = groups
      .map(({ number }) => number)
      .toSorted((one, other) => one - other)
      .join(",");
    let known = orders.get(key);
    if (!known) {
      let every = rangeOf(Math.min(singles, room) + 1, (depth) => perm(singles, depth));
      let final = [...rangeOf(singles, () => 0n), perm(singles, singles)];
      for (const group of groups) {
        if (isOneMerge(group)) continue;
        const all = group.depths.map((locals) => locals.reduce((total, local) => total + local.ways, 0n));
        const last = group.depths.map((locals) =>
          locals.reduce((total, local) => (local.tied.length ? total : total + local.ways), 0n),
        );
        every = convolved(every, all, room, comb);
        final = convolved(final, last, room, comb);
      }
      known = [every, final];
      orders.set(key, known);
    }
    const [every, final] = known;
    return new Map(
      every.map((number, depth) => [
        state.merges + depth,
        before * (number - (withFinals ? 0n : (final[depth] ?? 0n))),
      ]),
    );
  }

  /**
   * Count or list the sets of tokens that are learned in a level.
   * @param {State} state
   * @param {Group[]} groups
   * @param {boolean} alone
   */
  function addSets(state, groups, alone) {
    const room = limit - state.merges;
    if (state.histories === null) {
      const longest = Math.min(room, sumOf(groups.map((group) => group.depths.length - 1)));
      for (let depth = 1; depth <= longest; depth++) sets.set(state.merges + depth, null);
      return;
    }
    const singles = groups.filter(isOneMerge);
    const others = groups.filter((group) => !isOneMerge(group));
    const setsOf = others.map((group) =>
      group.depths.map((locals) => united(locals.map(({ histories }) => histories))),
    );
    const longest = Math.min(room, singles.length + sumOf(others.map((group) => group.depths.length - 1)));
    const isKnown = setsOf.every((depths) => depths.every((some) => some !== null));
    let numbers = rangeOf(Math.min(singles.length, room) + 1, (depth) => comb(singles.length, depth));
    for (const depths of setsOf)
      numbers = convolved(
        numbers,
        depths.map((some) => BigInt(some?.size ?? 0)),
        room,
      );
    const total = isKnown
      ? BigInt(state.histories.size) * numbers.reduce((all, number) => all + number, 0n)
      : null;
    const aligned = groups.every((group) => new Set(finalsOf(group).map(({ depth }) => depth)).size <= 1);
    if (alone && isKnown && (aligned || total === null || total > MOST_SETS)) {
      // All ways pass here, and what they learn from here on is new to all of them.
      const least = sumOf(groups.map(shortest));
      for (const [depth, number] of numbers.entries()) {
        const oneLevel = depth <= least || aligned;
        const merges = state.merges + depth;
        if (!vocabularies.has(merges)) vocabularies.set(merges, oneLevel ? product([factor, number]) : null);
      }
    } else if (total === null || total > MOST_SETS) {
      for (let depth = 1; depth <= longest; depth++) sets.set(state.merges + depth, null);
    } else {
      /** @type {Map<number, Set<bigint>>} */
      let learned = new Map([[0, new Set(state.histories)]]);
      /** @type {Histories[][]} */
      const parts = [
        ...singles.map((group) => [new Set([0n]), new Set([1n << BigInt(merged(group.pairs[0]))])]),
        ...setsOf,
      ];
      for (const part of parts) {
        /** @type {Map<number, Set<bigint>>} */
        const longer = new Map();
        for (const [before, histories] of learned)
          for (const [depth, some] of part.entries())
            if (before + depth <= room) {
              const into = filed(longer, before + depth);
              for (const one of histories) for (const other of some ?? []) into.add(one | other);
            }
        learned = longer;
      }
      for (const [depth, histories] of learned) {
        const merges = state.merges + depth;
        const before = sets.has(merges) ? (sets.get(merges) ?? null) : new Set();
        if (before !== null) for (const one of histories) before.add(one);
        sets.set(merges, before);
      }
    }
  }

  /**
   * Count the vocabularies after a level.
   * @param {State[]} arrived
   * @param {Group[] | null} groups  those where it began, if all ways passed one state
   * @param {boolean} isBottleneck
   */
  function meetVocabularies(arrived, groups, isBottleneck) {
    if (isBottleneck) {
      const [state] = arrived;
      const learned =
        groups !== null && groups.every((group) => finalsOf(group).length === 1)
          ? product(
              groups.flatMap((group) =>
                finalsOf(group).map(({ local }) =>
                  local.histories === null ? null : BigInt(local.histories.size),
                ),
              ),
            )
          : state.histories && BigInt(state.histories.size);
      flushSets();
      factor = product([factor, learned]);
      if (!vocabularies.has(state.merges)) vocabularies.set(state.merges, factor);
      state.histories = new Set([0n]);
      return;
    }
    const states = [...arrived, ...frontier.values()];
    if (new Set(states.map(({ merges }) => merges)).size === 1 && !ended.size && !cutAt)
      sets.set(states[0].merges, united(states.map(({ histories }) => histories)));
  }

  function flushSets() {
    for (const [merges, some] of sets)
      if (!vocabularies.has(merges)) vocabularies.set(merges, product([factor, some && BigInt(some.size)]));
    sets.clear();
  }

  /** @returns {TieGraph} */
  function result(/** @type {Stopped} */ stopped, /** @type {number} */ first) {
    flushSets();
    const last = Math.max(0, ...splits.keys());
    const until = knownUntil === null ? last : Math.min(knownUntil, last);
    const numbers = rangeOf(until + 1, (merges) => merges);
    if (byNumber && until === limit) stopped = ""; // what comes after it is not asked for
    const leastEnd = ends.size ? Math.min(...ends.keys()) : first + 1;
    const complete = byNumber ? (stopped || until < last ? until : null) : stopped ? leastEnd : null;
    /** @type {bigint | null} */
    let results = null;
    if (!allListed && until === limit && !ended.size) results = splits.get(limit) ?? null;
    else if (allListed && (knownUntil === null || !cutAt)) {
      results = BigInt(new Set([...ended.keys()].map((node) => nodes[node].segmentation)).size);
      if (cutAt) {
        const atLimit = [...ended.values()].filter(({ merges }) => merges === limit).length;
        results += (splits.get(limit) ?? 0n) - BigInt(atLimit);
      }
    }
    return {
      splits: numbers.map((merges) => splits.get(merges) ?? 0n),
      ends,
      complete,
      ways: numbers.map((merges) => ways.get(merges) ?? null),
      vocabularies: numbers.map((merges) => vocabularies.get(merges) ?? null),
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
    return {
      nodes: reached.map((number) => {
        const { merges, segmentation, epoch: own, inUse } = nodes[number];
        const before = nodes[lastMeeting[number]];
        const old = new Set(before.epoch === own ? before.inUse : []);
        const tokens = inUse.filter((symbol) => !old.has(symbol)).map((symbol) => symbols[symbol]);
        return { merges, segmentation, tokens, meeting: meetings.has(number) };
      }),
      edges: edgesOfWays.map(({ source, target, pairs, count, kind }) => {
        const isSame = leaving[source].every((other) => endsOf[other] === endsOf[source]);
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
    node: draw(0, new Map(), []),
    ways: 1n,
    histories: new Set([0n]),
    topCount: 0,
    tied: new Set(),
  };
  ways.set(0, 0n);
  vocabularies.set(0, 1n);
  /** @type {Stopped} */
  let stopped = "";
  const first = Math.max(0, ...byCount.keys());
  arrive([start], first);
  try {
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
  return result(stopped, first);
}

/** Whether a group is one pair, which makes no other pair of the same count. @param {Group} group */
function isOneMerge({ depths, pairs, exceeded, cut }) {
  return depths.length === 2 && pairs.length === 1 && !exceeded && !cut;
}

/** Return the segmentations in which nothing of a group is left to merge. @param {Group} group */
function finalsOf({ depths }) {
  return depths.flatMap((locals, depth) =>
    locals.flatMap((local) => (local.tied.length ? [] : [{ depth, local }])),
  );
}

/** Return the least number of merges after which nothing of a group can be left to merge. @param {Group} group */
function shortest(group) {
  const finals = finalsOf(group).map(({ depth }) => depth);
  return finals.length ? Math.min(...finals) : group.depths.length;
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
  state.histories = extended(state.histories, other.histories, [0n]);
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
 * Return the histories and those that continue the ones before; null if they are too many.
 * @param {Histories} histories
 * @param {Histories} before
 * @param {Iterable<bigint>} learned
 */
function extended(histories, before, learned) {
  if (histories === null || before === null) return null;
  for (const more of learned) {
    for (const history of before) histories.add(history | more);
    if (histories.size > MOST_SETS) return null;
  }
  return histories;
}

/** @param {Histories[]} several @returns {Histories} */
function united(several) {
  /** @type {Set<bigint>} */
  const all = new Set();
  for (const histories of several) {
    if (histories === null) return null;
    for (const history of histories) all.add(history);
  }
  return all;
}

/** Return the product; null if a number is not known, or if it has too many digits. @param {(bigint | null)[]} numbers */
function product(numbers) {
  let total = 1n;
  for (const number of numbers) {
    if (number === null || total >= MOST_WAYS) return null;
    total *= number;
  }
  return total < MOST_WAYS ? total : null;
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
