"""Bytes without a browser: the rows, the normal forms, the spectrum."""

import unicodedata

import pytest

from tests.app import run
from tests.ui.test_encode_page import open_page
from ui.bytes.inspected_text import EXAMPLES, FORMS, in_form


def said(app: object) -> str:
    return " ".join(block.value for block in app.markdown)


def test_the_first_example() -> None:
    app = open_page("bytes")
    assert app.text_area(key="bytes_text").value == "A😊"
    assert "2 graphemes, 2 code points, 5 bytes" in said(app)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("preset", ["paper", "hf-bytelevel", "hf-metaspace"])
def test_every_example_is_drawn(example: str, preset: str) -> None:
    app = open_page("bytes", preset=preset)
    app.button(key=f"bytes_example_{example}").click()
    run(app)
    assert app.text_area(key="bytes_text").value == EXAMPLES[example]


@pytest.mark.parametrize("form", FORMS)
def test_normal_forms_are_unicodes(form: str) -> None:
    text = "é ﬁ e\u0301\u00a0"
    assert in_form(text, form) == (text if form == "typed" else unicodedata.normalize(form, text))
    open_page("bytes", bytes_text=text, bytes_form=form)


def test_forms_are_counted() -> None:
    app = open_page("bytes", bytes_text="é")
    table = next(frame.value for frame in app.dataframe if "form" in frame.value)
    assert list(table["code points"]) == [1, 1, 2, 1, 2]
    assert list(table["bytes"]) == [2, 2, 3, 2, 3]


def test_the_spectrum_counts() -> None:
    app = open_page("bytes", spectrum_text="low unbelievable")
    shown = {tile.label: tile.value for tile in app.metric}
    assert shown["Words"] == "2 tokens"
    assert shown["Characters"] == shown["Bytes"] == "16 tokens"


def test_an_empty_text_teaches() -> None:
    app = open_page("bytes", bytes_text="")
    assert any("Type a text" in info.value for info in app.info)


def test_a_long_text_is_shown_in_a_window() -> None:
    app = open_page("bytes", bytes_text="low lower " * 50)
    assert any("of 500" in caption.value for caption in app.caption)
