"""The parts of Compare that show tokens, as one Components v2 component: divergence, strip, fates, cuts.

Each token is sent once, as label and colour number, and referred to by its position: equal tokens then look alike in
all lanes, here and in the grids.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from bpe import Pair, Symbol
from bpe.analysis.comparison import LearnedBy
from bpe.analysis.word_comparison import WordUnderTraces
from film.packing import packed
from ui.compare.comparison import Comparison
from ui.components.component import component

GROUP = "compare"  # of the lanes' grids
MOST_FATES = 80  # tokens drawn of each kind; the table has all
MOST_WORDS = 120  # words drawn; the table has all
MOST_TIED = 12  # tied pairs drawn

_COMPONENT = component("compare_parts", Path(__file__).parent)


class Shades:
    """A colour number for each token of a comparison: its id in the first lane, later lanes' own ones after those."""

    def __init__(self, found: Comparison) -> None:
        self._found = found
        self.names = found.comparison_keys
        self._numbers: dict[bytes, int] = {}
        for trace, name in zip(found.traces, self.names, strict=True):
            specials = len(trace.special_tokens) if not self._numbers else 0
            for symbol in trace.symbols:
                self._numbers.setdefault(name(symbol), len(self._numbers) + specials)

    def of_name(self, token: bytes) -> int:
        """Return a token's number, by its name in the comparison; 0 for every token that no lane learned."""
        return self._numbers.get(token, 0)

    def of_lane(self, lane: int) -> list[int]:
        """Return the numbers of a lane's vocabulary, by id, for its grid."""
        trace, name = self._found.traces[lane], self.names[lane]
        return [0] * len(trace.special_tokens) + [self._numbers[name(symbol)] for symbol in trace.symbols]


class Tokens:
    """The tokens a part shows, each sent once; a name may look different in two variants, so both are kept."""

    def __init__(self, found: Comparison, shades: Shades) -> None:
        self._found = found
        self._shades = shades
        self._places: dict[tuple[str, int], int] = {}
        self._seen: list[dict[Symbol, int]] = [{} for _ in found.traces]

    def place(self, lane: int, symbol: Symbol) -> int:
        """Return the position of a lane's symbol among those sent."""
        seen = self._seen[lane]
        if symbol not in seen:
            label = self._found.traces[lane].variant.label(symbol)
            shade = self._shades.of_name(self._shades.names[lane](symbol))
            seen[symbol] = self._places.setdefault((label, shade), len(self._places))
        return seen[symbol]

    def pair(self, lane: int, pair: Pair) -> list[int]:
        """Return the positions of both symbols of a pair."""
        return [self.place(lane, symbol) for symbol in pair]

    def sent(self) -> dict[str, Any]:
        """Return labels and colour numbers, by position."""
        return {
            "labels": [label for label, _ in self._places],
            "shades": [shade for _, shade in self._places],
        }


def _draw(part: str, found: Comparison, content: Callable[[Tokens], dict[str, Any]], **more: Any) -> None:
    tokens = Tokens(found, Shades(found))
    shown = content(tokens)
    _COMPONENT(
        key=f"part_{part}",
        data={"part": part, "group": GROUP, "titles": found.titles, **shown, **more, "tokens": tokens.sent()},
    )


def divergence(found: Comparison) -> None:
    """Draw the first merge at which lanes part: the tied pairs, their count, each lane's choice and the way there."""
    parted = found.divergence

    def content(tokens: Tokens) -> dict[str, Any]:
        if parted is None:
            return {"rank": None, "merges": found.merges}
        tied = {
            tuple(tokens.pair(lane, pair)): None for lane, pairs in enumerate(parted.tied) for pair in pairs
        }
        return {
            "rank": parted.rank,
            "one_tie": parted.one_tie,
            "tied": [list(pair) for pair in tied][:MOST_TIED],
            "more": max(0, len(tied) - MOST_TIED),
            "choices": [
                None
                if step is None
                else {"pair": tokens.pair(lane, step.pair), "count": step.count, "tied": step.tied}
                for lane, step in enumerate(parted.choices)
            ],
        }

    _draw("divergence", found, content)


def strip(found: Comparison) -> None:
    """Draw what each lane took at every merge."""

    def content(tokens: Tokens) -> dict[str, Any]:
        columns = [
            {
                "made": packed([tokens.place(lane, left + right) for left, right in trace.merges]),
                "left": packed([tokens.place(lane, left) for left, _ in trace.merges]),
                "right": packed([tokens.place(lane, right) for _, right in trace.merges]),
                "count": packed([step.count for step in trace.steps]),
                "tied": packed([step.tied for step in trace.steps]),
            }
            for lane, trace in enumerate(found.traces)
        ]
        return {"lanes": columns, "differing": packed(found.differing)}

    _draw("strip", found, content)


def fate_groups(found: Comparison) -> list[tuple[str, list[LearnedBy]]]:
    """Return (what the tokens have in common, the tokens) for every group there is."""
    count = len(found.lanes)
    groups = [
        (f"Only under {lane.short}", [f for f in found.learned_by if f.only == n])
        for n, lane in enumerate(found.lanes)
    ]
    everywhere = (
        "Under both" if count == 2 else f"Under all {count}",
        [f for f in found.learned_by if f.everywhere],
    )
    some = ("Under some", [f for f in found.learned_by if f.only is None and not f.everywhere])
    if count == 2:
        return [groups[0], everywhere, groups[1]]
    return [everywhere, some, *(group for group in groups if group[1])]


def fates(found: Comparison) -> None:
    """Draw which tokens only one lane learned, and which all did."""

    def content(tokens: Tokens) -> dict[str, Any]:
        symbols = [
            {name(symbol): symbol for symbol in trace.symbols}
            for name, trace in zip(found.comparison_keys, found.traces, strict=True)
        ]

        def place(fate: LearnedBy) -> int:
            lane = next(lane for lane, rank in enumerate(fate.ranks) if rank is not None)
            return tokens.place(lane, symbols[lane][fate.token])

        return {
            "groups": [
                {
                    "title": title,
                    "size": len(group),
                    "tokens": [place(fate) for fate in group[:MOST_FATES]],
                    "ranks": [list(fate.ranks) for fate in group[:MOST_FATES]],
                }
                for title, group in fate_groups(found)
            ]
        }

    _draw("fates", found, content)


def cuts(found: Comparison, words: Iterable[WordUnderTraces]) -> None:
    """Draw words with their tokens under each lane in rows; those that differ are framed."""
    shown: Sequence[WordUnderTraces] = list(words)[:MOST_WORDS]

    def content(tokens: Tokens) -> dict[str, Any]:
        return {
            "words": [
                {
                    "word": cut.word,
                    "rows": [
                        [tokens.place(lane, token) for token in row] for lane, row in enumerate(cut.tokens)
                    ],
                    "differs": cut.differs,
                }
                for cut in shown
            ],
        }

    _draw("cuts", found, content)
