"""Published tokenizers on the pages: a switch and a menu, the link, the share file, and lanes of Compare."""

import pytest
from streamlit.testing.v1 import AppTest

from published.rows import PUBLISHED
from tests.app import open_app, open_page, run
from ui.compare.lanes import first_lanes, read_lane, read_link, title_of
from ui.sidebar import tokenizer_files
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe
from ui.sidebar.share_file import read_share_file, share_file


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


GPT_2 = {"recipe_source": "published", "published": "gpt-2"}
SHARED = Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3})


def test_a_link_plays_a_published_tokenizer_over_the_text() -> None:
    app = open_app(GPT_2)
    tokenizer = tokenizer_files.published_file("gpt-2").tokenizer
    assert f"of its {len(tokenizer.merges):,} merges apply to this text" in captions(app)
    assert {key: app.query_params[key] for key in GPT_2} == GPT_2


def test_the_switch_offers_it_and_the_link_names_it() -> None:
    app = open_app()
    app.segmented_control(key="recipe_source").set_value("published")
    run(app)
    assert app.query_params["published"] == next(iter(PUBLISHED))
    app.selectbox(key="published").set_value("gpt-2")
    run(app)
    assert app.query_params["published"] == "gpt-2"
    assert "GPT-2" in captions(app)
    app.segmented_control(key="recipe_source").set_value("train")
    run(app)
    assert "published" not in app.query_params


def test_an_unknown_slug_in_a_link_gets_a_sentence() -> None:
    app = open_app({"recipe_source": "published", "published": "gpt-99"})
    assert "gpt-99" in " ".join(warning.value for warning in app.warning)


def test_a_share_file_names_it() -> None:
    recipe = SHARED.changed(**GPT_2, file="published-gpt-2")
    values = read_share_file(share_file(from_text("low lower"), recipe)).values
    assert {key: values[key] for key in GPT_2} == GPT_2


@pytest.mark.parametrize("page", ["compare", "encode", "vocabulary", "bytes"])
def test_every_page_uses_it(page: str) -> None:
    app = open_page(page, GPT_2)
    assert not app.error


def test_it_is_a_lane_whose_title_needs_no_opening() -> None:
    lane = read_lane("published-gpt-2", SHARED)
    assert (lane.title, lane.recipe.file) == (PUBLISHED["gpt-2"].title, "published-gpt-2")
    assert lane.recipe.title == PUBLISHED["gpt-2"].title
    closed = [slug for slug in PUBLISHED if not tokenizer_files.is_open(slug)]
    assert [title_of(f"published-{slug}", SHARED) for slug in closed] == [
        PUBLISHED[slug].title for slug in closed
    ]
    assert [slug for slug in closed if tokenizer_files.is_open(slug)] == []
    assert read_link("first~published-gpt-2~published-x", SHARED)[0] == ["first", "published-gpt-2"]


def test_compare_begins_with_a_tokenizer_of_other_makers() -> None:
    first, second = first_lanes(read_lane("published-gpt-2", SHARED).recipe)
    assert first == "published-gpt-2"
    assert PUBLISHED[second.removeprefix("published-")].maker != "OpenAI"
