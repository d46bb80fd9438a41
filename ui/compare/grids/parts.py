"""The parts of Compare that show tokens: what the browser draws as divergence, strip, learned tokens and words.

Each token is sent once, as label and colour number, and referred to by its position. Equal tokens therefore look the
same in all lanes, here and in the grids.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

from bpe import Pair, Symbol
from bpe.comparison.comparison import LearnedBy
from bpe.comparison.evidence import Evidence
from bpe.comparison.words import WordUnderTraces
from film.feed import ChipLabel
from film.labels import Shades, chip_label
from film.packing import packed
from ui.compare.measures import verdict
from ui.compare.measures.comparison import Comparison
from ui.components.compare_parts import compare_part
from ui.components.stage_answer import stage_answer

GROUP = "compare"  # of the lanes' grids
MOST_LEARNED = 80  # tokens drawn of each kind; the table has all
MOST_WORDS = 120  # words drawn; the table has all
MOST_TIED = 12  # tied pairs drawn
MOST_LARGE = 3  # words drawn large at the end of the presenter view


class Tokens:
    """The tokens of a part, each sent once. A name may look different in two variants; then both labels are sent."""

    def __init__(self, comparison: Comparison, shades: Shades) -> None:
        self._comparison = comparison
        self._shades = shades
        self._positions: dict[tuple[ChipLabel, int], int] = {}
        self._position_of: list[dict[Symbol, int]] = [{} for _ in comparison.traces]

    def position_of(self, lane: int, symbol: Symbol) -> int:
        """Return the position of a lane's symbol among the tokens sent."""
        position_of = self._position_of[lane]
        if symbol not in position_of:
            label = chip_label(self._comparison.traces[lane].variant, symbol)
            shade = self._shades.of_name(self._shades.names[lane](symbol))
            position_of[symbol] = self._positions.setdefault((label, shade), len(self._positions))
        return position_of[symbol]

    def cell(self, lane: int, symbols: Iterable[Symbol]) -> list[int]:
        """Return the cell of a table that shows these tokens one after the other."""
        return [self.position_of(lane, symbol) for symbol in symbols]

    def pair(self, lane: int, pair: Pair) -> list[int]:
        """Return the positions of both symbols of a pair."""
        return self.cell(lane, pair)

    def rows(self, word: WordUnderTraces) -> list[list[int]]:
        """Return the positions of a word's tokens, a row for each lane."""
        return [[self.position_of(lane, token) for token in row] for lane, row in enumerate(word.tokens)]

    def sent(self) -> dict[str, Any]:
        """Return labels and colour numbers, by position."""
        return {
            "labels": [label for label, _ in self._positions],
            "shades": [shade for _, shade in self._positions],
        }


def draw_part(part: str, comparison: Comparison, content: Callable[[Tokens], dict[str, Any]]) -> None:
    """Draw a part of Compare from its own content, with the tokens that it refers to."""
    tokens = Tokens(comparison, Shades(comparison.traces))
    sent = {"group": GROUP, "titles": comparison.titles, **content(tokens)}
    compare_part(part, {**sent, "tokens": tokens.sent()})


def answer_on_stage(comparison: Comparison, evidence: Evidence) -> None:
    """Give the lanes' stage the answer and the words that are split differently, for the presenter view."""
    tokens = Tokens(comparison, Shades(comparison.traces))
    words = verdict.words_for_a_hall(comparison, evidence, MOST_LARGE)
    ending = {
        "heading": verdict.split_words(comparison, evidence),
        "titles": comparison.titles,
        "words": [{"word": word.word, "of": of, "rows": tokens.rows(word)} for word, of in words],
    }
    with st.container(key="stage_answer"):  # empty
        stage_answer(
            GROUP,
            key="stage_answer_sent",
            answer=verdict.answer(comparison, evidence),
            ending={**ending, "tokens": tokens.sent()},
        )


def divergence(comparison: Comparison) -> None:
    """Draw the first merge at which lanes diverge: the tied pairs, each lane's choice, and a button that goes there."""
    parted = comparison.divergence

    def content(tokens: Tokens) -> dict[str, Any]:
        if parted is None:
            return {"rank": None, "merges": comparison.merges}
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

    draw_part("divergence", comparison, content)


def strip(comparison: Comparison) -> None:
    """Draw the pair that each lane merged at every merge."""

    def content(tokens: Tokens) -> dict[str, Any]:
        columns = [
            {
                "tokens": packed([tokens.position_of(lane, left + right) for left, right in trace.merges]),
                "left": packed([tokens.position_of(lane, left) for left, _ in trace.merges]),
                "right": packed([tokens.position_of(lane, right) for _, right in trace.merges]),
                "count": packed([step.count for step in trace.steps]),
                "tied": packed([step.tied if step.list_rank is None else 0 for step in trace.steps]),
            }
            for lane, trace in enumerate(comparison.traces)
        ]
        return {"lanes": columns, "differing": packed(comparison.differing)}

    draw_part("strip", comparison, content)


def learned_groups(comparison: Comparison) -> list[tuple[str, list[LearnedBy]]]:
    """Return a title and the tokens for every group that is not empty."""
    count = len(comparison.lanes)
    groups = [
        (f"Only under {lane.short}", [f for f in comparison.learned_by if f.only == n])
        for n, lane in enumerate(comparison.lanes)
    ]
    everywhere = (
        "Under both" if count == 2 else f"Under all {count}",
        [f for f in comparison.learned_by if f.everywhere],
    )
    some = ("Under some", [f for f in comparison.learned_by if f.only is None and not f.everywhere])
    if count == 2:
        return [groups[0], everywhere, groups[1]]
    return [everywhere, some, *(group for group in groups if group[1])]


def learned_tokens(comparison: Comparison) -> None:
    """Draw the tokens that only one lane learned, and those that all learned."""

    def content(tokens: Tokens) -> dict[str, Any]:
        position_of = learned_positions(comparison, tokens)
        in_use = comparison.tokens_in_use

        return {
            "groups": [
                {
                    "title": title,
                    "size": len(group),
                    "tokens": [position_of(learned) for learned in group[:MOST_LEARNED]],
                    "ranks": [list(learned.ranks) for learned in group[:MOST_LEARNED]],
                    "pale": [at for at, one in enumerate(group[:MOST_LEARNED]) if one.token not in in_use],
                }
                for title, group in learned_groups(comparison)
            ]
        }

    draw_part("fates", comparison, content)


def learned_positions(comparison: Comparison, tokens: Tokens) -> Callable[[LearnedBy], int]:
    """Return the function from a learned token to its position among the tokens sent."""
    symbols = [
        {name(symbol): symbol for symbol in trace.symbols}
        for name, trace in zip(comparison.comparison_keys, comparison.traces, strict=True)
    ]

    def position_of(learned: LearnedBy) -> int:
        lane = next(lane for lane, rank in enumerate(learned.ranks) if rank is not None)
        return tokens.position_of(lane, symbols[lane][learned.token])

    return position_of


def words_under_lanes(comparison: Comparison, words: Sequence[WordUnderTraces]) -> None:
    """Draw words in rows with their tokens under each lane. Words that differ are framed."""

    def content(tokens: Tokens) -> dict[str, Any]:
        return {
            "words": [
                {
                    "word": word.word,
                    "rows": tokens.rows(word),
                    "differs": word.differs,
                }
                for word in words[:MOST_WORDS]
            ],
        }

    draw_part("cuts", comparison, content)
