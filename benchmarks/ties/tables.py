"""The tables of the page, in Markdown."""

from collections.abc import Iterable, Sequence

import bpe
from benchmarks.ties.results import Results
from benchmarks.ties.rows import (
    full_counts,
    last_rules,
    occurrences,
    percent,
    ranges,
    rows_of,
    rule_title,
    rules_at_end,
    share,
    signed,
)
from benchmarks.ties.study import Row


def corpora_table(results: Results) -> str:
    """Return the corpora, with their size, held-out words and hash."""

    def cells(row: Row) -> Sequence[str]:
        seen = share(row["seen_occurrences"], row["held_out_occurrences"])
        return (
            row["corpus"],
            f"{row['bytes']:,}",
            f"{row['held_out_occurrences']:,}",
            percent(seen),
            f"`{row['sha256'][:16]}…`",
        )

    titles = ("corpus", "bytes", "held-out words", "of them also in the training text", "SHA-256")
    return _table(titles, map(cells, results.measurements.corpora))


def cuts_table(results: Results) -> str:
    """Return the tied share of the first merges, by corpus and size."""
    limits = sorted({row["merges"] for row in results.measurements.cuts} & set(_round_numbers(results)))

    def cells(training: Row) -> Sequence[str]:
        cuts = {
            row["merges"]: row["tied"]
            for row in rows_of(results.measurements.cuts, corpus=training["corpus"], bytes=training["bytes"])
        }
        return (
            training["corpus"],
            f"{training['bytes']:,}",
            *(percent(cuts[k] / k) if k in cuts else "" for k in limits),
            f"{percent(share(training['tied'], training['merges']))} of {training['merges']:,}",
        )

    return _table(
        ("corpus", "bytes", *(f"first {k:,}" for k in limits), "all"),
        map(cells, results.measurements.trainings),
    )


def _round_numbers(results: Results) -> list[int]:
    """Return the numbers of merges that several trainings have reached."""
    numbers = [row["merges"] for row in results.measurements.cuts]
    return [number for number in numbers if numbers.count(number) > 1]


def counts_table(results: Results) -> str:
    """Return the tied share of the merges by the count of the merged pair."""
    classes = list(dict.fromkeys((row["least"], row["most"]) for row in results.measurements.counts))

    def cells(bounds: tuple[int, int | None]) -> Sequence[str]:
        least, most = bounds
        rows = [row for row in full_counts(results) if row["least"] == least]
        merges, tied = sum(row["merges"] for row in rows), sum(row["tied"] for row in rows)
        shares = [share(row["tied"], row["merges"]) for row in rows if row["merges"] >= 10]
        name = (
            f"{least:,} and more" if most is None else str(least) if most == least else f"{least:,}–{most:,}"
        )
        between = f"{percent(min(shares))} to {percent(max(shares))}" if shares else ""
        return name, f"{merges:,}", percent(share(tied, merges)), between

    titles = ("count", "merges", "tied", "lowest and highest corpus with 10 such merges")
    return _table(titles, map(cells, sorted(classes)))


def outcomes_table(results: Results) -> str:
    """Return what became of the tied pairs, by corpus and size."""

    def cells(row: Row) -> Sequence[str]:
        outcomes = (f"{percent(share(row[kind], row['tied']))}" for kind in ("harmless", "cascaded", "open"))
        return row["corpus"], f"{row['bytes']:,}", f"{row['tied']:,}", *outcomes, f"{row['largest']:,}"

    titles = ("corpus", "bytes", "ties", "harmless", "cascaded", "open", "pairs in the largest tie")
    return _table(titles, map(cells, results.measurements.trainings))


def rules_table(results: Results) -> str:
    """Return what the other rules have in common with the first, by corpus and size."""

    def cells(training: Row) -> Sequence[str]:
        rows = last_rules(results, training)
        return (
            training["corpus"],
            f"{training['bytes']:,}",
            f"{rows[0]['merges']:,}",
            *ranges(results, rows),
        )

    titles = (
        "corpus",
        "bytes",
        "merges",
        "tokens shared",
        "held-out words split differently",
        "tokens of the held-out text",
    )
    return _table(titles, map(cells, results.measurements.trainings))


def each_rule_table(results: Results, training: Row) -> str:
    """Return the same for each rule on one training text."""
    total = occurrences(results, training["corpus"])
    first, *others = rules_at_end(results, training)

    def cells(row: Row) -> Sequence[str]:
        return (
            rule_title(row) + (f", seed {row['seed']}" if bpe.TIE_BREAKS[row["rule"]].seeded else ""),
            percent(share(row["shared"], row["merges"])),
            percent(share(row["occurrences_differ"], total)),
            f"{row['tokens']:,} ({signed(share(row['tokens'] - first['tokens'], first['tokens']))})",
        )

    titles = (
        f"compared with “{rule_title(first)}”",
        "tokens shared",
        "held-out words split differently",
        f"tokens of the held-out text (there {first['tokens']:,})",
    )
    return _table(titles, map(cells, others))


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines: list[Sequence[str]] = [titles, ["---"] + ["---:"] * (len(titles) - 1), *rows]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
