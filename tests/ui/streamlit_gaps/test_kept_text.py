"""What the browser tab stores, without a browser: which texts it may replace, and the progress of lessons."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import open_page, run, send_event
from ui.streamlit_gaps.kept_text import checksum

TEXT = "encode_text"
TYPED = "words that nobody has sent \U0001f60a"
FIELDS = {"what we suggest": (None, True), "nothing": ("", True), "what a viewer typed": (TYPED, False)}


@pytest.mark.parametrize("case", FIELDS)
def test_a_stored_text_replaces_only_what_nobody_typed(case: str) -> None:
    text, replaceable = FIELDS[case]
    app = open_page("encode") if text is None else open_page("encode", encode_text=text)
    (field,) = data(app, "_kept_encode")["fields"]
    assert field["checksum"] == checksum(app.text_area(key=TEXT).value or "")
    assert field["replaceable"] is replaceable
    value = (
        send_event(app, "_kept_encode", "restored", json.dumps({TEXT: "stored"})).text_area(key=TEXT).value
    )
    assert value == ("stored" if replaceable else TYPED)


# The progress of lessons

FORGED = (
    "7",
    "[" * 100_000,
    "null",
    '{"the-first-tie/2": [1, 2, false]}',
    '{"the-first-tie/2": [true, 1]}',
    '{"the-first-tie/2": ["1", 1, false]}',
    '{"the-first-tie/2": [-1, -1, false]}',
    '{"no such exercise/1": [1, 1, false]}',
)


def restored(*texts: dict[str, str]) -> AppTest:
    """Return the page Lessons of a new session, to which a tab gives these records."""
    app = open_page("lessons")
    for stored in texts:
        send_event(app, "_kept_progress", "restored", json.dumps(stored))
    return run(app)


def score(app: AppTest) -> str:
    return next(caption.value for caption in app.markdown if "tried in this visit" in caption.value)


def data(app: AppTest, key: str) -> dict[str, Any]:
    """Return what Python sends to the component with this key."""
    element = next(one.proto for one in app.get("bidi_component") if str(one.proto.id).endswith(key))
    sent: dict[str, Any] = json.loads(element.json)
    return sent


def records(app: AppTest) -> dict[str, str]:
    stored: dict[str, str] = data(app, "_kept_progress")["records"]
    return stored


def test_the_progress_of_a_visit_comes_back_after_a_reload() -> None:
    tab = {"exercises": '{"the-first-tie/2": [2, 2, false]}', "lessons_done": "bytes no-such-lesson"}
    app = restored(tab)
    assert score(app) == "1 exercise tried in this visit, 1 right."
    assert records(app) == {**tab, "lessons_done": "bytes"}


def test_a_forged_progress_is_ignored() -> None:
    app = restored(*({"exercises": record} for record in FORGED))
    assert score(app) == "0 exercises tried in this visit, 0 right."
    assert records(app) == {"exercises": "", "lessons_done": ""}
