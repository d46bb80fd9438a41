"""The tables every number of a comparison can be traced to: columns and rows, for the page and for CSV."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from bpe.analysis.ties import TieMap
from bpe.analysis.word_comparison import WordUnderTraces
from ui.compare.comparison import Comparison
from ui.compare.verdict import percent
from ui.show.tables import pair_text
from ui.show.text import counted

Row = tuple[object, ...]


def apart(names: Sequence[str]) -> list[str]:
    """The names, each that came before with a number, so that no two are alike: no table has a column twice.

    >>> apart(["mine", "mine", "mine (2)"])
    ['mine', 'mine (3)', 'mine (2)']
    """
    made: list[str] = []
    for name in names:
        numbered = (f"{name} ({number})" for number in count(2))
        free = (other for other in numbered if other not in names and other not in made)
        made.append(next(free) if name in made else name)
    return made


def merge_columns(found: Comparison) -> tuple[str, ...]:
    """Of `merge_rows`."""
    return (
        "merge",
        "differ",
        *(f"{title}: {what}" for title in found.titles for what in ("pair", "token", "count", "tied")),
    )


def merge_rows(found: Comparison) -> Iterator[Row]:
    """Step × lane: what each lane took."""
    for rank, (steps, differs) in enumerate(zip(found.choices, found.differing, strict=True)):
        cells: list[object] = []
        for trace, step in zip(found.traces, steps, strict=True):
            if step is None:
                cells += [None] * 4
            else:
                token = trace.variant.label(step.pair[0] + step.pair[1])
                cells += [pair_text(trace, step.pair), token, step.count, step.tied]
        yield (rank, differs, *cells)


def token_columns(found: Comparison) -> tuple[str, ...]:
    """Of `token_rows`."""
    return ("token", "learned by", *(f"merge under {title}" for title in found.titles), "order")


def token_rows(found: Comparison) -> Iterator[Row]:
    """Every token some lane learned: by how many, at which merge; of two lanes, whether it came in another order."""
    moved = set(found.agreements[0].moved) if len(found.lanes) == 2 else set()
    labels: dict[bytes, str] = {}
    for trace, name in zip(found.traces, found.names, strict=True):
        for symbol in trace.symbols:
            labels.setdefault(name(symbol), trace.variant.label(symbol))
    for fate in found.fates:
        learned = sum(rank is not None for rank in fate.ranks)
        order = "moved" if fate.token in moved else ""
        yield (labels[fate.token], learned, *fate.ranks, order)


def step_columns(found: Comparison) -> tuple[str, ...]:
    """Of `step_rows`."""
    per_lane = ("tokens in the corpus", "tokens in the held-out text", "tokens in use")
    return (
        "merges done",
        *(f"{title}: {what}" for title in found.titles for what in per_lane),
        *(f"{title}: shared with {found.titles[0]}" for title in found.titles[1:]),
    )


def step_rows(found: Comparison) -> Iterator[Row]:
    """The curves as numbers, one row a step."""
    series = [
        column
        for columns in zip(found.corpus_tokens, found.test_tokens, found.in_use, strict=True)
        for column in columns
    ] + found.shared
    for k in range(found.merges + 1):
        yield (k, *(column[k] if k < len(column) else None for column in series))


def cut_columns(found: Comparison) -> tuple[str, ...]:
    """Of `cut_rows`."""
    return ("word", "frequency", "differ", *found.titles)


def cut_rows(found: Comparison, cuts: Iterable[WordUnderTraces]) -> Iterator[Row]:
    """Words and their tokens under each lane, with spaces between the tokens."""
    for cut in cuts:
        shown = (
            " ".join(map(trace.variant.label, tokens))
            for trace, tokens in zip(found.traces, cut.tokens, strict=True)
        )
        yield (cut.word, cut.frequency, cut.differs, *shown)


TIE_COLUMNS = ("merge", "pairs tied", "count", "taken", "what it came to")


def tie_rows(found: Comparison, lane: int, ranks: Sequence[int]) -> Iterator[Row]:
    """The ties among these merges of a lane."""
    trace, ties = found.traces[lane], found.tie_maps[lane]
    for rank in ranks:
        if ties.tied[rank] > 1:
            step = trace.steps[rank]
            yield (rank, step.tied, step.count, pair_text(trace, step.pair), ties.kinds[rank])


def tie_summary(ties: TieMap) -> dict[str, str]:
    """The numbers of a tie map, by what they count."""
    largest = ties.largest
    merges = len(ties.kinds)
    return {
        f"{ties.steps_tied:,} of {counted(merges, 'merge')} tied": percent(ties.steps_tied / max(1, merges)),
        "Largest tie": "none" if largest is None else f"{ties.tied[largest]:,} pairs",
        "Cascaded": f"{ties.kinds.count('cascaded'):,}",
        "Harmless": f"{ties.kinds.count('harmless'):,}",
        "Open": f"{ties.kinds.count('open'):,}",
    }
