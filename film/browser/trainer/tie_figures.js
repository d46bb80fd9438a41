// How many splits, ways and vocabularies there are after each number of merges.

/** @import {Delta, Group, Listing, State} from "./tie_listing.js" */

import { sumOf } from "../shared/numbers.js";
import { finalSizes, isOneMerge, shortest } from "./tie_groups.js";
import { MOST_STORED, MOST_WAYS, SIZE, filed, look, spend } from "./tie_listing.js";
import { applyMerges, findTop, keyOfWords, symbolOf, wordsAfter, wordsWith } from "./tie_words.js";

const MOST_LISTED_WAYS = 5_000;

const MOST_COPIED = 1_000_000;

/**
 * Add the numbers of segmentations and ways between the beginning and the end of a level.
 * @param {Listing} listing
 * @param {State[]} states
 * @param {Map<number, Group[]>} groupsAt
 * @param {boolean} withFinals  whether the segmentations at the end count
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* addFigures(listing, states, groupsAt, withFinals) {
  const { numbers, until } = yield* splitsOf(listing, states, groupsAt, withFinals);
  /** @type {Map<string, [bigint[], bigint[]]>} */
  const orders = new Map();
  const waysOfStates = [];
  for (const state of states)
    waysOfStates.push(yield* waysOf(listing, state, groupsAt.get(state.node) ?? [], orders, withFinals));
  for (const [after, number] of numbers)
    listing.splits.set(after, (listing.splits.get(after) ?? 0n) + number);
  for (const some of waysOfStates) addWays(listing, some);
  knowUntil(listing, until);
}

/**
 * Return the number of segmentations in a level by number of merges, and up to which one it is known.
 * @param {Listing} listing
 * @param {State[]} states
 * @param {Map<number, Group[]>} groupsAt
 * @param {boolean} withFinals
 * @yields when the work could be ended
 * @returns {Generator<void, {numbers: Map<number, bigint>, until: number}>}
 */
function* splitsOf(listing, states, groupsAt, withFinals) {
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
  const compared = yield* comparedStates(listing, states, apart);
  if (compared === null) {
    // The states themselves differ.
    const number = BigInt(states.filter((state) => state.merges === fewest).length);
    return { numbers: new Map([[fewest, number]]), until: fewest };
  }
  const room = listing.limit - fewest;
  let most = room;
  const singles = shared.filter(isOneMerge).length;
  let allDepths = binomials(singles, room, MOST_WAYS);
  if (allDepths.length <= Math.min(singles, room)) most = allDepths.length - 1;
  /** @type {bigint[]} */
  let finalDepths = rangeOf(Math.min(singles, most) + 1, (depth) => (depth === singles ? 1n : 0n));
  for (const group of shared) {
    if (isOneMerge(group)) continue;
    yield* spend(listing, allDepths.length * group.depths.length);
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
  return { numbers, until: most === room ? Infinity : fewest + most };
}

/**
 * Return which segmentations the groups of several states lead to, by number of merges; null if they are too many.
 * @param {Listing} listing
 * @param {State[]} states
 * @param {Map<number, Group[]>} groupsAt
 * @yields when the work could be ended
 * @returns {Generator<void, {every: Map<number, Set<string>>, final: Map<number, Set<string>>} | null>}
 */
function* comparedStates(listing, states, groupsAt) {
  const many = states.map((state) =>
    (groupsAt.get(state.node) ?? []).reduce(
      (all, group) => all * sumOf(group.depths.map((locals) => locals.length)),
      1,
    ),
  );
  if (sumOf(many) > 16 * listing.mostSplits) return null;
  /** @type {Map<number, Set<string>>} */
  const every = new Map();
  /** @type {Map<number, Set<string>>} */
  const final = new Map();
  let entries = 0;
  for (const state of states) {
    yield* look(listing);
    /** @type {{words: Delta, depth: number, isFinal: boolean}[]} */
    let reached = [{ words: state.words, depth: 0, isFinal: true }];
    for (const group of groupsAt.get(state.node) ?? []) {
      const further = [];
      for (const before of reached)
        for (const [depth, locals] of group.depths.entries())
          for (const local of locals)
            further.push({
              words: yield* wordsAfter(listing, before.words, group.words, local.path),
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
      yield* spend(listing, words.size);
    }
  }
  return { every, final };
}

/**
 * Return the number of orders that lead through a state into its level, by number of merges.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group[]} groups
 * @param {Map<string, [bigint[], bigint[]]>} orders  those of the groups of other states
 * @param {boolean} withFinals
 * @yields when the work could be ended
 * @returns {Generator<void, Map<number, bigint | null>>}
 */
function* waysOf(listing, state, groups, orders, withFinals) {
  const room = listing.limit - state.merges;
  const deepest = Math.min(room, sumOf(groups.map((group) => group.depths.length - 1)));
  /** @type {Map<number, bigint | null>} */
  const numbers = new Map(rangeOf(deepest + 1, (depth) => [state.merges + depth, null]));
  listing.sinceLook += groups.length + numbers.size;
  const { ways: before } = state;
  if (before === null) return numbers;
  const key = groups
    .map(({ number }) => number)
    .toSorted((one, other) => one - other)
    .join(",");
  let known = orders.get(key);
  if (!known) {
    known = yield* ordersThrough(listing, groups, room);
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
 * @param {Listing} listing
 * @param {Group[]} groups
 * @param {number} room
 * @yields when the work could be ended
 * @returns {Generator<void, [bigint[], bigint[]]>}
 */
function* ordersThrough(listing, groups, room) {
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
    yield* spend(listing, every.length * group.depths.length);
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

/**
 * Count the vocabularies after 0, 1, … merges as long as the ways are few: each way is followed by itself.
 * @param {Listing} listing
 * @param {State} start
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* listOneByOne(listing, start) {
  // Their orders, and what they learn: a bit for each symbol.
  let followed = new Map([["", { state: start, orders: 1, learned: new Set([0n]) }]]);
  let total = 0;
  while (listing.vocabularies.length <= listing.limit && total <= MOST_COPIED) {
    let number = 0;
    let entries = -listing.entriesMade;
    for (const { state, orders } of followed.values()) {
      yield* findTop(listing, state, state.topCount || listing.first);
      if (state.topCount < listing.minCount) state.tied = new Set();
      number += orders * state.tied.size;
      if (number > MOST_LISTED_WAYS) return;
    }
    if (!number) return;
    /** @type {typeof followed} */
    const following = new Map();
    for (const { state, orders, learned } of followed.values())
      for (const pair of [...state.tied].toSorted((one, other) => one - other)) {
        const paths = new Map((yield* wordsWith(listing, state, [pair])).map((word) => [word, [pair]]));
        const after = yield* applyMerges(listing, state, paths);
        entries += paths.size + after.words.size + after.counts.size + learned.size;
        if (entries + listing.entriesMade > MOST_COPIED / 5) return;
        const key = keyOfWords(after.words);
        let reached = following.get(key);
        if (!reached) {
          reached = { state: { ...state, ...after }, orders: 0, learned: new Set() };
          following.set(key, reached);
        }
        reached.orders += orders;
        const symbol = 1n << BigInt(symbolOf(listing, pair));
        for (const vocabulary of learned) reached.learned.add(vocabulary | symbol);
      }
    followed = following;
    total += entries + listing.entriesMade;
    const all = new Set([...followed.values()].flatMap(({ learned }) => [...learned]));
    listing.vocabularies.push(BigInt(all.size));
  }
}

/**
 * Return after how many merges of an unfinished level all segmentations are known.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group[]} groups
 */
export function knownDepth(listing, state, groups) {
  const exceeded = groups.filter((group) => group.exceeded).map((group) => group.depths.length - 1);
  return Math.min(...exceeded, sumOf(groups.map(shortest)), listing.limit - state.merges);
}

/**
 * @param {Listing} listing
 * @param {Map<number, bigint | null>} more
 */
export function addWays(listing, more) {
  for (const [after, number] of more) {
    const before = listing.ways.has(after) ? (listing.ways.get(after) ?? null) : 0n;
    const total = before === null || number === null ? null : before + number;
    listing.ways.set(after, total === null || total >= MOST_WAYS ? null : total);
  }
}

/**
 * @param {Listing} listing
 * @param {number} after
 */
export function knowUntil(listing, after) {
  listing.knownUntil = Math.min(listing.knownUntil, after);
}

/**
 * Return how many sets of 0, 1, … `most` things there are among some; the list ends before `below`.
 * @param {number} of
 * @param {number} most
 * @param {bigint} below
 */
export function binomials(of, most, below) {
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
export function rangeOf(length, make) {
  return Array.from({ length: Math.max(0, length) }, (_, at) => make(at));
}

/** @param {number} of @param {number} chosen */
export function perm(of, chosen) {
  let total = 1n;
  for (let at = 0; at < chosen; at++) total *= BigInt(of - at);
  return total;
}

/** @param {number} of @param {number} chosen */
export function comb(of, chosen) {
  return chosen > of ? 0n : perm(of, chosen) / perm(chosen, chosen);
}
