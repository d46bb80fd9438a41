"""The view of Encode with published tokenizers: a row each, the counts, and a way to use one of them everywhere."""

import pytest

from bpe.analysis.alignment import typed_row, written_bytes
from published.rows import PUBLISHED
from tests.app import open_page, run
from tests.material.hostile_texts import STRINGS
from ui.encode.comparisons import FIRST, fewest_sentence, token_counts
from ui.sidebar.tokenizer_files import published_file

VIEW = {"view": "published", "text": "Strawberry 12345678"}
TWO = VIEW | {"split_by": "gpt-2~mistral-7b"}


def test_the_view_counts_the_tokens_of_the_tokenizers_that_a_link_names() -> None:
    app = open_page("encode", TWO)
    assert app.session_state["encode_published"] == ["gpt-2", "mistral-7b"]
    tokenizers = {slug: published_file(slug).tokenizer for slug in ("gpt-2", "mistral-7b")}
    sentence = fewest_sentence(token_counts(VIEW["text"], tokenizers))
    assert sentence in [markdown.value for markdown in app.markdown]
    assert app.query_params["split_by"] == TWO["split_by"]


@pytest.mark.slow
def test_a_link_with_an_unknown_tokenizer_gets_a_sentence_and_the_usual_ones() -> None:
    app = open_page("encode", VIEW | {"split_by": "gpt-2~gpt-99"})
    assert "split_by" in app.warning[0].value
    assert app.session_state["encode_published"] == list(FIRST)


def test_one_click_uses_a_tokenizer_on_all_pages() -> None:
    app = open_page("encode", TWO)
    app.button(key="open_gpt-2").click()
    run(app)
    app.switch_page("app.py")  # which draws the sidebar
    run(app)
    assert app.query_params["recipe_source"] == "published"
    assert app.query_params["published"] == "gpt-2"


def test_without_a_tokenizer_the_view_asks_for_one() -> None:
    app = open_page("encode", TWO)
    app.session_state["encode_published"] = []
    run(app)
    assert "Choose at least one tokenizer." in [info.value for info in app.info]


def test_rows_cover_what_was_typed() -> None:
    for slug in ("gpt-2", "mistral-7b"):
        tokenizer = published_file(slug).tokenizer
        for text in STRINGS:
            row = typed_row(text, tokenizer)
            if row is None:
                assert "\u2581" in text  # a typed one is read as a space
                continue
            assert "".join(b"".join(cell.symbol or b"" for cell in row.cells).decode()) == text
            assert [cell.start for cell in row.cells[1:]] == [cell.end for cell in row.cells[:-1]]


def test_tokens_that_do_not_spell_the_text_make_no_row() -> None:
    assert written_bytes("Low", [b"low"]) is None
    assert written_bytes("low", ["\u2581low".encode()]) == [b"low"]


def test_ties_are_said() -> None:
    assert fewest_sentence(dict.fromkeys(FIRST, 3)) == "GPT-4o, Qwen, DeepSeek and Mistral all need 3 tokens."
    assert fewest_sentence({"gpt-2": 1}) == "GPT-2 needs 1 token."
    assert fewest_sentence({"gpt-2": 2, "gpt-4": 2}) == "GPT-2 and GPT-4 both need 2 tokens."
    assert set(FIRST) <= PUBLISHED.keys()
