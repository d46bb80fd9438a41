"""Branches of Compare: a lane in which a pair was picked by hand has a name and can be undone."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.compare.compare_page import page
from ui.compare import lane_menu
from ui.sidebar.text_link import read_texts


def linked_names(app: AppTest) -> str:
    """Return the names in the fragment of the page's address."""
    assert "names" not in app.query_params
    part = app.session_state["_page_texts"][1]
    return read_texts(part)["names"] if part else ""


def test_a_branch_can_be_named_and_undone() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2")
    assert app.text_input(key="name_first_0.2").placeholder == "First occurrence, t + </w> at merge 1"
    app.text_input(key="name_first_0.2").set_value("*mine*").run()
    assert not app.exception
    app.button(key="undo_first_0.2_0").click().run()
    assert app.session_state["lanes"] == ["first"]


def test_the_link_holds_the_names_of_branches_and_cannot_rename_a_rule() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2~first_0.1")
    app.text_input(key="name_first_0.2").set_value(" mine ~ yours ").run()
    assert linked_names(app) == "~mine - yours"
    named = page(
        corpus_sample="low-lower-newest-widest",
        lanes="first~first_0.2~nonsense~first_0.1",
        names="not a rule~<b>mine</b>~nothing~yours",
    )
    assert [named.text_input(key=f"name_first_0.{n}").placeholder for n in (2, 1)] == ["<b>mine</b>", "yours"]
    assert linked_names(named) == "~<b>mine</b>~yours"
    named.button(key="undo_first_0.2_0").click().run()
    named.button(key="undo_first_0.1_0").click().run()
    assert not linked_names(named)


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        ("~mine (b)~mine (b)", ["First occurrence", "mine (b)", "mine (b) (2)"]),
        ("~mine~mine~mine (2)", ["First occurrence", "mine", "mine (3)", "mine (2)"]),
        ("~First occurrence", ["First occurrence", "First occurrence (2)"]),
        ("~word~word", ["First occurrence", "word", "word (2)"]),  # a table has a column of this name
    ],
)
def test_branches_of_one_name_get_numbers(names: str, titles: list[str]) -> None:
    slugs = ["first", "first_0.2", "first_0.1", "first_0.1-1.0"]
    app = page(corpus_sample="low-lower-newest-widest", lanes="~".join(slugs[: len(titles)]), names=names)
    assert not app.exception
    placeholders = [app.text_input(key=f"name_{slug}").placeholder for slug in slugs[1 : len(titles)]]
    assert placeholders == titles[1:]
    app.session_state["compare_details"] = "Encode under each"
    assert not app.run().exception


def test_an_impossible_branch_is_reported_and_can_be_left_out() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~last~first_0.9")
    assert "undo it" in app.error[0].value
    app.button(key="leave_out").click().run()
    assert app.session_state["lanes"] == ["first", "last"]
    assert not app.error


def test_six_long_names_fit_into_the_link() -> None:
    slugs = ["first_0.1", "first_0.2", "last_0.0", "last_0.1", "pair-max_0.0", "pair-max_0.2"]
    app = page(corpus_sample="low-lower-newest-widest", lanes="~".join(slugs))
    long = [
        f"{number} is a name as long as a name can be".ljust(lane_menu.LONGEST_NAME, "!")
        for number in range(6)
    ]
    for slug, name in zip(slugs, long, strict=True):
        app.text_input(key=f"name_{slug}").set_value(name)
    assert linked_names(app.run()) == "~".join(long)


def test_a_name_belongs_to_a_branch_of_one_corpus() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2", names="~about low and lower")
    for sample, name in (("low-lower-lowest-low-me", ""), ("low-lower-newest-widest", "about low and lower")):
        app.session_state["corpus_sample"] = sample
        assert not app.run().exception
        app.session_state["lanes"] = ["first", "first_0.2"]
        assert not app.run().exception
        assert linked_names(app).strip("~") == name


def test_a_change_of_variant_removes_the_branches() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2~pair-max")
    app.selectbox(key="preset").set_value("minbpe-regex").run()
    assert app.session_state["lanes"] == ["first", "pair-max"]
    assert not app.exception
