"""Tie graph: every way to break every tie of a training, and what each leads to.

Listing all orders of all picks would take far too long, and it is not necessary. Two tied pairs that overlap nowhere do
not change each other: they can be merged in either order, and the text is split alike. So the tied pairs of one count
fall into groups of pairs that overlap, directly or through others of the group. All ways through one group are listed,
then all ways through the next one, but never the two interleaved. The segmentations when all pairs of that count are
merged are the same as over all orders. This is partial-order reduction with ample sets (Peled 1993; persistent sets,
Godefroid 1996). What the interleaved orders would add between two such moments is counted, not listed.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product
from math import comb, factorial, inf, prod
from time import monotonic
from typing import Any, Literal, NamedTuple

from bpe.checkpoints import checkpoint
from bpe.checks import at_least, shortened_repr
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import any_piece
from bpe.settings.request import Text, TrainingRequest, read_settings
from bpe.settings.tie_breaking import TieBreak
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.display import counted, merge_name
from bpe.text.variants import Variant
from bpe.trace.trace import Trace
from bpe.training.word_layout import spell_words

Kind = Literal["none", "order only", "detour", "fork", "open", "choice"]
_Stopped = Literal["", "splits", "memory", "time", "figures"]


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
    nodes: "Sequence[Node]"  # the first one is the untouched text
    edges: "Sequence[Edge]"
    # What ended the listing: "splits" (more than `most_splits`), "memory", "time"; "" if nothing did. "figures": all is
    # listed, but `splits` ends early, since the segmentations between two counts are too many to compare.
    stopped: _Stopped
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
    def edges_from(self) -> "Sequence[Sequence[Edge]]":
        """The edges that leave each node."""
        leaving: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            leaving[edge.source].append(edge)
        return leaving

    @cached_property
    def edges_to(self) -> "Sequence[Sequence[Edge]]":
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

    def edges_of(self, trace: Trace) -> "list[Edge]":
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

    def stepping_stones(self, node: int) -> tuple[Symbol, ...]:
        """Return the tokens that some ways to a node have learned since all paths last met, and other ways have not."""
        begin = self._last_meeting[node]
        before = _reaching(node, self.edges_to, begin)
        some: dict[Symbol, None] = {}
        every: dict[int, frozenset[Symbol]] = {begin: frozenset()}
        for number in sorted(before - {begin}, key=lambda number: self.nodes[number].merges):
            learned = []
            for edge in self.edges_to[number]:
                if edge.source in every:
                    made = [left + right for left, right in edge.pairs]
                    some |= dict.fromkeys(made)
                    learned.append(every[edge.source] | frozenset(made))
            every[number] = frozenset.intersection(*learned)
        return tuple(token for token in some if token not in every[node])

    @cached_property
    def _last_meeting(self) -> Sequence[int]:
        """By node: the last node before it that all ways pass."""
        latest, last = [0] * len(self.nodes), 0
        for number in sorted(range(len(self.nodes)), key=lambda number: self.nodes[number].merges):
            latest[number] = last
            if self.nodes[number].meeting:
                last = number
        return latest


def tie_graph(
    text: Text,
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    *,
    most_splits: int = 2_000,
    most_seconds: float | None = 60.0,
    **settings: Any,
) -> TieGraph:
    """Return every way to break every tie of a training.

    `text` and the settings are those of `bpe.train`; it makes no difference which rule breaks the ties. The listing
    ends where more than `most_splits` segmentations would have to be listed, after `most_seconds` (None: no limit), and
    where it would take more than about 100 MB of memory.

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
    seconds = _seconds(most_seconds)
    return _Listing(request, request.count(text), most_splits, monotonic() + seconds).graph()


def tie_graph_of(trace: Trace, *, most_splits: int = 2_000, most_seconds: float | None = 60.0) -> TieGraph:
    """Return every way to break every tie of the training that a trace holds, whatever pairs were picked in it.

    Raises BPEError for a replay, and for a second stage.
    """
    if trace.replayed:
        raise BPEError("A replay breaks no ties: its merges are those of a tokenizer.")
    if trace.request.second is not None:
        raise BPEError(_ONE_STAGE)
    at_least(1, "most_splits", most_splits)
    seconds = _seconds(most_seconds)
    words = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    return _Listing(trace.request, words, most_splits, monotonic() + seconds).graph()


@dataclass(frozen=True, slots=True)
class Node:
    """One segmentation of the training text, after so many merges."""

    merges: int
    segmentation: int  # nodes with the same number split the text alike
    tokens: tuple[Symbol, ...]  # in use here, but not yet where all ways last met
    meeting: bool  # whether all ways pass this node


@dataclass(frozen=True, slots=True)
class Edge:
    """One merge; or several pairs that are merged one after another, in any order."""

    source: int  # number of a node
    target: int
    pairs: tuple[Pair, ...]
    count: int
    kind: Kind


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


def _reaching(node: int, edges_to: Sequence[Sequence[Edge]], begin: int) -> set[int]:
    """Return the nodes on the ways from `begin` to `node`."""
    nodes, waiting = {node, begin}, [node] if node != begin else []
    while waiting:
        for edge in edges_to[waiting.pop()]:
            if edge.source not in nodes:
                nodes.add(edge.source)
                waiting.append(edge.source)
    return nodes


def _seconds(most_seconds: object) -> float:
    if most_seconds is None:
        return inf
    if (
        isinstance(most_seconds, bool)
        or not isinstance(most_seconds, int | float)
        or most_seconds != most_seconds
    ):
        raise BPEError(f"most_seconds must be a number or None, got {shortened_repr(most_seconds)}.")
    return max(-1.0, min(most_seconds, 1e9))


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
    many = f"{_number(graph.orders)} ways to break the ties"
    # What ways of different lengths learn is not counted together.
    vocabularies = graph.vocabularies[-1] if graph.orders == graph.ways[-1] else None
    if vocabularies is not None:
        many += ", one vocabulary" if vocabularies == 1 else f", {_number(vocabularies)} vocabularies"
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


def _number(number: int | None) -> str:
    """Return a number as text; for a long one, its power of ten.

    >>> _number(432), _number(12_691_420_609_161_857_281)
    ('432', 'more than 10¹⁹')
    """
    if number is not None and number < 10**12:
        return f"{number:,}"
    power = f"{_MOST_WAYS.bit_length() * 3 // 10 if number is None else len(str(number)) - 1:,}"
    return f"more than 10{power.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹', ','))}"


def _in_words(number: int) -> str:
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number - 2] if 2 <= number <= 10 else f"{number:,}"


# Entries that are stored at once. An entry takes about eight bytes: one number in a tuple. What takes more counts as
# several, as `_Size` says.
_MOST_STORED = 12_000_000


class _Size:
    """How many entries things take besides the numbers in their tuples."""

    PAIR = 64  # of the text, with its count and its words
    FORM = 32
    MERGE = 16  # of a form, with 8 for each pair whose count changes
    SYMBOL = 48
    LOCAL = 64
    NODE = 64
    EDGE = 64
    STATE = 64
    ITEM = 12  # of a dict


# Ways that are listed one by one, to count the vocabularies, and the entries that are copied for it: a fifth of them at
# most for one merge, since those are stored together.
_MOST_LISTED_WAYS = 5_000
_MOST_COPIED = 1_000_000
# Numbers of segmentations and ways from here on are not computed: they have more than a thousand digits.
_MOST_WAYS = 1 << 4096
# More pairs in any order than this have more orders than _MOST_WAYS.
_MOST_ORDERED = 500
# Entries that are read or written between two looks at the clock, the memory and the checkpoint: some 5 ms of work.
_BETWEEN_LOOKS = 20_000
_Tokens = tuple[int, ...]  # a word, as internal ids
_Form = int  # number of a word as it is split: equal ones have the same number
_Delta = dict[int, _Form]  # number of a word -> its form, if it differs from that of the common words
_Key = bytes  # a segmentation: the words of a delta with their forms


class _ListingEndError(Exception):
    """Raised where the listing must end."""

    def __init__(self, stopped: _Stopped) -> None:
        self.stopped: _Stopped = stopped


@dataclass(slots=True, eq=False)
class _Local:
    """One segmentation of the words in which the pairs of a group occur, with the other groups untouched."""

    words: tuple[_Form, ...]
    tied: tuple[PairKey, ...]  # pairs of the group that have the level's count here, ascending
    changes: dict[
        PairKey, int
    ]  # of pair counts, since the beginning of the level; emptied when what follows is listed
    path: tuple[PairKey, ...]  # merges that lead here, of all orders one
    ways: int = 0
    # Pair, index of the next one in the next depth.
    leaving: list[tuple[PairKey, int]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Group:
    """Tied pairs that overlap, and every way to merge them."""

    pairs: tuple[PairKey, ...]  # by first occurrence
    words: tuple[int, ...]  # numbers of the words in which they occur
    # Word, initial symbols before the pair, pair; empty if not asked for.
    places: frozenset[tuple[int, int, PairKey]]
    depths: list[list[_Local]] = field(default_factory=list)  # the segmentations after 0, 1, … merges
    exceeded: _Stopped = ""  # why the next depth is not listed
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
class _State:
    """A segmentation in which all pairs above some count are merged: where a level may begin."""

    merges: int
    words: _Delta
    counts: dict[PairKey, int]  # of the pairs whose count differs from that in the common words
    made: tuple[int, ...]  # symbols that were learned since all ways last met, on one of the ways
    node: int
    ways: int | None
    top_count: int = 0
    tied: frozenset[PairKey] = frozenset()

    @property
    def size(self) -> int:
        """Entries that it takes."""
        return _Size.STATE + _Size.ITEM * (len(self.words) + len(self.counts)) + len(self.made)


class _Merge(NamedTuple):
    """What a merge makes of a word."""

    form: _Form
    pairs: tuple[PairKey, ...] = ()  # whose number in the word changes
    times: tuple[int, ...] = ()  # by how much


@dataclass(frozen=True, slots=True)
class _DrawnEdge:
    """What an edge says besides its nodes and pairs."""

    count: int
    kind: Kind
    rivals: tuple[PairKey, ...] = ()  # of a choice: the tied pairs that overlap its pair


class _Listing:
    """The listing of one training's ways. A level is what happens at one count, from the highest one down."""

    def __init__(
        self, request: TrainingRequest, counted: Mapping[str, int], most_splits: int, deadline: float
    ) -> None:
        """Take the words with their frequencies."""
        self._request, self._most_splits, self._deadline = request, most_splits, deadline
        words, symbols = spell_words(tuple(counted), request.variant)
        self._limit = request.most_merges(len(request.order_alphabet(symbols)))
        # By internal id: the symbol, and the initial symbols it consists of. Ways that make a symbol of different pairs
        # make the same symbol.
        self._symbols: list[Symbol] = list(symbols)
        self._initial: list[_Tokens] = [(number,) for number in range(len(symbols))]
        self._id_of: dict[_Tokens, int] = {initial: number for number, initial in enumerate(self._initial)}
        numbers: dict[Symbol | int, int] = {}
        for number, symbol in enumerate(symbols):
            numbers[symbol] = number
            if len(symbol) == 1:
                numbers[symbol[0]] = number
        frequencies: dict[_Tokens, int] = {}
        for word, frequency in zip(words, counted.values(), strict=True):
            tokens = tuple(map(numbers.__getitem__, word))
            frequencies[tokens] = frequencies.get(tokens, 0) + frequency
        self._count_pairs = _all_pairs if request.overlaps else _pairs_apart
        # What is stored, in entries: of the level, of what is drawn, and of forms and symbols that merges made.
        self._stored = self._drawn = self._made = 0
        self._since_look = 0
        # By form: its tokens, and for each pair the form that its merge makes, with the changes of pair counts.
        self._forms: list[_Tokens] = []
        self._form_of: dict[_Tokens, _Form] = {}
        self._merges: list[dict[PairKey, _Merge]] = []
        # The words where all ways last met.
        self._common = list(map(self._form, frequencies))
        self._frequencies = list(frequencies.values())
        # No pair's count is higher.
        self._first = sum(map(len, frequencies)) * max(self._frequencies, default=0)
        self._counts: dict[PairKey, int] = {}
        self._words_of = defaultdict[PairKey, list[int]](list)  # and words in which the pair no longer occurs
        self._by_count = defaultdict[int, set[PairKey]](set)  # only pairs that may be merged
        self._allowed: dict[PairKey, bool] = {}
        # What is drawn: merges, segmentation, epoch, symbols in use.
        self._nodes: list[tuple[int, int, int, tuple[int, ...]]] = []
        self._edges: dict[tuple[int, int, tuple[PairKey, ...]], _DrawnEdge] = {}
        self._all_drawn = self._all_listed = True
        self._epoch = 0  # how often all ways have met
        # What belongs to the level that is being drawn. No segmentation comes again in one that begins later.
        self._key_of: dict[int, _Key] = {}
        self._node_of: dict[tuple[int, _Key], int] = {}
        self._segmentation_of: dict[_Key, int] = {}
        self._segmentations = 0
        # What is counted, by number of merges.
        self._splits = defaultdict[int, int](int)
        self._ways: dict[int, int | None] = {}
        self._vocabularies: list[int] = [1]
        self._ends: dict[int, int] = {}
        self._known_until: int | None = None  # None: everything
        self._cut_at = 0  # the highest count at which the limit of merges ended a way
        self._ended: dict[int, _State] = {}
        self._frontier: dict[int, _State] = {}

    # The levels

    def graph(self) -> TieGraph:
        """Return the graph."""
        start = _State(0, {}, {}, (), self._draw(0, {}, ()), 1)
        self._ways[0] = 0
        stopped: _Stopped = ""
        self._frontier[start.node] = start
        try:
            self._count_text()
            self._list_one_by_one(start)
            del self._frontier[start.node]
            self._arrive([start], self._first)
            while self._frontier:
                self._look()
                self._level()
        except _ListingEndError as error:
            stopped = error.stopped
            self._all_listed = False
            # Only the beginning of what was not listed is known.
            for state in self._frontier.values():
                self._know_until(state.merges)
        for state in [*self._frontier.values(), *self._ended.values()]:
            self._splits[state.merges] += 1
            self._add_ways({state.merges: state.ways})
        return self._result(stopped)

    def _arrive(self, states: Iterable[_State], bound: int) -> None:
        """Sort states into those that go on and those where training ends.

        All go on at first, so that none is missing if the listing ends here.
        """
        new: list[_State] = []
        for state in states:
            before = self._frontier.get(state.node) or self._ended.get(state.node)
            if before is not None:  # from a higher level
                _join(before, state)
            else:
                self._frontier[state.node] = state
                new.append(state)
        for state in new:
            self._find_top(state, bound)
            if state.top_count < self._request.min_count:
                del self._frontier[state.node]
                self._ended[state.node] = state

    def _add_ways(self, ways: Mapping[int, int | None]) -> None:
        for merges, number in ways.items():
            before = self._ways.get(merges, 0)
            total = None if before is None or number is None else before + number
            self._ways[merges] = None if total is None or total >= _MOST_WAYS else total

    def _know_until(self, merges: int) -> None:
        self._known_until = merges if self._known_until is None else min(self._known_until, merges)

    def _level(self) -> None:
        """List the merges of the highest count that any state has."""
        count = max(state.top_count for state in self._frontier.values())
        states = [state for state in self._frontier.values() if state.top_count == count]
        alone = len(self._frontier) == 1 and not self._ended and not self._cut_at  # all ways pass this one
        if alone and states[0].words:  # the last ways have met between two levels
            self._make_common(states[0])
            self._begin_level(states)
        groups_of: dict[int, list[_Group]] = {}
        known: dict[tuple[int, frozenset[tuple[int, int, PairKey]]], _Group] = {}
        for state in states:
            room = self._limit - state.merges
            groups = self._groups(state, with_places=len(states) > 1)
            for index, group in enumerate(groups):
                # At the same places the same happens, whatever differs elsewhere.
                if group.places and (room, group.places) in known:
                    groups[index] = known[room, group.places]
                else:
                    self._explore(state, group, room)
                    known[room, group.places] = group
            groups_of[state.node] = groups
            self._stored += len(groups)
        try:
            for groups in groups_of.values():
                self._spend(len(groups))
                for group in groups:
                    if group.exceeded:
                        raise _ListingEndError(group.exceeded)
                if prod(group.finals for group in groups if not group.cut) > self._most_splits:
                    raise _ListingEndError("splits")
            arrived, cut = self._ways_through(states, groups_of)
        except _ListingEndError:
            self._add_figures(states, groups_of, with_finals=True)
            for state in states:
                del self._frontier[state.node]
                self._know_until(state.merges + self._known_depth(state, groups_of[state.node]))
            raise
        self._add_figures(states, groups_of, with_finals=False)
        for state in states:
            del self._frontier[state.node]
        if cut:
            self._cut_at = max(self._cut_at, count)
        if len(arrived) == 1 and not self._frontier and not self._ended and not self._cut_at:
            self._make_common(arrived[0])
        self._arrive(arrived, count - 1)
        states = [*self._frontier.values(), *self._ended.values()]
        if count > self._cut_at:
            self._ends[count] = len({self._nodes[state.node][1] for state in states})
        self._begin_level(states)

    def _begin_level(self, states: Sequence[_State]) -> None:
        """Forget the segmentations that do not come again: all but those of these states."""
        self._key_of = {state.node: self._key_of[state.node] for state in states}
        self._node_of = {(self._nodes[node][0], key): node for node, key in self._key_of.items()}
        self._segmentation_of = {key: self._nodes[node][1] for node, key in self._key_of.items()}
        self._stored = sum(state.size + len(state.words) for state in states)

    # The bounds

    def _spend(self, entries: int) -> None:
        """Count entries that were read or written, and check now and then whether the listing must end."""
        self._since_look += entries
        if self._since_look >= _BETWEEN_LOOKS:
            self._look()

    def _look(self) -> None:
        self._since_look = 0
        checkpoint()
        if monotonic() > self._deadline:
            raise _ListingEndError("time")
        if self._is_full:
            raise _ListingEndError("memory")

    @property
    def _is_full(self) -> bool:
        return self._stored + self._drawn + self._made + _Size.PAIR * len(self._counts) > _MOST_STORED

    # The words

    def _count_text(self) -> None:
        """Count the pairs of the text. Its words do not count as stored: whoever lists the ways has them."""
        self._made = 0
        for number, form in enumerate(self._common):
            frequency, tokens = self._frequencies[number], self._forms[form]
            pairs = self._count_pairs(tokens)
            for at in range(0, len(pairs), _BETWEEN_LOOKS):
                for pair in pairs[at : at + _BETWEEN_LOOKS]:
                    self._counts[pair] = self._counts.get(pair, 0) + frequency
                self._spend(min(len(pairs), _BETWEEN_LOOKS))
            for pair in set(pairs):
                self._words_of[pair].append(number)
            self._spend(len(tokens))
        for pair, count in self._counts.items():
            if self._may_merge(pair):
                self._by_count[count].add(pair)
        self._first = max(self._by_count, default=0)
        self._look()

    def _may_merge(self, pair: PairKey) -> bool:
        if self._request.may_merge is any_piece:
            return True
        if pair not in self._allowed:
            left, right = self._symbols[pair >> SHIFT], self._symbols[pair & MASK]
            self._allowed[pair] = self._request.may_merge(left, right)
        return self._allowed[pair]

    def _symbol(self, pair: PairKey) -> int:
        """Return the symbol that a merge makes."""
        left, right = pair >> SHIFT, pair & MASK
        initial = self._initial[left] + self._initial[right]
        if initial not in self._id_of:
            self._id_of[initial] = len(self._symbols)
            self._initial.append(initial)
            self._symbols.append(self._symbols[left] + self._symbols[right])
            self._made += _Size.SYMBOL + len(initial)
        return self._id_of[initial]

    def _form(self, tokens: _Tokens) -> _Form:
        if tokens not in self._form_of:
            self._form_of[tokens] = len(self._forms)
            self._forms.append(tokens)
            self._merges.append({})
            self._made += _Size.FORM + len(tokens)
        return self._form_of[tokens]

    def _merge(self, form: _Form, pair: PairKey) -> _Merge:
        """Return what a merge makes of a form."""
        known = self._merges[form].get(pair)
        if known is None:
            tokens, left, right = self._forms[form], pair >> SHIFT, pair & MASK
            known = _Merge(form)
            if left in tokens and right in tokens:
                merged = _merge_word(tokens, left, right, self._symbol(pair))
                if len(merged) < len(tokens):
                    changes = self._changes(tokens, merged)
                    known = _Merge(self._form(merged), tuple(changes), tuple(changes.values()))
                self._spend(len(tokens))
            self._merges[form][pair] = known
            self._made += _Size.MERGE + 8 * len(known.pairs)
        return known

    def _changes(self, before: _Tokens, after: _Tokens) -> dict[PairKey, int]:
        """Return by how much the number of each pair differs after a merge, if it does."""
        if self._request.overlaps:  # only what is not alike at both ends, and its neighbours
            begin = next(
                (at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0
            )
            end = 0
            while before[-1 - end] == after[-1 - end] and begin + end + 1 < len(after):
                end += 1
            begin, end = max(0, begin - 1), max(0, end - 1)
            before, after = before[begin : len(before) - end], after[begin : len(after) - end]
        changes: dict[PairKey, int] = {}
        for pair in self._count_pairs(before):
            changes[pair] = changes.get(pair, 0) - 1
        for pair in self._count_pairs(after):
            changes[pair] = changes.get(pair, 0) + 1
        return {pair: number for pair, number in changes.items() if number}

    def _form_after(self, form: _Form, path: Iterable[PairKey]) -> _Form:
        for pair in path:
            form = self._merge(form, pair).form
        return form

    def _count(self, state: _State, pair: PairKey) -> int:
        return state.counts[pair] if pair in state.counts else self._counts.get(pair, 0)

    def _find_top(self, state: _State, bound: int) -> None:
        """Find the pairs of the highest count of a state, which is at most `bound`."""
        self._spend(len(state.counts))
        top = max((count for pair, count in state.counts.items() if self._may_merge(pair)), default=0)
        tied = {pair for pair, count in state.counts.items() if count == top and self._may_merge(pair)}
        for count in sorted((count for count in self._by_count if top <= count <= bound), reverse=True):
            self._spend(len(self._by_count[count]))
            pairs = self._by_count[count] - state.counts.keys()
            if pairs:
                tied = pairs | (tied if count == top else set())
                top = count
                break
        state.top_count, state.tied = (top, frozenset(tied)) if top else (0, frozenset())

    def _apply(
        self, state: _State, paths: Mapping[int, Sequence[PairKey]]
    ) -> tuple[_Delta, dict[PairKey, int]]:
        """Return the words and counts of a state after further merges. `paths` has those of each word."""
        changed, counts = dict(state.words), dict(state.counts)
        for number, path in paths.items():
            old = form = changed.get(number, self._common[number])
            frequency = self._frequencies[number]
            for pair in path:
                merge = self._merge(form, pair)
                form = merge.form
                for other, times in zip(merge.pairs, merge.times, strict=True):
                    before = counts[other] if other in counts else self._counts.get(other, 0)
                    counts[other] = before + times * frequency
            if form != old:
                changed[number] = form
        self._spend(len(paths) + len(changed) + len(counts))
        return changed, counts

    def _make_common(self, state: _State) -> None:
        """Make the words of a state the common ones: all ways meet there."""
        for number, new in state.words.items():
            before, after = self._forms[self._common[number]], self._forms[new]
            for pair in set(self._count_pairs(after)).difference(self._count_pairs(before)):
                self._words_of[pair].append(number)
            self._common[number] = new
            self._since_look += len(before)
        for pair, count in state.counts.items():
            if self._may_merge(pair):
                old = self._counts.get(pair, 0)
                self._by_count[old].discard(pair)
                if not self._by_count[old]:
                    del self._by_count[old]
                if count:
                    self._by_count[count].add(pair)
            if count:
                self._counts[pair] = count
            else:
                self._counts.pop(pair, None)
                self._words_of.pop(pair, None)
        state.words, state.counts, state.made = {}, {}, ()
        self._epoch += 1
        self._key_of[state.node] = _key({})
        if len(self._forms) > 4 * len(self._common) + 10_000:
            tokens = [self._forms[form] for form in self._common]
            self._forms.clear()
            self._form_of.clear()
            self._merges.clear()
            self._common = list(map(self._form, tokens))
            self._made = sum(_Size.SYMBOL + len(initial) for initial in self._initial)

    # The groups of one level

    def _words_with(self, state: _State, pairs: Iterable[PairKey]) -> list[int]:
        """Return the numbers of the words in which pairs can occur, ascending."""
        numbers = set(state.words)
        for pair in pairs:
            numbers.update(self._words_of.get(pair, ()))
        self._spend(len(numbers))
        return sorted(numbers)

    def _groups(self, state: _State, *, with_places: bool) -> list[_Group]:
        """Return the groups of overlapping pairs among the tied pairs of a state, by first occurrence."""
        tied, top_count = state.tied, state.top_count
        filtered = self._request.may_merge is not any_piece
        group_of: dict[PairKey, PairKey] = {}
        words = defaultdict[PairKey, list[int]](list)
        places = defaultdict[PairKey, list[tuple[int, int, PairKey]]](list)

        def root(pair: PairKey) -> PairKey:
            while group_of.setdefault(pair, pair) != pair:
                pair = group_of[pair]
            return pair

        for number in self._words_with(state, tied):
            tokens = self._forms[state.words.get(number, self._common[number])]
            self._spend(len(tokens))
            previous = -1
            offset = 0
            for left, right in pairwise(tokens):
                pair = left << SHIFT | right
                # A pair that may not be merged can become one that may: it joins groups, too.
                if pair in tied or (
                    filtered and not self._may_merge(pair) and self._count(state, pair) >= top_count
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
                offset += len(self._initial[left])
        members = defaultdict[PairKey, list[PairKey]](list)
        for pair in words:
            members[root(pair)].append(pair)
        return [
            _Group(
                pairs=tuple(pair for pair in pairs if pair in tied),
                words=tuple(sorted({number for pair in pairs if pair in tied for number in words[pair]})),
                places=frozenset(place for pair in pairs for place in places[pair]),
            )
            for pairs in members.values()
            if any(pair in tied for pair in pairs)
        ]

    def _explore(self, state: _State, group: _Group, most: int) -> None:
        """List every way to merge the pairs of a group, at most so many of them."""
        words = tuple(state.words.get(number, self._common[number]) for number in group.words)
        group.depths = [[_Local(words, tuple(sorted(group.pairs)), {}, (), 1)]]
        self._stored += _Size.LOCAL + 2 * len(words) + 2 * len(group.pairs) + _Size.ITEM * len(group.places)
        listed = 1
        while any(local.tied for local in group.depths[-1]):
            self._look()
            if len(group.depths) > most:
                group.cut = True
                return
            following = self._followers(state, group, listed)
            if group.exceeded:
                return
            for local in group.depths[-1]:
                self._stored -= _Size.ITEM * len(local.changes)
                local.changes = {}
            listed += len(following)
            group.depths.append(following)

    def _followers(self, state: _State, group: _Group, listed: int) -> list[_Local]:
        """Return the segmentations after one more merge; sets `exceeded` if there are too many."""
        most = min(self._most_splits, 8 * self._most_splits - listed)
        following: list[_Local] = []
        # Different pairs lead to different segmentations.
        if max(len(local.tied) for local in group.depths[-1]) > most:
            group.exceeded = "splits"
            return following
        frequencies = [self._frequencies[number] for number in group.words]
        index_of: dict[tuple[_Form, ...], int] = {}
        for local in group.depths[-1]:
            self._look()
            for pair in local.tied:
                merged = tuple([self._merge(form, pair).form for form in local.words])
                index = index_of.get(merged)
                if index is None:
                    if len(following) == most:
                        group.exceeded = "splits"
                        return following
                    index = index_of[merged] = len(following)
                    new = self._next(state, local, pair, merged, frequencies)
                    following.append(new)
                    self._stored += _Size.LOCAL + len(merged) + len(new.tied) + len(new.path)
                    self._stored += _Size.ITEM * len(new.changes)
                    if self._is_full:
                        group.exceeded = "memory"
                        return following
                local.leaving.append((pair, index))
                self._stored += _Size.ITEM
                following[index].ways += local.ways
                self._spend(len(merged) + len(local.tied))
        return following

    def _next(
        self,
        state: _State,
        local: _Local,
        pair: PairKey,
        merged: tuple[_Form, ...],
        frequencies: Sequence[int],
    ) -> _Local:
        """Return the segmentation after one more merge. Only pairs with the new symbol gain occurrences."""
        new = self._symbol(pair)
        changes = dict(local.changes)
        touched: set[PairKey] = set()
        for old_form, form, frequency in zip(local.words, merged, frequencies, strict=True):
            if form != old_form:
                merge = self._merge(old_form, pair)
                for other, times in zip(merge.pairs, merge.times, strict=True):
                    changes[other] = changes.get(other, 0) + times * frequency
                    touched.add(other)
        tied = [other for other in local.tied if other != pair and other not in touched]
        tied += (
            other
            for other in touched
            if new in (other >> SHIFT, other & MASK)
            and self._count(state, other) + changes[other] == state.top_count
            and self._may_merge(other)
        )
        return _Local(merged, tuple(sorted(tied)), changes, (*local.path, pair))

    # What is drawn

    def _draw(self, merges: int, words: _Delta, made: Sequence[int]) -> int:
        """Return the number of a node. `made` holds the symbols that were learned on one way to it."""
        key = _key(words)
        if (merges, key) not in self._node_of:
            if key not in self._segmentation_of:
                self._segmentation_of[key] = self._segmentations
                self._segmentations += 1
            used: set[int] = set()
            for form in words.values():
                used.update(self._forms[form])
                self._spend(len(self._forms[form]))
            in_use = tuple(symbol for symbol in made if symbol in used)
            self._node_of[merges, key] = len(self._nodes)
            self._key_of[len(self._nodes)] = key
            self._nodes.append((merges, self._segmentation_of[key], self._epoch, in_use))
            self._stored += len(words)
            self._drawn += _Size.NODE + len(in_use)
            if len(self._nodes) > 32 * self._most_splits + 10 * self._nodes[-1][0]:
                raise _ListingEndError("splits")
        self._spend(len(words) + len(made))
        return self._node_of[merges, key]

    def _draw_edge(self, source: int, target: int, pairs: tuple[PairKey, ...], edge: _DrawnEdge) -> None:
        if (source, target, pairs) not in self._edges:
            self._edges[source, target, pairs] = edge
            self._drawn += _Size.EDGE + 8 * len(pairs) + len(edge.rivals)

    def _ways_through(
        self, states: Iterable[_State], groups_of: Mapping[int, list[_Group]]
    ) -> tuple[list[_State], bool]:
        """Draw the ways through one level. Return the states after it, and whether the limit of merges ends some."""
        arrived: dict[int, _State] = {}
        cut = False
        for state in states:
            groups, room = groups_of[state.node], self._limit - state.merges
            self._spend(len(groups))
            if sum(group.longest for group in groups) > room or any(group.cut for group in groups):
                # Now it matters which pairs are merged before the end: all orders must be listed.
                cut = True
                joint = self._joint(state, groups, room)
                if joint is None:
                    if sum(group.shortest for group in groups) <= room:
                        raise _ListingEndError("splits")
                    self._all_drawn = False
                    continue
                groups = [joint]
            for reached in self._through(state, groups, cut=cut):
                if reached.node in arrived:
                    _join(arrived[reached.node], reached)
                else:
                    arrived[reached.node] = reached
                    self._stored += reached.size
                    if len(arrived) > self._most_splits:
                        raise _ListingEndError("splits")
        return list(arrived.values()), cut

    def _joint(self, state: _State, groups: Sequence[_Group], room: int) -> _Group | None:
        """Return all tied pairs of a state as one group; None if that is too much to list."""
        singles = sum(group.is_one_merge for group in groups)
        # Different sets of pairs that overlap nowhere lead to different segmentations.
        if len(_binomials(singles, min(room, singles // 2), self._most_splits + 1)) <= min(
            room, singles // 2
        ):
            return None
        words = {number for group in groups for number in group.words}
        joint = _Group(tuple(state.tied), tuple(sorted(words)), frozenset())
        before = self._stored
        self._explore(state, joint, room)
        if not joint.exceeded:
            return joint
        self._stored = before
        return None

    def _through(self, state: _State, groups: Sequence[_Group], *, cut: bool) -> Iterator[_State]:
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
            current.words, current.counts = self._apply(state, paths)
            current.made = state.made + tuple(map(self._symbol, pairs))
            current.merges = state.merges + len(pairs)
            current.node = self._draw(current.merges, current.words, current.made)
            self._draw_edge(state.node, current.node, tuple(pairs), _DrawnEdge(count, quiet))
            if state.ways is not None:
                current.ways = None if len(pairs) > _MOST_ORDERED else state.ways * factorial(len(pairs))
        reached = [(current, len(singles))]
        for group in groups:
            if not group.is_one_merge:
                alone = len(groups) == 1
                reached = [
                    following
                    for before, depth in reached
                    for following in self._through_group(before, depth, group, count, cut=cut, alone=alone)
                ]
        return (after for after, _ in reached)

    def _through_group(
        self, before: _State, done: int, group: _Group, count: int, *, cut: bool, alone: bool
    ) -> Iterator[tuple[_State, int]]:
        """Draw the ways through one group. Yield the states after it, with the number of the level's merges so far."""
        nodes: dict[tuple[int, int], int] = {(0, 0): before.node}
        for depth, locals_ in enumerate(group.depths):
            self._look()
            for index, local in enumerate(locals_):
                if not depth:
                    continue
                made = before.made + tuple(map(self._symbol, local.path))
                merges = before.merges + depth
                words = self._words_after(before.words, group.words, local.path)
                nodes[depth, index] = self._draw(merges, words, made)
                if not local.tied:
                    paths = dict.fromkeys(group.words, local.path)
                    state = replace(before, merges=merges, made=made, node=nodes[depth, index])
                    state.words, state.counts = self._apply(before, paths)
                    if before.ways is not None:
                        ways = before.ways * local.ways * comb(done + depth, depth)
                        state.ways = ways if ways < _MOST_WAYS else None
                    yield state, done + depth
        for depth, locals_ in enumerate(group.depths):
            for index, local in enumerate(locals_):
                rivals_of = self._rivals(local) if len(local.tied) > 1 else {}
                for pair, target in local.leaving:
                    tied = not alone or len(local.tied) > 1
                    rivals = tuple(sorted(rivals_of.get(pair, ())))
                    kind: Kind = (
                        "none" if not tied else "open" if cut else "choice" if rivals else "order only"
                    )
                    edge = _DrawnEdge(count, kind, rivals if kind == "choice" else ())
                    self._draw_edge(nodes[depth, index], nodes[depth + 1, target], (pair,), edge)

    def _rivals(self, local: _Local) -> dict[PairKey, set[PairKey]]:
        """Return for each tied pair of a group the other ones of them that overlap it, if any does."""
        tied = set(local.tied)
        rivals = defaultdict[PairKey, set[PairKey]](set)
        for form in local.words:
            for before, after in pairwise(_all_pairs(self._forms[form])):
                if before != after and before in tied and after in tied:
                    rivals[before].add(after)
                    rivals[after].add(before)
        return rivals

    def _words_after(self, words: _Delta, numbers: Sequence[int], path: Sequence[PairKey]) -> _Delta:
        after = dict(words)
        for number in numbers:
            old = words.get(number, self._common[number])
            new = self._form_after(old, path)
            if new != old:
                after[number] = new
        self._spend(len(words) + len(numbers) * len(path))
        return after

    # What is counted

    def _list_one_by_one(self, start: _State) -> None:
        """Count the vocabularies after 0, 1, … merges as long as the ways are few: each way is followed by itself."""
        # By segmentation: its orders, and what they learn.
        ways: dict[_Key, tuple[_State, int, set[int]]] = {_key({}): (start, 1, {0})}
        total = 0
        while len(self._vocabularies) <= self._limit and total <= _MOST_COPIED:
            number, entries = 0, -self._made
            for state, orders, _ in ways.values():
                self._find_top(state, state.top_count or self._first)
                if state.top_count < self._request.min_count:
                    state.tied = frozenset()
                number += orders * len(state.tied)
                if number > _MOST_LISTED_WAYS:
                    return
            if not number:
                return
            following: dict[_Key, tuple[_State, int, set[int]]] = {}
            for state, orders, vocabularies in ways.values():
                for pair in sorted(state.tied):
                    paths = dict.fromkeys(self._words_with(state, [pair]), (pair,))
                    words, counts = self._apply(state, paths)
                    entries += len(paths) + len(words) + len(counts) + len(vocabularies)
                    if entries + self._made > _MOST_COPIED / 5:
                        return
                    symbol = 1 << self._symbol(pair)
                    key = _key(words)
                    after = _State(state.merges + 1, words, counts, (), 0, None, state.top_count)
                    reached, before, learned = following.setdefault(key, (after, 0, set()))
                    learned |= {vocabulary | symbol for vocabulary in vocabularies}
                    following[key] = reached, before + orders, learned
            ways = following
            total += entries + self._made
            self._vocabularies.append(len(set[int]().union(*(learned for _, _, learned in ways.values()))))

    def _known_depth(self, state: _State, groups: Sequence[_Group]) -> int:
        """Return after how many merges of an unfinished level all segmentations are known."""
        exceeded = [len(group.depths) - 1 for group in groups if group.exceeded]
        return min(*exceeded, sum(group.shortest for group in groups), self._limit - state.merges)

    def _add_figures(
        self, states: Sequence[_State], groups_of: Mapping[int, list[_Group]], *, with_finals: bool
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
            self._splits[merges] += number
        for numbers in ways:
            self._add_ways(numbers)
        if until is not None:
            self._know_until(until)

    def _splits_of(
        self, states: Sequence[_State], groups_of: Mapping[int, list[_Group]], *, with_finals: bool
    ) -> tuple[dict[int, int], int | None]:
        """Return the number of segmentations in a level by number of merges, and up to which one it is known.

        None: all are known. The groups that all states have in common are counted once; all segmentations of the others
        are compared.
        """
        least = min(state.merges for state in states)
        if len(states) == 1:
            shared, apart = groups_of[states[0].node], {states[0].node: list[_Group]()}
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
        most = room = self._limit - least
        singles = sum(group.is_one_merge for group in shared)
        all_depths = _binomials(singles, room, _MOST_WAYS)
        if len(all_depths) <= min(singles, room):
            most = len(all_depths) - 1
        final_depths = [*[0] * singles, 1][: most + 1]
        for group in shared:
            if not group.is_one_merge:
                self._spend(len(all_depths) * len(group.depths))
                all_depths = _convolved(all_depths, group.sizes, most)
                large = next((depth for depth, number in enumerate(all_depths) if number >= _MOST_WAYS), None)
                if large is not None:
                    most = large - 1
                    del all_depths[large:]
                final_depths = _convolved(final_depths, group.final_sizes, most)
        numbers = defaultdict[int, int](int)
        for begins, depths, sign in ((every, all_depths, 1), (final, final_depths, 0 if with_finals else -1)):
            for merges, number in begins.items():
                self._spend(len(depths))
                for depth, more in enumerate(depths):
                    if merges + depth <= least + most:
                        numbers[merges + depth] += sign * number * more
        return numbers, None if most == room else least + most

    def _compared(
        self, states: Sequence[_State], groups_of: Mapping[int, list[_Group]]
    ) -> tuple[dict[int, int], dict[int, int]] | None:
        """Return how many segmentations the groups of several states lead to, by number of merges.

        First all of them, then those in which nothing is left to merge. None if they are too many to compare.
        """
        if sum(prod(sum(group.sizes) for group in groups_of[state.node]) for state in states) > (
            16 * self._most_splits
        ):
            return None
        every = defaultdict[int, set[_Key]](set)
        final = defaultdict[int, set[_Key]](set)
        entries = 0
        for state in states:
            self._look()
            groups = groups_of[state.node]
            choices = [
                [(depth, local) for depth, locals_ in enumerate(group.depths) for local in locals_]
                for group in groups
            ]
            for choice in product(*choices):
                words = state.words
                for group, (_, local) in zip(groups, choice, strict=True):
                    words = self._words_after(words, group.words, local.path)
                key, merges = _key(words), state.merges + sum(depth for depth, _ in choice)
                every[merges].add(key)
                if not any(local.tied for _, local in choice):
                    final[merges].add(key)
                entries += _Size.ITEM + len(words)
                if entries > _MOST_STORED / 4:
                    return None
                self._spend(len(words))
        return _sizes(every), _sizes(final)

    def _ways_of(
        self,
        state: _State,
        groups: Sequence[_Group],
        orders: dict[tuple[int, ...], tuple[list[int], list[int]]],
        *,
        with_finals: bool,
    ) -> Mapping[int, int | None]:
        """Return the number of orders that lead through a state into its level, by number of merges.

        `orders` has those of the groups of other states: by depth all of them, and those that end the level.
        """
        room = self._limit - state.merges
        longest = min(room, sum(len(group.depths) - 1 for group in groups))
        numbers: dict[int, int | None] = {state.merges + depth: None for depth in range(longest + 1)}
        self._spend(len(groups) + len(numbers))
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

    def _orders_of(self, groups: Sequence[_Group], room: int) -> tuple[list[int], list[int]]:
        """Return by depth in how many orders groups can be merged, and how many of these leave nothing to merge.

        Both lists end before _MOST_WAYS.
        """
        singles = sum(group.is_one_merge for group in groups)
        every = [1]
        while (
            len(every) <= min(singles, room)
            and (number := every[-1] * (singles - len(every) + 1)) < _MOST_WAYS
        ):
            every.append(number)
        final = [*[0] * singles, every[-1]] if len(every) > singles else [0] * len(every)
        for group in groups:
            if not group.is_one_merge:
                self._spend(len(every) * len(group.depths))
                ways = [sum(local.ways for local in locals_) for locals_ in group.depths]
                ends = [sum(local.ways for local in locals_ if not local.tied) for locals_ in group.depths]
                every, final = _shuffled(every, ways, room), _shuffled(final, ends, room)
                large = next(
                    (depth for depth, number in enumerate(every) if number >= _MOST_WAYS), len(every)
                )
                del every[large:], final[large:]
        return every, final

    def _result(self, stopped: _Stopped) -> TieGraph:
        last = max(self._splits, default=0)
        until = last if self._known_until is None else min(self._known_until, last)
        merges = range(until + 1)
        request = self._request
        by_number = request.merges is not None or request.vocab_size is not None
        if by_number and until == self._limit:  # what comes after it is not asked for
            stopped = ""
        elif not stopped and self._known_until is not None:
            stopped = "figures"
        if by_number:
            complete = until if stopped else None
        else:
            complete = min(self._ends, default=self._first + 1) if stopped else None
        least = max(self._cut_at + 1, request.min_count)
        if not self._all_listed:
            least = min(self._ends, default=self._first + 1)
        results = None
        if not self._all_listed and until == self._limit and not self._ended:
            results = self._splits[self._limit]
        elif self._all_listed and (
            self._known_until is None or self._known_until >= self._limit or not self._cut_at
        ):
            results = len({self._nodes[node][1] for node in self._ended})
            if self._cut_at:
                at_limit = sum(state.merges == self._limit for state in self._ended.values())
                results += self._splits[self._limit] - at_limit
        nodes, edges = self._drawing(complete=self._all_listed and self._all_drawn)
        vocabularies: list[int | None] = [*self._vocabularies, *[None] * len(merges)]
        return TieGraph(
            splits=[self._splits[number] for number in merges],
            ends=_Ends(self._ends, least),
            complete=complete,
            ways=[self._ways.get(number) for number in merges],
            vocabularies=vocabularies[: len(merges)],
            results=results,
            orders=self._orders() if self._all_listed else None,
            nodes=nodes,
            edges=edges,
            stopped=stopped,
            most_splits=self._most_splits,
        )

    def _orders(self) -> int | None:
        """Return the number of ways in which training can go, from beginning to end."""
        ended = [state.ways for state in self._ended.values()]
        if self._cut_at:
            at_limit = [state.ways for state in self._ended.values() if state.merges == self._limit]
            ended.append(self._ways.get(self._limit))
            ended += [None if ways is None else -ways for ways in at_limit]
        total = 0
        for ways in ended:
            if ways is None:
                return None
            total += ways
        return total

    def _drawing(self, *, complete: bool) -> tuple[list[Node], list[Edge]]:
        """Return nodes and edges. Unless the graph is `complete`, ways that have not met yet may meet later.

        A listing that ran out of time may have nodes to which no edge leads yet: they are left out.
        """
        leaving = defaultdict[int, list[int]](list)
        for source, target, _ in self._edges:
            leaving[source].append(target)
        found, waiting = {0}, [0]
        while waiting:
            new = [target for target in leaving[waiting.pop()] if target not in found]
            found.update(new)
            waiting += new
        reached = sorted(found)
        number_of = {node: number for number, node in enumerate(reached)}
        order = sorted(reached, key=lambda number: self._nodes[number][0])
        meetings: set[int] = set()
        pending, has_ended = {0}, False
        last: dict[int, int] = {}
        latest = 0
        for number in order:
            last[number] = latest
            if pending == {number} and not has_ended:
                meetings.add(number)
                latest = number
            pending.discard(number)
            pending.update(leaving[number])
            has_ended = has_ended or not leaving[number]
        # By node: the segmentations in which the ways from there end, as bits.
        bit_of: dict[int, int] = {}
        ends_of: dict[int, int] = {}
        for number in reversed(order):
            if leaving[number]:
                ends_of[number] = 0
                for target in leaving[number]:
                    ends_of[number] |= ends_of[target]
            else:
                segmentation = self._nodes[number][1]
                ends_of[number] = 1 << bit_of.setdefault(segmentation, len(bit_of))
        nodes = []
        for number in reached:
            merges, segmentation, epoch, in_use = self._nodes[number]
            before = self._nodes[last[number]]
            old = frozenset(before[3]) if before[2] == epoch else frozenset[int]()
            tokens = tuple(self._symbols[symbol] for symbol in in_use if symbol not in old)
            nodes.append(Node(merges, segmentation, tokens, number in meetings))
        ends_after = {
            (source, pairs[0]): ends_of[target]
            for (source, target, pairs), edge in self._edges.items()
            if edge.rivals and source in found
        }
        edges = []
        for (source, target, pairs), edge in self._edges.items():
            if source not in found:
                continue
            kind = edge.kind
            if kind == "choice":
                same = all(ends_after.get((source, rival)) == ends_of[target] for rival in edge.rivals)
                kind = "detour" if same else "fork" if complete else "choice"
            spelled = tuple((self._symbols[pair >> SHIFT], self._symbols[pair & MASK]) for pair in pairs)
            edges.append(Edge(number_of[source], number_of[target], spelled, edge.count, kind))
        return nodes, edges


def _join(state: _State, other: _State) -> None:
    """Add the ways of another state with the same segmentation."""
    state.ways = None if state.ways is None or other.ways is None else state.ways + other.ways


def _key(words: _Delta) -> _Key:
    return array("q", sorted([number << 32 | form for number, form in words.items()])).tobytes()


def _merge_word(tokens: _Tokens, left: int, right: int, new: int) -> _Tokens:
    """Return a word with a pair replaced from left to right, as `bpe.merge_pair` does."""
    merged: list[int] = []
    index, last = 0, len(tokens) - 1
    while True:
        try:
            at = tokens.index(left, index, last)
        except ValueError:
            merged += tokens[index:]
            return tuple(merged)
        merged += tokens[index:at]
        is_pair = tokens[at + 1] == right
        merged.append(new if is_pair else left)
        index = at + (2 if is_pair else 1)


def _all_pairs(tokens: _Tokens) -> list[PairKey]:
    return [left << SHIFT | right for left, right in pairwise(tokens)]


def _pairs_apart(tokens: _Tokens) -> list[PairKey]:
    """Return the pairs as `bpe.symbols.pairs_apart` does: none that overlaps an equal one before it."""
    apart: list[PairKey] = []
    before = -1
    for pair in _all_pairs(tokens):
        before = -1 if pair == before else pair
        if before >= 0:
            apart.append(pair)
    return apart


def _sizes(sets: Mapping[int, set[_Key]]) -> dict[int, int]:
    return {number: len(keys) for number, keys in sets.items()}


def _binomials(of: int, most: int, below: int) -> list[int]:
    """Return how many sets of 0, 1, … `most` things there are among some; the list ends before `below`."""
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
