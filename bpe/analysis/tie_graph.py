"""Tie graph: every way to break every tie of a training, and what each leads to.

Listing all orders of all picks would take far too long, and it is not necessary. Two tied pairs that overlap nowhere do
not change each other: they can be merged in either order, and the text is split alike. So the tied pairs of one count
fall into groups of pairs that overlap, directly or through others of the group. All ways through one group are listed,
then all ways through the next one, but never the two interleaved. The segmentations when all pairs of that count are
merged are the same as over all orders. This is partial-order reduction with ample sets (Peled 1993; persistent sets,
Godefroid 1996). What the interleaved orders would add between two such moments is counted, not listed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log10, prod
from typing import Any

from bpe.analysis.tie_bounds import MOST_WAYS, Bounds, ListingEndError, Stopped
from bpe.analysis.tie_drawing import Drawing, Edge, Node
from bpe.analysis.tie_figures import Figures, known_depth
from bpe.analysis.tie_groups import Group, explore, tied_groups
from bpe.analysis.tie_levels import ways_through
from bpe.analysis.tie_words import State, WordForms
from bpe.checks import at_least, shortened_repr
from bpe.pair_ids import PairKey
from bpe.settings.request import Text, TrainingRequest, read_settings
from bpe.settings.tie_breaking import TieBreak
from bpe.symbols import BPEError, Pair
from bpe.text.display import counted, merge_name
from bpe.text.variants import Variant
from bpe.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class TieGraph:
    """Every way to break every tie of one training, up to where the listing ended.

    `splits`, `ways` and `vocabularies` begin with the untouched text and go on as far as everything is listed. A way
    that ended earlier, because no pair was left or frequent enough, is no longer counted.
    """

    splits: Sequence[int]  # after 0, 1, … merges: number of different segmentations of the training text
    ends: Mapping[int, int]  # min_count -> number of different segmentations if training stops there
    # The last number of merges for which all is listed or, if no number of merges ends the training, the last count.
    # None if everything is listed, with all its numbers.
    complete: int | None
    ways: Sequence[int | None]  # after 0, 1, … merges: number of orders of picks; None: not known
    # After 0, 1, … merges: number of different sets of learned tokens; None where the ways are too many or too long to
    # be listed one by one.
    vocabularies: Sequence[int | None]
    results: int | None  # number of different segmentations at the end of the training
    orders: int | None  # number of orders of picks at the end of the training, whatever their length
    nodes: Sequence[Node]  # the first one is the untouched text
    edges: Sequence[Edge]
    # What ended the listing: "splits" (more than `most_splits`), "memory", "time" or "work"; "" if nothing did.
    # "figures": all is listed, but `splits` ends early, since the segmentations between two counts are too many to
    # compare.
    stopped: Stopped
    most_splits: int

    @cached_property
    def parted(self) -> int | None:
        """The number of merges from which on the ways never all split the text alike.

        None without such a choice, and where it is not known.
        """
        if self.results is None or self.results == 1 or self.stopped:
            return None
        if not any(edge.kind in ("fork", "choice") for edge in self.edges):
            return None  # training only ends inside a tie
        return 1 + max(number for number, splits in enumerate(self.splits) if splits == 1)

    @cached_property
    def edges_from(self) -> Sequence[Sequence[Edge]]:
        """The edges that leave each node."""
        leaving: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            leaving[edge.source].append(edge)
        return leaving

    @cached_property
    def edges_to(self) -> Sequence[Sequence[Edge]]:
        """The edges that reach each node."""
        reaching: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            reaching[edge.target].append(edge)
        return reaching

    def path(self, trace: Trace) -> list[int]:
        """Return the numbers of the nodes that a training of the same text passes, the untouched text first.

        The graph has pairs that do not overlap in one order, the training perhaps in another. The path is the one that
        breaks every tie of overlapping pairs as the training did.
        """
        return [0, *(edge.target for edge in self.edges_of(trace))]

    def edges_of(self, trace: Trace) -> list[Edge]:
        """Return the edges between the nodes of the path of a training."""
        rank_of = {pair: rank for rank, pair in enumerate(trace.merges)}
        path: list[Edge] = []
        node = 0
        while leaving := [
            edge for edge in self.edges_from[node] if all(map(rank_of.__contains__, edge.pairs))
        ]:
            edge = min(leaving, key=lambda edge: min(map(rank_of.__getitem__, edge.pairs)))
            path.append(edge)
            node = edge.target
        return path

    def way_to(self, node: int, trace: Trace) -> list[Pair]:
        """Return the merges of a way to a node that leaves the path of a training as late as it can."""
        # The edge by which each node goes on to `node`.
        came_by: dict[int, Edge | None] = {node: None}
        waiting = [node]
        for number in waiting:
            for edge in self.edges_to[number]:
                if edge.source not in came_by:
                    came_by[edge.source] = edge
                    waiting.append(edge.source)
        pairs: list[Pair] = []
        at = 0
        for edge in self.edges_of(trace):
            if at == node or edge.target not in came_by:
                break
            pairs += edge.pairs
            at = edge.target
        while (onwards := came_by[at]) is not None:
            pairs += onwards.pairs
            at = onwards.target
        return pairs


def tie_graph(
    text: Text,
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    *,
    most_splits: int = 2_000,
    most_seconds: float | None = 60.0,
    most_work: float | None = None,
    **settings: Any,
) -> TieGraph:
    """Return every way to break every tie of a training.

    `text` and the settings are those of `bpe.train`; it makes no difference which rule breaks the ties. The listing
    ends where more than `most_splits` segmentations would have to be listed, after `most_seconds` (None: no limit),
    after `most_work`, and where it would take more than about 100 MB of memory. Work is counted in numbers that are
    read or written, some millions a second: it ends a listing at the same place on every machine, however busy.

    >>> graph = tie_graph({"low": 5, "lower": 2, "newest": 6, "widest": 3}, merges=12)
    >>> graph.splits
    [1, 3, 3, 1, 2, 1, 3, 3, 1, 1, 3, 3, 1]
    >>> graph.ways[12], graph.vocabularies[12]
    (432, 250)

    Raises BPEError as `bpe.train` does, for picks, and for a second stage.
    """
    request = read_settings({**settings, "variant": variant, "tie_break": tie_break})
    if request.picks:
        raise BPEError("This lists every way to break the ties: leave the picks out.")
    if request.second is not None:
        raise BPEError(_ONE_STAGE)
    at_least(1, "most_splits", most_splits)
    limits = _limit("most_seconds", most_seconds), _limit("most_work", most_work)
    return _Listing(request, request.count(text), most_splits, *limits).graph()


def tie_graph_of(
    trace: Trace,
    *,
    most_splits: int = 2_000,
    most_seconds: float | None = 60.0,
    most_work: float | None = None,
) -> TieGraph:
    """Return every way to break every tie of the training that a trace holds, whatever pairs were picked in it.

    The limits are those of `tie_graph`.

    Raises BPEError for a replay, and for a second stage.
    """
    if not trace.origin.breaks_ties:
        raise BPEError("A replay breaks no ties: its merges are those of a tokenizer.")
    if trace.request.second is not None:
        raise BPEError(_ONE_STAGE)
    at_least(1, "most_splits", most_splits)
    words = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    limits = _limit("most_seconds", most_seconds), _limit("most_work", most_work)
    return _Listing(trace.request, words, most_splits, *limits).graph()


class _Listing:
    """The listing of one training's ways. A level is what happens at one count, from the highest one down."""

    def __init__(
        self,
        request: TrainingRequest,
        counted: Mapping[str, int],
        most_splits: int,
        most_seconds: float,
        most_work: float,
    ) -> None:
        """Take the words with their frequencies."""
        self._bounds = Bounds(most_splits, most_seconds, most_work)
        self._forms = WordForms(request, counted, self._bounds)
        self._drawing = Drawing(self._forms)
        self._figures = Figures(self._forms)
        self._all_listed = True
        self._cut_at = 0  # the highest count at which the limit of merges ended a way
        self._ended: dict[int, State] = {}
        self._frontier: dict[int, State] = {}

    def graph(self) -> TieGraph:
        """Return the graph."""
        start = State(0, {}, {}, (), self._drawing.add_node(0, {}, ()), 1)
        stopped: Stopped = ""
        self._frontier[start.node] = start
        try:
            self._forms.count_text()
            self._figures.list_one_by_one(start)
            del self._frontier[start.node]
            self._arrive([start], self._forms.first)
            while self._frontier:
                self._bounds.look()
                self._level()
        except ListingEndError as error:
            stopped = error.stopped
            self._all_listed = False
            # Only the beginning of what was not listed is known.
            for state in self._frontier.values():
                self._figures.know_until(state.merges)
        for state in [*self._frontier.values(), *self._ended.values()]:
            self._figures.splits[state.merges] += 1
            self._figures.add_ways({state.merges: state.ways})
        return self._result(stopped)

    def _level(self) -> None:
        """List the merges of the highest count that any state has."""
        count = max(state.top_count for state in self._frontier.values())
        states = [state for state in self._frontier.values() if state.top_count == count]
        alone = len(self._frontier) == 1 and not self._ended and not self._cut_at  # all ways pass this one
        if alone and states[0].words:  # the last ways have met between two levels
            self._make_common(states[0])
            self._drawing.begin_level(states)
        groups_of: dict[int, list[Group]] = {}
        known: dict[tuple[int, frozenset[tuple[int, int, PairKey]]], Group] = {}
        for state in states:
            room = self._forms.limit - state.merges
            groups = tied_groups(self._forms, state, with_places=len(states) > 1)
            for index, group in enumerate(groups):
                # At the same places the same happens, whatever differs elsewhere.
                if group.places and (room, group.places) in known:
                    groups[index] = known[room, group.places]
                else:
                    explore(self._forms, state, group, room)
                    known[room, group.places] = group
            groups_of[state.node] = groups
            self._bounds.stored += len(groups)
        try:
            for groups in groups_of.values():
                self._bounds.spend(len(groups))
                for group in groups:
                    if group.exceeded:
                        raise ListingEndError(group.exceeded)
                if prod(group.finals for group in groups if not group.cut) > self._bounds.most_splits:
                    raise ListingEndError("splits")
            arrived, cut = ways_through(self._forms, self._drawing, states, groups_of)
        except ListingEndError:
            self._figures.add(states, groups_of, with_finals=True)
            for state in states:
                del self._frontier[state.node]
                self._figures.know_until(
                    state.merges + known_depth(groups_of[state.node], self._forms.limit - state.merges)
                )
            raise
        self._figures.add(states, groups_of, with_finals=False)
        for state in states:
            del self._frontier[state.node]
        if cut:
            self._cut_at = max(self._cut_at, count)
        if len(arrived) == 1 and not self._frontier and not self._ended and not self._cut_at:
            self._make_common(arrived[0])
        self._arrive(arrived, count - 1)
        states = [*self._frontier.values(), *self._ended.values()]
        if count > self._cut_at:
            self._figures.ends[count] = len(
                {self._drawing.nodes[state.node].segmentation for state in states}
            )
        self._drawing.begin_level(states)

    def _make_common(self, state: State) -> None:
        self._forms.make_common(state)
        self._drawing.meet(state.node)

    def _arrive(self, states: Iterable[State], bound: int) -> None:
        """Sort states into those that go on and those where training ends.

        All go on at first, so that none is missing if the listing ends here.
        """
        new: list[State] = []
        for state in states:
            before = self._frontier.get(state.node) or self._ended.get(state.node)
            if before is not None:  # from a higher level
                before.join(state)
            else:
                self._frontier[state.node] = state
                new.append(state)
        for state in new:
            self._forms.find_top(state, bound)
            if state.top_count < self._forms.request.min_count:
                del self._frontier[state.node]
                self._ended[state.node] = state

    def _result(self, stopped: Stopped) -> TieGraph:
        last = max(self._figures.splits, default=0)
        until = last if self._figures.known_until is None else min(self._figures.known_until, last)
        merges = range(until + 1)
        request = self._forms.request
        by_number = request.merges is not None or request.vocab_size is not None
        if by_number and until == self._forms.limit:  # what comes after it is not asked for
            stopped = ""
        elif not stopped and self._figures.known_until is not None:
            stopped = "figures"
        if by_number:
            complete = until if stopped else None
        else:
            complete = min(self._figures.ends, default=self._forms.first + 1) if stopped else None
        least = max(self._cut_at + 1, request.min_count)
        if not self._all_listed:
            least = min(self._figures.ends, default=self._forms.first + 1)
        results = None
        if not self._all_listed and until == self._forms.limit and not self._ended:
            results = self._figures.splits[self._forms.limit]
        elif self._all_listed and (
            self._figures.known_until is None
            or self._figures.known_until >= self._forms.limit
            or not self._cut_at
        ):
            results = len({self._drawing.nodes[node].segmentation for node in self._ended})
            if self._cut_at:
                at_limit = sum(state.merges == self._forms.limit for state in self._ended.values())
                results += self._figures.splits[self._forms.limit] - at_limit
        nodes, edges = self._drawing.ways(complete=self._all_listed and self._drawing.is_whole)
        vocabularies: list[int | None] = [*self._figures.vocabularies, *[None] * len(merges)]
        return TieGraph(
            splits=[self._figures.splits[number] for number in merges],
            ends=_Ends(self._figures.ends, least),
            complete=complete,
            ways=[self._figures.ways.get(number) for number in merges],
            vocabularies=vocabularies[: len(merges)],
            results=results,
            orders=self._orders() if self._all_listed else None,
            nodes=nodes,
            edges=edges,
            stopped=stopped,
            most_splits=self._bounds.most_splits,
        )

    def _orders(self) -> int | None:
        """Return the number of ways in which training can go, from beginning to end."""
        ended = [state.ways for state in self._ended.values()]
        if self._cut_at:
            at_limit = [state.ways for state in self._ended.values() if state.merges == self._forms.limit]
            ended.append(self._figures.ways.get(self._forms.limit))
            ended += [None if ways is None else -ways for ways in at_limit]
        total = 0
        for ways in ended:
            if ways is None:
                return None
            total += ways
        return total


class _Ends(Mapping[int, int]):
    """min_count -> number of different segmentations if training stops there.

    It lists the counts at which something is merged. Other counts can be looked up, too, as far as they are known.
    """

    def __init__(self, numbers: Mapping[int, int], least: int) -> None:
        """Take the numbers by falling count. From `least` on everything is known."""
        self._numbers = dict(numbers)
        self._least = least

    def __getitem__(self, min_count: int) -> int:
        if min_count < self._least:
            raise KeyError(min_count)
        return next((number for count, number in reversed(self._numbers.items()) if count >= min_count), 1)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"Ends({self._numbers})"


def _limit(name: str, most: object) -> float:
    if most is None:
        return inf
    if isinstance(most, bool) or not isinstance(most, int | float) or most != most:
        raise BPEError(f"{name} must be a number or None, got {shortened_repr(most)}.")
    return max(-1.0, min(most, 1e15))


_ONE_STAGE = "The ways to break the ties can be listed for one stage only: leave the second stage out."


def picks_for_way(
    way: Sequence[Pair], train: Callable[[Mapping[int, Pair]], Trace], *, most: int = 1_000
) -> dict[int, Pair]:
    """Return picks by rank with which a training makes the merges of a way, in this order or one that is as good.

    `train` trains with some picks, and with the rule where there is none. Pairs that overlap nowhere stay in the order
    of the rule. Raises BPEError if more than `most` picks are needed.
    """
    picks: dict[int, Pair] = {}
    while len(picks) <= most:
        trace = train(picks)
        remaining = list(way)
        for rank in range(len(way)):
            pair = trace.merges[rank] if rank < len(trace.merges) else None
            if pair in remaining:
                rivals = set(trace.rivals(rank))
                if rank in picks or rivals.isdisjoint(remaining[: remaining.index(pair)]):
                    remaining.remove(pair)
                    continue
            tied = trace.tied_pairs(rank)
            picks = {before: pick for before, pick in picks.items() if before < rank}
            picks[rank] = next(pair for pair in remaining if pair in tied)
            break
        else:
            return picks
    raise BPEError(f"Getting there takes more than {most} picks by hand.")


def tie_sentences(graph: TieGraph) -> list[str]:
    """Return what a tie graph shows: one finding, then what to know of it.

    >>> tie_sentences(tie_graph({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, merges=6))[0]
    'From merge 4 on, there are two different splits: this tie makes a lasting difference.'
    """
    if graph.results is None:
        return _sentences_of_a_part(graph)
    if graph.orders == 1:
        return ["No pairs ever tie, so there is only one way."]
    many = f"{format_number(graph.orders)} ways to break the ties"
    # What ways of different lengths learn is not counted together.
    vocabularies = graph.vocabularies[-1] if graph.orders == graph.ways[-1] else None
    if vocabularies is not None:
        many += ", one vocabulary" if vocabularies == 1 else f", {format_number(vocabularies)} vocabularies"
    many = many[0].upper() + many[1:]
    if graph.results == 1:
        return [f"{many}: every one splits the text the same way."]
    return [_finding(graph, graph.results), f"{many}."]


def _finding(graph: TieGraph, results: int) -> str:
    """Return what all ways lead to, if they do not all split the text the same way."""
    if graph.stopped:
        return f"The ways end in {_in_words(results)} different splits."
    if graph.parted is None:
        return f"Training ends inside a tie, with {_in_words(results)} possible splits."
    begin = f"From {merge_name(graph.parted - 1)} on"
    if set(graph.splits[graph.parted :]) == {results}:
        return (
            f"{begin}, there are {_in_words(results)} different splits: this tie makes a lasting difference."
        )
    return f"{begin}, the paths never all meet again: they end in {_in_words(results)} different splits."


def _sentences_of_a_part(graph: TieGraph) -> list[str]:
    why = {
        "splits": f"there are more than {graph.most_splits:,} splits",
        "memory": "the list would take too much memory",
        "time": "the time was up",
        "work": "listing them would take too long",
        "figures": "there are too many splits to compare",
        "": "there are too many splits to compare",
    }[graph.stopped]
    listed = len(graph.splits) - 1
    if not listed:
        return ["There are too many ways to list.", f"Nothing is listed: {why}."]
    return [
        _finding_of_a_part(graph),
        f"We stopped listing after {counted(listed, 'merge')}.",
        f"After that, {why}.",
    ]


def _finding_of_a_part(graph: TieGraph) -> str:
    """Return how many splits there are at the last moment at which they can be compared."""
    if not graph.ends:
        number, when = graph.splits[-1], f"after {counted(len(graph.splits) - 1, 'merge')}"
    else:
        count, number = min(graph.ends.items())
        often = "twice" if count == 2 else f"{count:,} times"
        pairs = "every pair" if count == 1 else f"every pair that occurs {often} or more"
        when = f"once {pairs} is merged"
    if number == 1:
        return f"Every way splits the text the same way {when}."
    return f"{number:,} different splits are possible {when}."


def format_number(number: int | None) -> str:
    """Return a number as text; from 16 digits on, the nearest power of ten, as `formatNumber` of numbers.js does.

    >>> format_number(432), format_number(12_691_420_609_161_857_281)
    ('432', 'about 10¹⁹')
    """
    if number is not None and number < 10**15:
        return f"{number:,}"
    power = str(MOST_WAYS.bit_length() * 3 // 10 if number is None else round(log10(number)))
    known = "more than" if number is None else "about"
    return f"{known} 10{power.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _in_words(number: int) -> str:
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number - 2] if 2 <= number <= 10 else format_number(number)
