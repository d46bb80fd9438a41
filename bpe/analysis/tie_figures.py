"""How many splits, ways and vocabularies there are after each number of merges."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod

from bpe.analysis.tie_bounds import MOST_STORED, MOST_WAYS, Size
from bpe.analysis.tie_groups import Group
from bpe.analysis.tie_words import Key, State, WordForms, key_of

# Ways that are listed one by one, to count the vocabularies, and the entries that are copied for it: a fifth of them at
# most for one merge, since those are stored together.
_MOST_LISTED_WAYS = 5_000
_MOST_COPIED = 1_000_000


class Figures:
    """The numbers of one listing, by number of merges."""

    def __init__(self, forms: WordForms) -> None:
        """Count nothing but the untouched text."""
        self._forms, self._bounds = forms, forms.bounds
        self.splits = defaultdict[int, int](int)
        self.ways: dict[int, int | None] = {0: 0}
        self.vocabularies: list[int] = [1]
        self.ends: dict[int, int] = {}  # by count: number of segmentations when all its pairs are merged
        self.known_until: int | None = None  # None: everything

    def add(
        self, states: Sequence[State], groups_of: Mapping[int, list[Group]], *, with_finals: bool
    ) -> None:
        """Add the numbers of segmentations and ways between the beginning and the end of a level.

        `with_finals`: whether the segmentations at the end count, which are otherwise counted where the next level
        begins.
        """
        splits, until = self._splits_of(states, groups_of, with_finals=with_finals)
        orders: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
        ways = [
            self._ways_of(state, groups_of[state.node], orders, with_finals=with_finals) for state in states
        ]
        for merges, number in splits.items():
            self.splits[merges] += number
        for numbers in ways:
            self.add_ways(numbers)
        if until is not None:
            self.know_until(until)

    def add_ways(self, ways: Mapping[int, int | None]) -> None:
        """Add numbers of orders of picks; None where one is not known."""
        for merges, number in ways.items():
            before = self.ways.get(merges, 0)
            total = None if before is None or number is None else before + number
            self.ways[merges] = None if total is None or total >= MOST_WAYS else total

    def know_until(self, merges: int) -> None:
        """Record that the figures are known only up to this number of merges."""
        self.known_until = merges if self.known_until is None else min(self.known_until, merges)

    def list_one_by_one(self, start: State) -> None:
        """Count the vocabularies after 0, 1, … merges as long as the ways are few: each way is followed on its own."""
        # By segmentation: its orders, and what they learn.
        ways: dict[Key, tuple[State, int, set[int]]] = {key_of({}): (start, 1, {0})}
        total = 0
        while len(self.vocabularies) <= self._forms.limit and total <= _MOST_COPIED:
            number, entries = 0, -self._bounds.made
            for state, orders, _ in ways.values():
                self._forms.find_top(state, state.top_count or self._forms.first)
                if state.top_count < self._forms.request.min_count:
                    state.tied = frozenset()
                number += orders * len(state.tied)
                if number > _MOST_LISTED_WAYS:
                    return
            if not number:
                return
            following: dict[Key, tuple[State, int, set[int]]] = {}
            for state, orders, vocabularies in ways.values():
                for pair in sorted(state.tied):
                    paths = dict.fromkeys(self._forms.words_with(state, [pair]), (pair,))
                    words, counts = self._forms.apply(state, paths)
                    entries += len(paths) + len(words) + len(counts) + len(vocabularies)
                    if entries + self._bounds.made > _MOST_COPIED / 5:
                        return
                    symbol = 1 << self._forms.symbol(pair)
                    key = key_of(words)
                    after = State(state.merges + 1, words, counts, (), 0, None, state.top_count)
                    reached, before, learned = following.setdefault(key, (after, 0, set()))
                    learned |= {vocabulary | symbol for vocabulary in vocabularies}
                    following[key] = reached, before + orders, learned
            ways = following
            total += entries + self._bounds.made
            self.vocabularies.append(len(set[int]().union(*(learned for _, _, learned in ways.values()))))

    def _splits_of(
        self, states: Sequence[State], groups_of: Mapping[int, list[Group]], *, with_finals: bool
    ) -> tuple[dict[int, int], int | None]:
        """Return the number of segmentations in a level by number of merges, and up to which one it is known.

        None: all are known. The groups that all states have in common are counted once; all segmentations of the others
        are compared.
        """
        least = min(state.merges for state in states)
        if len(states) == 1:
            shared, apart = groups_of[states[0].node], {states[0].node: list[Group]()}
        else:
            by_places = [{group.places: group for group in groups_of[state.node]} for state in states]
            common = set(by_places[0]).intersection(*by_places[1:])
            # With the fewest merges before them, they go farthest before the limit of merges ends them.
            earliest = min(range(len(states)), key=lambda index: states[index].merges)
            shared = [by_places[earliest][places] for places in common]
            apart = {
                state.node: [group for group in groups_of[state.node] if group.places not in common]
                for state in states
            }
        compared = self._compared(states, apart)
        if compared is None:  # the states themselves differ
            return {least: sum(state.merges == least for state in states)}, least
        every, final = compared
        most = room = self._forms.limit - least
        singles = sum(group.is_one_merge for group in shared)
        all_depths = binomials(singles, room, MOST_WAYS)
        if len(all_depths) <= min(singles, room):
            most = len(all_depths) - 1
        final_depths = [*[0] * singles, 1][: most + 1]
        for group in shared:
            if not group.is_one_merge:
                self._bounds.spend(len(all_depths) * len(group.depths))
                all_depths = _convolved(all_depths, group.sizes, most)
                large = next((depth for depth, number in enumerate(all_depths) if number >= MOST_WAYS), None)
                if large is not None:
                    most = large - 1
                    del all_depths[large:]
                final_depths = _convolved(final_depths, group.final_sizes, most)
        numbers = defaultdict[int, int](int)
        for begins, depths, sign in ((every, all_depths, 1), (final, final_depths, 0 if with_finals else -1)):
            for merges, number in begins.items():
                self._bounds.spend(len(depths))
                for depth, more in enumerate(depths):
                    if merges + depth <= least + most:
                        numbers[merges + depth] += sign * number * more
        return numbers, None if most == room else least + most

    def _compared(
        self, states: Sequence[State], groups_of: Mapping[int, list[Group]]
    ) -> tuple[dict[int, int], dict[int, int]] | None:
        """Return how many segmentations the groups of several states lead to, by number of merges.

        First all of them, then those in which nothing is left to merge. None if they are too many to compare.
        """
        if sum(prod(sum(group.sizes) for group in groups_of[state.node]) for state in states) > (
            16 * self._bounds.most_splits
        ):
            return None
        every = defaultdict[int, set[Key]](set)
        final = defaultdict[int, set[Key]](set)
        entries = 0
        for state in states:
            self._bounds.look()
            groups = groups_of[state.node]
            choices = [
                [(depth, local) for depth, locals_ in enumerate(group.depths) for local in locals_]
                for group in groups
            ]
            for choice in product(*choices):
                words = state.words
                for group, (_, local) in zip(groups, choice, strict=True):
                    words = self._forms.words_after(words, group.words, local.path)
                key, merges = key_of(words), state.merges + sum(depth for depth, _ in choice)
                every[merges].add(key)
                if not any(local.tied for _, local in choice):
                    final[merges].add(key)
                entries += Size.ITEM + len(words)
                if entries > MOST_STORED / 4:
                    return None
                self._bounds.spend(len(words))
        return _sizes(every), _sizes(final)

    def _ways_of(
        self,
        state: State,
        groups: Sequence[Group],
        orders: dict[tuple[int, ...], tuple[list[int], list[int]]],
        *,
        with_finals: bool,
    ) -> Mapping[int, int | None]:
        """Return the number of orders that lead through a state into its level, by number of merges.

        `orders` has those of the groups of other states: by depth all of them, and those that end the level.
        """
        room = self._forms.limit - state.merges
        longest = min(room, sum(len(group.depths) - 1 for group in groups))
        numbers: dict[int, int | None] = {state.merges + depth: None for depth in range(longest + 1)}
        self._bounds.spend(len(groups) + len(numbers))
        if state.ways is None:
            return numbers
        key = tuple(sorted(map(id, groups)))
        if key not in orders:
            orders[key] = self._orders_of(groups, room)
        every, final = orders[key]
        for depth, number in enumerate(every):
            ended = final[depth] if depth < len(final) and not with_finals else 0
            numbers[state.merges + depth] = state.ways * (number - ended)
        return numbers

    def _orders_of(self, groups: Sequence[Group], room: int) -> tuple[list[int], list[int]]:
        """Return by depth in how many orders groups can be merged, and how many of these leave nothing to merge.

        Both lists end before MOST_WAYS.
        """
        singles = sum(group.is_one_merge for group in groups)
        every = [1]
        while (
            len(every) <= min(singles, room)
            and (number := every[-1] * (singles - len(every) + 1)) < MOST_WAYS
        ):
            every.append(number)
        final = [*[0] * singles, every[-1]] if len(every) > singles else [0] * len(every)
        for group in groups:
            if not group.is_one_merge:
                self._bounds.spend(len(every) * len(group.depths))
                ways = [sum(local.ways for local in locals_) for locals_ in group.depths]
                ends = [sum(local.ways for local in locals_ if not local.tied) for locals_ in group.depths]
                every, final = _shuffled(every, ways, room), _shuffled(final, ends, room)
                large = next((depth for depth, number in enumerate(every) if number >= MOST_WAYS), len(every))
                del every[large:], final[large:]
        return every, final


def known_depth(groups: Sequence[Group], room: int) -> int:
    """Return after how many merges of an unfinished level all segmentations are known."""
    exceeded = [len(group.depths) - 1 for group in groups if group.exceeded]
    return min(*exceeded, sum(group.shortest for group in groups), room)


def _sizes(sets: Mapping[int, set[Key]]) -> dict[int, int]:
    return {number: len(keys) for number, keys in sets.items()}


def binomials(of: int, most: int, below: int) -> list[int]:
    """Return in how many ways 0, 1, … `most` of `of` things can be chosen; the list ends before `below`."""
    numbers = [1]
    while len(numbers) <= min(of, most):
        number = numbers[-1] * (of - len(numbers) + 1) // len(numbers)
        if number >= below:
            break
        numbers.append(number)
    return numbers


def _convolved(one: Sequence[int], other: Sequence[int], most: int) -> list[int]:
    """Return by sum of two depths, up to `most`, in how many ways they combine."""
    sums = [0] * min(len(one) + len(other) - 1, most + 1)
    for depth, number in enumerate(one):
        for more, factor in enumerate(other):
            if number and factor and depth + more < len(sums):
                sums[depth + more] += number * factor
    return sums


def _shuffled(one: Sequence[int], other: Sequence[int], most: int) -> list[int]:
    """Return by sum of two depths in how many ways two orders can be interleaved."""
    sums = [0] * min(len(one) + len(other) - 1, most + 1)
    for depth, number in enumerate(one):
        for more, factor in enumerate(other):
            if number and factor and depth + more < len(sums):
                sums[depth + more] += number * factor * comb(depth + more, more)
    return sums
