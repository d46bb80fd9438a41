"""Rows of the tables that compare trainings, for a page, a report and their files."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from bpe.comparison.comparison import Choices, LearnedBy, comparison_keys
from bpe.symbols import Symbol
from bpe.trace.trace import Trace

Row = tuple[str | int | None, ...]

MERGE_CELLS = ("pair", "token", "count", "tied")  # of each trace, in the rows of `merge_rows`


def merge_rows(
    traces: Sequence[Trace], choices: Iterable[Choices], differing: Iterable[bool]
) -> Iterator[Row]:
    """Yield (rank, whether the traces differ, then MERGE_CELLS of each trace); None for a training that has ended.

    >>> import bpe
    >>> traces = [bpe.train("ab", merges=1), bpe.train("ab", merges=0)]
    >>> next(merge_rows(traces, [(traces[0].steps[0], None)], [True]))
    (0, True, 'a + b', 'ab', 1, 2, None, None, None, None)
    """
    labels = [cache(trace.variant.label) for trace in traces]
    for rank, (steps, differs) in enumerate(zip(choices, differing, strict=True)):
        cells: list[str | int | None] = []
        for label, step in zip(labels, steps, strict=True):
            if step is None:
                cells += [None] * len(MERGE_CELLS)
            else:
                left, right = step.pair
                cells += [f"{label(left)} + {label(right)}", label(left + right), step.count, step.tied]
        yield (rank, differs, *cells)


def learned_rows(traces: Sequence[Trace], learned: Iterable[LearnedBy]) -> Iterator[Row]:
    """Yield (token, how many traces learned it, its rank in each trace or None)."""
    labels: dict[bytes, str] = {}
    for trace, key_of in zip(traces, comparison_keys(traces), strict=True):
        for symbol in trace.symbols:
            if (key := key_of(symbol)) not in labels:
                labels[key] = trace.variant.label(symbol)
    for one in learned:
        yield (labels[one.token], sum(rank is not None for rank in one.ranks), *one.ranks)


def segmentations(traces: Sequence[Trace], tokens: Iterable[Sequence[Symbol]]) -> tuple[str, ...]:
    """Return the tokens of a word under each trace as one text, with spaces between them."""
    return tuple(
        " ".join(map(trace.variant.label, of_trace)) for trace, of_trace in zip(traces, tokens, strict=True)
    )
