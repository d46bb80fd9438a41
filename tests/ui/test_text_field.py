"""The field for a text on the server: whose text counts, what it says of it, and forged messages."""

import json

import pytest

from tests.app import open_app, open_page, run, send_event, sent, text_in, type_into
from ui.choices.text_link import fragment_of
from ui.trainings.corpus import from_text

KEY = "encode_text"
FIELD = f"field_{KEY}"
TYPED = "words that nobody has sent \U0001f60a"
TEXTS = {"what we suggest": (None, True), "nothing": ("", True), "what a viewer typed": (TYPED, False)}


@pytest.mark.parametrize("case", TEXTS)
def test_a_stored_text_replaces_only_what_nobody_typed(case: str) -> None:
    text, is_ours = TEXTS[case]
    app = open_page("encode") if text is None else open_page("encode", encode_text=text)
    assert sent(app, FIELD)["ours"] is is_ours


def test_a_text_that_the_browser_has_sent_is_not_sent_back_and_one_that_code_puts_there_is() -> None:
    app = type_into(open_page("encode"), KEY, "low lower")
    assert (sent(app, FIELD)["text"], sent(app, FIELD)["received"]) == (None, 1)
    app.session_state[KEY] = "newest"
    assert sent(run(app), FIELD)["text"] == "newest"
    app.session_state[KEY] = "low lower"  # which the field no longer shows
    assert sent(run(app), FIELD)["text"] == "low lower"


def test_a_text_that_arrives_again_changes_nothing() -> None:
    """The browser sends a text again whose answer was lost."""
    app = type_into(open_page("encode"), KEY, "low lower")
    app.session_state[KEY] = "newest"
    send_event(run(app), FIELD, "typed", json.dumps({"number": 1, "text": "low lower"}))
    assert text_in(app, KEY) == "newest"


FORGED = (
    "7", "null", '["text"]', '{"text": "x"}', '{"number": 0, "text": "x"}', '{"number": true, "text": "x"}',
    '{"number": 1.5, "text": "x"}', '{"number": 1, "text": 7}', '{"number": 1, "kept": ["x"]}',
    '{"number": 1, "kept": {"encode_text": "x"}}',
)  # fmt: skip


@pytest.mark.parametrize("value", FORGED)
def test_a_forged_message_is_ignored(value: str) -> None:
    app = open_page("encode")
    before = text_in(app, KEY)
    assert text_in(send_event(app, FIELD, "typed", value), KEY) == before


def test_half_a_character_and_a_text_that_is_too_long_are_not_taken() -> None:
    app = open_page("encode", {"source": "typed"})
    assert text_in(type_into(app, "encode_tokens", "low \ud83d"), "encode_tokens") == "low \ufffd"
    too_long = "x" * (sent(app, "field_encode_tokens")["most"] + 1)
    assert text_in(type_into(app, "encode_tokens", too_long), "encode_tokens") == "low \ufffd"


def test_a_link_that_arrives_again_takes_nothing_away() -> None:
    """The browser sends a link's text with each message until it hears that it has arrived."""
    app = open_app({"corpus_source": "paste"})
    link = {"link": fragment_of("paste", from_text("banana")), "since": 1}
    send_event(app, "field_corpus_text", "typed", json.dumps({"number": 1, **link}))
    assert text_in(app, "corpus_text") == "banana"
    typed = {"number": 2, "text": "bandana", **link}
    assert (
        text_in(send_event(app, "field_corpus_text", "typed", json.dumps(typed)), "corpus_text") == "bandana"
    )
    send_event(app, "field_corpus_text", "typed", json.dumps({"number": 3, **link}))
    assert text_in(app, "corpus_text") == "bandana"
    send_event(app, "field_corpus_text", "typed", json.dumps({"number": 4, **link, "since": 4}))
    assert text_in(app, "corpus_text") == "banana"
