"""Whole tables: every pair, merge and token is in them, filters keep the right rows, and no cell of a file runs."""

import csv
import io
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import bpe
from bpe.analysis.ties import tie_map, why_won
from bpe.text.display import counted
from tests import ROOT
from tests.app import caption_text, open_app, open_page, run
from ui.shown import frames
from ui.shown.frames import Table, _all_pairs, all_merges
from ui.trainings import memory_budget
from ui.trainings.memory_budget import _Budget
from ui.view.text import csv_file

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def rows(table: Table[Any]) -> list[Mapping[str, object]]:
    """Return the rows of a table by the names of its columns."""
    return [dict(zip(table.columns, table.cells(item), strict=True)) for item in table.items]


def kept(table: Table[Any], *names: str, wanted: str = "") -> list[object]:
    """Return the first column of the rows that all these filters keep and that have a token with this text."""
    return [table.cells(item)[0] for item in table.found(wanted, names)]


@pytest.mark.parametrize("step", [0, 1, 5, 12])
def test_all_pairs_are_those_of_a_recount(step: int) -> None:
    table = _all_pairs(TRACE, step)
    words = dict(TRACE.words_at(step))
    label = TRACE.variant.label
    counts = {tuple(map(label, pair)): count for pair, count in bpe.count_pairs(words).items() if count}
    assert {(row["left"], row["right"]): row["count"] for row in rows(table)} == counts
    assert [row["rank"] for row in rows(table)] == list(range(1, len(counts) + 1))


def test_filters_keep_the_tied_the_new_and_the_changed_pairs() -> None:
    table = _all_pairs(TRACE, 1)
    assert kept(table, "tied") == [row["rank"] for row in rows(table) if row["tied"]] == [1, 2]
    new = [f"{row['left']}+{row['right']}" for row in rows(table) if row["rank"] in kept(table, "new")]
    assert new == ["es+t", "w+es", "d+es"]
    assert set(kept(table, "new")) < set(kept(table, "changed by the last merge"))


def test_a_search_finds_the_rows_with_a_text_among_those_that_a_filter_keeps() -> None:
    table = _all_pairs(TRACE, 1)
    found = [row["rank"] for row in rows(table) if "es" in f"{row['left']} {row['right']} {row['becomes']}"]
    assert kept(table, wanted="es") == found
    assert kept(table, "tied", wanted="es") == [rank for rank in found if rank in (1, 2)]
    assert not kept(table, wanted="t+")


def test_all_merges_tell_the_kind_of_each_tie_and_why_its_pair_won() -> None:
    table = all_merges(TRACE)
    for rank, (row, kind) in enumerate(zip(rows(table), tie_map(TRACE).kinds, strict=True)):
        assert row["merge"] == rank + 1
        assert row["kind of tie"] == ("" if kind == "none" else kind)
        assert row["why it won"] == why_won(TRACE, rank)
    assert len(kept(table, "tied")) == sum(step.tied > 1 for step in TRACE.steps)
    assert kept(table, "a real choice") == [rank + 1 for rank in TRACE.all_rivals()]
    assert not table.note


def test_reasons_that_would_take_too_long_are_left_out_and_said_to_be() -> None:
    first = TRACE.log.tied[0]
    assert first > 1
    for work in (first - 1, first):
        table = all_merges(TRACE, most_work=work)
        filled = [row["merge"] for row in rows(table) if row["why it won"] is not None]
        following = next(rank for rank, tied in enumerate(TRACE.log.tied) if rank and tied > 1)
        assert filled == ([] if work < first else [*range(1, following + 1)])
        merges = counted(len(filled), "merge")
        assert table.note == f"The column “why it won” is filled for the first {merges} only."


def test_a_table_opens_filters_and_is_gone() -> None:
    app = open_app({"step": "3"})
    assert not app.dataframe
    app.button(key="whole_merges").click()
    app = run(app)
    assert list(app.dataframe[0].value["merge"]) == list(range(1, 13))
    app.text_input(key="whole_table_contains").set_value("wid")
    app = run(app)
    assert not app.dataframe  # a run of the whole page closes the window


def test_the_window_shows_the_first_rows_and_the_search_looks_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_MOST_SHOWN", 3)
    app = open_app({"step": "3"})
    app.button(key="whole_merges").click()
    app = run(app)
    assert list(app.dataframe[0].value["merge"]) == [1, 2, 3]
    assert "The first 3 of 12 merges. Find looks in all of them, and the file has all." in caption_text(app)
    assert kept(all_merges(TRACE), wanted="widest") == [12]  # beyond those that are shown


@pytest.fixture
def budget_of_today() -> Iterator[None]:
    before = memory_budget._budget
    yield
    memory_budget._keep_to(before)


@pytest.mark.usefixtures("budget_of_today")
def test_a_table_that_does_not_fit_into_memory_says_so_in_its_window() -> None:
    app = open_app({"step": "3"})
    app.button(key="whole_merges").click()
    memory_budget._keep_to(_Budget(1, between_returns=0.0))
    app = run(app)
    assert not app.dataframe
    assert any(error.value.startswith("This needs about") for error in app.error)


def test_the_vocabulary_opens_as_one_table() -> None:
    app = open_page("vocabulary")
    app.button(key="whole_vocabulary").click()
    table = run(app).dataframe[0].value
    assert len(table) == 23
    assert set(table["token"]) >= {"low</w>", "newest</w>", "</w>"}


def test_no_cell_of_the_file_is_a_formula() -> None:
    trace = bpe.train("=1+1 =1+1 @a", "char-eow", merges=3)
    table = _all_pairs(trace, 2)
    written = list(
        csv.reader(io.StringIO(csv_file(table.columns, map(table.cells, table.items)).decode("utf-8-sig")))
    )
    cells = [cell for row in written[1:] for cell in row[1:4]]
    assert any("=1" in cell for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


@pytest.mark.slow
def test_pages_load_no_pandas_before_a_table_is_opened() -> None:
    """In a process of its own: what tests a page loads pandas itself."""
    parts = "ui.shown.frames, ui.page_parts.watch.details, ui.page_parts.vocabulary.token_table"
    code = f"import sys, {parts}; print('pandas' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip().endswith("False")
