"""The tables of a report. The core computes their numbers, and each file format decides how to write them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from bpe import Trace
from bpe.analysis.ties import tie_map
from bpe.comparison.comparison import differing, learned_by, steps_side_by_side
from bpe.comparison.intervals import Estimate
from bpe.comparison.tables import MERGE_CELLS, learned_rows, merge_rows, segmentations
from bpe.comparison.verdict_text import COMPRESSION
from film.report.comparison import ComparedLane, Comparison

# text    a text; may be the user's
# number  a whole number, or a measure
# share   a part of 1
# merge   the rank of a merge, from 0; people count merges from 1
# yes     whether something holds
Kind = Literal["text", "number", "share", "merge", "yes"]
# Ends of the names of two columns, which hold the interval of the column before them.
INTERVAL = (
    ": from",
    ": to",
)
Cell = str | int | float | bool | None  # None: there is no such number
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    kind: Kind = "number"


@dataclass(frozen=True, slots=True)
class Table:
    """One table."""

    slug: str
    title: str
    about: str  # a sentence on what it holds
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


_TABLES: "WeakKeyDictionary[Comparison, list[Table]]" = WeakKeyDictionary()


def tables(comparison: Comparison) -> list[Table]:
    """Return the tables, those that decide first. They are made once: a page also holds them as JSON and as CSV."""
    if comparison not in _TABLES:
        _TABLES[comparison] = _tables(comparison)
    return _TABLES[comparison]


def _tables(comparison: Comparison) -> list[Table]:
    listed = [
        _lanes(comparison),
        _pairs(comparison),
        _words(comparison),
        _ties(comparison),
        _merges(comparison),
        _tokens(comparison),
    ]
    if comparison.evidence.luck is not None:
        listed += [_draws(comparison), _drawn_tokens(comparison)]
    return listed


def _lanes(comparison: Comparison) -> Table:
    columns = (
        Column("lane", "text"),
        Column("rule", "text"),
        Column("variant", "text"),
        Column("merges"),
        Column("tokens in the training text"),
        Column("tokens in the held-out text"),
        Column("unknown tokens in the held-out text"),
        *_with_interval("characters per token"),
        *_with_interval("tokens per word"),
        Column("source", "text"),
    )
    rows = tuple(
        (
            lane.title,
            _rule(lane),
            lane.trace.variant.title,
            len(lane.trace.steps),
            lane.trace.tokens_by_step()[-1],
            measured.tokens,
            measured.unknown,
            *_cells(measured.compression),
            *_cells(measured.fertility),
            lane.about,
        )
        for lane, measured in zip(comparison.lanes, comparison.evidence.lanes, strict=True)
    )
    by_line = any(lane.reads_lines for lane in comparison.evidence.lanes)
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


def _rule(lane: ComparedLane) -> str:
    return "none: a file's list" if lane.trace.replayed else lane.trace.tie_break.title


def _pairs(comparison: Comparison) -> Table:
    names = comparison.names
    columns = (
        Column("first lane", "text"),
        Column("second lane", "text"),
        *_with_interval("held-out words split the same way", "share"),
        Column("distinct held-out words split differently"),
        *_with_interval("more tokens in the second", "share"),
        *_with_interval("more characters per token in the second"),
        *_with_interval("more tokens per word in the second"),
        Column("tokens that both learned"),
        Column("as a share of the larger vocabulary", "share"),
        Column("average overlap", "share"),
        Column("Kendall's tau of their order"),
        Column("training text of tokens in both vocabularies", "share"),
    )
    rows = tuple(
        (
            names[pair.first],
            names[pair.second],
            *_cells(pair.same_splits),
            pair.differing_words,
            *_cells(pair.more_tokens),
            *_cells(pair.compression),
            *_cells(pair.fertility),
            pair.vocabulary.shared,
            pair.vocabulary.overlap,
            pair.vocabulary.average_overlap,
            pair.vocabulary.tau,
            pair.vocabulary.occurrences,
        )
        for pair in comparison.evidence.pairs
    )
    about = (
        f"How each pair of lanes compares on the held-out text. {_which_words(comparison)} For “tokens per word”, "
        "white space separates the words. The intervals of a column hold for all rows together, with "
        "95% confidence. A difference whose interval contains 0 may be due to chance."
    )
    return Table("pairs", "Each pair of lanes", about, columns, rows)


def _with_interval(name: str, kind: Kind = "number") -> tuple[Column, ...]:
    return Column(name, kind), *(Column(name + end, kind) for end in INTERVAL)


def _cells(estimate: Estimate) -> tuple[Cell, ...]:
    return (estimate.value, *(estimate.interval or (None, None)))


def _words(comparison: Comparison) -> Table:
    columns = (
        Column("word", "text"),
        Column("times in the held-out text"),
        *(Column(name, "text") for name in comparison.names),
    )
    traces = _traces(comparison)
    rows: tuple[Row, ...] = tuple(
        (word.word, word.frequency, *segmentations(traces, word.tokens))
        for word in comparison.evidence.differing
    )
    about = (
        f"{_which_words(comparison)} You see the tokens of each lane, with spaces between them; the most frequent "
        "words come first. A word that is split in several ways has a row for each."
    )
    return Table("words", "Held-out words that are split differently", about, columns, rows)


def _which_words(comparison: Comparison) -> str:
    """Return what the words are whose splits the lanes are compared by."""
    if comparison.evidence.words_are_pre_tokens:
        return "Words are the pre-tokens that contain a letter or a digit."
    return "Words are the pieces between white space that contain a letter or a digit."


def _ties(comparison: Comparison) -> Table:
    columns = (
        Column("lane", "text"),
        Column("merges"),
        Column("tied"),
        Column("pairs in the largest tie"),
        Column("rank of the largest tie", "merge"),
        Column("harmless"),
        Column("cascaded"),
        Column("open"),
    )
    about = (
        "A merge is tied if several pairs had the highest count. Harmless: all tied pairs were merged while they had "
        "that count. Cascaded: a merge used up occurrences of a tied pair, so its count fell. Open: training ended "
        "before all tied pairs were merged. A list of merges from a file has no ties."
    )
    return Table("ties", "Ties", about, columns, tuple(_tie_rows(comparison)))


def _tie_rows(comparison: Comparison) -> Iterator[Row]:
    for lane in comparison.lanes:
        if lane.trace.replayed:
            continue
        ties = tie_map(lane.trace)
        yield (
            lane.title,
            len(ties.kinds),
            ties.steps_tied,
            None if ties.largest is None else ties.tied[ties.largest],
            ties.largest,
            ties.kinds.count("harmless"),
            ties.kinds.count("cascaded"),
            ties.kinds.count("open"),
        )


def _merges(comparison: Comparison) -> Table:
    traces = _traces(comparison)
    columns = (
        Column("rank", "merge"),
        Column("differ", "yes"),
        *(
            Column(f"{name}: {cell}", "text" if cell in ("pair", "token") else "number")
            for name in comparison.names
            for cell in MERGE_CELLS
        ),
    )
    rows = tuple(merge_rows(traces, steps_side_by_side(traces), differing(traces)))
    about = "What each lane merged, and how many pairs had the highest count."
    return Table("merges", "Merges", about, columns, rows)


def _tokens(comparison: Comparison) -> Table:
    traces = _traces(comparison)
    columns = (
        Column("token", "text"),
        Column("learned by lanes"),
        *(Column(f"rank under {name}", "merge") for name in comparison.names),
    )
    rows = tuple(learned_rows(traces, learned_by(traces)))
    about = "Every token that a lane learned, and at which merge."
    return Table("tokens", "Tokens", about, columns, rows)


def _traces(comparison: Comparison) -> Sequence[Trace]:
    return [lane.trace for lane in comparison.lanes]


def _draws(comparison: Comparison) -> Table:
    luck = comparison.evidence.luck
    assert luck
    columns = (Column("seed"), Column("tokens in the training text"), Column("tokens in the held-out text"))
    rows = tuple(
        (seed, in_corpus, tokens)
        for seed, (in_corpus, tokens) in enumerate(zip(luck.study.totals, luck.tokens, strict=True))
    )
    about = "Trainings that break every tie at random. The differences between them are luck."
    return Table("draws", "Random draws", about, columns, rows)


def _drawn_tokens(comparison: Comparison) -> Table:
    luck = comparison.evidence.luck
    assert luck
    label = comparison.lanes[0].trace.variant.label
    columns = (Column("token", "text"), Column("draws that learned it"), Column("share", "share"))
    rows = tuple((label(token), times, times / luck.draws) for token, times in luck.study.sometimes)
    about = f"Tokens that some of {luck.draws} draws learned and others did not: luck decided."
    return Table("luck", "Tokens by luck", about, columns, rows)
