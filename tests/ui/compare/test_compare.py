"""The page Compare without a browser."""

import json
from typing import Any

import pytest
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from bpe.comparison.lanes import MOST
from tests.app import LONGEST_RUN, chip_rows, choose_source, open_app, run, send, type_text
from tests.forged import forged, widget_id
from tests.ui.compare.compare_page import page
from ui.compare import lanes
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE
from ui.sidebar.text_link import MOST_CHARACTERS
from ui.streamlit_gaps.widget_messages import check_widget_messages
from ui.visit import COMPARED_TRAINERS

WORDS = "low 5\nlower 2\nnewest 6\nwidest 3"
SHARED = Recipe(FREE, "char-eow", "first", 12)


def verdict_of(app: AppTest) -> str:
    assert not app.exception
    return app.header[0].value.replace("\\", "")


def answer_on_stage(app: AppTest) -> object:
    sent = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(one["answer"] for one in sent if "answer" in one)


def test_the_first_run_shows_a_verdict() -> None:
    assert verdict_of(page(corpus_sample="low-lower-newest-widest")).startswith(
        "Not enough held-out text to say whether it matters: 1 of 17 words is split differently, “towers”."
    )


def test_the_lanes_are_read_from_the_link_and_written_to_it() -> None:
    app = page(lanes="last~pair-min~minbpe-basic")
    assert app.session_state["lanes"] == ["last", "pair-min", "minbpe-basic"]
    assert "matter" in verdict_of(app)
    assert any("The lanes first differ at merge 1" in text.value for text in (*app.caption, *app.markdown))
    app.multiselect(key="lanes").set_value(["last", "shortest"]).run()
    assert app.query_params["lanes"] == "last~shortest"


def test_only_a_link_to_compare_sets_its_step() -> None:
    assert page(step="9").session_state["_grid_group_steps"]["compare"] == 9
    app = open_app({"step": "9"})
    assert app.session_state["_grid_group_steps"] == {"watch": 9}
    app.switch_page("pages/compare.py")
    assert run(app).session_state["_grid_group_steps"]["compare"] == 0  # merge 1 is the first that differs


def test_an_unknown_lane_of_the_link_is_reported() -> None:
    app = page(lanes="first~nonsense")
    assert any("nonsense" in warning.value for warning in app.warning)
    assert app.info  # one lane is not enough: the introduction offers two


def test_with_fewer_than_two_lanes_the_introduction_offers_two() -> None:
    app = page()
    app.multiselect(key="lanes").set_value(["first"]).run()
    assert "at least 2 lanes" in app.info[0].value
    next(button for button in app.button if button.label.startswith("Compare two")).click().run()
    assert app.session_state["lanes"] == ["first", "pair-max"]


def test_the_real_trainers_come_with_one_click() -> None:
    app = page(corpus_sample="which-goes-first")
    app.button(key="real_trainers").click().run()
    assert app.session_state["lanes"] == list(COMPARED_TRAINERS)
    assert verdict_of(app).endswith("The only word of the training text is split differently.")
    assert answer_on_stage(app) == verdict_of(app)  # in the run that measured it


def test_eight_lanes_are_compared_in_every_tab_and_a_ninth_is_refused() -> None:
    nine = [*COMPARED_TRAINERS, "first", "last", "pair-min"]
    eight = nine[:MOST]
    app = page(corpus_sample="which-goes-first", lanes="~".join(nine))
    assert [warning.value for warning in app.warning] == [
        "The link contains 9 lanes. No more than 8 fit: the first 8 are shown."
    ]
    assert app.query_params["lanes"] == "~".join(eight)
    keys = {"Encode under each": "table_test_words", "Tie map": "table_ties", "Tokens": "table_tokens"}
    for tab, key in {**keys, "Merges": "table_merges"}.items():
        assert table(app, tab, key), tab
    for tab in ("Curves", "Sources"):
        app.session_state["compare_details"] = tab
        assert len(run(app).dataframe[0].value) > 0, tab
    assert app.session_state["lanes"] == eight
    app.multiselect(key="lanes").set_value(eight[:5])
    assert verdict_of(app.run()).endswith("The only word of the training text is split differently.")
    assert not app.warning
    check_widget_messages()  # as app.py does
    titles = [lanes.read_lane(slug, SHARED).title for slug in nine]
    send(app, forged(widget_id(app, "lanes"), WidgetState(string_array_value=StringArray(data=titles))))
    assert app.session_state["lanes"] == eight[:5]
    app.session_state["lanes"] = nine  # as an older session may have them
    assert not app.run().exception
    assert app.session_state["lanes"] == eight
    assert [warning.value for warning in app.warning] == ["No more than 8 lanes fit: the first 8 are shown."]


def test_without_a_text_the_page_shows_the_introduction() -> None:
    app = page()
    choose_source(app, "paste")
    assert not app.exception
    assert app.info


@pytest.mark.parametrize("text", ["a", "<script>alert(1)</script> $x$ :red[y]", "= + - @ _ ▁ </w> " * 3])
def test_any_text_is_compared(text: str) -> None:
    app = page()
    type_text(app, text)
    assert not app.exception
    assert verdict_of(app)


def test_the_held_out_text_is_a_sample_a_file_or_a_part_that_is_set_aside() -> None:
    app = page(corpus_sample="story", lanes="first~last", merges="60")
    app.session_state["compare_details"] = "Encode under each"

    def used() -> str:
        assert not app.run().exception
        return next(
            caption.value for caption in app.caption if caption.value.startswith("Held-out text, not used")
        )

    assert "mostly ties" in used()
    app.file_uploader(key="test_upload").upload("mine.txt", b"the lamp and the lighthouse\n" * 30)
    assert "mine.txt" in used()
    assert "matter" in verdict_of(app)
    app.file_uploader(key="test_upload").upload("empty.txt", b" ")
    assert "mostly ties" in used()
    assert any("nothing but white space" in error.value for error in app.error)
    app.toggle(key="test_set_aside").set_value(True)
    assert "set aside" in used()
    app.session_state["compare_details"] = "Evidence"
    app.run()
    assert any("no sequence of 8 words does" in line.value for line in app.markdown)
    tables = [list(frame.value.columns) for frame in app.dataframe]
    assert [columns[:2] for columns in tables] == [["lane", "tokens"], ["lane", "and lane"]]
    for frame in app.dataframe:
        right = [
            name
            for name, column in json.loads(frame.proto.columns).items()
            if column.get("alignment") == "right"
        ]
        assert right == [name for name in frame.value.columns if name not in {"lane", "and lane"}]


# The tables


def table(app: AppTest, tab: str, key: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table of this tab."""
    app.session_state["compare_details"] = tab
    assert not app.run().exception
    return [tuple(row.values()) for row in chip_rows(app, key)]


def test_the_merges_can_be_only_ties_or_only_differences() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~pair-max")
    rows = table(app, "Merges", "table_merges")
    assert [row[0] for row in rows] == list(range(1, 13))
    tied = [row[0] for row in rows if row[5] > 1 or row[9] > 1]
    for only, ranks in (("ties", tied), ("differences", [1, 2, 4, 6, 7]), ("all", list(range(1, 13)))):
        app.session_state["merges_shown"] = only
        assert [row[0] for row in table(app, "Merges", "table_merges")] == ranks
    assert tied not in ([], list(range(12)), [0, 1, 3, 5, 6])


def test_encode_under_each_lists_the_words_of_test_text_and_corpus() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~last")
    rows = table(app, "Encode under each", "table_test_words")
    # Words that differ come first.
    assert rows[0] == (
        "towers",
        1,
        "≠",
        "t o w e r s </w>",
        "t ow e r s </w>",
    )
    assert [row[0] for row in rows if row[2]] == ["towers", "oldest"]
    assert table(app, "Encode under each", "table_corpus_words")[:2] == [
        ("low", 5, "", "low</w>", "low</w>"),
        ("lower", 2, "", "low e r </w>", "low e r </w>"),
    ]
    app.text_area(key="test_text").set_value("slowest").run()
    assert [row[0] for row in table(app, "Encode under each", "table_test_words")] == ["slowest"]


def test_one_merge_is_written_in_the_singular() -> None:
    app = page(corpus_sample="low-lower-newest-widest", merges="1", lanes="first~shortest")
    assert verdict_of(app) == "It does not matter: both lanes make the same merge."
    app.session_state["compare_details"] = "Tie map"
    app.run()
    assert "The only merge had a tie" in [tile.label for tile in app.metric]
    assert "1 tie at merge 1." in [caption.value for caption in app.caption]
    parted = page(corpus_sample="low-lower-newest-widest", merges="1", lanes="first~pair-max")
    assert not parted.exception
    assert any(
        "The learned token is different." in text.value for text in (*parted.caption, *parted.markdown)
    )


def test_a_training_of_one_merge_stops_in_the_singular() -> None:
    def stopped() -> None:
        import bpe
        from ui.sidebar import corpus, recipe
        from ui.trainings import training
        from ui.trainings.running_training import RunningTraining, Watch

        rule = recipe.Recipe("none", "bytes", "first", 1)
        for number in (0, 1):
            watch = Watch(RunningTraining("one merge", corpus.from_text("a a"), rule), is_stopped=True)
            watch.trace = bpe.train("a a", merges=number)
            training.draw_state(watch, has_settled=True, suffix=str(number))

    app = AppTest.from_function(stopped, default_timeout=LONGEST_RUN).run()
    assert [warning.value for warning in app.warning] == [
        "Stopped before the first merge.",
        "Stopped after 1 of 1 merge. This is what was learned so far.",
    ]


def test_every_page_says_in_the_same_words_that_a_text_is_too_long_for_a_link() -> None:
    app = type_text(open_app(), "low " * MOST_CHARACTERS)
    alike = [caption.value for caption in app.caption if "A link can contain" in caption.value]
    app.switch_page("pages/encode.py")
    alike += [caption.value for caption in run(app).main.caption if "A link can contain" in caption.value]
    assert len(alike) == 3  # in the sidebar, under Watch's button and under Encode's
    assert len(set(alike)) == 1
