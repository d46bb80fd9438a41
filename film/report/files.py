"""The report as data: JSON with the manifest, and CSV with the tables one below the other."""

import json
from collections.abc import Iterator
from typing import Any

from bpe.comparison import verdict_text
from bpe.text.display import csv_file
from film.report.comparison import Comparison
from film.report.manifest import manifest
from film.report.tables import Cell, Table, tables

FORMAT = "merge-by-merge comparison 1"


def report_json(comparison: Comparison) -> str:
    """Return everything: the verdict, the tables and the manifest. Ranks count from 0."""
    return json.dumps(_report(comparison), ensure_ascii=False, indent=1) + "\n"


def _report(comparison: Comparison) -> dict[str, Any]:
    evidence, names = comparison.evidence, comparison.names
    return {
        "format": FORMAT,
        "title": comparison.title,
        "manifest": manifest(comparison),
        "verdict": {
            "answer": evidence.verdict.answer,
            "single_token_words": evidence.whole_words,
            "headline": verdict_text.headline(evidence, names),
            "sentences": verdict_text.sentences(evidence, names),
            "thresholds": verdict_text.thresholds(),
        },
        "tables": {
            table.slug: {
                "title": table.title,
                "about": table.about,
                "columns": [column.name for column in table.columns],
                "rows": table.rows,
            }
            for table in tables(comparison)
        },
    }


def report_csv(comparison: Comparison) -> bytes:
    """Return the tables one below the other, each after a row with its title. Formulas are disarmed."""
    evidence, names = comparison.evidence, comparison.names
    rows: list[tuple[Cell, ...]] = [(comparison.title, verdict_text.headline(evidence, names))]
    rows += [(comparison.note, "")] if comparison.note else []
    rows += [row for table in tables(comparison) for row in _section(table)]
    return csv_file(("comparison", "answer"), rows)


def _section(table: Table) -> Iterator[tuple[Cell, ...]]:
    yield ()
    yield (table.title,)
    yield tuple(column.name for column in table.columns)
    yield from table.rows
