"""Rows of the results: which ones a table is about, and their figures as text."""

from collections.abc import Callable, Iterable, Sequence

import bpe
from benchmarks.ties.results import Results
from benchmarks.ties.study import Row


def rows_of(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """Return the rows whose columns have the wanted values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def full_trainings(results: Results) -> list[Row]:
    """Return the training with all of its corpus for each corpus."""
    largest = {row["corpus"]: row for row in results.measurements.trainings}  # sizes grow
    return list(largest.values())


def full_counts(results: Results) -> list[Row]:
    """Return the classes of counts of each corpus in its largest size."""
    sizes = {row["corpus"]: row["bytes"] for row in full_trainings(results)}
    return [row for row in results.measurements.counts if row["bytes"] == sizes[row["corpus"]]]


def tied_by_count(results: Results, is_wanted: Callable[[Row], bool]) -> float:
    """Return the tied share of the merges in the wanted classes of counts, of all corpora in their largest size."""
    rows = [row for row in full_counts(results) if is_wanted(row)]
    return share(sum(row["tied"] for row in rows), sum(row["merges"] for row in rows))


def rules_at_end(results: Results, training: Row) -> list[Row]:
    """Return the rows of all rules for a training, after the most merges that all of them have."""
    rows = rows_of(results.measurements.rules, corpus=training["corpus"], bytes=training["bytes"])
    return rows_of(rows, merges=max(row["merges"] for row in rows))


def last_rules(results: Results, training: Row) -> list[Row]:
    """Return the rows of the rules but the first, after the most merges that all of them have."""
    return rules_at_end(results, training)[1:]


def ranges(results: Results, rows: Sequence[Row]) -> tuple[str, str, str]:
    """Return the lowest and the highest of what rules share with the first, split differently, and need in tokens."""
    total = occurrences(results, rows[0]["corpus"])
    first = rows_of(
        results.measurements.rules,
        corpus=rows[0]["corpus"],
        bytes=rows[0]["bytes"],
        merges=rows[0]["merges"],
    )[0]
    shared = [share(row["shared"], row["merges"]) for row in rows]
    words = [share(row["occurrences_differ"], total) for row in rows]
    tokens = [share(row["tokens"] - first["tokens"], first["tokens"]) for row in rows]
    return (
        f"{percent(min(shared))} to {percent(max(shared))}",
        f"{percent(min(words))} to {percent(max(words))}",
        f"{signed(min(tokens))} to {signed(max(tokens))}",
    )


def occurrences(results: Results, corpus: str) -> int:
    """Return how many words the held-out text of a corpus has."""
    return int(rows_of(results.measurements.corpora, corpus=corpus)[0]["held_out_occurrences"])


def rule_title(row: Row) -> str:
    """Return the title of a row's rule."""
    return bpe.TIE_BREAKS[row["rule"]].title


def share(part: int, whole: int) -> float:
    """Return the quotient; 0 if there is nothing to divide by."""
    return part / whole if whole else 0.0


def percent(share: float) -> str:
    """Return a share with one decimal; never 100% for less than all.

    >>> percent(0.5), percent(0.99996), percent(1)
    ('50.0%', '99.9%', '100.0%')
    """
    return f"{min(round(share * 1000), 1000 if share == 1 else 999) / 10:.1f}%"


def signed(share: float) -> str:
    """Return a difference with its sign and two decimals.

    >>> signed(-0.0005), signed(0)
    ('−0.05%', '±0.00%')
    """
    text = f"{abs(share) * 100:.2f}%"
    return ("±" if text == "0.00%" else "−" if share < 0 else "+") + text


def kilobytes(size: int) -> str:
    """Return a size for people."""
    return f"{size / 1000:,.0f} kB" if size >= 10_000 else f"{size / 1000:.1f} kB"
