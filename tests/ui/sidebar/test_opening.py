"""Openings: until the viewer chooses, each page begins with the text that shows it best."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import LONGEST_RUN, run, type_text
from ui.sidebar.corpus import samples
from ui.visit import OPENING_SAMPLES

FIRST = next(iter(samples()))
OWN = OPENING_SAMPLES["compare"]


def script() -> None:
    """Draw what is below the menu, as app.py does before a page with controls."""
    import streamlit as st

    from ui.sidebar import recipe_controls as opening
    from ui.sidebar import sidebar

    opening.begin(st.session_state["page"])
    sidebar.draw()


def opened(page: str, link: dict[str, str] | None = None) -> AppTest:
    app = AppTest.from_function(script, default_timeout=LONGEST_RUN)
    for name, value in (link or {}).items():
        app.query_params[name] = value
    app.session_state["page"] = page
    return run(app)


def goes_to(app: AppTest, page: str) -> AppTest:
    app.session_state["page"] = page
    return run(app)


def test_a_text_that_nobody_chose_is_each_page_s_own() -> None:
    app = opened("watch")
    for page, sample in (("compare", OWN), ("encode", FIRST), ("compare", OWN), ("watch", FIRST)):
        goes_to(app, page)
        assert (app.session_state["corpus_sample"], app.session_state["merges"]) == (
            sample,
            samples()[sample].merges,
        )


def chosen_sample(app: AppTest) -> None:
    app.session_state["corpus_sample"] = "story"


def fewer_merges(app: AppTest) -> None:
    app.session_state["merges"] = 3


def another_preset(app: AppTest) -> None:
    app.session_state["preset"] = "minbpe-basic"


def typed(app: AppTest) -> None:
    type_text(app, "low lower")


@pytest.mark.parametrize("choose", [chosen_sample, fewer_merges, another_preset, typed])
@pytest.mark.parametrize("page", ["watch", "compare"])
def test_a_choice_stays_on_all_pages(page: str, choose: Callable[[AppTest], None]) -> None:
    app = opened(page)
    choose(app)
    run(app)
    keys = ("corpus_source", "corpus_sample", "merges", "preset")
    before = {key: app.session_state[key] for key in keys}
    for other in ("compare", "encode", "compare"):
        goes_to(app, other)
        assert {key: app.session_state[key] for key in keys} == before


@pytest.mark.parametrize("link", [{"corpus_sample": FIRST}, {"merges": "5"}, {"lanes": "first~last"}])
def test_a_link_keeps_the_text_that_it_names_or_leaves_out(link: dict[str, str]) -> None:
    app = opened("compare", link)
    assert app.session_state["corpus_sample"] == FIRST


def test_the_first_text_of_other_pages_is_named_in_a_link_to_compare() -> None:
    """A link without parameters would open the page's own text."""
    app = opened("compare")
    assert app.query_params["corpus_sample"] == OWN
    app.session_state["corpus_sample"] = FIRST
    run(app)
    assert app.query_params["corpus_sample"] == FIRST
    goes_to(app, "watch")
    assert "corpus_sample" not in app.query_params


def test_settings_that_a_lesson_brings_stay_even_if_they_are_those_of_the_first_text() -> None:
    def brought() -> None:
        import streamlit as st

        from ui.sidebar import recipe_controls, sidebar
        from ui.sidebar import recipe_controls as opening
        from ui.sidebar.corpus import samples

        if st.session_state.pop("brings", False):
            sample = next(iter(samples().values()))
            recipe_controls.put({"preset": sample.preset, "merges": sample.merges})
        opening.begin(st.session_state["page"])
        sidebar.draw()

    app = AppTest.from_function(brought, default_timeout=LONGEST_RUN)
    app.session_state["page"] = "watch"
    run(app)
    app.session_state["brings"] = True
    run(app)
    assert goes_to(app, "compare").session_state["corpus_sample"] == FIRST
