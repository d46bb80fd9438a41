"""The choice of a held-out text: on Compare, in its link and in a share file."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from bpe.comparison.held_out import EVERY, FEWEST
from tests.app import LONGEST_RUN, type_text
from tests.ui.compare.compare_page import page
from ui.sidebar import held_out_choice
from ui.sidebar.encodings import ENCODINGS


def test_a_long_text_is_divided_unless_the_viewer_chooses_otherwise_and_the_link_holds_that() -> None:
    lines = [f"line {number} has the word {number * 7} in it" for number in range(FEWEST * EVERY)]
    app = type_text(page(lanes="first~last", merges="30"), "\n".join(lines))

    def held_out() -> str:
        assert not app.exception
        return next(caption.value for caption in app.caption if "tested on " in caption.value)

    assert "tested on every tenth part of your text, which is set aside." in held_out()
    assert "set_aside" not in app.query_params
    app.session_state["compare_details"] = "Encode under each"
    assert app.run().toggle(key="test_set_aside").value
    app.text_area(key="test_text").set_value("a line of words").run()
    assert "tested on the text that you typed." in held_out()
    assert not app.toggle(key="test_set_aside").value
    app.toggle(key="test_set_aside").set_value(True).run()
    assert "every tenth part" in held_out()
    app.text_area(key="test_text").set_value("").run()
    app.toggle(key="test_set_aside").set_value(False).run()
    assert "every tenth part" not in held_out()
    assert app.query_params["set_aside"] == "no"


def test_a_link_sets_a_part_of_a_short_text_aside() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30", set_aside="yes")
    assert any("tested on every tenth part" in caption.value for caption in app.caption)
    assert app.query_params["set_aside"] == "yes"


def test_a_held_out_file_that_is_not_utf_8_has_a_menu_of_encodings() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30")
    app.session_state["compare_details"] = "Encode under each"
    text = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 5
    app.run().file_uploader(key="test_upload").upload("words.txt", text.encode("koi8-r"))
    app.run()
    menu = app.selectbox(key="test_encoding")
    assert "koi8-r" in [slug for slug in ENCODINGS if any(ENCODINGS[slug] in one for one in menu.options)]
    menu.set_value("cp1251").run()
    files = app.session_state["_test_files"]
    assert files.documents[0] == text.encode("koi8-r").decode("cp1251")
    app.selectbox(key="test_encoding").set_value("koi8-r").run()
    assert app.session_state["_test_files"].documents == (text,)
    app.button(key="test_remove").click().run()
    assert not [box for box in app.selectbox if box.key == "test_encoding"]


def test_the_encoding_chosen_for_one_file_is_not_that_of_the_next() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30")
    app.session_state["compare_details"] = "Encode under each"
    text = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 5
    app.run().file_uploader(key="test_upload").upload("words.txt", text.encode("koi8-r"))
    guess = str(app.run().selectbox(key="test_encoding").value)
    other = "cp1251" if guess == "koi8-r" else "koi8-r"
    app.selectbox(key="test_encoding").set_value(other).run()
    again = text.upper().encode("koi8-r")
    app.file_uploader(key="test_upload").upload("again.txt", again).run()
    assert app.selectbox(key="test_encoding").value == guess
    assert app.session_state["_test_files"].documents == (again.decode(guess),)
    assert not app.exception


HELD_OUT: list[dict[str, Any]] = [
    {"set_aside": "yes"},
    {"text": "low towers"},
    {"title": "2 files", "documents": ["low towers", "newest hills"]},
    {"set_aside": "no", "text": "low towers"},
]


def test_a_share_file_holds_the_held_out_text_of_compare() -> None:
    def page() -> None:
        import json

        import streamlit as st

        from ui.sidebar import held_out_choice

        for field in json.loads(st.query_params["fields"]):
            held_out_choice.read_shared(field)()
            st.text(json.dumps(held_out_choice.write_shared()))
        held_out_choice.read_shared(None)()
        st.text(json.dumps(held_out_choice.write_shared()))

    app = AppTest.from_function(page, default_timeout=LONGEST_RUN)
    app.query_params["fields"] = json.dumps(HELD_OUT)
    assert [json.loads(text.value) for text in app.run().text] == [*HELD_OUT, None]


@pytest.mark.parametrize(
    "field",
    [[], "yes", {"set_aside": "<b>"}, {"set_aside": []}, {"text": 5}, {"text": "a" * 100_001}, {"documents": "low"},
     {"documents": [5]}, {"documents": []}, {"documents": [" "]}],
)  # fmt: skip
def test_a_held_out_text_that_is_none_is_refused_with_the_share_file(field: object) -> None:
    with pytest.raises(BPEError) as caught:
        held_out_choice.read_shared(field)
    assert "\n" not in str(caught.value)
