"""Save report: the comparison on the page as one file, for people (HTML), spreadsheets (CSV) and programs (JSON)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import trained_merges_sentence
from film.page import Lane
from film.report import comparison as report
from film.report.comparison import ComparedLane, SourceText
from film.report.files import report_csv, report_json
from film.report.page import report_html
from published.rows import PUBLISHED
from ui.compare.measures import measuring
from ui.compare.measures.comparison import Comparison
from ui.sidebar.texts.corpus import Corpus
from ui.sidebar.tokenizers import published_files
from ui.sidebar.tokenizers.tokenizer_files import TokenizerFile
from ui.streamlit_gaps.popover import open_popover


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of file."""

    ending: str
    mime: str
    about: str
    write: Callable[[report.Comparison], bytes]


_KINDS = (
    _Kind(
        "html",
        "text/html",
        "A page that opens in any browser, even offline: the answer, its evidence, lanes you can play, and all tables.",
        lambda content: report_html(content).encode(),
    ),
    _Kind("csv", "text/csv", "The tables, for a spreadsheet.", report_csv),
    _Kind(
        "json",
        "application/json",
        "Everything, with a manifest: hashes of the texts, versions, all settings and seeds.",
        lambda content: report_json(content).encode("utf-8", "replace"),
    ),
)


def save_report(comparison: Comparison, film: Callable[[], Sequence[Lane]]) -> None:
    """Draw the button that saves the report. A click calls `film`, which returns the drawn lanes."""
    popover = open_popover("Save report", "description", "save_report_popover")
    if popover is None:
        return
    evidence, files = measuring.evidence_of(comparison), _files_of(comparison)
    with popover:
        if evidence is None:
            st.caption(
                "The report needs the answer above. You can save it once the held-out text has been measured."
            )
            return
        for kind in _KINDS:
            st.download_button(
                f"Save report.{kind.ending}",
                data=partial(_written, kind, comparison, evidence, film, files),
                file_name=f"report.{kind.ending}",
                mime=kind.mime,
                key=f"save_report_{kind.ending}",
                on_click="ignore",
            )
            st.caption(kind.about)


def _written(
    kind: _Kind,
    comparison: Comparison,
    evidence: Evidence,
    film: Callable[[], Sequence[Lane]],
    files: Mapping[str, TokenizerFile],
) -> bytes:
    return kind.write(report_of(comparison, evidence, film(), files))


def _files_of(comparison: Comparison) -> dict[str, TokenizerFile]:
    """Return the tokenizers of the lanes, by id."""
    files = {lane.recipe.file: published_files.by_id(lane.recipe.file) for lane in comparison.lanes}
    return {file_id: file for file_id, file in files.items() if file is not None}


def report_of(
    comparison: Comparison, evidence: Evidence, film: Sequence[Lane], files: Mapping[str, TokenizerFile]
) -> report.Comparison:
    """Return what the report is made from. `files` are the tokenizers that the session has opened, by id."""
    lanes = tuple(
        ComparedLane(lane.title, lane.about, trace, tuple(_files(files.get(lane.recipe.file))))
        for lane, trace in zip(comparison.lanes, comparison.traces, strict=True)
    )
    held_out = comparison.held_out
    return report.Comparison(
        comparison.corpus.title,
        lanes,
        tuple(_texts(comparison.corpus)),
        tuple(_named(held_out.title, held_out.documents)),
        evidence,
        film,
        note=_note(comparison, evidence),
    )


def _note(comparison: Comparison, evidence: Evidence) -> str:
    """Return a sentence if the trainings may learn as many merges as the largest file has; else ""."""
    of_files = [
        (lane.listed, title)
        for title, lane in zip(comparison.titles, evidence.lanes, strict=True)
        if lane.replayed
    ]
    most, name = max(of_files, default=(0, ""))
    trained = {lane.recipe.merges for lane in comparison.lanes if not lane.recipe.file}
    return trained_merges_sentence(most, name) if of_files and trained == {most} else ""


def _files(file: TokenizerFile | None) -> Iterator[SourceText]:
    if file and file.published:
        row = PUBLISHED[file.published]
        yield SourceText.of_bytes(row.path.name, row.path.read_bytes(), 0)
    for name, content in file.files if file else ():
        yield SourceText.of_bytes(name, content, len(content.decode("utf-8", "replace")))


def _texts(corpus: Corpus) -> Iterator[SourceText]:
    """Yield what the corpus consists of: its documents, or its words, a line with its frequency for each."""
    if corpus.frequencies is not None:
        words = "\n".join(f"{word} {frequency}" for word, frequency in corpus.frequencies.items())
        yield SourceText.of_text(f"{corpus.title}: words with their frequencies", words)
    elif tuple(corpus.named.values()) == corpus.documents:
        yield from (SourceText.of_text(name, text) for name, text in corpus.named.items())
    else:
        yield from _named(corpus.title, corpus.documents)


def _named(title: str, documents: Sequence[str]) -> Iterator[SourceText]:
    for number, text in enumerate(documents, 1):
        yield SourceText.of_text(title if len(documents) == 1 else f"{title}, document {number:,}", text)
