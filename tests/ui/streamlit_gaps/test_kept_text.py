"""Typed text that never arrived, without a browser: it comes back, and takes nothing's place that is newer."""

import json

from streamlit.testing.v1 import AppTest

from tests.app import open_page, run, send_event
from ui.streamlit_gaps.kept_text import checksum

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


def records(app: AppTest) -> dict[str, str]:
    element = next(
        one.proto for one in app.get("bidi_component") if str(one.proto.id).endswith("_kept_progress")
    )
    stored: dict[str, str] = json.loads(element.json)["records"]
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
