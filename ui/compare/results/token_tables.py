"""The tables of a comparison in which tokens are chips, as the page shows them. The files are in measures/tables.py."""

from collections.abc import Iterable, Sequence

from bpe import Step
from bpe.comparison.words import WordUnderTraces
from film.labels import Shades
from ui.compare.grids.parts import Tokens, learned_positions
from ui.compare.measures.comparison import Comparison
from ui.components.chip_result_table import Drawn
from ui.components.chip_table import Column, Kind
from ui.show.tables import MOST_ROWS

MERGE_CELLS: tuple[tuple[str, Kind], ...] = (
    ("pair", "tokens"),
    ("token", "tokens"),
    ("count", "number"),
    ("tied", "number"),
)
STEPPING_STONE = "Pale: a stepping stone, no longer in use after the last merge"


def _tokens(comparison: Comparison) -> Tokens:
    return Tokens(comparison, Shades(comparison.traces))


def merges(comparison: Comparison, ranks: Sequence[int]) -> Drawn:
    """Return the table of these merges, with the step of each lane; empty cells for a lane that has ended."""
    tokens = _tokens(comparison)

    def cells(lane: int, step: Step | None) -> list[object]:
        if step is None:
            return [None] * len(MERGE_CELLS)
        left, right = step.pair
        return [tokens.pair(lane, step.pair), tokens.cell(lane, (left + right,)), step.count, step.tied]

    rows = [
        [
            rank + 1,
            "≠" if comparison.differing[rank] else "",
            *(cell for lane, step in enumerate(comparison.choices[rank]) for cell in cells(lane, step)),
        ]
        for rank in ranks[:MOST_ROWS]
    ]
    of_lanes = [Column(f"{title}: {cell}", kind) for title in comparison.titles for cell, kind in MERGE_CELLS]
    return Drawn([Column("merge", "number"), Column("differ"), *of_lanes], rows, tokens)


def learned(comparison: Comparison) -> Drawn:
    """Return the table of the tokens that at least one lane learned."""
    tokens = _tokens(comparison)
    position_of = learned_positions(comparison, tokens)
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
        Column("token", "tokens", STEPPING_STONE),
        Column("learned by", "number"),
        *(Column(f"merge under {title}", "number") for title in comparison.titles),
        Column("order"),
    ]
    return Drawn(columns, rows, tokens, [one.token not in comparison.tokens_in_use for one in listed])


def words(comparison: Comparison, listed: Iterable[WordUnderTraces]) -> Drawn:
    """Return the table of words with their tokens under each lane."""
    tokens = _tokens(comparison)
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


def ties(comparison: Comparison, lane: int, ranks: Sequence[int]) -> Drawn:
    """Return the table of the merges of a lane at which pairs tied."""
    tokens, trace = _tokens(comparison), comparison.traces[lane]
    tie_map = comparison.tie_maps[lane]
    tied = [rank for rank in ranks if tie_map.tied[rank] > 1]
    rows = [
        [
            rank + 1,
            trace.steps[rank].tied,
            trace.steps[rank].count,
            tokens.pair(lane, trace.steps[rank].pair),
            tie_map.kinds[rank],
        ]
        for rank in tied[:MOST_ROWS]
    ]
    columns = [
        Column("merge", "number"),
        Column("pairs tied", "number"),
        Column("count", "number"),
        Column("picked", "tokens"),
        Column("outcome"),
    ]
    return Drawn(columns, rows, tokens)
