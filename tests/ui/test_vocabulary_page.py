"""Vocabulary without a browser: table, search, one token, curves."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.vocabulary import LONGEST_SHOWN, entries
from tests.app import run
from tests.ui.test_encode_page import TRACE, open_page
from ui.vocabulary import figures
from ui.vocabulary.table import COLUMNS, MOST_IN_FILE, longest_in_file, rows_of


def tokens(app: AppTest) -> list[str]:
    return list(app.dataframe[0].value["token"])


def test_every_token_is_a_row() -> None:
    app = open_page("vocabulary")
    frame = app.dataframe[0].value
    assert list(frame.columns) == list(COLUMNS)
    assert sorted(frame["id"]) == list(range(len(TRACE.vocabulary(12))))


@pytest.mark.parametrize("k", [0, 4])
def test_the_table_is_that_of_a_step(k: int) -> None:
    app = open_page("vocabulary", at_step=k)
    assert len(tokens(app)) == len(TRACE.vocabulary(k))


def test_search_and_unused() -> None:
    app = open_page("vocabulary", vocabulary_find="est")
    assert set(tokens(app)) == {"est", "est</w>", "newest</w>", "widest</w>"}
    app.toggle(key="vocabulary_unused").set_value(True)
    run(app)
    assert set(tokens(app)) == {"est", "est</w>"}


def test_the_file_holds_long_tokens_whole_as_long_as_memory_bears_them() -> None:
    trace = bpe.train("é" * 1024, variant="bytes", merges=11)
    found = entries(trace, 11)
    *_, last = rows_of(trace, found, longest_in_file(found))
    assert last[COLUMNS.index("token")] == "é" * 1024
    assert last[COLUMNS.index("left")] == "é" * 512
    assert last[COLUMNS.index("bytes")].count("C3") == 1024
    assert longest_in_file([found[-1]] * (MOST_IN_FILE // 2048 + 1)) == LONGEST_SHOWN


def test_a_bad_pattern_is_one_sentence_and_the_page_goes_on() -> None:
    app = open_page("vocabulary", vocabulary_find="(", vocabulary_how="regex")
    assert len(app.error) == 1
    assert "does not compile" in app.error[0].value
    assert any(heading.value == "One token" for heading in app.header)


def test_nothing_found_says_what_to_try() -> None:
    app = open_page("vocabulary", vocabulary_find="zebra")
    assert any("No token matches" in info.value for info in app.info)


def test_one_token_says_where_it_comes_from() -> None:
    number = TRACE.id_of(b"est" + bpe.END_OF_WORD)
    app = open_page("vocabulary", vocabulary_token=number)
    said = " ".join(block.value for block in app.markdown)
    assert "born at merge 2" in said


def test_a_token_that_is_not_there_gives_way() -> None:
    app = open_page("vocabulary", vocabulary_token=10**9)
    assert app.number_input(key="vocabulary_token").value < len(TRACE.vocabulary(12))


@pytest.mark.parametrize("preset", [*bpe.PRESETS])
def test_every_preset_has_a_vocabulary(preset: str) -> None:
    open_page("vocabulary", preset=preset, corpus_sample="languages", merges=20)


def test_no_merges_no_tokens_in_use_and_still_a_page() -> None:
    open_page("vocabulary", merges=0)


def test_the_vocabulary_rises_by_one_and_use_by_what_the_merge_says() -> None:
    figure = figures.growth(TRACE, 4, dark=False)
    vocabulary, in_use, changes, corpus = figure["data"]
    assert [after - before for before, after in zip(vocabulary["y"], vocabulary["y"][1:], strict=False)] == [
        1
    ] * 12
    assert in_use["y"] == TRACE.in_use_by_step()
    assert set(changes["y"]) <= {-1, 0, 1}
    assert corpus["y"] == TRACE.tokens_by_step()
    assert sum(figures.change_counts(TRACE)) == 12


def test_the_held_out_curve_is_kept_by_its_training_not_by_an_object_that_may_go() -> None:
    app = open_page("vocabulary", vocabulary_charts="Compression")
    before = app.session_state["_held_out_tokens"]
    st.cache_resource.clear()  # the same training, another object
    run(app)
    assert app.session_state["_held_out_tokens"] is before
    app.switch_page("app.py")  # AppTest ran the page alone; the sidebar is app.py's
    app.session_state["merges"] = 11
    run(app)
    app.switch_page("pages/vocabulary.py")
    run(app)
    assert app.session_state["_held_out_tokens"][0] != before[0]


def test_charts_show_user_text_as_it_is() -> None:
    trace = bpe.train("<b>x</b> <b>x</b>", merges=9)
    figure = figures.frequencies(entries(trace, len(trace.steps)), dark=False)
    assert not [name for name in figure["data"][0]["customdata"] if "<" in name]
    assert any("&lt;" in name for name in figure["data"][0]["customdata"])
