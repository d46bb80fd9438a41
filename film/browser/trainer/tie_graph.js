// Every way to break every tie of a training, as bpe/analysis/tie_graph.py lists them. Its first lines say why few orders of
// picks must be listed.
//
// Numbers that can be large (ways, vocabularies, splits) are BigInt.

/** @import {Group, Listing, ListingRequest, State, Stopped, TieGraph} from "./tie_listing.js" */
/** @import {Training} from "./training.js" */

import { sumOf } from "../shared/numbers.js";
import { addFigures, addWays, knowUntil, knownDepth, listOneByOne, rangeOf } from "./tie_figures.js";
import { exploreGroup, finals, tiedGroups } from "./tie_groups.js";
import { addNode, joinState, waysThrough } from "./tie_levels.js";
import { ListingEnd, entriesOf, look, newListing } from "./tie_listing.js";
import { SHIFT, countPairsOfText, findTop, makeCommon, readText } from "./tie_words.js";

/**
 * List every way. It yields whenever the work could be ended.
 * @param {ListingRequest} request
 * @yields when the work could be ended
 * @returns {Generator<void, TieGraph>}
 */
export function* tieGraphSteps(request) {
  const listing = newListing(request);
  readText(listing, request);
  const { frontier, ended, splits } = listing;
  /** @type {State} */
  const start = {
    merges: 0,
    words: new Map(),
    counts: new Map(),
    symbolsMade: [],
    node: yield* addNode(listing, 0, new Map(), []),
    ways: 1n,
    topCount: 0,
    tied: new Set(),
  };
  listing.ways.set(0, 0n);
  /** @type {Stopped} */
  let stopped = "";
  frontier.set(start.node, start);
  try {
    yield* countPairsOfText(listing);
    yield* listOneByOne(listing, start);
    frontier.delete(start.node);
    yield* sortStates(listing, [start], listing.first);
    while (frontier.size) {
      yield* look(listing);
      yield* listLevel(listing);
    }
  } catch (error) {
    if (!(error instanceof ListingEnd)) throw error;
    ({ stopped } = error);
    listing.allListed = false;
    // Only the beginning of what was not listed is known.
    for (const state of frontier.values()) knowUntil(listing, state.merges);
  }
  for (const state of [...frontier.values(), ...ended.values()]) {
    splits.set(state.merges, (splits.get(state.merges) ?? 0n) + 1n);
    addWays(listing, new Map([[state.merges, state.ways]]));
  }
  return graphOf(listing, stopped);
}

/**
 * List the merges of the highest count that any state has.
 * @param {Listing} listing
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
function* listLevel(listing) {
  const count = Math.max(...[...listing.frontier.values()].map(({ topCount }) => topCount));
  const states = [...listing.frontier.values()].filter(({ topCount }) => topCount === count);
  const alone = listing.frontier.size === 1 && !listing.ended.size && !listing.cutAt; // all ways pass this one
  if (alone && states[0].words.size) {
    makeCommon(listing, states[0]);
    beginLevel(listing, states);
  }
  /** @type {Map<number, Group[]>} */
  const groupsAt = new Map();
  /** @type {Map<string, Group>} */
  const known = new Map();
  for (const state of states) {
    const room = listing.limit - state.merges;
    const groups = yield* tiedGroups(listing, state, states.length > 1);
    for (const [index, group] of groups.entries()) {
      // At the same places the same happens, whatever differs elsewhere.
      const key = `${room} ${group.spots}`;
      const same = group.spots ? known.get(key) : undefined;
      if (same) groups[index] = same;
      else {
        yield* exploreGroup(listing, state, group, room);
        known.set(key, group);
      }
    }
    groupsAt.set(state.node, groups);
    listing.stored += groups.length;
  }
  /** @type {State[]} */
  let arrived;
  let cut;
  try {
    for (const groups of groupsAt.values()) {
      listing.sinceLook += groups.length;
      for (const { exceeded } of groups) if (exceeded) throw new ListingEnd(exceeded);
      if (groups.reduce((all, group) => (group.cut ? all : all * finals(group)), 1) > listing.mostSplits)
        throw new ListingEnd("splits");
    }
    ({ arrived, cut } = yield* waysThrough(listing, states, groupsAt));
  } catch (error) {
    if (!(error instanceof ListingEnd)) throw error;
    yield* addFigures(listing, states, groupsAt, true);
    for (const state of states) {
      listing.frontier.delete(state.node);
      knowUntil(listing, state.merges + knownDepth(listing, state, groupsAt.get(state.node) ?? []));
    }
    throw error;
  }
  yield* addFigures(listing, states, groupsAt, false);
  for (const state of states) listing.frontier.delete(state.node);
  if (cut) listing.cutAt = Math.max(listing.cutAt, count);
  if (arrived.length === 1 && !listing.frontier.size && !listing.ended.size && !listing.cutAt)
    makeCommon(listing, arrived[0]);
  yield* sortStates(listing, arrived, count - 1);
  const all = [...listing.frontier.values(), ...listing.ended.values()];
  if (count > listing.cutAt)
    listing.ends.set(count, BigInt(new Set(all.map(({ node }) => listing.nodes[node].segmentation)).size));
  beginLevel(listing, all);
}

/**
 * Sort states into those that go on and those where training ends. All go on at first, so that none is missing if the
 * listing ends here.
 * @param {Listing} listing
 * @param {State[]} states
 * @param {number} bound
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
function* sortStates(listing, states, bound) {
  const { frontier, ended } = listing;
  const added = [];
  for (const state of states) {
    const before = frontier.get(state.node) ?? ended.get(state.node);
    if (before) joinState(before, state);
    else {
      frontier.set(state.node, state);
      added.push(state);
    }
  }
  for (const state of added) {
    yield* findTop(listing, state, bound);
    if (state.topCount < listing.minCount) {
      frontier.delete(state.node);
      ended.set(state.node, state);
    }
  }
}

/**
 * Forget the segmentations that do not come again: all but those of these states.
 * @param {Listing} listing
 * @param {State[]} states
 */
function beginLevel(listing, states) {
  listing.keyOf = new Map(states.map(({ node }) => [node, listing.keyOf.get(node) ?? ""]));
  listing.nodeOf = new Map(
    [...listing.keyOf].map(([node, key]) => [`${listing.nodes[node].merges} ${key}`, node]),
  );
  listing.segmentationOf = new Map(
    [...listing.keyOf].map(([node, key]) => [key, listing.nodes[node].segmentation]),
  );
  listing.stored = sumOf(states.map((state) => entriesOf(state) + state.words.size));
}

/**
 * @param {Listing} listing
 * @returns {TieGraph}
 */
function graphOf(listing, /** @type {Stopped} */ stopped) {
  const last = Math.max(0, ...listing.splits.keys());
  const until = Math.min(listing.knownUntil, last);
  const numbers = rangeOf(until + 1, (after) => after);
  if (listing.byNumber && until === listing.limit) stopped = ""; // what comes after it is not asked for
  else if (!stopped && listing.knownUntil < Infinity) stopped = "figures";
  const leastEnd = listing.ends.size ? Math.min(...listing.ends.keys()) : listing.first + 1;
  const complete = !stopped ? null : listing.byNumber ? until : leastEnd;
  /** @type {bigint | null} */
  let results = null;
  if (!listing.allListed && until === listing.limit && !listing.ended.size)
    results = listing.splits.get(listing.limit) ?? null;
  else if (listing.allListed && (listing.knownUntil >= listing.limit || !listing.cutAt)) {
    results = BigInt(new Set([...listing.ended.keys()].map((node) => listing.nodes[node].segmentation)).size);
    if (listing.cutAt) {
      const atLimit = [...listing.ended.values()].filter((state) => state.merges === listing.limit).length;
      results += (listing.splits.get(listing.limit) ?? 0n) - BigInt(atLimit);
    }
  }
  return {
    splits: numbers.map((after) => listing.splits.get(after) ?? 0n),
    ends: listing.ends,
    complete,
    ways: numbers.map((after) => listing.ways.get(after) ?? null),
    vocabularies: numbers.map((after) => listing.vocabularies[after] ?? null),
    results,
    orders: listing.allListed ? ordersOf(listing) : null,
    ...spelledWays(listing, listing.allListed && listing.allDrawn),
    stopped,
    mostSplits: listing.mostSplits,
  };
}

/**
 * Return the number of ways in which training can go, from beginning to end.
 * @param {Listing} listing
 */
function ordersOf(listing) {
  const all = [...listing.ended.values()].map((state) => state.ways);
  if (listing.cutAt) {
    all.push(listing.ways.get(listing.limit) ?? null);
    for (const state of listing.ended.values())
      if (state.merges === listing.limit) all.push(state.ways === null ? null : -state.ways);
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
 * @param {Listing} listing
 * @param {boolean} whole
 */
function spelledWays(listing, whole) {
  /** @type {number[][]} */
  const leaving = listing.nodes.map(() => []);
  for (const { source, target } of listing.edges.values()) leaving[source].push(target);
  const reachable = new Set([0]);
  for (const number of reachable) for (const target of leaving[number]) reachable.add(target);
  const reached = [...reachable].toSorted((one, other) => one - other);
  const numberOf = new Map(reached.map((node, number) => [node, number]));
  const order = [...reached];
  order.sort((one, other) => listing.nodes[one].merges - listing.nodes[other].merges);
  /** @type {Set<number>} */
  const meetings = new Set();
  const pending = new Set([0]);
  let hasEnded = false;
  const lastMeeting = listing.nodes.map(() => 0);
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
  const endsOf = listing.nodes.map(() => 0n);
  for (const number of order.toReversed()) {
    for (const target of leaving[number]) endsOf[number] |= endsOf[target];
    if (leaving[number].length) continue;
    const { segmentation } = listing.nodes[number];
    if (!bitOf.has(segmentation)) bitOf.set(segmentation, bitOf.size);
    endsOf[number] = 1n << BigInt(bitOf.get(segmentation) ?? 0);
  }
  const edgesOfWays = [...listing.edges.values()].filter(({ source }) => reachable.has(source));
  /** @type {Map<string, bigint>} */
  const endsAfter = new Map();
  for (const { source, target, pairs, rivals } of edgesOfWays)
    if (rivals.length) endsAfter.set(`${source} ${pairs[0]}`, endsOf[target]);
  return {
    nodes: reached.map((number) => {
      const { merges: after, segmentation, epoch: own, inUse } = listing.nodes[number];
      const before = listing.nodes[lastMeeting[number]];
      const old = new Set(before.epoch === own ? before.inUse : []);
      const tokens = inUse.filter((symbol) => !old.has(symbol)).map((symbol) => listing.symbols[symbol]);
      return { merges: after, segmentation, tokens, meeting: meetings.has(number) };
    }),
    edges: edgesOfWays.map(({ source, target, pairs, count, kind, rivals }) => {
      const isSame = rivals.every((rival) => endsAfter.get(`${source} ${rival}`) === endsOf[target]);
      const spelled = pairs.map(
        (pair) =>
          /** @type {[string, string]} */ ([
            listing.symbols[Math.floor(pair / SHIFT)],
            listing.symbols[pair % SHIFT],
          ]),
      );
      const shownKind = kind !== "choice" ? kind : isSame ? "detour" : whole ? "fork" : kind;
      const nodesOfEdge = { source: numberOf.get(source) ?? 0, target: numberOf.get(target) ?? 0 };
      return { ...nodesOfEdge, pairs: spelled, count, kind: shownKind };
    }),
  };
}

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
