"""The table of settings: one more setting needs only one row."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from tests.app import open_app, run
from ui.compare import lanes
from ui.lessons import lessons, read_recipe
from ui.lessons.choosing import listed_exercises
from ui.sidebar import share_file
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe, signature
from ui.sidebar.settings import FREE, SETTINGS, Menu, Number, Setting

RULES = {"any": "Any token", "sentencepiece": "No token of two scripts"}
TEXT = "a1 a1"  # SentencePiece joins no letter and digit
ANY = {"preset": FREE, "variant": "char-metaspace", "tie_break": "first", "merges": 3}


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Add a row for an argument of `bpe.train` that the sidebar does not offer."""
    row = Setting("pieces", "words", Menu(RULES), "Tokens", placeholder=lambda _: "the preset's")
    monkeypatch.setitem(SETTINGS, row.key, row)
    return row


def open_custom(text: str = TEXT, **link: str) -> AppTest:
    custom = {"preset": FREE, "variant": "char-metaspace", "corpus_source": "paste"}
    return open_app({**custom, **link}, corpus_text=text)


def test_one_more_row_has_a_widget_and_trains(one_more: Setting) -> None:
    app = open_custom()
    assert app.selectbox(key="pieces").label == one_more.label
    assert app.session_state["_choice"].recipe.settings.get("pieces") is None
    assert any("This training has 2 merges" in caption.value for caption in app.caption)
    app.selectbox(key="pieces").select("sentencepiece")
    run(app)
    assert app.session_state["_choice"].recipe.settings["pieces"] == "sentencepiece"
    assert any("This training has 1 merge:" in caption.value for caption in app.caption)  # ▁a


def test_one_more_row_is_in_the_link_both_ways(one_more: Setting) -> None:
    app = open_custom(pieces="sentencepiece")
    assert app.selectbox(key="pieces").value == "sentencepiece"
    assert app.query_params["pieces"] == "sentencepiece"
    app.selectbox(key="pieces").set_value(None)
    assert "pieces" not in run(app).query_params
    assert "there is no such choice" in open_custom(pieces="some").warning[0].value


def test_one_more_row_is_in_the_share_file_both_ways(one_more: Setting) -> None:
    recipe = Recipe.of({**ANY, "pieces": "sentencepiece"})
    file = share_file.share_file(from_text(TEXT), recipe)
    values = share_file.read_share_file(file).values
    assert Recipe.of(values) == recipe
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", file)
    assert run(app).selectbox(key="pieces").value == "sentencepiece"


def test_a_lesson_carries_one_more_row_to_watch(one_more: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = next(iter(lessons().values()))
    recipe = lesson.recipe.changed(pieces="any")
    changed = replace(lesson, recipe=recipe)
    listed_exercises()  # of all lessons: it is computed once, and later tests need it
    monkeypatch.setattr("ui.lessons.choosing.lessons", lambda: {lesson.slug: changed})
    app = open_app()
    app.switch_page("pages/lessons.py")
    run(app).button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")
    assert run(app).session_state["_choice"].recipe == recipe


def test_lanes_and_cache_keys_know_one_more_row(one_more: Setting) -> None:
    """A rule's lane keeps the setting, a preset's does not, and traces are not confused."""
    plain, shared = Recipe.of(ANY), Recipe.of({**ANY, "pieces": "sentencepiece"})
    assert lanes.read_lane("last", shared).recipe.settings["pieces"] == "sentencepiece"
    assert "pieces" not in lanes.read_lane("minbpe-basic", shared).recipe.settings
    assert signature(from_text(TEXT), plain) != signature(from_text(TEXT), shared)
    assert plain.words != shared.words
    assert shared.changed(pieces=None) == plain


def test_a_lesson_may_set_one_more_row(one_more: Setting) -> None:
    assert read_recipe({**ANY, "pieces": "any"}).settings["pieces"] == "any"


def test_lower_casing_joins_words_and_switches_the_preset_off() -> None:
    app = open_app({"preset": "paper", "corpus_source": "paste"}, corpus_text="The the")
    assert app.selectbox(key="normalization").value is None
    app.selectbox(key="normalization").select("lower")
    run(app)
    assert app.selectbox(key="preset").value == FREE
    assert app.session_state["_choice"].recipe.settings["normalization"] == "lower"
    assert app.query_params["normalization"] == "lower"
    assert any("and what lower-casing changed." in caption.value for caption in app.caption)


def test_a_preset_s_normalization_is_shown_and_kept_by_the_rules_beside_it() -> None:
    app = open_custom(preset="hf-metaspace")
    assert app.selectbox(key="normalization").value == "NFKC"
    recipe = app.session_state["_choice"].recipe
    assert recipe == read_recipe({"preset": "hf-metaspace", "merges": recipe.merges})
    assert lanes.read_lane("last", recipe).recipe.settings["normalization"] == "NFKC"


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


def test_limits_reach_the_training_the_link_and_the_share_file() -> None:
    """A limit of characters is offered where symbols are characters, and coverage where nothing ends words."""
    link = {
        "preset": FREE,
        "variant": "char-metaspace",
        "max_token_length": "5",
        "character_coverage": "0.98",
    }
    app = open_app(link)
    settings = app.session_state["_choice"].recipe.settings
    assert (settings["max_token_length"], settings["character_coverage"]) == (5, 0.98)
    assert link.items() <= dict(app.query_params).items()
    recipe = app.session_state["_choice"].recipe
    values = share_file.read_share_file(share_file.share_file(from_text(TEXT), recipe)).values
    assert Recipe.of(values).settings == settings
    app.number_input(key="limit_alphabet").set_value(4)
    shared = run(app).session_state["_choice"].recipe.settings
    assert shared["limit_alphabet"] == 4
    assert "character_coverage" not in shared  # they exclude one another
    warned = open_app({**link, "character_coverage": "2"}).warning
    assert any("it must be a number from 0.5 to 1" in one.value for one in warned)
