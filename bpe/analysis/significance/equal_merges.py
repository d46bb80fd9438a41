"""Equal merges: lanes of different numbers of merges, measured once more after as many as the shortest has.

A trainer that stops earlier needs more tokens for that alone. After as many merges of each lane as the shortest has,
what remains is the difference in what they learned.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from bpe.analysis.comparing.encoded_text import encoded_texts
from bpe.analysis.significance.held_out import HeldOut
from bpe.analysis.significance.held_out_words import held_out_words
from bpe.analysis.significance.intervals.bootstrap import CONFIDENCE, Estimate, resampled_sums
from bpe.analysis.significance.unit_sums import COMPARED, LANES, SAME, Figures, pairs_of, rows_of
from bpe.trace.trace import Trace

TOLERATED = 200  # a difference of one merge in so many, or of a single one, changes next to nothing


@dataclass(frozen=True, slots=True)
class EqualMerges:
    """All lanes after the same number of merges, on the same held-out text."""

    merges: int
    tokens: tuple[int, ...]  # for each lane
    differing_words: int  # occurrences of words that lanes split differently
    same_splits: Estimate  # share of the word occurrences that all lanes split the same way
    splits_of_pairs: tuple[Estimate, ...]  # the same for each pair of lanes
    more_tokens: tuple[Estimate, ...]  # for each pair of lanes, in the second, as a share of the first's


def are_unequal(merges: Sequence[int]) -> bool:
    """Return whether these numbers of merges differ by enough to matter.

    >>> are_unequal([1743, 1744]), are_unequal([750, 1000])
    (False, True)
    """
    return max(merges) - min(merges) > max(1, max(merges) // TOLERATED)


def equal_merges(
    traces: Sequence[Trace],
    listed: Sequence[int],
    text: HeldOut,
    by_line: bool,
    resamples: int,
    seed: int,
    executor: Executor | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> EqualMerges | None:
    """Return the lanes after as many merges as the shortest has; None if all have about as many.

    `listed` are the numbers of merges of the lanes' tokenizers. `by_line`: each line is encoded by itself.
    """
    if not are_unequal(listed):
        return None
    least = min(listed)
    ends = [_steps_of(trace, least) for trace in traces]
    encoded = [
        encoded_texts(trace.tokenizer(end), text.texts, by_line)
        for trace, end in zip(traces, ends, strict=True)
    ]
    words = held_out_words(traces, text, encoded, ends, by_line=by_line)
    rows = rows_of(text, encoded, words, by_line)
    totals = tuple(map(sum, zip(*rows, strict=True)))
    sums = resampled_sums(rows, resamples, seed, executor, on_progress) if text.has_enough else []
    figures = Figures(len(traces), totals, sums, rows, text.copies)
    pairs = pairs_of(len(traces))
    confidence = 1 - (1 - CONFIDENCE) / len(pairs)
    return EqualMerges(
        least,
        totals[LANES : LANES + len(traces)],
        totals[COMPARED] - totals[SAME],
        figures.same_splits(),
        tuple(figures.same_splits_of(number, confidence) for number in range(len(pairs))),
        tuple(figures.estimate(figures.more_tokens(*pair), confidence) for pair in pairs),
    )


def _steps_of(trace: Trace, merges: int) -> int:
    """Return after how many steps a trace has made so many merges of its list."""
    return bisect_left(trace.replayed.list_ranks, merges) if trace.replayed else merges
