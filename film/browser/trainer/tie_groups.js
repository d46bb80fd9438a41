// Groups of tied pairs that overlap, and every way to merge the pairs of one.

/** @import {Group, Listing, Local, State} from "./tie_listing.js" */

import { sumOf } from "../shared/numbers.js";
import { NONE, SIZE, filed, isFull, listed, look, spend } from "./tie_listing.js";
import { SHIFT, allPairs, countOf, formAt, mergeForm, symbolOf, wordsWith } from "./tie_words.js";

/**
 * Return the groups of overlapping pairs among the tied pairs of a state, by first occurrence.
 * @param {Listing} listing
 * @param {State} state
 * @param {boolean} withSpots
 * @yields when the work could be ended
 * @returns {Generator<void, Group[]>}
 */
export function* tiedGroups(listing, state, withSpots) {
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
  for (const number of yield* wordsWith(listing, state, tied)) {
    const tokens = listing.forms[formAt(listing, state.words, number)];
    yield* spend(listing, tokens.length);
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
      before += listing.initialLengths[tokens[at]];
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
      listing,
      pairs,
      [...inWords].toSorted((one, other) => one - other),
      at.toSorted().join(";"),
    );
  });
}

/**
 * @param {Listing} listing
 * @param {number[]} pairs
 * @param {number[]} words
 * @param {string} spots
 * @returns {Group}
 */
export function newGroup(listing, pairs, words, spots) {
  return { number: listing.groupNumber++, pairs, words, spots, depths: [], exceeded: "", cut: false };
}

/**
 * List every way to merge the pairs of a group, at most so many of them.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group} group
 * @param {number} most
 * @yields when the work could be ended
 * @returns {Generator<void, void>}
 */
export function* exploreGroup(listing, state, group, most) {
  const words = group.words.map((number) => formAt(listing, state.words, number));
  const tied = group.pairs.toSorted((one, other) => one - other);
  /** @type {Local[]} */
  let last = [{ words, tied, changes: new Map(), path: NONE, ways: 1n, leaving: [] }];
  group.depths = [last];
  const spots = group.spots ? group.spots.split(";").length : 0;
  listing.stored += SIZE.local + 2 * words.length + 2 * tied.length + SIZE.item * spots;
  let soFar = 1;
  while (last.some((local) => local.tied.length)) {
    yield* look(listing);
    if (group.depths.length > most) {
      group.cut = true;
      return;
    }
    const following = yield* followers(listing, state, group, soFar);
    if (group.exceeded) return;
    for (const local of last) {
      listing.stored -= SIZE.item * local.changes.size;
      local.changes = new Map();
    }
    last = following;
    soFar += last.length;
    group.depths.push(last);
  }
}

/**
 * Return the segmentations after one more merge; sets `exceeded` if there are too many.
 * @param {Listing} listing
 * @param {State} state
 * @param {Group} group
 * @param {number} soFar  how many segmentations of the group are listed
 * @yields when the work could be ended
 * @returns {Generator<void, Local[]>}
 */
function* followers(listing, state, group, soFar) {
  const most = Math.min(listing.mostSplits, 8 * listing.mostSplits - soFar);
  /** @type {Local[]} */
  const following = [];
  const last = group.depths[group.depths.length - 1];
  // Different pairs lead to different segmentations.
  if (last.some(({ tied }) => tied.length > most)) {
    group.exceeded = "splits";
    return following;
  }
  const frequent = group.words.map((number) => listing.frequencies[number]);
  /** @type {Map<string, number>} */
  const indexOf = new Map();
  for (const local of last) {
    yield* look(listing);
    for (const pair of local.tied) {
      const next = local.words.map((form) => mergeForm(listing, form, pair).form);
      const key = next.join(",");
      let index = indexOf.get(key);
      if (index === undefined) {
        if (following.length === most) {
          group.exceeded = "splits";
          return following;
        }
        index = following.length;
        indexOf.set(key, index);
        const added = nextLocal(listing, state, local, pair, next, frequent);
        following.push(added);
        listing.stored += SIZE.local + next.length + added.tied.length + added.path.length;
        listing.stored += SIZE.item * added.changes.size;
        if (isFull(listing)) {
          group.exceeded = "memory";
          return following;
        }
      }
      local.leaving.push([pair, index]);
      listing.stored += SIZE.item;
      following[index].ways += local.ways;
      yield* spend(listing, next.length + local.tied.length);
    }
  }
  return following;
}

/**
 * Return the segmentation after one more merge. Only pairs with the new symbol gain occurrences.
 * @param {Listing} listing
 * @param {State} state
 * @param {Local} local
 * @param {number} pair
 * @param {number[]} next
 * @param {number[]} frequent
 * @returns {Local}
 */
function nextLocal(listing, state, local, pair, next, frequent) {
  const token = symbolOf(listing, pair);
  const changes = new Map(local.changes);
  /** @type {Set<number>} */
  const touched = new Set();
  next.forEach((form, at) => {
    const before = local.words[at];
    if (form === before) return;
    const { pairs, times } = mergeForm(listing, before, pair);
    pairs.forEach((other, index) => {
      changes.set(other, (changes.get(other) ?? 0) + times[index] * frequent[at]);
      touched.add(other);
    });
  });
  const tied = local.tied.filter((other) => other !== pair && !touched.has(other));
  for (const other of touched) {
    const isNew = Math.floor(other / SHIFT) === token || other % SHIFT === token;
    if (isNew && countOf(listing, state, other) + (changes.get(other) ?? 0) === state.topCount)
      tied.push(other);
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

/**
 * Return for each tied pair of a group the other ones of them that overlap it, if any does.
 * @param {Listing} listing
 * @param {Local} local
 */
export function rivalsOfLocal(listing, { words, tied }) {
  const some = new Set(tied);
  /** @type {Map<number, Set<number>>} */
  const rivals = new Map();
  for (const form of words) {
    const pairs = allPairs(listing.forms[form]);
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

/** Whether a group is one pair, which makes no other pair of the same count. @param {Group} group */
export function isOneMerge({ depths, pairs, exceeded, cut }) {
  return depths.length === 2 && pairs.length === 1 && !exceeded && !cut;
}

/** Return by depth the number of segmentations in which nothing of a group is left to merge. @param {Group} group */
export function finalSizes({ depths }) {
  return depths.map((locals) => locals.filter(({ tied }) => !tied.length).length);
}

/** @param {Group} group */
export function finals(group) {
  return sumOf(finalSizes(group));
}

/** Return the least number of merges after which nothing of a group can be left to merge. @param {Group} group */
export function shortest(group) {
  const depth = finalSizes(group).findIndex((number) => number);
  return depth < 0 ? group.depths.length : depth;
}

/** Return the greatest number of merges after which nothing of a group is left to merge. @param {Group} group */
export function longest(group) {
  return Math.max(
    0,
    finalSizes(group).findLastIndex((number) => number),
  );
}
