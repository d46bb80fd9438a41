"""The page Tokenizers without a browser: the rows, their sentence, and the ways to other pages."""

import json
import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from film.split_rows import MOST_SHOWN
from published.packing import open_published
from published.rows import PUBLISHED
from tests.app import (
    component_id,
    open_app,
    open_page,
    run,
    send,
    send_event,
    sent,
    text_in,
    type_into,
    type_text,
)
from tests.forged import forged, hostile_values
from tests.ui.choices.tokenizer_uploads import JSON, upload
from tests.waiting import until
from ui.page_parts import tokenizers_page
from ui.page_parts.tokenizers_page import _EXAMPLES, _FIRST_TEXT

FEW = ("gpt-2", "mistral-7b")
NAME = "Priyanka Chandrasekhar"


@pytest.fixture(autouse=True)
def _few_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page have two published tokenizers, as opening all of them takes seconds."""
    monkeypatch.setattr(tokenizers_page, "PUBLISHED", {slug: PUBLISHED[slug] for slug in FEW})
    monkeypatch.setattr(tokenizers_page, "_WAIT", 60)


def open_tokenizers(**session: object) -> AppTest:
    """Open the page without its languages, which would open more tokenizers."""
    return open_page("tokenizers", None, **{"measured_by": ["gpt-2"]} | session)


def feed(app: AppTest) -> Any:
    return sent(app, "split_rows")


def rows(app: AppTest) -> dict[str, Any]:
    return {row["slug"]: row for row in feed(app)["rows"]}


def test_the_page_begins_with_an_example_and_a_row_for_each_published_tokenizer() -> None:
    app = open_tokenizers()
    assert text_in(app, "tokenizers_text") == _FIRST_TEXT
    for slug, row in rows(app).items():
        tokenizer = open_published(slug).tokenizer
        assert row["count"] == len(tokenizer.encode(_FIRST_TEXT))
        assert [cell[3] for cell in row["cells"]] == tokenizer.encode(_FIRST_TEXT)
        assert row["cells"][-1][1] == len(_FIRST_TEXT.encode())
    assert list(rows(app)) == ["mistral-7b", "gpt-2"]  # the dearest last
    counts = {slug: row["count"] for slug, row in rows(app).items()}
    assert (
        feed(app)["sentence"] == f"{counts['gpt-2']} tokens for GPT-2, {counts['mistral-7b']} for Mistral 7B."
    )


def test_the_rows_are_about_the_text_that_is_typed() -> None:
    app = open_tokenizers()
    assert feed(type_into(app, "tokenizers_text", NAME))["text"] == NAME
    counts = {slug: len(open_published(slug).tokenizer.encode(NAME)) for slug in FEW}
    assert {slug: row["count"] for slug, row in rows(app).items()} == counts


@pytest.mark.parametrize("example", _EXAMPLES)
def test_an_example_is_put_into_the_field(example: str) -> None:
    app = open_tokenizers()
    app.button(key=f"split_example_{example}").click()
    assert feed(run(app))["text"] == _EXAMPLES[example]


def test_the_own_training_text_stands_in_the_field_until_another_is_typed() -> None:
    app = open_tokenizers(corpus_source="paste", corpus_text="bandana banana")
    assert feed(app)["text"] == "bandana banana"


def test_without_a_text_there_are_no_rows() -> None:
    app = open_tokenizers(tokenizers_text="")
    assert (feed(app)["rows"], feed(app)["sentence"]) == ([], "")
    assert feed(app)["learn"] == ""


def test_a_long_text_shows_its_beginning_and_all_its_numbers() -> None:
    text = "low lower newest widest " * 4_200
    app = open_tokenizers(tokenizers_text=text)
    for slug, row in rows(app).items():
        assert row["count"] == len(open_published(slug).tokenizer.encode(text))
        assert MOST_SHOWN <= row["cells"][-1][1] < MOST_SHOWN + 20
    assert feed(app)["note"].endswith(f"The numbers count all of {len(text):,} characters.")


def test_a_text_beyond_the_limit_is_refused_in_one_sentence() -> None:
    app = open_tokenizers(tokenizers_text="a" * 1_000_001)
    assert len(app.error) == 1
    assert not [one for one in app.get("bidi_component") if "split_rows" in one.proto.id]


def test_rows_appear_one_by_one_while_tokenizers_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers_page, "_WAIT", 0)
    from ui.trainings import tokenizer_files

    opens = tokenizer_files.tokenizer_for_now

    def slowly(slug: str) -> Any:
        if slug == "mistral-7b":
            until(lambda: bool(released))
        return opens(slug)

    released: list[bool] = []
    monkeypatch.setattr(tokenizer_files, "tokenizer_for_now", slowly)
    monkeypatch.setattr(tokenizer_files, "tokenizer_if_open", lambda slug: None)
    text = f"a text of its own {time.monotonic()}"
    app = open_tokenizers(tokenizers_text=text)
    until(lambda: "count" in rows(run(app)).get("gpt-2", {}))
    assert "count" not in rows(app)["mistral-7b"]
    assert feed(app)["sentence"].endswith("for GPT-2.")
    released.append(True)
    until(lambda: "count" in rows(run(app))["mistral-7b"])


def test_a_press_opens_watch_with_the_tokenizer_and_the_text() -> None:
    app = open_tokenizers(tokenizers_text=NAME)
    send_event(app, "split_rows", "merge", json.dumps("gpt-2"))
    assert app.session_state["published"] == "gpt-2"
    assert app.session_state["recipe_source"] == "published"
    assert app.session_state["corpus_text"] == NAME


def test_a_press_opens_compare_with_two_rows() -> None:
    app = open_tokenizers(tokenizers_text=NAME)
    send_event(app, "split_rows", "beside", json.dumps("mistral-7b"))
    assert app.session_state["lanes"] == ["published-mistral-7b", "published-gpt-2"]


def test_a_tokenizer_learns_from_the_words() -> None:
    app = open_tokenizers(tokenizers_text=NAME, recipe_source="published", published="gpt-2")
    send_event(app, "split_rows", "learn", "true")
    assert (app.session_state["recipe_source"], app.session_state["corpus_text"]) == ("train", NAME)


def test_an_open_file_and_the_own_training_have_rows_that_are_not_ranked() -> None:
    app = upload(open_app({"recipe_source": "file"}, tokenizers_text=NAME), "my.json", JSON)
    app.session_state["recipe_source"] = "train"
    type_text(run(app), NAME)
    app.switch_page("pages/tokenizers.py")
    *published, file, own = feed(run(app))["rows"]
    assert {row["slug"] for row in published} == {*FEW}
    assert (file["title"], file["note"]) == ("my.json", "your file")
    assert (own["slug"], own["note"]) == ("own", "trained on this very text")
    assert not any(cell[-1] for row in (file, own) for cell in row["cells"])
    assert "Your" not in feed(app)["sentence"]
    send_event(app, "split_rows", "beside", json.dumps(file["slug"]))
    assert app.session_state["lanes"] == [file["slug"], "published-gpt-2"]


@pytest.mark.parametrize("value", ["7", "null", '"gpt-99"', '["gpt-2"]', '"<b>"', "{}"])
def test_a_forged_press_is_ignored(value: str) -> None:
    app = open_tokenizers(tokenizers_text=NAME)
    for event in ("merge", "beside", "learn"):
        send_event(app, "split_rows", event, value)
        assert app.session_state["recipe_source"] == "train"
        assert feed(app)["text"] == NAME


@pytest.mark.slow
def test_no_forged_value_of_the_rows_breaks_the_page() -> None:
    app = open_tokenizers(tokenizers_text=NAME)
    for value in hostile_values():
        send(app, forged(component_id(app, "split_rows"), value))
        assert feed(app)["text"] == NAME
