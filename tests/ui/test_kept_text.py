"""Typed text that never arrived, without a browser: it comes back, and takes nothing's place that is newer."""

import json

from streamlit.testing.v1 import AppTest

from tests.app import open_page, run, send_event
from ui.components.kept_text import checksum

TEXT = "encode_text"
OLD, TYPED = "low lower", "words that nobody has sent \U0001f60a"


def offer(app: AppTest, typed: str, over: str) -> str:
    """Offer a text that was typed over another one; return what the field then holds."""
    value = {"texts": {TEXT: typed}, "over": {TEXT: checksum(over)}}
    return str(send_event(app, "_kept_encode", "unsent", json.dumps(value)).text_area(key=TEXT).value)


def test_a_text_that_never_arrived_replaces_only_what_it_was_typed_over() -> None:
    app = open_page("encode", encode_text=OLD)
    assert offer(app, TYPED, over="a text before") == OLD  # an example was chosen since
    assert offer(app, TYPED, over=OLD) == TYPED
    assert offer(app, "typed earlier", over=OLD) == TYPED
    assert offer(app, "", over=TYPED) == ""  # the viewer has deleted it
    app.text_area(key=TEXT).set_value("newer")
    assert run(app).text_area(key=TEXT).value == "newer"
    assert offer(app, TYPED, over="") == "newer"
