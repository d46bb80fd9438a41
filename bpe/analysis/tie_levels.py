"""The ways through one level of a listing: through what happens at one count."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb, factorial

from bpe.analysis.tie_bounds import MOST_WAYS, ListingEndError
from bpe.analysis.tie_drawing import Drawing, Kind
from bpe.analysis.tie_figures import binomials
from bpe.analysis.tie_groups import Group, explore, rivals_in
from bpe.analysis.tie_words import State, WordForms
from bpe.pair_ids import PairKey

# More pairs in any order than this have more orders than MOST_WAYS.
_MOST_ORDERED = 500


def ways_through(
    forms: WordForms, drawing: Drawing, states: Iterable[State], groups_of: Mapping[int, list[Group]]
) -> tuple[list[State], bool]:
    """Draw the ways through one level. Return the states after it, and whether the limit of merges ends some."""
    arrived: dict[int, State] = {}
    cut = False
    for state in states:
        groups, room = groups_of[state.node], forms.limit - state.merges
        forms.bounds.spend(len(groups))
        if sum(group.longest for group in groups) > room or any(group.cut for group in groups):
            # Now it matters which pairs are merged before the end: all orders must be listed.
            cut = True
            joint = _joint(forms, state, groups, room)
            if joint is None:
                if sum(group.shortest for group in groups) <= room:
                    raise ListingEndError("splits")
                drawing.is_whole = False
                continue
            groups = [joint]
        for reached in _through(forms, drawing, state, groups, cut=cut):
            if reached.node in arrived:
                arrived[reached.node].join(reached)
            else:
                arrived[reached.node] = reached
                forms.bounds.stored += reached.size
                if len(arrived) > forms.bounds.most_splits:
                    raise ListingEndError("splits")
    return list(arrived.values()), cut


def _joint(forms: WordForms, state: State, groups: Sequence[Group], room: int) -> Group | None:
    """Return all tied pairs of a state as one group; None if that is too much to list."""
    singles = sum(group.is_one_merge for group in groups)
    # Different sets of pairs that overlap nowhere lead to different segmentations.
    if len(binomials(singles, min(room, singles // 2), forms.bounds.most_splits + 1)) <= min(
        room, singles // 2
    ):
        return None
    words = {number for group in groups for number in group.words}
    joint = Group(tuple(state.tied), tuple(sorted(words)), frozenset())
    before = forms.bounds.stored
    explore(forms, state, joint, room)
    if not joint.exceeded:
        return joint
    forms.bounds.stored = before
    return None


def _through(
    forms: WordForms, drawing: Drawing, state: State, groups: Sequence[Group], *, cut: bool
) -> Iterator[State]:
    """Draw the ways of one state through a level: the pairs that overlap none, then one group after another."""
    count = state.top_count
    quiet: Kind = "none" if len(state.tied) == 1 else "open" if cut else "order only"
    singles = [group for group in groups if group.is_one_merge]
    current = replace(state)
    if singles:
        pairs = [group.pairs[0] for group in singles]
        paths = defaultdict[int, list[PairKey]](list)
        for group in singles:
            for number in group.words:
                paths[number].append(group.pairs[0])
        current.words, current.counts = forms.apply(state, paths)
        current.made = state.made + tuple(map(forms.symbol, pairs))
        current.merges = state.merges + len(pairs)
        current.node = drawing.add_node(current.merges, current.words, current.made)
        drawing.add_edge(state.node, current.node, tuple(pairs), count, quiet)
        if state.ways is not None:
            current.ways = None if len(pairs) > _MOST_ORDERED else state.ways * factorial(len(pairs))
    reached = [(current, len(singles))]
    for group in groups:
        if not group.is_one_merge:
            alone = len(groups) == 1
            reached = [
                following
                for before, depth in reached
                for following in _through_group(
                    forms, drawing, before, depth, group, count, cut=cut, alone=alone
                )
            ]
    return (after for after, _ in reached)


def _through_group(
    forms: WordForms,
    drawing: Drawing,
    before: State,
    done: int,
    group: Group,
    count: int,
    *,
    cut: bool,
    alone: bool,
) -> Iterator[tuple[State, int]]:
    """Draw the ways through one group. Yield the states after it, with the number of the level's merges so far."""
    nodes: dict[tuple[int, int], int] = {(0, 0): before.node}
    for depth, locals_ in enumerate(group.depths):
        forms.bounds.look()
        for index, local in enumerate(locals_):
            if not depth:
                continue
            made = before.made + tuple(map(forms.symbol, local.path))
            merges = before.merges + depth
            words = forms.words_after(before.words, group.words, local.path)
            nodes[depth, index] = drawing.add_node(merges, words, made)
            if not local.tied:
                paths = dict.fromkeys(group.words, local.path)
                state = replace(before, merges=merges, made=made, node=nodes[depth, index])
                state.words, state.counts = forms.apply(before, paths)
                if before.ways is not None:
                    ways = before.ways * local.ways * comb(done + depth, depth)
                    state.ways = ways if ways < MOST_WAYS else None
                yield state, done + depth
    for depth, locals_ in enumerate(group.depths):
        for index, local in enumerate(locals_):
            rivals_of = rivals_in(forms, local) if len(local.tied) > 1 else {}
            for pair, target in local.leaving:
                tied = not alone or len(local.tied) > 1
                rivals = tuple(sorted(rivals_of.get(pair, ())))
                kind: Kind = "none" if not tied else "open" if cut else "choice" if rivals else "order only"
                if kind != "choice":
                    rivals = ()
                drawing.add_edge(nodes[depth, index], nodes[depth + 1, target], (pair,), count, kind, rivals)
