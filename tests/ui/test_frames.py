"""Whole tables: every pair, merge and token is in them, filters keep the right rows, and no cell of a file runs."""

import csv
import io
import subprocess
import sys
from collections.abc import Mapping

import pandas as pd
import pytest

import bpe
from bpe.analysis.ties import tie_map, why_won
from tests import ROOT
from tests.app import open_app, open_page, run
from ui.frames import Table, _all_pairs, all_merges
from ui.show.text import csv_file

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def rows(table: Table) -> list[Mapping[str, object]]:
    """Return the rows of a table by the names of its columns."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def kept(table: Table, name: str) -> list[object]:
    """Return the first column of the rows that a filter keeps."""
    frame = pd.DataFrame.from_records(table.rows, columns=list(table.columns))
    return list(frame[table.filters[name](frame)].iloc[:, 0])


@pytest.mark.parametrize("step", [0, 1, 5, 12])
def test_all_pairs_are_those_of_a_recount(step: int) -> None:
    table = _all_pairs(TRACE, step)
    words = dict(TRACE.words_at(step))
    label = TRACE.variant.label
    counts = {tuple(map(label, pair)): count for pair, count in bpe.count_pairs(words).items() if count}
    assert {(row["left"], row["right"]): row["count"] for row in rows(table)} == counts
    assert table.total == len(counts)
    assert [row["rank"] for row in rows(table)] == list(range(1, len(counts) + 1))


def test_filters_keep_the_tied_the_new_and_the_changed_pairs() -> None:
    table = _all_pairs(TRACE, 1)
    assert kept(table, "tied") == [row["rank"] for row in rows(table) if row["tied"]] == [1, 2]
    new = [f"{row['left']}+{row['right']}" for row in rows(table) if row["rank"] in kept(table, "new")]
    assert new == ["es+t", "w+es", "d+es"]
    assert set(kept(table, "new")) < set(kept(table, "changed by the last merge"))


def test_all_merges_tell_the_kind_of_each_tie_and_why_its_pair_won() -> None:
    table = all_merges(TRACE, seconds=60)
    for rank, (row, kind) in enumerate(zip(rows(table), tie_map(TRACE).kinds, strict=True)):
        assert row["merge"] == rank + 1
        assert row["kind of tie"] == ("" if kind == "none" else kind)
        assert row["why it won"] == why_won(TRACE, rank)
    assert len(kept(table, "tied")) == sum(step.tied > 1 for step in TRACE.steps)
    assert not table.note


def test_reasons_that_would_take_too_long_are_left_out_and_said_to_be() -> None:
    table = all_merges(TRACE, seconds=0)
    assert {row["why it won"] for row in rows(table)} == {None}
    assert table.note == "Why a pair won is given for the first 0 merges."


def test_a_table_opens_filters_and_is_gone() -> None:
    app = open_app({"step": "3"})
    assert not app.dataframe
    app.button(key="whole_merges").click()
    app = run(app)
    assert list(app.dataframe[0].value["merge"]) == list(range(1, 13))
    app.text_input(key="whole_table_contains").set_value("wid")
    app = run(app)
    assert not app.dataframe  # a run of the whole page closes the window


def test_the_vocabulary_opens_as_one_table() -> None:
    app = open_page("vocabulary")
    app.button(key="whole_vocabulary").click()
    table = run(app).dataframe[0].value
    assert len(table) == 23
    assert set(table["token"]) >= {"low</w>", "newest</w>", "</w>"}


def test_no_cell_of_the_file_is_a_formula() -> None:
    trace = bpe.train("=1+1 =1+1 @a", "char-eow", merges=3)
    table = _all_pairs(trace, 2)
    written = list(csv.reader(io.StringIO(csv_file(table.columns, table.rows).decode("utf-8-sig"))))
    cells = [cell for row in written[1:] for cell in row[1:4]]
    assert any("=1" in cell for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_pages_load_no_pandas_before_a_table_is_opened() -> None:
    """In a process of its own: what tests a page loads pandas itself."""
    code = (
        "import sys, ui.frames, ui.watch.details, ui.vocabulary.token_table; print('pandas' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip().endswith("False")
