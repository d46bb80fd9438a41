"""The tables of a comparison, for a page and for a CSV file. The page decides how to write the cells."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence
from bpe.comparison.learned import Choices, LearnedBy, comparison_keys
from bpe.comparison.random_draws import Luck
from bpe.comparison.words import WordUnderTraces
from bpe.symbols import Symbol
from bpe.text.display import csv_file
from bpe.trace.trace import Trace

_Cell = str | int | float | bool | None  # None: there is no such number
Row = tuple[_Cell, ...]

# text    a text; may be the user's
# number  a whole number, or a measure
# share   a part of 1
# merge   the rank of a merge, from 0; people count merges from 1
# yes     whether something holds
_Kind = Literal["text", "number", "share", "merge", "yes"]

COMPRESSION = (
    "Characters per token: the characters of the held-out text, white space included, divided by its tokens. Tokens "
    "per word: its tokens divided by its words, which white space separates. A marker such as </w>, or a byte of a "
    "longer character, can be a token of its own, so a lane can have less than one character per token."
)
_MERGE_CELLS = ("pair", "token", "count", "tied")  # of each trace, in the rows of `_merge_rows`


@dataclass(frozen=True, slots=True)
class _Column:
    """One column."""

    name: str
    kind: _Kind = "number"


@dataclass(frozen=True, slots=True)
class Table:
    """One table."""

    slug: str
    title: str
    about: str  # a sentence on what it holds
    columns: tuple[_Column, ...]
    rows: tuple[Row, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)


def tables(comparison: Comparison, evidence: Evidence) -> list[Table]:
    """Return the tables, those that decide first."""
    listed = [
        lanes_table(comparison, evidence),
        pairs_table(comparison, evidence),
        _words(comparison, evidence),
        _ties(comparison),
        _merges_table(comparison),
        tokens_table(comparison),
    ]
    if evidence.luck is not None:
        listed += [_draws(evidence.luck), _drawn_tokens(comparison, evidence.luck)]
    return listed


def tables_csv(listed: Iterable[Table], answer: str) -> bytes:
    """Return tables one below the other as a CSV file, each after a row with its title. Formulas are disarmed."""
    rows = [row for table in listed for row in ((), (table.title,), table.names, *table.rows)]
    return csv_file(("answer", answer), rows)


def _segmentations(traces: Sequence[Trace], tokens: Iterable[Sequence[Symbol]]) -> tuple[str, ...]:
    """Return the tokens of a word under each trace as one text, with spaces between them."""
    return tuple(
        " ".join(map(trace.variant.label, of_trace)) for trace, of_trace in zip(traces, tokens, strict=True)
    )


def lanes_table(comparison: Comparison, evidence: Evidence) -> Table:
    """Return what each lane makes of the held-out text."""
    columns = (
        _Column("lane", "text"),
        _Column("rule", "text"),
        _Column("variant", "text"),
        _Column("merges"),
        _Column("tokens in the training text"),
        _Column("tokens in the held-out text"),
        _Column("unknown tokens in the held-out text"),
        _Column("characters per token"),
        _Column("tokens per word"),
        _Column("source", "text"),
    )
    rows = tuple(
        (
            lane.title,
            trace.tie_break.title if trace.origin.counts else "none: a file's list",
            trace.variant.title,
            len(trace.steps),
            tokens[-1],
            measured.tokens,
            measured.unknown,
            measured.compression,
            measured.fertility,
            lane.about,
        )
        for lane, trace, tokens, measured in zip(
            comparison.lanes, comparison.traces, comparison.corpus_tokens, evidence.lanes, strict=True
        )
    )
    by_line = any(lane.reads_lines for lane in evidence.lanes)
    pieces = (
        "line of the held-out text is encoded by itself"
        if by_line
        else "held-out document is encoded as a whole"
    )
    about = (
        f"Each lane after its last merge. Each {pieces}. {COMPRESSION} More characters "
        "per token, or fewer tokens per word, do not make a better model."
    )
    return Table("lanes", "Lanes", about, columns, rows)


def pairs_table(comparison: Comparison, evidence: Evidence) -> Table:
    """Return how every two lanes compare."""
    titles = comparison.titles
    columns = (
        _Column("first lane", "text"),
        _Column("second lane", "text"),
        _Column("held-out words split the same way", "share"),
        _Column("distinct words split differently"),
        _Column("more tokens in the second lane", "share"),
        _Column("tokens that both learned"),
        _Column("overlap of the vocabularies", "share"),
        _Column("average overlap", "share"),
        _Column("Kendall's tau of the order"),
        _Column("training text in shared tokens", "share"),
    )
    rows = tuple(
        (
            titles[pair.first],
            titles[pair.second],
            pair.same_splits,
            pair.differing_words,
            pair.more_tokens,
            pair.vocabulary.shared,
            pair.vocabulary.overlap,
            pair.vocabulary.average_overlap,
            pair.vocabulary.tau,
            pair.vocabulary.occurrences,
        )
        for pair in evidence.pairs
    )
    about = f"How the two lanes of each pair compare on the held-out text. {_which_words(evidence)}"
    return Table("pairs", "Each pair of lanes", about, columns, rows)


def _merges_table(comparison: Comparison) -> Table:
    """Return what each lane merged."""
    columns = (
        _Column("rank", "merge"),
        _Column("differ", "yes"),
        *(
            _Column(f"{name}: {cell}", "text" if cell in ("pair", "token") else "number")
            for name in comparison.titles
            for cell in _MERGE_CELLS
        ),
    )
    rows = tuple(_merge_rows(comparison.traces, comparison.choices, comparison.differing))
    about = "What each lane merged, and how many pairs had the highest count."
    return Table("merges", "Merges", about, columns, rows)


def tokens_table(comparison: Comparison) -> Table:
    """Return the tokens that a lane learned."""
    columns = (
        _Column("token", "text"),
        _Column("learned by lanes"),
        *(_Column(f"rank under {name}", "merge") for name in comparison.titles),
        _Column("order", "text"),
    )
    learned = comparison.learned_by
    rows = tuple(
        (*row, "moved" if one.token in comparison.moved else "")
        for one, row in zip(learned, _learned_rows(comparison.traces, learned), strict=True)
    )
    about = (
        "Every token that a lane learned, and at which merge. “moved”: both of two lanes learned it, but in "
        "different orders."
    )
    return Table("tokens", "Tokens", about, columns, rows)


def words_table(comparison: Comparison, words: Iterable[WordUnderTraces]) -> Table:
    """Return words with their tokens under each lane."""
    columns = (
        _Column("word", "text"),
        _Column("frequency"),
        _Column("differ", "yes"),
        *(_Column(title, "text") for title in comparison.titles),
    )
    rows: tuple[Row, ...] = tuple(
        (word.word, word.frequency, word.differs, *_segmentations(comparison.traces, word.tokens))
        for word in words
    )
    return Table("all words", "Words", "Words, with their tokens under each lane.", columns, rows)


def _merge_rows(
    traces: Sequence[Trace], choices: Iterable[Choices], differing: Iterable[bool]
) -> Iterator[Row]:
    """Yield (rank, whether the traces differ, then _MERGE_CELLS of each trace); None for a training that has ended.

    >>> import bpe
    >>> traces = [bpe.train("ab", merges=1), bpe.train("ab", merges=0)]
    >>> next(_merge_rows(traces, [(traces[0].steps[0], None)], [True]))
    (0, True, 'a + b', 'ab', 1, 2, None, None, None, None)
    """
    labels = [cache(trace.variant.label) for trace in traces]
    for rank, (steps, differs) in enumerate(zip(choices, differing, strict=True)):
        cells: list[_Cell] = []
        for label, step in zip(labels, steps, strict=True):
            if step is None:
                cells += [None] * len(_MERGE_CELLS)
            else:
                left, right = step.pair
                cells += [f"{label(left)} + {label(right)}", label(left + right), step.count, step.tied]
        yield (rank, differs, *cells)


def _learned_rows(traces: Sequence[Trace], learned: Iterable[LearnedBy]) -> Iterator[Row]:
    """Yield (token, how many traces learned it, its rank in each trace or None)."""
    labels: dict[bytes, str] = {}
    for trace, key_of in zip(traces, comparison_keys(traces), strict=True):
        for symbol in trace.symbols:
            if (key := key_of(symbol)) not in labels:
                labels[key] = trace.variant.label(symbol)
    for one in learned:
        yield (labels[one.token], sum(rank is not None for rank in one.ranks), *one.ranks)


def _words(comparison: Comparison, evidence: Evidence) -> Table:
    columns = (
        _Column("word", "text"),
        _Column("times in the held-out text"),
        *(_Column(name, "text") for name in comparison.titles),
    )
    rows: tuple[Row, ...] = tuple(
        (word.word, word.frequency, *_segmentations(comparison.traces, word.tokens))
        for word in evidence.differing
    )
    about = (
        f"{_which_words(evidence)} You see the tokens of each lane, with spaces between them; the most frequent "
        "words come first. A word that is split in several ways has a row for each."
    )
    return Table("words", "Held-out words that are split differently", about, columns, rows)


def _which_words(evidence: Evidence) -> str:
    """Return what the words are whose splits the lanes are compared by."""
    if evidence.words_are_pre_tokens:
        return "Words are the pre-tokens that contain a letter or a digit."
    return "Words are the pieces between white space that contain a letter or a digit."


def _ties(comparison: Comparison) -> Table:
    columns = (
        _Column("lane", "text"),
        _Column("merges"),
        _Column("tied"),
        _Column("pairs in the largest tie"),
        _Column("rank of the largest tie", "merge"),
        _Column("order only"),
        _Column("choices"),
        _Column("open"),
    )
    about = (
        "A merge is tied if several pairs had the highest count. Order only: the merged pair shared no token with "
        "another tied pair. Choices: it did, and that pair could lose occurrences to the merge. Open: training "
        "ended before all pairs of that count were used up. A list of merges from a file has no ties."
    )
    return Table("ties", "Ties", about, columns, tuple(_tie_rows(comparison)))


def _tie_rows(comparison: Comparison) -> Iterator[Row]:
    for lane, trace, ties in zip(comparison.lanes, comparison.traces, comparison.tie_maps, strict=True):
        if not trace.origin.breaks_ties:
            continue
        yield (
            lane.title,
            len(ties.kinds),
            ties.steps_tied,
            None if ties.largest is None else ties.tied[ties.largest],
            ties.largest,
            ties.kinds.count("order only"),
            ties.kinds.count("choice"),
            ties.kinds.count("open"),
        )


def _draws(luck: Luck) -> Table:
    columns = (
        _Column("seed"),
        _Column("tokens in the training text"),
        _Column("tokens in the held-out text"),
    )
    rows = tuple(
        (seed, in_corpus, tokens)
        for seed, (in_corpus, tokens) in enumerate(zip(luck.study.totals, luck.tokens, strict=True))
    )
    about = "Trainings that break every tie at random. The differences between them are luck."
    return Table("draws", "Random draws", about, columns, rows)


def _drawn_tokens(comparison: Comparison, luck: Luck) -> Table:
    label = comparison.traces[0].variant.label
    columns = (_Column("token", "text"), _Column("draws that learned it"), _Column("share", "share"))
    rows = tuple((label(token), times, times / luck.draws) for token, times in luck.study.sometimes)
    about = f"Tokens that some of {luck.draws} draws learned and others did not: luck decided."
    return Table("luck", "Tokens by luck", about, columns, rows)
