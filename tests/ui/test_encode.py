"""The page Encode without a browser: it shows what the core encodes and decodes."""

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.alignment import written_bytes
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from film.encoding_feed import encoding_feed, encoding_window
from tests.app import open_app, open_page, run, sent, text_in, type_into
from tests.material.presets import PAGE_PRESETS, preset_trace
from tests.ui.encode_page import SAMPLE, TRACE, encode_with, open_encode
from ui.page_parts.encode.comparisons import _encoder_rows
from ui.page_parts.encode.controls import _MOST_WHOLE, _WORKED_TEXT, _WORKED_TOKENS, _example_note
from ui.page_parts.encode.encoded_text import losses
from ui.page_parts.encode.result_tables import _token_rows
from ui.page_parts.encode.views import VIEWS
from ui.trainings.corpus import from_sample, samples


def note_in(app: AppTest) -> str:
    """Return what the field says about the text that is there."""
    return str(sent(app, "field_encode_text")["note"])


def shown_ids(app: AppTest) -> list[int]:
    code = next(block.value for block in app.code if block.value.startswith("["))
    return [int(number) for number in code.strip("[]").split(",")]


@pytest.mark.parametrize("encoder", [next(iter(ENCODERS)), list(ENCODERS)[-1]])
def test_the_ids_are_those_of_the_core(encoder: str) -> None:
    app = open_encode(encode_text="lowest low newer", encode_encoder=encoder)
    assert shown_ids(app) == TRACE.tokenizer().encode("lowest low newer", encoder)


@pytest.mark.parametrize("k", [0, 3, 12])
def test_the_tokenizer_of_any_step_encodes(k: int) -> None:
    app = open_encode(encode_text="lowest low", at_step=k)
    assert shown_ids(app) == TRACE.tokenizer(k).encode("lowest low")


def test_the_suggested_text_has_a_known_and_an_unknown_word() -> None:
    app = open_encode()
    text = text_in(app, "encode_text")
    known = set(TRACE.pre_tokens)
    assert any(word in known for word in text.split())
    assert any(word not in known for word in text.split())


SAME_TEXTS = {
    "short": "low lower",
    "several lines": "The students asked.\n\nHe did repeat it.",
    "what a sample has too": from_sample("banana").reading_text,
}


@pytest.mark.parametrize("text", SAME_TEXTS.values(), ids=SAME_TEXTS)
def test_an_own_text_is_encoded_as_a_whole(text: str) -> None:
    app = open_page("encode", corpus_source="paste", corpus_text=text, preset="paper")
    assert text_in(app, "encode_text") == text
    assert note_in(app) == "The same text as on Watch."


def test_of_a_list_of_words_each_is_encoded_once_and_the_page_says_so() -> None:
    app = open_page("encode", corpus_source="words", corpus_text="low 5\nlower 2", preset="paper")
    assert text_in(app, "encode_text") == "low lower"
    assert note_in(app) == "Each word of the list on Watch, once."


def test_of_a_very_long_own_text_the_beginning_is_encoded_and_the_page_says_so() -> None:
    long = "low lower " * (_MOST_WHOLE // 10) + "newest"
    app = open_page("encode", corpus_source="paste", corpus_text=long, preset="paper", merges=5)
    assert text_in(app, "encode_text") == long[:_MOST_WHOLE].rstrip()
    note = (
        "These are the first 99,999 of 100,006 characters. To encode all, press “Encode this text” on Watch."
    )
    assert note_in(app) == note


def test_the_example_says_nothing_of_a_training_where_nothing_was_trained() -> None:
    link = {"recipe_source": "published", "published": "gpt-2"}
    assert "example" not in note_in(open_page("encode", link))
    assert "not in the training text" in note_in(open_page("encode"))


def test_without_a_text_the_page_says_what_encoding_does() -> None:
    app = open_encode(encode_text="")
    assert any("pre-tokens" in info.value for info in app.info)


def test_an_unknown_character_gets_the_id_minus_one() -> None:
    app = open_encode(encode_text="low Ω")
    assert shown_ids(app).count(-1) == 1
    assert "1 unknown character" in sent(app, "encode")["about"][0]


def test_a_lossless_variant_gives_every_character_back() -> None:
    app = open_encode(link={"preset": "hf-bytelevel"}, encode_text="any  text 😊")
    assert any("exactly the same text" in caption.value for caption in app.caption)


def test_a_vocabulary_can_be_typed_by_hand() -> None:
    """Worked example 10: the</w> · high est</w> · moun tain</w>, and decoding gives the words back."""
    app = open_encode(encode_source="typed")
    assert text_in(app, "encode_text") == _WORKED_TEXT
    tokenizer = Tokenizer.from_vocabulary(_WORKED_TOKENS)
    assert [tokenizer.variant.label(token) for token in tokenizer.tokens(_WORKED_TEXT, "longest")] == [
        "the</w>",
        "high",
        "est</w>",
        "moun",
        "tain</w>",
    ]
    assert shown_ids(app) == tokenizer.encode(_WORKED_TEXT, "longest")
    assert any("exactly the same text" in caption.value for caption in app.caption)


def test_a_typed_vocabulary_that_cannot_be_read_is_one_error() -> None:
    app = open_encode(encode_source="typed", encode_tokens="a </w>", encode_variant="char-eow-attached")
    assert len(app.error) == 1


def test_the_examples_come_from_the_current_corpus_whatever_the_vocabulary() -> None:
    typed: dict[str, object] = {
        "encode_source": "typed",
        "encode_tokens": "a ab abc b bc c</w> c d cd abcd bcd",
        "encode_text": "zz",
    }
    app = open_app(None, encode_view="encoders", corpus_source="paste", corpus_text="abcd abcdab", **typed)
    app.switch_page("pages/encode.py")
    run(app)

    def examples() -> list[str]:
        return [button.label for button in app.button if (button.key or "").startswith("differing_")]

    assert "ababc" not in examples()
    app.switch_page("app.py")  # AppTest ran the page alone; the choices are app.py's
    app.session_state["corpus_text"] = "abc ababc cab"
    run(app)
    app.switch_page("pages/encode.py")
    run(app)
    assert "ababc" in examples()


def test_every_view_is_drawn() -> None:
    app = open_encode(corpus_sample="languages")
    for view in VIEWS:
        app.session_state["encode_view"] = view
        run(app)


@pytest.mark.parametrize("preset", PAGE_PRESETS)
def test_the_page_encodes_with_a_preset(preset: str) -> None:
    app = open_encode(preset=preset, encode_text="low é lowest", merges=20)
    assert not app.error
    assert shown_ids(app) == preset_trace(preset, SAMPLE.slug).tokenizer().encode("low é lowest")


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_every_preset_fills_grid_and_tables(preset: str) -> None:
    trace = preset_trace(preset, SAMPLE.slug)
    setting, result = encode_with(trace, "low é lowest", "rank")
    tokenizer, text, tokens = setting.tokenizer, result.typed, result.tokens
    assert result.ids == tokenizer.encode(setting.text)
    assert result.returns == (tokenizer.decode(result.ids) == setting.text)
    assert result.returns or losses(tokenizer, result)
    rows = list(_token_rows(tokenizer, result))
    assert [(row[1], row[2]) for row in rows] == [
        (number, trace.variant.label(token)) for number, token in zip(result.ids, tokens, strict=True)
    ]
    assert all(0 <= start <= end <= len(text) for *_, start, end in rows)
    feed, steps = encoding_feed(tokenizer, encoding_window(setting.text, tokenizer), setting.encoder)
    assert feed["last"] == len(steps)
    both = [ENCODERS["rank"], ENCODERS["rules"]]
    assert {line[2:4] for line in _encoder_rows(tokenizer, both, result.normalised, text)} == {
        (round(len(text) / len(tokens), 3), 0)
    }


def test_decoding_names_bad_ids() -> None:
    app = open_encode(encode_view="decode", encode_ids="0 99999 x")
    assert "99999 at position 1" in app.warning[0].value
    assert "at position 2" in app.warning[0].value


def test_a_caption_explains_minus_one_if_it_occurs() -> None:
    for ids, explained in (("0 -1", True), ("0 1", False)):
        app = open_encode(encode_view="decode", encode_ids=ids)
        assert any("The id -1 marks" in caption.value for caption in app.caption) == explained


def test_the_ids_to_decode_follow_the_text_until_they_are_edited() -> None:
    app = open_encode(encode_view="decode", encode_text="low")
    assert text_in(app, "encode_ids") == ", ".join(map(str, TRACE.tokenizer().encode("low")))
    type_into(app, "encode_text", "lower")
    assert text_in(app, "encode_ids") == ", ".join(map(str, TRACE.tokenizer().encode("lower")))
    type_into(app, "encode_ids", "3 4")
    type_into(app, "encode_text", "low")
    assert text_in(app, "encode_ids") == "3 4"


def test_text_and_encoder_survive_a_page_switch() -> None:
    app = open_encode(encode_text="lowest slowest", encode_encoder="longest")
    app.switch_page("pages/bytes.py")
    run(app)
    app.switch_page("pages/encode.py")
    run(app)
    assert text_in(app, "encode_text") == "lowest slowest"
    assert app.selectbox(key="encode_encoder").value == "longest"


def test_a_link_reproduces_text_encoder_step_and_view() -> None:
    app = open_encode({"text": "lowest", "encoder": "longest", "k": "5", "view": "decode"})
    assert text_in(app, "encode_text") == "lowest"
    assert shown_ids(app) == TRACE.tokenizer(5).encode("lowest", "longest")
    assert app.session_state["encode_view"] == "decode"


@pytest.mark.parametrize("view", ["published", "variants", "words"])
def test_a_link_to_a_former_view_opens_the_first_one_without_a_word(view: str) -> None:
    app = open_encode({"text": "lowest", "view": view})
    assert app.session_state["encode_view"] == next(iter(VIEWS))
    assert not app.warning


def test_a_link_and_the_fields_hold_the_settings_of_an_encoder() -> None:
    link = {"encoder": "dropout", "dropout_p": "0.5", "dropout_seed": "7", "text": "lowest newer"}
    app = open_encode(link=link)
    dropout = ENCODERS["dropout"].using(p=0.5, seed=7)
    assert shown_ids(app) == TRACE.tokenizer().encode("lowest newer", dropout)
    app.number_input(key="encode_dropout_seed").set_value(8)
    app.number_input(key="encode_dropout_p").set_value(0.1)
    run(app)
    assert shown_ids(app) == TRACE.tokenizer().encode("lowest newer", ENCODERS["dropout"].using(seed=8))
    assert app.query_params["dropout_seed"] == "8"
    assert "dropout_p" not in app.query_params  # the default
    app.session_state["encode_encoder"] = "rank"
    run(app)
    assert not [key for key in app.query_params if key.startswith("dropout")]
    assert "encode_dropout_p" not in {field.key for field in app.number_input}


def test_the_link_holds_the_largest_value_of_a_setting_as_digits() -> None:
    """It was written as 1e+06, which no link may hold."""
    link = {"encoder": "trimmed", "trimmed_threshold": "1000000", "text": "lowest newer"}
    assert open_encode(link=link).query_params["trimmed_threshold"] == "1000000"


def test_an_invalid_link_parameter_is_reported() -> None:
    app = open_encode({"encoder": "nonsense", "dropout_p": "1.01"})
    assert any("encoder" in warning.value for warning in app.warning)
    assert any("dropout_p" in warning.value for warning in app.warning)


# The text that Encode begins with: it shows something with its sample, and a line explains it.


def test_a_line_explains_the_example_until_something_is_typed() -> None:
    app = open_page("encode")
    note = "An example: “lowest” and “newer” are not in the training text."
    assert note_in(app) == note
    type_into(app, "encode_text", "low lowest")
    assert note_in(app) == ""
    typed = open_page("encode", encode_source="typed")
    assert "from the article that lists these tokens" in note_in(typed)


def test_the_example_of_a_sample_shows_a_word_of_the_text_and_most_show_a_new_one() -> None:
    examples = {slug: sample.encode for slug, sample in samples().items()}
    texts = {slug: from_sample(slug).reading_text for slug in examples}
    assert all(any(word in texts[slug] for word in text.split()) for slug, text in examples.items())
    new = [slug for slug, text in examples.items() if any(word not in texts[slug] for word in text.split())]
    assert len(new) > len(examples) / 2
    for slug, text in examples.items():
        tokens = trained_on(slug).tokens(text)
        assert any(len(token) > 1 for token in tokens), slug


def trained_on(slug: str) -> Tokenizer:
    sample = samples()[slug]
    settings = {"merges": sample.merges, **bpe.PRESETS[sample.preset].settings}
    return bpe.train(from_sample(slug).training_text, **settings).tokenizer()


NOTES = {
    "all known": ("low lowest", "low lowest", "all of its words are in the training text"),
    "none known": ("low", "new old", "none of its words is in the training text"),
    "many new": ("low", "low a1 b2 c3", "“a1” and 2 other words are not in the training text"),
    "two known": ("low new", "low new old", "“old” is not in the training text"),
}


@pytest.mark.parametrize(("trained", "text", "about"), NOTES.values(), ids=NOTES)
def test_the_line_says_which_words_are_new(trained: str, text: str, about: str) -> None:
    assert _example_note(trained, text) == f"An example: {about}."


def test_tokens_that_do_not_spell_the_text_make_no_row() -> None:
    assert written_bytes("Low", [b"low"]) is None
    assert written_bytes("low", ["\u2581low".encode()]) == [b"low"]
