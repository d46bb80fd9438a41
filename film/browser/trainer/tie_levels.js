// The nodes and edges of one level: of what happens at one count.

/** @import {Delta, Group, Kind, Listing, State} from "./tie_listing.js" */

import { sumOf } from "../shared/numbers.js";
import { binomials, comb, perm } from "./tie_figures.js";
import { exploreGroup, isOneMerge, longest, newGroup, rivalsOfLocal, shortest } from "./tie_groups.js";
import { ListingEnd, MOST_WAYS, NONE, SIZE, entriesOf, listed, look, spend } from "./tie_listing.js";
import { applyMerges, keyOfWords, symbolOf, wordsAfter } from "./tie_words.js";

// More pairs in any order than this have more orders than MOST_WAYS.
const MOST_ORDERED = 500;

/**
 * Draw the ways through one level. Return the states after it, and whether the limit of merges cuts some off.
 * @param {Listing} listing
 * @param {State[]} states
 * @param {Map<number, Group[]>} groupsAt  by node
 * @yields when the work could be ended
 * @returns {Generator<void, {arrived: State[], cut: boolean}>}
 */
export function* waysThrough(listing, states, groupsAt) {
  /** @type {Map<number, State>} */
  const arrived = new Map();
  let cut = false;
  for (const state of states) {
    let groups = groupsAt.get(state.node) ?? [];
    const room = listing.limit - state.merges;
    listing.sinceLook += groups.length;
    if (sumOf(groups.map(longest)) > room || groups.some((group) => group.cut)) {
      // Now it matters which pairs are merged before the end: all orders must be listed.
      cut = true;
      const joint = yield* jointGroup(listing, state, groups, room);
      if (joint === null) {
        if (sumOf(groups.map(shortest)) <= room) throw new ListingEnd("splits");
        listing.allDrawn = false;
        continue;
      }
      groups = [joint];
    }
    for (const reached of yield* throughLevel(listing, state, groups, cut)) {
      const before = arrived.get(reached.node);
      if (before) joinState(before, reached);
      else {
        arrived.set(reached.node, reached);
        listing.stored += entriesOf(reached);
        if (arrived.size > listing.mostSplits) throw new ListingEnd("splits");
      }
    }
  }
  return { arrived: [...arrived.values()], cut };
}

/**
 * Return all tied pairs of a state as one group; null if that is too much to list.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group[]} groups
 * @param {number} room
 * @yields when the work could be ended
 * @returns {Generator<void, Group | null>}
 */
function* jointGroup(listing, state, groups, room) {
  const singles = groups.filter(isOneMerge).length;
  const most = Math.min(room, Math.floor(singles / 2));
  // Different sets of pairs that overlap nowhere lead to different segmentations.
  if (binomials(singles, most, BigInt(listing.mostSplits + 1)).length <= most) return null;
  const words = new Set(groups.flatMap((group) => group.words));
  const joint = newGroup(
    listing,
    [...state.tied],
    [...words].toSorted((one, other) => one - other),
    "",
  );
  const before = listing.stored;
  yield* exploreGroup(listing, state, joint, room);
  if (!joint.exceeded) return joint;
  listing.stored = before;
  return null;
}

/**
 * Draw the ways of one state through a level: the pairs that overlap none, then one group after another.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group[]} groups
 * @param {boolean} cut
 * @yields when the work could be ended
 * @returns {Generator<void, State[]>}
 */
function* throughLevel(listing, state, groups, cut) {
  const count = state.topCount;
  const quiet = state.tied.size === 1 ? "none" : cut ? "open" : "order only";
  const singles = groups.filter(isOneMerge);
  const current = { ...state };
  if (singles.length) {
    const pairs = singles.map((group) => group.pairs[0]);
    /** @type {Map<number, number[]>} */
    const paths = new Map();
    for (const group of singles) for (const number of group.words) listed(paths, number).push(group.pairs[0]);
    Object.assign(current, yield* applyMerges(listing, state, paths));
    current.symbolsMade = [...state.symbolsMade, ...pairs.map((pair) => symbolOf(listing, pair))];
    current.merges = state.merges + pairs.length;
    current.node = yield* addNode(listing, current.merges, current.words, current.symbolsMade);
    addEdge(listing, state.node, current.node, pairs, count, quiet);
    if (state.ways !== null)
      current.ways = pairs.length > MOST_ORDERED ? null : state.ways * perm(pairs.length, pairs.length);
  }
  let reached = [{ state: current, depth: singles.length }];
  for (const group of groups) {
    if (isOneMerge(group)) continue;
    const following = [];
    for (const before of reached)
      following.push(
        ...(yield* throughGroup(listing, before.state, before.depth, group, count, {
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
 * @param {Listing} listing
 * @param {State} before
 * @param {number} earlier
 * @param {Group} group
 * @param {number} count
 * @param {{cut: boolean, alone: boolean}} options
 * @yields when the work could be ended
 * @returns {Generator<void, {state: State, depth: number}[]>}
 */
function* throughGroup(listing, before, earlier, group, count, { cut, alone }) {
  const nodesAt = [[before.node]];
  const after = [];
  for (const [depth, locals] of group.depths.entries()) {
    yield* look(listing);
    if (depth) nodesAt.push([]);
    for (const local of locals) {
      if (!depth) continue;
      const symbolsMade = [...before.symbolsMade, ...local.path.map((pair) => symbolOf(listing, pair))];
      const words = yield* wordsAfter(listing, before.words, group.words, local.path);
      const node = yield* addNode(listing, before.merges + depth, words, symbolsMade);
      nodesAt[depth].push(node);
      if (local.tied.length) continue;
      const state = { ...before, merges: before.merges + depth, symbolsMade, node };
      const paths = new Map(group.words.map((number) => [number, local.path]));
      Object.assign(state, yield* applyMerges(listing, before, paths));
      if (before.ways !== null) {
        const many = before.ways * local.ways * comb(earlier + depth, depth);
        state.ways = many < MOST_WAYS ? many : null;
      }
      after.push({ state, depth: earlier + depth });
    }
  }
  for (const [depth, locals] of group.depths.entries()) {
    for (const [index, local] of locals.entries()) {
      const rivalsAt = local.tied.length > 1 ? rivalsOfLocal(listing, local) : new Map();
      for (const [pair, target] of local.leaving) {
        const isTied = !alone || local.tied.length > 1;
        const rivals = [...(rivalsAt.get(pair) ?? NONE)];
        const choice = rivals.length ? "choice" : "order only";
        const kind = isTied ? (cut ? "open" : choice) : "none";
        const [source, next] = [nodesAt[depth][index], nodesAt[depth + 1][target]];
        addEdge(listing, source, next, [pair], count, kind, kind === "choice" ? rivals : NONE);
      }
    }
  }
  return after;
}

/**
 * Return the number of a node. `symbolsMade` holds the symbols that were learned on one way to it.
 * @param {Listing} listing
 * @param {number} after  merges
 * @param {Delta} words
 * @param {number[]} symbolsMade
 * @yields when the work could be ended
 * @returns {Generator<void, number>}
 */
export function* addNode(listing, after, words, symbolsMade) {
  yield* spend(listing, words.size + symbolsMade.length);
  const key = keyOfWords(words);
  const nodeKey = `${after} ${key}`;
  const known = listing.nodeOf.get(nodeKey);
  if (known !== undefined) return known;
  if (!listing.segmentationOf.has(key)) listing.segmentationOf.set(key, listing.segmentations++);
  /** @type {Set<number>} */
  const used = new Set();
  for (const form of words.values()) {
    for (const token of listing.forms[form]) used.add(token);
    listing.sinceLook += listing.forms[form].length;
  }
  const inUse = symbolsMade.filter((symbol) => used.has(symbol));
  listing.nodeOf.set(nodeKey, listing.nodes.length);
  listing.keyOf.set(listing.nodes.length, key);
  const segmentation = listing.segmentationOf.get(key) ?? 0;
  listing.nodes.push({ merges: after, segmentation, epoch: listing.epoch, inUse });
  listing.stored += words.size;
  listing.entriesDrawn += SIZE.node + inUse.length;
  if (listing.nodes.length > 32 * listing.mostSplits + 10 * after) throw new ListingEnd("splits");
  return listing.nodes.length - 1;
}

/**
 * @param {Listing} listing
 * @param {number} source
 * @param {number} target
 * @param {number[]} pairs
 * @param {number} count
 * @param {Kind} kind
 * @param {number[]} [rivals]
 */
function addEdge(listing, source, target, pairs, count, kind, rivals = NONE) {
  const key = `${source} ${target} ${pairs.join(",")}`;
  if (listing.edges.has(key)) return;
  listing.edges.set(key, { source, target, pairs, count, kind, rivals });
  listing.entriesDrawn += SIZE.edge + 8 * pairs.length + rivals.length;
}

/** Add the ways of another state with the same segmentation. @param {State} state @param {State} other */
export function joinState(state, other) {
  state.ways = state.ways === null || other.ways === null ? null : state.ways + other.ways;
}
