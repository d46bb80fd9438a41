"""The table of settings: one more setting needs only one row."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from tests.app import open_app, run
from ui.compare import lanes
from ui.lessons import lessons, read_recipe
from ui.sidebar import share_file
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe, signature
from ui.sidebar.settings import FREE, SETTINGS, Menu, Number, Setting

FORMS = {"NFC": "Composed", "NFKC": "Composed, look-alikes written plainly"}
TEXT = "e\u0301a e\u0301b"  # NFC composes two characters into one
ANY = {"preset": FREE, "variant": "char-eow", "tie_break": "first", "merges": 3}


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Add a row for an argument of `bpe.train` that the sidebar does not offer."""
    row = Setting(
        "normalization", "words", Menu(FORMS), "Normalization", placeholder=lambda _: "the preset's"
    )
    monkeypatch.setitem(SETTINGS, row.key, row)
    return row


def open_normalized(**link: str) -> AppTest:
    return open_app({"preset": FREE, "corpus_source": "paste", **link}, corpus_text=TEXT)


def test_one_more_row_has_a_widget_and_trains(one_more: Setting) -> None:
    app = open_normalized()
    assert app.selectbox(key="normalization").label == one_more.label
    assert app.session_state["_choice"].recipe.settings.get("normalization") is None
    app.selectbox(key="normalization").select("NFC")
    run(app)
    assert app.session_state["_choice"].recipe.settings["normalization"] == "NFC"
    assert app.metric[0].value == "6"  # é a </w> é b </w>


def test_one_more_row_is_in_the_link_both_ways(one_more: Setting) -> None:
    app = open_normalized(normalization="NFC")
    assert app.selectbox(key="normalization").value == "NFC"
    assert app.query_params["normalization"] == "NFC"
    app.selectbox(key="normalization").set_value(None)
    assert "normalization" not in run(app).query_params
    assert "there is no such choice" in open_normalized(normalization="NFX").warning[0].value


def test_one_more_row_is_in_the_share_file_both_ways(one_more: Setting) -> None:
    recipe = Recipe.of({**ANY, "normalization": "NFKC"})
    file = share_file.share_file(from_text(TEXT), recipe)
    _, values, _ = share_file.read_share_file(file)
    assert Recipe.of(values) == recipe
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", file)
    assert run(app).selectbox(key="normalization").value == "NFKC"


def test_a_lesson_carries_one_more_row_to_watch(one_more: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = next(iter(lessons().values()))
    recipe = lesson.recipe.changed(normalization="NFC")
    changed = replace(lesson, recipe=recipe)
    monkeypatch.setattr("ui.lessons.choosing.lessons", lambda: {lesson.slug: changed})
    app = open_app()
    app.switch_page("pages/lessons.py")
    run(app).button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")
    assert run(app).session_state["_choice"].recipe == recipe


def test_lanes_and_cache_keys_know_one_more_row(one_more: Setting) -> None:
    """A rule's lane keeps the setting, a preset's does not, and traces are not confused."""
    plain, shared = Recipe.of(ANY), Recipe.of({**ANY, "normalization": "NFC"})
    assert lanes.read_lane("last", shared).recipe.settings["normalization"] == "NFC"
    assert "normalization" not in lanes.read_lane("minbpe-basic", shared).recipe.settings
    assert signature(from_text(TEXT), plain) != signature(from_text(TEXT), shared)
    assert plain.words != shared.words
    assert shared.changed(normalization=None) == plain


def test_a_lesson_may_set_one_more_row(one_more: Setting) -> None:
    assert read_recipe({**ANY, "normalization": "NFC"}).settings["normalization"] == "NFC"


def test_a_rule_s_lane_has_the_minimum_count_that_the_sidebar_shows() -> None:
    """It is the viewer's own, or the preset's if the viewer chose none."""
    preset = "subword-nmt"
    own = bpe.PRESETS[preset].settings["min_count"]
    for chosen, least in ((None, own), (1, 1), (7, 7)):
        shared = Recipe(preset, "char-eow-lines", "pair-max", 9, min_count=chosen)
        assert lanes.read_lane("first", shared).recipe.settings["min_count"] == least
        assert lanes.read_lane(preset, shared).recipe.settings["min_count"] == least


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(bpe.BPEError, match="normalisation"):
        Recipe.of({**ANY, "normalisation": "NFC"})


def test_a_hidden_setting_is_neither_in_the_link_nor_in_the_training() -> None:
    recipe = Recipe.of({**ANY, "seed": 7, "pattern": "a"})
    assert recipe.settings.keys() == {"variant", "tie_break", "merges", "overlaps"}
    assert all(SETTINGS[key].in_link(recipe.values, {}) is None for key in ("seed", "pattern", "unit"))


def test_every_number_says_its_bounds() -> None:
    for row in SETTINGS.values():
        if isinstance(row.kind, Number):
            assert row.kind.read(str(row.kind.low)) == row.kind.low
            with pytest.raises(bpe.BPEError, match=f"to {row.kind.high:,}"):
                row.kind.read(str(row.kind.high + 1))
