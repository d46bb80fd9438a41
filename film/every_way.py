"""The picture of every way to break the ties: a tie graph as the data that the browser draws.

A long graph is abridged. Many merges on which all ways agree become one strand, a run. If there are more splits between
two meetings than a reader can tell apart, they become one strand too, a knot.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bpe import Symbol, Trace, Variant
from bpe.analysis.tie_drawing import Edge
from bpe.analysis.tie_graph import TieGraph, tie_graph_of, tie_sentences
from bpe.symbols import Pair, merge_pair
from bpe.text.display import counted
from film.feed import ChipLabel, EveryWay, StrandKind, WayLine, WayNode, WayStrand
from film.labels import short_chip_label

__all__ = ["every_way", "every_way_of", "listed_ways", "rows_of"]
_MOST_ROWS = 13  # nodes, one below the other
_KNOT_ROWS = 3  # that a knot takes
_MOST_BETWEEN = 90  # nodes between two meetings
_MOST_NODES = 240
_MOST_CHIPS = 3  # of a node
_MOST_IN_LENS = 40  # chips
_LONGEST_LABEL = 24  # bytes
_MOST_TOLD_WORDS = 6  # of a node
_MOST_WORDS = 300  # distinct ones; of a longer text no words are told
_MOST_TOKENS_OF_WORD = 24

# Of a list. With 2,000 splits those of 58 trainings took a quarter more time, and no picture showed more.
_MOST_SPLITS = 500
_MOST_WORK = 8_000_000  # some two seconds


def every_way(graph: TieGraph, lanes: Mapping[str, Trace]) -> EveryWay:
    """Return the drawing of a graph, with the line of each training, by title."""
    first = next(iter(lanes.values()))
    strands, shown_until = _strands(graph)
    numbers = sorted(
        {0} | {end for strand in strands for end in (strand.source, strand.target) if end is not None},
        key=lambda number: (graph.nodes[number].merges, number),
    )
    at = {number: position for position, number in enumerate(numbers)}
    tokens = _Tokens(first.variant)
    common = _common_tokens(graph, numbers)
    words = _Words(graph, first)
    nodes = [_node(graph, number, common, tokens, words) for number in numbers]
    drawn: list[WayStrand] = []
    ends: dict[int, int] = {}
    for strand in strands:
        if strand.target is None:
            target = ends.get(0)
            if target is None:
                target = ends[0] = len(nodes)
                last = max(nodes[at[one.source]]["merges"] for one in strands if one.target is None)
                nodes.append(
                    {
                        "merges": last + 1,
                        "number": -1,
                        "tokens": [],
                        "more": 0,
                        "meeting": False,
                        "open": True,
                        "words": [],
                    }
                )
        else:
            target = at[strand.target]
        made = [tokens.position(left + right) for left, right in _some_pairs(strand)]
        drawn.append(
            {
                "source": at[strand.source],
                "target": target,
                "kind": strand.kind,
                "tie": strand.tie,
                "merges": strand.merges,
                "tokens": made,
                "more": len(strand.pairs) - len(made),
                "splits": strand.splits,
            }
        )
    finding, *details = tie_sentences(graph)
    notes = [*details, *_drawn(graph, shown_until)]
    return {
        "sentence": finding,
        "note": notes[0] if notes else "",
        "more": " ".join(notes[1:]),
        "until": shown_until,
        "tokens": tokens.labels,
        "nodes": nodes,
        "strands": drawn,
        "lines": [_line(graph, title, trace, strands) for title, trace in lanes.items()],
        "splits": [[number, splits] for number, splits in enumerate(graph.splits) if splits > 1],
    }


def every_way_of(traces: Mapping[str, Trace], most_splits: int = _MOST_SPLITS) -> EveryWay | None:
    """Return the picture for trainings, by title; None if all of them are replays, which break no ties.

    It lists the ways of the first one that is no replay, up to so many splits. Those that do not share its ways have no
    line. Raises BPEError if the ways cannot be listed.
    """
    first = next((trace for trace in traces.values() if trace.origin.breaks_ties), None)
    if first is None:
        return None
    lanes = {title: trace for title, trace in traces.items() if _share_ways(first, trace)}
    graph = listed_ways(first, most_splits)
    return every_way(graph, lanes)


def listed_ways(trace: Trace, most_splits: int = _MOST_SPLITS) -> TieGraph:
    """Return the ways that a picture shows. Raises BPEError if they cannot be listed."""
    return tie_graph_of(trace, most_splits=most_splits, most_seconds=None, most_work=_MOST_WORK)


def rows_of(way: EveryWay) -> int:
    """Return how many rows a picture has; 0 if it does not show all ways.

    These are nodes, one below the other, or the paths of a knot, which weave. It is 1 if no paths part.
    """
    kinds = {strand["kind"] for strand in way["strands"]}
    if "fray" in kinds:
        return 0
    rows = max(Counter(node["merges"] for node in way["nodes"]).values())
    return max(rows, _KNOT_ROWS) if "knot" in kinds else rows


@dataclass(slots=True, eq=False)
class _Strand:
    """Merges between two nodes. Its end is None if the picture ends in it."""

    source: int
    target: int | None
    kind: StrandKind
    pairs: tuple[Pair, ...]
    merges: int
    tie: str
    splits: int = 0
    edges: list[Edge] = field(default_factory=list)


def _share_ways(one: Trace, other: Trace) -> bool:
    """Return whether two trainings of one text differ in nothing but how ties are broken."""
    settings = [
        {key: value for key, value in trace.settings.items() if key not in ("tie_break", "seed", "picks")}
        for trace in (one, other)
    ]
    return other.origin.breaks_ties and settings[0] == settings[1]


def _strands(graph: TieGraph) -> tuple[list[_Strand], int]:
    """Return the strands of the picture, and the number of merges up to which it goes."""
    meetings = [number for number, node in enumerate(graph.nodes) if node.meeting]
    strands: list[_Strand] = []
    nodes = 1
    until = 0
    for start, end in [*pairwise(meetings), (meetings[-1], None)]:
        inner = _inner(graph, start, end)
        widest = max(Counter(graph.nodes[number].merges for number in inner).values(), default=0)
        is_small = len(inner) <= _MOST_BETWEEN and widest <= _MOST_ROWS
        if nodes + (len(inner) if is_small else 0) > _MOST_NODES:
            strands.append(_Strand(start, None, "fray", (), 0, "choice"))
            break
        if end is None:
            last, until = _last_strands(graph, start, inner, _MOST_NODES - nodes)
            strands += last
        elif is_small:
            strands += _edges_of(graph, {start, end, *inner})
        else:
            strands.append(_knot(graph, start, end, inner))
        nodes += 1 + (len(inner) if is_small else 0)
        until = max(until, graph.nodes[start if end is None else end].merges)
    # Beyond 26 columns, merges that all ways share are drawn as runs.
    if len({graph.nodes[strand.source].merges for strand in strands}) > 26:
        strands = _with_runs(strands)
    return strands, until


def _inner(graph: TieGraph, start: int, end: int | None) -> list[int]:
    """Return the nodes between two meetings; all after the first one, without a second."""
    first = graph.nodes[start].merges
    last = None if end is None else graph.nodes[end].merges
    return [
        number
        for number, node in enumerate(graph.nodes)
        if number not in (start, end) and first < node.merges and (last is None or node.merges < last)
    ]


def _edges_of(graph: TieGraph, numbers: set[int]) -> list[_Strand]:
    """Return all edges between these nodes as strands."""
    return [
        _Strand(
            edge.source,
            edge.target,
            "lens" if len(edge.pairs) > 1 else "merge",
            edge.pairs,
            graph.nodes[edge.target].merges - graph.nodes[edge.source].merges,
            edge.kind,
            edges=[edge],
        )
        for number in sorted(numbers)
        for edge in graph.edges_from[number]
        if edge.target in numbers
    ]


def _knot(graph: TieGraph, start: int, end: int, inner: Sequence[int]) -> _Strand:
    first, last = graph.nodes[start].merges, graph.nodes[end].merges
    most = max(graph.splits[first + 1 : last], default=len(inner))
    edges = [edge for number in (start, *inner) for edge in graph.edges_from[number]]
    return _Strand(start, end, "knot", (), last - first, "detour", most, edges)


def _last_strands(graph: TieGraph, start: int, inner: Sequence[int], room: int) -> tuple[list[_Strand], int]:
    """Return what is drawn after the last meeting: as many merges as are clear, and that it goes on."""
    by_merges = defaultdict[int, list[int]](list)
    for number in inner:
        by_merges[graph.nodes[number].merges].append(number)
    until = graph.nodes[start].merges
    kept = {start}
    for merges in sorted(by_merges):
        if len(by_merges[merges]) > _MOST_ROWS or len(kept) + len(by_merges[merges]) > min(
            room, _MOST_BETWEEN
        ):
            break
        kept |= set(by_merges[merges])
        until = merges
    strands = _edges_of(graph, kept)
    # Orders that are counted but not in the graph, where training ends inside a tie, follow its last nodes.
    is_cut = max(node.merges for node in graph.nodes) < len(graph.splits) - 1
    goes_on = graph.results is None or is_cut
    for number in sorted(kept):
        dropped = [edge for edge in graph.edges_from[number] if edge.target not in kept]
        if dropped or (goes_on and not graph.edges_from[number]):
            most = max(graph.splits[until:], default=0)
            strands.append(_Strand(number, None, "fray", (), 0, "choice", most, dropped))
    return strands, until


def _with_runs(strands: Sequence[_Strand]) -> list[_Strand]:
    """Return the strands with those joined that follow each other without a choice."""
    leaving = defaultdict[int, list[_Strand]](list)
    reaching = Counter(strand.target for strand in strands)
    for strand in strands:
        leaving[strand.source].append(strand)
    joined: list[_Strand] = []
    inside: set[int] = set()
    for strand in sorted(strands, key=lambda strand: strand.source):
        if id(strand) in inside:
            continue
        run = [strand]
        while _is_calm(run[-1]) and (end := run[-1].target) is not None:
            after = leaving[end]
            if len(after) != 1 or reaching[end] != 1 or not _is_calm(after[0]):
                break
            run.append(after[0])
        inside |= set(map(id, run))
        joined.append(strand if len(run) == 1 else _run(run))
    # A run that begins within another one was not found from its first strand.
    return joined


def _some_pairs(strand: _Strand) -> Sequence[Pair]:
    """Return the pairs whose chips are shown: of a long run some from its beginning to its end."""
    if strand.kind != "run" or len(strand.pairs) <= _MOST_IN_LENS:
        return strand.pairs[:_MOST_IN_LENS]
    return [strand.pairs[at * len(strand.pairs) // _MOST_IN_LENS] for at in range(_MOST_IN_LENS)]


def _is_calm(strand: _Strand) -> bool:
    return strand.kind in ("merge", "lens") and strand.tie in ("none", "order only")


def _run(strands: Sequence[_Strand]) -> _Strand:
    return replace(
        strands[0],
        target=strands[-1].target,
        kind="run",
        pairs=tuple(pair for strand in strands for pair in strand.pairs),
        merges=sum(strand.merges for strand in strands),
        tie="order only" if any(strand.tie == "order only" for strand in strands) else "none",
        edges=[edge for strand in strands for edge in strand.edges],
    )


def _line(graph: TieGraph, title: str, trace: Trace, strands: Sequence[_Strand]) -> WayLine:
    """Return the strands that a training goes along."""
    strand_of = {id(edge): number for number, strand in enumerate(strands) for edge in strand.edges}
    numbers: list[int] = []
    for edge in graph.edges_of(trace):
        number = strand_of.get(id(edge))
        if number is None:
            break
        if not numbers or numbers[-1] != number:
            numbers.append(number)
    return {"title": title, "strands": numbers, "merges": len(trace.steps)}


class _Tokens:
    """The tokens of a picture. Each is sent once."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._positions: dict[Symbol, int] = {}
        self.labels: list[ChipLabel] = []

    def position(self, symbol: Symbol) -> int:
        """Return the position of a token among those of the picture."""
        position = self._positions.get(symbol)
        if position is None:
            position = self._positions[symbol] = len(self.labels)
            self.labels.append(short_chip_label(self._variant, symbol, _LONGEST_LABEL))
        return position


class _Words:
    """The words of the training text, split as at a node."""

    def __init__(self, graph: TieGraph, trace: Trace) -> None:
        self._edges_to = graph.edges_to
        self._split: dict[int, list[tuple[Symbol, ...]]] = {}
        if len(trace.pre_tokens) <= _MOST_WORDS:
            frequent = sorted(trace.words_at(0), key=lambda item: -item[1])
            self._split[0] = [tuple(word) for word, _ in frequent]

    def at(self, node: int) -> list[tuple[Symbol, ...]]:
        """Return the words by falling frequency; none if they are too many."""
        if 0 not in self._split:
            return []
        way: list[Edge] = []
        while node not in self._split:
            edge = self._edges_to[node][0]
            way.append(edge)
            node = edge.source
        words = self._split[node]
        for edge in reversed(way):
            for pair in edge.pairs:
                words = [merge_pair(word, pair) for word in words]
            self._split[edge.target] = words
        return words


def _node(
    graph: TieGraph, number: int, common: Mapping[int, frozenset[Symbol]], tokens: _Tokens, words: _Words
) -> WayNode:
    """Return a node. If it has many tokens, it shows those by which it differs from the nodes above and below it."""
    node = graph.nodes[number]
    shown = list(node.tokens)
    if len(shown) > _MOST_CHIPS:
        differing = [token for token in shown if token not in common[number]]
        shown = (differing or shown)[-_MOST_CHIPS:]
    new = frozenset(node.tokens)
    told = [word for word in words.at(number) if not new.isdisjoint(word)]
    return {
        "merges": node.merges,
        "number": number,
        "tokens": [tokens.position(token) for token in shown],
        "more": len(node.tokens) - len(shown),
        "meeting": node.meeting,
        "open": False,
        "words": [
            [tokens.position(token) for token in word[:_MOST_TOKENS_OF_WORD]]
            for word in told[:_MOST_TOLD_WORDS]
        ],
    }


def _common_tokens(graph: TieGraph, numbers: Iterable[int]) -> dict[int, frozenset[Symbol]]:
    """Return for each node the tokens that all nodes after as many merges show."""
    columns = defaultdict[int, list[int]](list)
    for number in numbers:
        columns[graph.nodes[number].merges].append(number)
    common: dict[int, frozenset[Symbol]] = {}
    for column in columns.values():
        shared = frozenset.intersection(*(frozenset(graph.nodes[number].tokens) for number in column))
        common |= dict.fromkeys(column, shared if len(column) > 1 else frozenset())
    return common


def _drawn(graph: TieGraph, until: int) -> Iterator[str]:
    """Yield what the picture shows of a graph if it does not show all."""
    together = max(node.merges for node in graph.nodes if node.meeting)
    if graph.parted is not None and graph.parted <= together <= until:
        yield (
            f"In the picture, the paths part after merge {together:,}: "
            "tied pairs that do not overlap are drawn in one order."
        )
    if 0 < until < len(graph.splits) - 1:
        yield f"The picture ends after {counted(until, 'merge')}."
