"""What is drawn of every way: the segmentations as nodes, the merges between them as edges."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal, NamedTuple

from bpe.analysis.tie_bounds import ListingEndError, Size
from bpe.analysis.tie_words import Delta, Key, State, WordForms, key_of
from bpe.pair_ids import PairKey
from bpe.symbols import Pair, Symbol

Kind = Literal["none", "order only", "detour", "fork", "open", "choice"]


class Drawing:
    """The nodes and edges of one listing."""

    def __init__(self, forms: WordForms) -> None:
        """Begin with an empty drawing. A level holds all merges of one count."""
        self._forms, self._bounds = forms, forms.bounds
        self.nodes: list[_DrawnNode] = []
        self._edges: dict[tuple[int, int, tuple[PairKey, ...]], _DrawnEdge] = {}  # source, target, pairs
        self.is_whole = True  # whether all that was listed is drawn
        self._epoch = 0  # how often all ways have met
        # What belongs to the level that is being drawn. No segmentation comes again in one that begins later.
        self._key_of: dict[int, Key] = {}
        self._node_of: dict[tuple[int, Key], int] = {}
        self._segmentation_of: dict[Key, int] = {}
        self._segmentations = 0

    def add_node(self, merges: int, words: Delta, made: Sequence[int]) -> int:
        """Return the number of a node. `made` holds the symbols that were learned on one way to it."""
        key = key_of(words)
        if (merges, key) not in self._node_of:
            if key not in self._segmentation_of:
                self._segmentation_of[key] = self._segmentations
                self._segmentations += 1
            used: set[int] = set()
            for form in words.values():
                used.update(self._forms.tokens[form])
                self._bounds.spend(len(self._forms.tokens[form]))
            in_use = tuple(symbol for symbol in made if symbol in used)
            self._node_of[merges, key] = len(self.nodes)
            self._key_of[len(self.nodes)] = key
            self.nodes.append(_DrawnNode(merges, self._segmentation_of[key], self._epoch, in_use))
            self._bounds.stored += len(words)
            self._bounds.drawn += Size.NODE + len(in_use)
            if len(self.nodes) > 32 * self._bounds.most_splits + 10 * merges:
                raise ListingEndError("splits")
        self._bounds.spend(len(words) + len(made))
        return self._node_of[merges, key]

    def add_edge(
        self,
        source: int,
        target: int,
        pairs: tuple[PairKey, ...],
        count: int,
        kind: Kind,
        rivals: tuple[PairKey, ...] = (),
    ) -> None:
        """Draw an edge that is not drawn yet. `rivals` are, for a choice, the tied pairs that overlap its pair."""
        if (source, target, pairs) not in self._edges:
            self._edges[source, target, pairs] = _DrawnEdge(count, kind, rivals)
            self._bounds.drawn += Size.EDGE + 8 * len(pairs) + len(rivals)

    def meet(self, node: int) -> None:
        """Begin to tell the segmentations apart from this node on: all ways pass it."""
        self._epoch += 1
        self._key_of[node] = key_of({})

    def begin_level(self, states: Sequence[State]) -> None:
        """Forget the segmentations that do not come again: all but those of these states."""
        self._key_of = {state.node: self._key_of[state.node] for state in states}
        self._node_of = {(self.nodes[node].merges, key): node for node, key in self._key_of.items()}
        self._segmentation_of = {key: self.nodes[node].segmentation for node, key in self._key_of.items()}
        self._bounds.stored = sum(state.size + len(state.words) for state in states)

    def ways(self, *, complete: bool) -> "tuple[list[Node], list[Edge]]":
        """Return nodes and edges. Unless the graph is `complete`, ways that have not met yet may meet later.

        A listing that ran out of time may have nodes to which no edge leads yet: they are left out.
        """
        leaving = defaultdict[int, list[int]](list)
        for source, target, _ in self._edges:
            leaving[source].append(target)
        reached = sorted(_reached(leaving))
        order = sorted(reached, key=lambda number: self.nodes[number].merges)
        meetings, last = _meetings(order, leaving)
        nodes = []
        for number in reached:
            node, before = self.nodes[number], self.nodes[last[number]]
            old = frozenset(before.in_use if before.epoch == node.epoch else ())
            tokens = tuple(self._forms.symbols[symbol] for symbol in node.in_use if symbol not in old)
            nodes.append(Node(node.merges, node.segmentation, tokens, number in meetings))
        number_of = {node: number for number, node in enumerate(reached)}
        ends_of = self._ends_of(order, leaving)
        ends_after = {
            (source, pairs[0]): ends_of[target]
            for (source, target, pairs), edge in self._edges.items()
            if edge.rivals and source in number_of
        }
        edges = []
        for (source, target, pairs), edge in self._edges.items():
            if source not in number_of:
                continue
            kind = edge.kind
            if kind == "choice":
                same = all(ends_after.get((source, rival)) == ends_of[target] for rival in edge.rivals)
                kind = "detour" if same else "fork" if complete else "choice"
            spelled = tuple(map(self._forms.spelled, pairs))
            edges.append(Edge(number_of[source], number_of[target], spelled, edge.count, kind))
        return nodes, edges

    def _ends_of(self, order: Sequence[int], leaving: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return by node the segmentations in which the ways from there end, as bits."""
        bit_of: dict[int, int] = {}
        ends_of: dict[int, int] = {}
        for number in reversed(order):
            if leaving[number]:
                ends_of[number] = reduce(or_, map(ends_of.__getitem__, leaving[number]))
            else:
                ends_of[number] = 1 << bit_of.setdefault(self.nodes[number].segmentation, len(bit_of))
        return ends_of


def _reached(leaving: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the nodes to which edges lead from the first one."""
    found, waiting = {0}, [0]
    while waiting:
        new = [target for target in leaving[waiting.pop()] if target not in found]
        found.update(new)
        waiting += new
    return found


def _meetings(order: Sequence[int], leaving: Mapping[int, Sequence[int]]) -> tuple[set[int], dict[int, int]]:
    """Return the nodes that all ways pass, and by node the last one of them before it."""
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
    return meetings, last


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


class _DrawnNode(NamedTuple):
    """A node before its symbols are spelled."""

    merges: int
    segmentation: int
    epoch: int
    in_use: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _DrawnEdge:
    """What an edge says besides its nodes and pairs."""

    count: int
    kind: Kind
    rivals: tuple[PairKey, ...] = ()  # of a choice: the tied pairs that overlap its pair
