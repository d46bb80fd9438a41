"""The report of a comparison: verdict, evidence and tables as data, with all that is needed to repeat it.

JSON has everything, with the manifest; CSV has the tables one below the other. `film/report_page.py` writes the page.
"""

import hashlib
import json
import platform
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

import regex

import bpe
from bpe import Trace
from bpe.comparison import verdict_text
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence
from bpe.comparison.intervals import CONFIDENCE
from bpe.comparison.lanes import Lane
from bpe.comparison.tables import Cell, Table, tables
from bpe.settings.request import read_request
from bpe.text.display import csv_file
from film.page import FilmLane

Json = dict[str, Any]
FORMAT = "merge-by-merge comparison 1"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that was read: its name, its size and its hash, for the manifest."""

    name: str
    characters: int
    size: int  # in bytes
    sha256: str

    @classmethod
    def of_text(cls, name: str, text: str) -> "SourceText":
        """Return the description of a text, as it is in UTF-8."""
        return cls.of_bytes(name, text.encode("utf-8", "surrogatepass"), len(text))

    @classmethod
    def of_bytes(cls, name: str, content: bytes, characters: int) -> "SourceText":
        """Return the description of a file's content."""
        return cls(name, characters, len(content), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True, eq=False)
class Report:
    """A comparison, and what its report says beside it."""

    title: str
    comparison: Comparison
    evidence: Evidence
    film: Sequence[FilmLane]  # the lanes, drawn
    training: tuple[SourceText, ...]
    held_out: tuple[SourceText, ...]
    files: tuple[tuple[SourceText, ...], ...]  # of each lane: those that its tokenizer comes from, if any
    trained_characters: int | None = None  # of the training texts, if a part of them is the held-out text
    note: str = ""  # a sentence on how the lanes were trained

    @cached_property
    def tables(self) -> list[Table]:
        """The tables of the comparison. A page also holds them as JSON and as CSV."""
        return tables(self.comparison, self.evidence)

    @property
    def headline(self) -> str:
        """The answer in one line."""
        return verdict_text.headline(self.evidence, self.comparison.titles)

    @property
    def sentences(self) -> list[str]:
        """The evidence behind the answer."""
        return verdict_text.sentences(self.evidence, self.comparison.titles)


def manifest(report: Report) -> Json:
    """Return all that is needed to repeat the comparison, as JSON. It names the texts and does not hold them."""
    evidence = report.evidence
    return {
        "made_with": _versions(),
        "training_texts": [asdict(text) for text in report.training],
        "trained_characters": sum(text.characters for text in report.training)
        if report.trained_characters is None
        else report.trained_characters,
        "held_out_texts": [asdict(text) for text in report.held_out],
        "lanes": [
            _lane(lane, trace, files)
            for lane, trace, files in zip(
                report.comparison.lanes, report.comparison.traces, report.files, strict=True
            )
        ],
        "note": report.note,
        "bootstrap": {
            "resamples": evidence.resamples,
            "seed": evidence.seed,
            "confidence": CONFIDENCE,
            "units": evidence.held_out.kind,
            "number_of_units": len(evidence.held_out.units),
        },
        "ways_to_break_the_ties": None if evidence.ways is None else evidence.ways.number,
        "random_draws": None
        if evidence.luck is None
        else {
            "draws": evidence.luck.draws,
            "seeds": list(range(evidence.luck.draws)),
            "variant": evidence.luck.variant,
        },
    }


def _versions() -> Json:
    """Return the versions on which results may depend."""
    return {
        "bpe": bpe.__version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "unicode": unicodedata.unidata_version,  # of normalizations
        "regex": regex.__version__,  # decides how patterns split text: it has its own tables of Unicode
    }


def report_json(report: Report) -> str:
    """Return everything: the verdict, the tables and the manifest. Ranks count from 0."""
    return json.dumps(_content(report), ensure_ascii=False, indent=1) + "\n"


def report_csv(report: Report) -> bytes:
    """Return the tables one below the other, each after a row with its title. Formulas are disarmed."""
    rows: list[tuple[Cell, ...]] = [(report.title, report.headline)]
    rows += [(report.note, "")] if report.note else []
    rows += [row for table in report.tables for row in _section(table)]
    return csv_file(("comparison", "answer"), rows)


def _lane(lane: Lane, trace: Trace, files: Sequence[SourceText]) -> Json:
    return {
        "title": lane.title,
        "about": lane.about,
        "settings": {"variant": trace.variant.slug} if trace.replayed else _all_settings(trace),
        "tokenizer_files": [asdict(file) for file in files],
        "trained_on": "unknown: the merges come from a file" if trace.replayed else "the training texts",
        "merges": len(trace.steps),
        "stopped": trace.stopped,
    }


def _all_settings(trace: Trace) -> Json:
    """Return every setting of a training, those at their default too.

    >>> settings = _all_settings(bpe.train("low", merges=1))
    >>> settings["variant"], settings["merges"], settings["min_count"], settings["seed"]
    ('char-eow', 1, 1, 0)
    """
    parameters = signature(read_request).parameters.values()
    defaults = {row.name: row.default for row in parameters if row.default is not Parameter.empty}
    return {name: _plain(value) for name, value in (defaults | trace.settings).items()}


def _plain(value: object) -> object:
    """Return a setting as JSON holds it; bytes are written in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


def _content(report: Report) -> dict[str, Any]:
    evidence = report.evidence
    return {
        "format": FORMAT,
        "title": report.title,
        "manifest": manifest(report),
        "verdict": {
            "answer": evidence.verdict.answer,
            "single_token_words": evidence.whole_words,
            "headline": report.headline,
            "sentences": report.sentences,
            "thresholds": verdict_text.thresholds(),
        },
        "tables": {
            table.slug: {
                "title": table.title,
                "about": table.about,
                "columns": table.names,
                "rows": table.rows,
            }
            for table in report.tables
        },
    }


def _section(table: Table) -> Iterator[tuple[Cell, ...]]:
    yield ()
    yield (table.title,)
    yield table.names
    yield from table.rows
