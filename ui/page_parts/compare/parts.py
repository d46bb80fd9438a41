"""The parts of Compare that show tokens: what the browser draws as divergence, learned tokens and words.

Each token is sent once, as its label, and referred to by its position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from bpe.analysis.ties import why_won
from bpe.comparison.evidence import Evidence
from bpe.comparison.learned import LearnedBy
from bpe.comparison.verdict import percent, percent_range
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import counted
from film.feed import ChipLabel
from film.labels import chip_label
from ui.page_parts.compare import verdict
from ui.page_parts.compare.comparison import PageComparison
from ui.view.chip_result_table import Drawn
from ui.view.chip_table import Chips, Column
from ui.view.component import COMPONENTS, component
from ui.view.tables import MOST_ROWS
from ui.view.told import tell

GROUP = "compare"  # of the lanes' grids
_MOST_LEARNED = 80  # tokens drawn of each kind; the table has all
MOST_WORDS = 120  # words drawn; the table has all
_MOST_TIED = 12  # tied pairs drawn
_MOST_LARGE = 3  # words drawn large at the end of the presenter view

_PARTS = component("compare_parts", COMPONENTS / "compare_parts")


def answer_on_stage(comparison: PageComparison, evidence: Evidence) -> None:
    """Give the lanes' stage the answer and the words that are split differently, for the presenter view."""
    tokens = _Tokens(comparison)
    words = verdict.words_for_a_hall(comparison, evidence, _MOST_LARGE)
    ending = {
        "heading": verdict.split_words(comparison, evidence),
        "titles": comparison.titles,
        "words": [{"word": word.word, "of": of, "rows": tokens.rows(word)} for word, of in words],
    }
    # Above the lanes in the presenter view, after the last merge, and what that shows then.
    tell(
        GROUP,
        "answer",
        {"answer": verdict.on_stage(comparison), "ending": {**ending, "tokens": tokens.sent()}},
    )


class _Tokens:
    """The tokens of a part, each sent once. A name may look different in two variants; then both labels are sent."""

    def __init__(self, comparison: PageComparison) -> None:
        positions: dict[ChipLabel, int] = {}
        self.lanes = [
            Chips(cache(partial(chip_label, trace.variant)), positions) for trace in comparison.traces
        ]
        self.sent = self.lanes[0].sent

    def rows(self, word: WordUnderTraces) -> list[list[int]]:
        """Return the positions of a word's tokens, a row for each lane."""
        return [chips(*row) for chips, row in zip(self.lanes, word.tokens, strict=True)]


def _draw_part(part: str, comparison: PageComparison, content: Callable[[_Tokens], dict[str, Any]]) -> None:
    """Draw a part of Compare from its own content, with the tokens that it refers to."""
    _PARTS(key=f"part_{part}", data={"part": part, **_content(comparison, content)})


def _content(comparison: PageComparison, content: Callable[[_Tokens], dict[str, Any]]) -> dict[str, Any]:
    tokens = _Tokens(comparison)
    return {"titles": comparison.titles, **content(tokens), "tokens": tokens.sent()}


def divergence(comparison: PageComparison) -> dict[str, Any]:
    """Return the first merge at which lanes diverge: the tied pairs, and each lane's choice."""
    parted = comparison.divergence

    def content(tokens: _Tokens) -> dict[str, Any]:
        if parted is None:
            return {"rank": None, "merges": comparison.merges}
        tied = {
            tuple(tokens.lanes[lane](*pair)): None for lane, pairs in enumerate(parted.tied) for pair in pairs
        }
        return {
            "rank": parted.rank,
            "one_tie": parted.one_tie,
            "tied": [list(pair) for pair in tied][:_MOST_TIED],
            "more": max(0, len(tied) - _MOST_TIED),
            "choices": [
                None
                if step is None
                else {
                    "pair": tokens.lanes[lane](*step.pair),
                    "count": step.count,
                    "tied": step.tied,
                    "why": why_won(comparison.traces[lane], step.rank),
                }
                for lane, step in enumerate(parted.choices)
            ],
        }

    return _content(comparison, content)


def _learned_groups(comparison: PageComparison) -> list[tuple[str, list[LearnedBy]]]:
    """Return a title and the tokens for every group that is not empty."""
    count = len(comparison.traces)
    groups = [
        (f"Only under {comparison.lanes[n].short}", [f for f in comparison.learned_by if f.only == n])
        for n in range(count)
    ]

    def is_in_all(learned: LearnedBy) -> bool:
        return None not in learned.ranks

    everywhere = (
        "Under both" if count == 2 else f"Under all {count}",
        [f for f in comparison.learned_by if is_in_all(f)],
    )
    some = ("Under some", [f for f in comparison.learned_by if f.only is None and not is_in_all(f)])
    if count == 2:
        return [groups[0], everywhere, groups[1]]
    return [everywhere, some, *(group for group in groups if group[1])]


def learned_tokens(comparison: PageComparison) -> None:
    """Draw the tokens that only one lane learned, and those that all learned."""

    def content(tokens: _Tokens) -> dict[str, Any]:
        position_of = _learned_positions(comparison, tokens)
        in_use = comparison.tokens_in_use

        return {
            "groups": [
                {
                    "title": title,
                    "size": len(group),
                    "tokens": [position_of(learned) for learned in group[:_MOST_LEARNED]],
                    "ranks": [list(learned.ranks) for learned in group[:_MOST_LEARNED]],
                    "pale": [at for at, one in enumerate(group[:_MOST_LEARNED]) if one.token not in in_use],
                }
                for title, group in _learned_groups(comparison)
            ]
        }

    _draw_part("fates", comparison, content)


def _learned_positions(comparison: PageComparison, tokens: _Tokens) -> Callable[[LearnedBy], int]:
    """Return the function from a learned token to its position among the tokens sent."""
    symbols = [
        {name(symbol): symbol for symbol in trace.symbols}
        for name, trace in zip(comparison.comparison_keys, comparison.traces, strict=True)
    ]

    def position_of(learned: LearnedBy) -> int:
        lane = next(lane for lane, rank in enumerate(learned.ranks) if rank is not None)
        return tokens.lanes[lane](symbols[lane][learned.token])[0]

    return position_of


def words_under_lanes(comparison: PageComparison, words: Sequence[WordUnderTraces]) -> None:
    """Draw words in rows with their tokens under each lane. Words that differ are framed."""

    def content(tokens: _Tokens) -> dict[str, Any]:
        return {
            "words": [
                {"word": word.word, "rows": tokens.rows(word), "differs": word.differs}
                for word in words[:MOST_WORDS]
            ]
        }

    _draw_part("cuts", comparison, content)


@dataclass(frozen=True, slots=True)
class Disputed:
    """What is drawn below the answer."""

    words: list[WordUnderTraces]
    bar: dict[str, Any] | None  # ranges of shares with their texts


def disputed(comparison: PageComparison, evidence: Evidence) -> Disputed | None:
    """Return the words of the answer and its bar. None if no word is split differently and no figure is known."""
    words, bar = verdict.drawn_words(comparison, evidence), _bar_of(evidence)
    return Disputed(words, bar) if words or bar else None


def draw_disputed(comparison: PageComparison, below: Disputed) -> None:
    """Draw the words of the answer and its bar."""

    def content(tokens: _Tokens) -> dict[str, Any]:
        rows = [
            {"word": word.word.strip(), "times": f"{word.frequency:,}×", "rows": tokens.rows(word)}
            for word in below.words
        ]
        return {"words": rows, "bar": below.bar}

    _draw_part("disputed", comparison, content)


def _bar_of(evidence: Evidence) -> dict[str, Any] | None:
    """Return what the bar shows: ranges of shares with their texts; None if no word of such a text differs."""
    if verdict.is_unlike(evidence) or not evidence.differing:
        return None
    drawn = evidence.luck.apart if evidence.luck else ()
    ends = percent_range(min(drawn), max(drawn)) if drawn else ""
    return {
        "value": {
            "text": f"{evidence.differing_words:,} of {counted(evidence.compared_words, 'held-out word')}",
            "label": "These lanes",
            "figure": percent(evidence.apart),
            "from": 0,
            "to": evidence.apart,
        },
        "chance": {
            "text": f"random tie-breaks explain {ends}",
            "label": "Random tie-breaks",
            "figure": ends,
            "from": min(drawn),
            "to": max(drawn),
        }
        if drawn
        else None,
    }


_STEPPING_STONE = "Pale: a stepping stone, no longer in use after the last merge"


def learned_table(comparison: PageComparison) -> Drawn:
    """Return the table of the tokens that at least one lane learned."""
    tokens = _Tokens(comparison)
    position_of = _learned_positions(comparison, tokens)
    listed = comparison.learned_by[:MOST_ROWS]
    moved = comparison.moved
    rows = [
        [
            [position_of(one)],
            sum(rank is not None for rank in one.ranks),
            *(None if rank is None else rank + 1 for rank in one.ranks),
            "moved" if one.token in moved else "",
        ]
        for one in listed
    ]
    columns = [
        Column("token", "tokens", _STEPPING_STONE),
        Column("learned by", "number"),
        *(Column(title, "number", group="merge under") for title in comparison.titles),
        Column("order"),
    ]
    return Drawn(columns, rows, tokens, [one.token not in comparison.tokens_in_use for one in listed])


def word_table(comparison: PageComparison, listed: Iterable[WordUnderTraces]) -> Drawn:
    """Return the table of words with their tokens under each lane."""
    tokens = _Tokens(comparison)
    rows = [
        [word.word, word.frequency, "≠" if word.differs else "", *tokens.rows(word)]
        for word, _ in zip(listed, range(MOST_ROWS), strict=False)
    ]
    columns = [
        Column("word"),
        Column("frequency", "number"),
        Column("differ"),
        *(Column(title, "tokens") for title in comparison.titles),
    ]
    return Drawn(columns, rows, tokens)
