"""The page Bytes without a browser: the rows and the normal forms."""

import unicodedata

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.alignment import aligned_rows
from published.packing import open_published
from tests.app import caption_text, open_page, run, send_event, sent, text_in, type_into
from tests.material.presets import preset_trace
from ui.choices.choices import Choice
from ui.page_parts.bytes_page import _EXAMPLES, _FORMS, _counts_sentence, _Form, _verdict, in_form
from ui.trainings import tokenizer_files
from ui.trainings.process_memory import MemoryFullError

CANONICAL: tuple[_Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")


def counts(app: AppTest) -> str:
    return str(sent(app, "bytes_rows")["counts"])


def about(app: AppTest) -> str:
    return " ".join(sentence for sentence, _ in sent(app, "bytes_rows")["about"])


def choice(app: AppTest) -> Choice:
    made = app.session_state["_choice"]
    assert isinstance(made, Choice)
    return made


def test_the_page_opens_with_the_first_example_and_gpt_4o() -> None:
    app = open_page("bytes")
    assert text_in(app, "bytes_text") == "A😊"
    assert "2 graphemes, 2 code points, 5 bytes and 2 tokens" in counts(app)
    assert sent(app, "bytes_rows")["whose"] == "under GPT-4o and later (o200k_base)"
    assert (about(app), choice(app).recipe.file) == ("", "published-gpt-4o")
    assert not app.query_params  # so a link without parameters opens with the same


def test_the_own_text_stands_in_the_field_until_another_is_typed() -> None:
    app = open_page("bytes", corpus_source="paste", corpus_text="Priyanka")
    assert text_in(app, "bytes_text") == "Priyanka"
    assert sent(app, "field_bytes_text")["note"] == "The same text as on Watch."
    assert f"{len(open_published('gpt-4o').tokenizer.encode('Priyanka'))} tokens" in counts(app)
    type_into(app, "bytes_text", "é")
    assert "2 bytes" in counts(app)
    assert not sent(app, "field_bytes_text")["note"]


def test_a_text_typed_on_tokenizers_stands_in_the_field_too() -> None:
    app = open_page("bytes", tokenizers_text="Łukasz")
    assert text_in(app, "bytes_text") == "Łukasz"
    assert sent(app, "field_bytes_text")["note"] == "The same text as on Tokenizers."


CHOSEN: dict[str, tuple[dict[str, str], str]] = {
    "a preset": ({"preset": "minbpe-basic"}, ""),
    "another published tokenizer": ({"recipe_source": "published", "published": "gpt-2"}, "published-gpt-2"),
    "a training": ({"recipe_source": "train"}, ""),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_whoever_has_chosen_a_tokenizer_keeps_it_on_this_page_and_in_the_link(case: str) -> None:
    link, file = CHOSEN[case]
    app = open_page("bytes", link)
    assert choice(app).recipe.file == file
    assert {name: "".join(app.query_params[name]) for name in link} == link


def test_without_memory_for_gpt_4o_the_page_opens_with_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(slug: str) -> object:
        raise MemoryFullError("The app may use 660 MB.")

    monkeypatch.setattr(tokenizer_files, "published_file", full)
    app = open_page("bytes")
    assert not app.error
    assert "So these are byte-level tokens." in about(app)


def test_what_the_chosen_tokenizer_does_not_know_is_shown_in_byte_level_tokens_until_it_is_asked_for() -> (
    None
):
    app = open_page("bytes", merges=7)

    def kinds() -> set[str]:
        return {cell[4] for cell in sent(app, "bytes_rows")["rows"]["rows"][-1]["cells"]}

    assert (kinds(), "So these are byte-level tokens." in about(app)) == ({"token"}, True)
    recipe = app.session_state["_choice"].recipe
    send_event(app, "bytes_rows", "switch", "true")
    assert (kinds(), "byte-level tokens" in about(app)) == ({"token", "unknown"}, False)
    send_event(app, "bytes_rows", "switch", "true")
    assert kinds() == {"token"}
    assert app.session_state["_choice"].recipe == recipe  # of all pages


def test_a_tokenizer_that_knows_the_text_shows_its_own_tokens() -> None:
    assert "not in the vocabulary" not in about(open_page("bytes", preset="minbpe-basic"))


@pytest.mark.parametrize(
    ("example", "preset"), [("An emoji", "paper"), ("A family", "hf-metaspace"), ("Flags", "hf-bytelevel")]
)
def test_an_example_is_put_into_the_text_field_and_drawn(example: str, preset: str) -> None:
    app = open_page("bytes", preset=preset)
    app.button(key=f"bytes_example_{example}").click()
    run(app)
    assert text_in(app, "bytes_text") == _EXAMPLES[example]


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_the_rows_of_every_example_count_its_characters_and_bytes(preset: str) -> None:
    tokenizer = preset_trace(preset).tokenizer()
    for text in _EXAMPLES.values():
        rows = aligned_rows(text, tokenizer)
        visible = tokenizer.normalise(text).text
        assert f" {len(visible)} code point" in _counts_sentence(rows)
        assert f" {len(visible.encode())} byte" in _counts_sentence(rows)


def test_normal_forms_are_those_of_unicode() -> None:
    text = "é ﬁ e\u0301\u00a0"
    assert in_form(text, "typed") == text
    for form in CANONICAL:
        assert in_form(text, form) == unicodedata.normalize(form, text)
    assert {"typed", *CANONICAL} == set(_FORMS)


def test_the_chosen_form_is_the_one_whose_rows_are_shown() -> None:
    assert "1 grapheme, 2 code points" in counts(open_page("bytes", bytes_text="é", bytes_form="NFD"))


def test_without_a_text_the_page_says_what_to_type() -> None:
    app = open_page("bytes", bytes_text="")
    assert any("Type a text" in info.value for info in app.info)


def test_a_long_text_is_shown_in_a_window() -> None:
    app = open_page("bytes", bytes_text="low lower " * 50)
    assert any("of 500" in caption.value for caption in app.caption)


def test_of_a_text_that_is_too_long_the_page_shows_the_beginning_and_says_so() -> None:
    long = "low lower " * 5_000
    app = open_page("bytes", bytes_text="")
    assert sent(app, "field_bytes_text")["most"] > len(long)
    type_into(app, "bytes_text", long)
    assert "Characters 1 to 80 of the first 20,000," in caption_text(app)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("low", "All forms of this text are the same."),
        ("\uf900", "This text differs from its four forms"),  # every form turns it into U+8C48
        ("q\u0307\u0323", "This text differs from its four forms"),  # every form reorders the marks
        ("\u00e9", "The forms differ in their bytes"),
        ("x\u00b2", "The forms differ in their bytes"),
    ],
)
def test_the_sentence_about_normal_forms_compares_texts_not_counts(typed: str, sentence: str) -> None:
    assert _verdict(typed).startswith(sentence)


def test_the_rows_show_the_lower_cased_text_and_a_line_says_so() -> None:
    app = open_page("bytes", {"preset": "none", "normalization": "lower"})
    type_into(app, "bytes_text", "The CAT")
    assert "These settings first apply lower-casing, and the rows show the result." in about(app)


def test_the_rows_of_qwen_show_the_composed_text_and_a_line_says_so() -> None:
    app = open_page("bytes", {"recipe_source": "published", "published": "qwen"})
    type_into(app, "bytes_text", "cafe\u0301")
    assert "This tokenizer first applies NFC, and the rows show the result." in about(app)
