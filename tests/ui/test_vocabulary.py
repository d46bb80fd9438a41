"""The page Vocabulary without a browser: table, search, one token, charts."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.vocabulary import LONGEST_SHOWN, entries, in_short, merge_tree
from bpe.formats import FORMATS
from bpe.text.sentence_label import sentence_label
from tests.app import LONGEST_RUN, caption_text, chip_rows, open_page, run
from tests.material.presets import PAGE_PRESETS, preset_trace
from tests.ui.encode_page import TRACE
from ui.page_parts.vocabulary.growth import _change_counts, growth
from ui.page_parts.vocabulary.token_table import (
    _FILE_COLUMNS,
    _MOST_IN_FILE,
    _file_row,
    _longest_in_file,
    _sentence,
    _suggested,
    _table_row,
)
from ui.shown.saving import _left_out
from ui.view.chip_table import Chips
from ui.view.text import in_markdown


def tokens(app: AppTest) -> list[str]:
    return [str(row["token"]) for row in chip_rows(app, "vocabulary_table")]


def test_every_token_is_a_row() -> None:
    app = open_page("vocabulary")
    rows = chip_rows(app, "vocabulary_table")
    assert {row["id"] for row in rows} == set(range(len(rows)))
    assert len(rows) == len(TRACE.vocabulary(12))
    newest = next(row for row in rows if row["token"] == "newest</w>")
    assert [newest[name] for name in ("merge", "left", "right", "state")] == [8, "new", "est</w>", "● in use"]


def test_the_tokens_of_an_own_text_come_first_in_its_order_until_another_order_is_chosen() -> None:
    app = open_page("vocabulary", corpus_source="paste", corpus_text="banana band")
    rows = chip_rows(app, "vocabulary_table")
    used = [row["token"] for row in rows if row["state"] == "● in use"]
    assert tokens(app)[: len(used)] == used == ["banana</w>", "band</w>"]
    assert "first in the table" in caption_text(app)
    assert "order" not in app.query_params
    app.selectbox(key="vocabulary_order").select("newest")
    run(app)
    assert chip_rows(app, "vocabulary_table")[0]["id"] == len(rows) - 1
    assert "".join(app.query_params["order"]) == "newest"


def test_of_a_published_tokenizer_the_tokens_of_the_text_come_first() -> None:
    app = open_page("vocabulary", {"recipe_source": "published", "published": "gpt-2"})
    (used,) = re.findall("([0-9]+) of 50,257 tokens occur in the text now, first", caption_text(app))
    states = [row["state"] for row in chip_rows(app, "vocabulary_table")]
    assert [state == "● in use" for state in states[:30]] == [at < int(used) for at in range(30)]


@pytest.mark.parametrize(("use", "work"), [("replay", "replay"), ("like", "training")])
def test_a_training_like_a_published_tokenizer_is_called_a_training(use: str, work: str) -> None:
    app = open_page("vocabulary", {"recipe_source": "published", "published": "gpt-2", "file_use": use})
    (rose,) = (caption for caption in app.caption if "the tokens in use rose" in caption.value)
    assert rose.value.startswith(f"In this {work}, ")
    (slider,) = app.slider
    assert ("tokenizer" in slider.help) == (use == "replay")


@pytest.mark.parametrize("k", [0, 4])
def test_the_table_is_that_of_a_step(k: int) -> None:
    app = open_page("vocabulary", at_step=k)
    assert len(tokens(app)) == len(TRACE.vocabulary(k))


def test_the_table_shows_what_is_searched_for_and_only_unused_tokens_on_request() -> None:
    app = open_page("vocabulary", vocabulary_find="est")
    assert set(tokens(app)) == {"est", "est</w>", "newest</w>", "widest</w>"}
    app.toggle(key="vocabulary_unused").set_value(True)
    run(app)
    assert set(tokens(app)) == {"est", "est</w>"}


def test_the_file_holds_long_tokens_whole_unless_they_fill_the_memory() -> None:
    trace = bpe.train("é" * 1024, variant="bytes", merges=11)
    actual = entries(trace, 11)
    row = _file_row(trace, _longest_in_file(actual))(actual[-1])
    last = dict(zip(_FILE_COLUMNS, row, strict=True))
    assert last["token"] == "é" * 1024
    assert last["left"] == "é" * 512
    assert last["bytes"].count("C3") == 1024
    assert _longest_in_file([actual[-1]] * (_MOST_IN_FILE // 2048 + 1)) == LONGEST_SHOWN


def test_a_bad_pattern_is_reported_and_the_rest_of_the_page_is_drawn() -> None:
    app = open_page("vocabulary", vocabulary_find="(", vocabulary_how="regex")
    assert len(app.error) == 1
    assert "does not compile" in app.error[0].value
    assert any(heading.value == "One token" for heading in app.header)


def test_the_buttons_below_one_row_speak_of_one_token() -> None:
    app = open_page("vocabulary", vocabulary_find="newest")
    assert app.button(key="whole_vocabulary").label == "The token as a table"
    assert "Download 1 token (CSV)" in [one.proto.label for one in app.get("download_button")]


def test_a_search_without_a_match_says_what_to_try() -> None:
    app = open_page("vocabulary", vocabulary_find="zebra")
    (said,) = (info.value for info in app.info)
    assert said.startswith("No token matches. These merges split “zebra” into 6 tokens: z e b r a \\<")
    app = open_page("vocabulary", vocabulary_find="99", vocabulary_how="length")
    assert [info.value.partition(".")[2].split()[:2] for info in app.info] == [["Try", "fewer"]]


def test_a_token_is_described_with_the_merge_that_made_it() -> None:
    number = TRACE.id_of(b"est" + bpe.END_OF_WORD)
    app = open_page("vocabulary", {"token": str(number)})
    assert any("created by merge 3" in block.value for block in app.markdown)


def test_an_id_beyond_the_vocabulary_is_replaced_by_the_suggestion() -> None:
    app = open_page("vocabulary", {"token": str(10**6)})
    assert any(f"has the id {_suggested(entries(TRACE, 12))} and" in block.value for block in app.markdown)


@pytest.mark.parametrize("preset", PAGE_PRESETS)
def test_the_page_opens_for_a_preset(preset: str) -> None:
    app = open_page("vocabulary", preset=preset, corpus_sample="languages", merges=20)
    assert sorted(tokens(app)) == sorted(entry.label for entry in entries(preset_trace(preset), 20))


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_the_vocabulary_of_every_preset_fills_table_sentence_tree_and_charts(preset: str) -> None:
    trace = preset_trace(preset)
    for step in (0, 20):
        vocabulary = entries(trace, step)
        rows = list(map(_file_row(trace), vocabulary))
        assert [row[0] for row in rows] == list(range(len(trace.vocabulary(step))))
        assert {len(row) for row in rows} == {len(_FILE_COLUMNS)}
        chips = Chips(trace.variant.label)
        assert [_table_row(trace, entry, chips)[0] for entry in vocabulary] == [row[0] for row in rows]
        for entry in vocabulary:
            named = _sentence(trace, entry, step).removeprefix("The byte token ")
            assert named.startswith(in_short(entry.symbol, sentence_label(trace.variant)))
            assert "<0x" not in named
        chosen = vocabulary[_suggested(vocabulary)]
        assert merge_tree(trace, chosen.symbol).symbol == chosen.symbol
        assert len(growth(trace, step, dark=False)["data"]) == 4


def test_the_page_opens_without_a_merge() -> None:
    assert len(tokens(open_page("vocabulary", merges=0))) == len(TRACE.vocabulary(0))


def test_the_growth_chart_adds_one_token_a_merge_and_counts_those_in_use() -> None:
    figure = growth(TRACE, 4, dark=False)
    vocabulary, in_use, changes, corpus = figure["data"]
    assert [after - before for before, after in zip(vocabulary["y"], vocabulary["y"][1:], strict=False)] == [
        1
    ] * 12
    assert in_use["y"] == TRACE.in_use_by_step()
    assert set(changes["y"]) <= {-1, 0, 1}
    assert corpus["y"] == TRACE.tokens_by_step()
    assert sum(_change_counts(TRACE)) == 12


# The tab “Tokenizer” of Share: all merges at first, and those of the page's step on demand.


def _popover_at(step: int) -> None:
    import bpe
    from ui.shown import saving

    saving.export_tokenizer(bpe.train("low low lower", merges=3), step)


def opened_at(step: int) -> AppTest:
    """Return the tab at a step of three."""
    app = AppTest.from_function(_popover_at, args=(step,), default_timeout=LONGEST_RUN)
    return app.run()


@pytest.mark.parametrize(
    ("step", "choice"), [(0, "No merge"), (1, "The first merge"), (2, "The first 2 merges")]
)
def test_all_merges_are_exported_unless_the_step_is_chosen(step: int, choice: str) -> None:
    app = opened_at(step)
    assert not app.exception
    assert app.button_group(key="export_merges").options == ["All 3 merges", choice]
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    app.session_state["export_merges"] = "step"
    app.run()
    assert app.markdown[0].value.startswith(f"The tokenizer after {step} merge")


def test_the_last_step_leaves_no_choice() -> None:
    app = opened_at(3)
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    assert not app.get("button_group")


def test_a_format_that_cannot_hold_the_tokenizer_says_why() -> None:
    trace = bpe.train("low low lower", merges=3)
    app = opened_at(3)
    disabled = {one.proto.label: one.proto.disabled for one in app.get("download_button")}
    reasons = {row.title: row.refusal(trace, 3) for row in FORMATS.values()}
    assert disabled == {title: bool(reason) for title, reason in reasons.items()}
    assert {*disabled.values()} == {True, False}
    said = [caption.value for caption in app.caption]
    assert said == [in_markdown(reasons[row.title] or row.about, most=500) for row in FORMATS.values()]


def test_a_file_without_the_normalization_says_so() -> None:
    lower = bpe.train("Low low", "bytes", merges=1, normalization="lower")
    plain = bpe.train("Low low", "bytes", merges=1)
    silent = {slug for slug, row in FORMATS.items() if _left_out(row, lower)}
    assert silent == FORMATS.keys() - {"tokenizer-json", "trace-json"}
    assert _left_out(FORMATS["tiktoken"], lower) == " It does not say that lower-casing comes first."
    assert not any(_left_out(row, plain) for row in FORMATS.values())
