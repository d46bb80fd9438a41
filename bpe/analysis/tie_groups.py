"""Groups of tied pairs that overlap, and every way to merge the pairs of one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bpe.analysis.tie_bounds import Size, Stopped
from bpe.analysis.tie_words import Form, State, WordForms, all_pairs
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import any_piece


@dataclass(slots=True, eq=False)
class Group:
    """Tied pairs that overlap, and every way to merge them."""

    pairs: tuple[PairKey, ...]  # by first occurrence
    words: tuple[int, ...]  # numbers of the words in which they occur
    # Word, initial symbols before the pair, pair; empty if not asked for.
    places: frozenset[tuple[int, int, PairKey]]
    depths: list[list["_Local"]] = field(default_factory=list)  # the segmentations after 0, 1, … merges
    exceeded: Stopped = ""  # why the next depth is not listed
    cut: bool = False  # whether the limit of merges ended it

    @property
    def is_one_merge(self) -> bool:
        """Whether it is one pair, which makes no other pair of the same count."""
        return len(self.depths) == 2 and len(self.pairs) == 1 and not self.exceeded and not self.cut

    @property
    def sizes(self) -> list[int]:
        """By depth: number of segmentations."""
        return list(map(len, self.depths))

    @property
    def final_sizes(self) -> list[int]:
        """By depth: number of segmentations in which nothing of the group is left to merge."""
        return [sum(not local.tied for local in locals_) for locals_ in self.depths]

    @property
    def finals(self) -> int:
        """Number of segmentations in which nothing of the group is left to merge."""
        return sum(self.final_sizes)

    @property
    def shortest(self) -> int:
        """The least number of merges after which nothing of the group can be left to merge."""
        sizes = self.final_sizes
        return next((depth for depth, number in enumerate(sizes) if number), len(sizes))

    @property
    def longest(self) -> int:
        """The greatest number of merges after which nothing of the group is left to merge; 0 without any."""
        return max((depth for depth, number in enumerate(self.final_sizes) if number), default=0)


@dataclass(slots=True, eq=False)
class _Local:
    """One segmentation of the words in which the pairs of a group occur, with the other groups untouched."""

    words: tuple[Form, ...]
    tied: tuple[PairKey, ...]  # pairs of the group that have the level's count here, ascending
    # Of pair counts, since the beginning of the level; emptied when what follows is listed.
    changes: dict[PairKey, int]
    path: tuple[PairKey, ...]  # merges that lead here, of all orders one
    ways: int = 0
    # Pair, index of the next one in the next depth.
    leaving: list[tuple[PairKey, int]] = field(default_factory=list)


def tied_groups(forms: WordForms, state: State, *, with_places: bool) -> list[Group]:
    """Return the groups of overlapping pairs among the tied pairs of a state, by first occurrence."""
    tied, top_count = state.tied, state.top_count
    filtered = forms.request.may_merge is not any_piece
    group_of: dict[PairKey, PairKey] = {}
    words = defaultdict[PairKey, list[int]](list)
    places = defaultdict[PairKey, list[tuple[int, int, PairKey]]](list)

    def root(pair: PairKey) -> PairKey:
        while group_of.setdefault(pair, pair) != pair:
            pair = group_of[pair]
        return pair

    for number in forms.words_with(state, tied):
        tokens = forms.tokens[state.words.get(number, forms.common[number])]
        forms.bounds.spend(len(tokens))
        previous = -1
        offset = 0
        for left, right in pairwise(tokens):
            pair = left << SHIFT | right
            # A pair that may not be merged can become one that may: it joins groups, too.
            if pair in tied or (
                filtered and not forms.may_merge(pair) and forms.count(state, pair) >= top_count
            ):
                if not words[pair] or words[pair][-1] != number:
                    words[pair].append(number)
                if with_places:
                    places[pair].append((number, offset, pair))
                if previous >= 0:
                    one, other = root(previous), root(pair)
                    group_of[other] = one
                previous = pair
            else:
                previous = -1
            offset += len(forms.initial[left])
    members = defaultdict[PairKey, list[PairKey]](list)
    for pair in words:
        members[root(pair)].append(pair)
    return [
        Group(
            pairs=tuple(pair for pair in pairs if pair in tied),
            words=tuple(sorted({number for pair in pairs if pair in tied for number in words[pair]})),
            places=frozenset(place for pair in pairs for place in places[pair]),
        )
        for pairs in members.values()
        if any(pair in tied for pair in pairs)
    ]


def explore(forms: WordForms, state: State, group: Group, most: int) -> None:
    """List every way to merge the pairs of a group, at most so many of them."""
    words = tuple(state.words.get(number, forms.common[number]) for number in group.words)
    group.depths = [[_Local(words, tuple(sorted(group.pairs)), {}, (), 1)]]
    forms.bounds.stored += Size.LOCAL + 2 * len(words) + 2 * len(group.pairs) + Size.ITEM * len(group.places)
    listed = 1
    while any(local.tied for local in group.depths[-1]):
        forms.bounds.look()
        if len(group.depths) > most:
            group.cut = True
            return
        following = _followers(forms, state, group, listed)
        if group.exceeded:
            return
        for local in group.depths[-1]:
            forms.bounds.stored -= Size.ITEM * len(local.changes)
            local.changes = {}
        listed += len(following)
        group.depths.append(following)


def _followers(forms: WordForms, state: State, group: Group, listed: int) -> list[_Local]:
    """Return the segmentations after one more merge; sets `exceeded` if there are too many."""
    most = min(forms.bounds.most_splits, 8 * forms.bounds.most_splits - listed)
    following: list[_Local] = []
    # Different pairs lead to different segmentations.
    if max(len(local.tied) for local in group.depths[-1]) > most:
        group.exceeded = "splits"
        return following
    frequencies = [forms.frequencies[number] for number in group.words]
    index_of: dict[tuple[Form, ...], int] = {}
    for local in group.depths[-1]:
        forms.bounds.look()
        for pair in local.tied:
            merged = tuple([forms.merge(form, pair).form for form in local.words])
            index = index_of.get(merged)
            if index is None:
                if len(following) == most:
                    group.exceeded = "splits"
                    return following
                index = index_of[merged] = len(following)
                new = _next(forms, state, local, pair, merged, frequencies)
                following.append(new)
                forms.bounds.stored += Size.LOCAL + len(merged) + len(new.tied) + len(new.path)
                forms.bounds.stored += Size.ITEM * len(new.changes)
                if forms.bounds.is_full:
                    group.exceeded = "memory"
                    return following
            local.leaving.append((pair, index))
            forms.bounds.stored += Size.ITEM
            following[index].ways += local.ways
            forms.bounds.spend(len(merged) + len(local.tied))
    return following


def _next(
    forms: WordForms,
    state: State,
    local: _Local,
    pair: PairKey,
    merged: tuple[Form, ...],
    frequencies: Sequence[int],
) -> _Local:
    """Return the segmentation after one more merge. Only pairs with the new symbol gain occurrences."""
    new = forms.symbol(pair)
    changes = dict(local.changes)
    touched: set[PairKey] = set()
    for old_form, form, frequency in zip(local.words, merged, frequencies, strict=True):
        if form != old_form:
            merge = forms.merge(old_form, pair)
            for other, times in zip(merge.pairs, merge.times, strict=True):
                changes[other] = changes.get(other, 0) + times * frequency
                touched.add(other)
    tied = [other for other in local.tied if other != pair and other not in touched]
    tied += (
        other
        for other in touched
        if new in (other >> SHIFT, other & MASK)
        and forms.count(state, other) + changes[other] == state.top_count
        and forms.may_merge(other)
    )
    return _Local(merged, tuple(sorted(tied)), changes, (*local.path, pair))


def rivals_in(forms: WordForms, local: _Local) -> dict[PairKey, set[PairKey]]:
    """Return for each tied pair of a group the other ones of them that overlap it, if any does."""
    tied = set(local.tied)
    rivals = defaultdict[PairKey, set[PairKey]](set)
    for form in local.words:
        for before, after in pairwise(all_pairs(forms.tokens[form])):
            if before != after and before in tied and after in tied:
                rivals[before].add(after)
                rivals[after].add(before)
    return rivals
