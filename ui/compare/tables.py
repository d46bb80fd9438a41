"""The tables of a comparison: columns and rows, for the page and for CSV files."""

from collections.abc import Iterable, Iterator, Sequence

from bpe.analysis.ties import TieMap
from bpe.comparison import tables
from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import percent
from bpe.comparison.intervals import Estimate
from bpe.comparison.words import WordUnderTraces
from ui.compare.comparison import Comparison
from ui.show.tables import pair_text

Row = tuple[object, ...]


def merge_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the column titles for `merge_rows`."""
    return (
        "rank",
        "differ",
        *(f"{title}: {cell}" for title in comparison.titles for cell in tables.MERGE_CELLS),
    )


def merge_rows(comparison: Comparison) -> Iterator[Row]:
    """Return a row for each merge, with the step of each lane; empty cells for a lane that has ended."""
    return tables.merge_rows(comparison.traces, comparison.choices, comparison.differing)


def token_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the column titles for `token_rows`."""
    return ("token", "learned by", *(f"rank under {title}" for title in comparison.titles), "order")


def token_rows(comparison: Comparison) -> Iterator[Row]:
    """Yield a row for each learned token: how many lanes learned it, the merge in each lane, and "moved".

    If there are two lanes, "moved" marks a token that they learned in a different order.
    """
    learned = comparison.learned_by
    for one, row in zip(learned, tables.learned_rows(comparison.traces, learned), strict=True):
        yield (*row, "moved" if one.token in comparison.moved else "")


def step_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the column titles for `step_rows`."""
    titles = comparison.titles
    per_lane = ("tokens in the text", "tokens in the held-out text", "tokens in use")
    return (
        "merges done",
        *(f"{title}: {what}" for title in titles for what in per_lane),
        *(f"{title}: shared with {titles[0]}" for title in titles[1:]),
    )


def step_rows(comparison: Comparison) -> Iterator[Row]:
    """Yield a row for each step with the numbers of the curves; empty cells for a lane that has ended."""
    per_lane = zip(comparison.corpus_tokens, comparison.test_tokens, comparison.in_use, strict=True)
    series = [numbers for lane in per_lane for numbers in lane] + comparison.shared
    for k in range(comparison.merges + 1):
        yield (k, *(numbers[k] if k < len(numbers) else None for numbers in series))


def word_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the column titles for `word_rows`."""
    return ("word", "frequency", "differ", *comparison.titles)


def word_rows(comparison: Comparison, words: Iterable[WordUnderTraces]) -> Iterator[Row]:
    """Yield a row for each word, with its tokens under each lane, spaces between them."""
    for word in words:
        yield (
            word.word,
            word.frequency,
            word.differs,
            *tables.segmentations(comparison.traces, word.tokens),
        )


def differing_first(words: Iterable[WordUnderTraces]) -> list[WordUnderTraces]:
    """Return the words that lanes segment differently, then the others, each in order of appearance."""
    return sorted(words, key=lambda word: not word.differs)


TIE_COLUMNS = ("rank", "pairs tied", "count", "picked", "outcome")


def tie_rows(comparison: Comparison, lane: int, ranks: Sequence[int]) -> Iterator[Row]:
    """Yield one row of TIE_COLUMNS for each of these merges of a lane at which pairs tied."""
    trace, ties = comparison.traces[lane], comparison.tie_maps[lane]
    for rank in ranks:
        if ties.tied[rank] > 1:
            step = trace.steps[rank]
            yield (rank, step.tied, step.count, pair_text(trace, step.pair), ties.kinds[rank])


def tie_summary(ties: TieMap) -> dict[str, str]:
    """Return the numbers on the tiles over a tie map: {label: value}."""
    largest = ties.largest
    merges = len(ties.kinds)
    tied = f"{ties.steps_tied:,} of {merges:,} merges had a tie"
    if merges == 1:
        tied = f"The only merge had {'a' if ties.steps_tied else 'no'} tie"
    return {
        tied: percent(ties.steps_tied / max(1, merges)),
        "Largest tie": "none" if largest is None else f"{ties.tied[largest]:,} pairs",
        "Cascaded": f"{ties.kinds.count('cascaded'):,}",
        "Harmless": f"{ties.kinds.count('harmless'):,}",
        "Open": f"{ties.kinds.count('open'):,}",
    }


# The figures of a held-out text are texts, since each has its interval beside it.
LANE_COLUMNS = ("lane", "tokens", "unknown tokens", "characters per token", "tokens per word")


def lane_rows(comparison: Comparison, evidence: Evidence) -> Iterator[Row]:
    """Yield one row of LANE_COLUMNS for each lane on the held-out text."""
    for title, lane in zip(comparison.titles, evidence.lanes, strict=True):
        yield (
            title,
            lane.tokens,
            lane.unknown,
            _with_interval(lane.compression),
            _with_interval(lane.fertility),
        )


PAIR_COLUMNS = (
    "lane",
    "and lane",
    "words split the same way, %",
    "more tokens under the second, %",
    "shared tokens, %",
    "shared by rank, %",
    "Kendall's tau",
    "training text in shared tokens, %",
    "distinct words split differently",
    "difference in characters per token",
    "difference in tokens per word",
)


def pair_rows(comparison: Comparison, evidence: Evidence) -> Iterator[Row]:
    """Yield one row of PAIR_COLUMNS for every two lanes on the held-out text."""
    titles = comparison.titles
    for pair in evidence.pairs:
        vocabulary = pair.vocabulary
        yield (
            titles[pair.first],
            titles[pair.second],
            _with_interval(pair.same_splits, 100),
            _with_interval(pair.more_tokens, 100),
            f"{vocabulary.overlap:.1%}".removesuffix("%"),
            f"{vocabulary.average_overlap:.1%}".removesuffix("%"),
            "" if vocabulary.tau is None else f"{vocabulary.tau:.2f}",
            f"{vocabulary.occurrences:.1%}".removesuffix("%"),
            pair.differing_words,
            _with_interval(pair.compression),
            _with_interval(pair.fertility),
        )


def _with_interval(estimate: Estimate, scale: int = 1) -> str:
    """Return a figure with its interval, if it has one, as in `1.64 (1.56 to 1.73)`."""
    figure = f"{estimate.value * scale:.2f}"
    if estimate.interval is None:
        return figure
    low, high = (f"{end * scale:.2f}" for end in estimate.interval)
    return f"{figure} ({low} to {high})"
