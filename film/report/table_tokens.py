"""The tokens in a report's tables, as chips in the colours of its film."""

from collections.abc import Callable, Mapping, Sequence

from bpe import Symbol
from bpe.comparison.comparison import comparison_keys, learned_by
from bpe.comparison.tables import MERGE_CELLS
from film.feed import ChipLabel
from film.labels import Shades, chip_label
from film.report.comparison import Comparison

Token = tuple[ChipLabel, int]  # what its chip writes, and the number that colours it
Tokens = Sequence[Token]
CellTokens = Callable[
    [int, int], Tokens
]  # (position of a row, of a column) -> tokens; none in a cell of other content


def table_tokens(comparison: Comparison) -> Mapping[str, CellTokens]:
    """Return for each table that holds tokens, by slug, the tokens of its cells."""
    traces = [lane.trace for lane in comparison.lanes]
    shades, names = Shades(traces), comparison_keys(traces)
    learned = learned_by(traces)
    words, luck = comparison.evidence.differing, comparison.evidence.luck
    drawn = luck.study.sometimes if luck else []

    def token(lane: int, symbol: Symbol) -> Token:
        return chip_label(traces[lane].variant, symbol), shades.of_name(names[lane](symbol))

    def of_word(row: int, column: int) -> Tokens:
        lane = column - 2
        return [token(lane, symbol) for symbol in words[row].tokens[lane]] if lane >= 0 else []

    def of_merge(row: int, column: int) -> Tokens:
        lane, cell = divmod(column - 2, len(MERGE_CELLS))
        if lane < 0 or row >= len(traces[lane].steps) or MERGE_CELLS[cell] not in ("pair", "token"):
            return []
        left, right = traces[lane].steps[row].pair
        return [
            token(lane, symbol)
            for symbol in ((left, right) if MERGE_CELLS[cell] == "pair" else (left + right,))
        ]

    symbols = [
        {name(symbol): symbol for symbol in trace.symbols} for trace, name in zip(traces, names, strict=True)
    ]

    def of_learned(row: int, column: int) -> Tokens:
        if column:
            return []
        one = learned[row]
        lane = next(lane for lane, rank in enumerate(one.ranks) if rank is not None)
        return [token(lane, symbols[lane][one.token])]

    def of_draw(row: int, column: int) -> Tokens:
        return [] if column else [token(0, drawn[row][0])]

    return {"words": of_word, "merges": of_merge, "tokens": of_learned, "luck": of_draw}
