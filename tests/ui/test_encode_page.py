"""Encode without a browser: what the page says is what the core encodes and decodes."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.safe_cuts import next_safe_cut
from tests.app import open_app, run, type_text
from ui.encode.controls import BY_VOCABULARY, WORKED_TEXT, WORKED_TOKENS, suggested
from ui.encode.encoders_view import _counted
from ui.encode.result import listing
from ui.encode.work_limit import refusal
from ui.show.text import csv_file
from ui.sidebar.corpus import from_sample, samples

SAMPLE = next(iter(samples().values()))
TRACE = bpe.train(
    from_sample(SAMPLE.slug).training_text, merges=SAMPLE.merges, **bpe.PRESETS[SAMPLE.preset].settings
)


def open_page(page: str = "encode", link: dict[str, str] | None = None, **session: Any) -> AppTest:
    app = open_app(link, **session)
    app.switch_page(f"pages/{page}.py")
    return run(app)


def shown_ids(app: AppTest) -> list[int]:
    code = next(block.value for block in app.code if block.value.startswith("["))
    return [int(number) for number in code.strip("[]").split(",")]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_ids_are_the_cores(encoder: str) -> None:
    app = open_page(encode_text="lowest low newer", encode_encoder=encoder)
    assert shown_ids(app) == TRACE.tokenizer().encode("lowest low newer", encoder)


@pytest.mark.parametrize("k", [0, 3, 12])
def test_any_step_of_the_training_encodes(k: int) -> None:
    app = open_page(encode_text="lowest low", at_step=k)
    assert shown_ids(app) == TRACE.tokenizer(k).encode("lowest low")


def test_the_first_screen_teaches_with_a_word_the_corpus_never_saw() -> None:
    app = open_page()
    text = app.text_area(key="encode_text").value
    known = set(TRACE.pre_tokens)
    assert any(word in known for word in text.split())
    assert any(word not in known for word in text.split())


def test_the_text_to_begin_with_is_of_words_with_letters_where_there_are_any() -> None:
    assert suggested(bpe.train("one – two – three")) == "one oneree three"
    assert suggested(bpe.train("12 345")) == "12 12345 345"


def test_an_empty_text_teaches() -> None:
    app = open_page(encode_text="")
    assert any("pre-tokens" in info.value for info in app.info)


def test_unknown_characters_keep_their_place() -> None:
    app = open_page(encode_text="low Ω")
    assert shown_ids(app).count(-1) == 1
    assert any("1 unknown character" in caption.value for caption in app.caption)


def test_a_lossless_variant_says_that_nothing_is_lost() -> None:
    app = open_page(link={"preset": "hf-bytelevel"}, encode_text="any  text 😊")
    assert any("character for character" in caption.value for caption in app.caption)


def test_a_vocabulary_typed_by_hand() -> None:
    """Worked example 10: the</w> · high est</w> · moun tain</w>, and decoding gives the words back."""
    app = open_page(encode_source="typed")
    assert app.text_area(key="encode_text").value == WORKED_TEXT
    made = Tokenizer.from_vocabulary(WORKED_TOKENS)
    assert [made.variant.label(token) for token in made.tokens(WORKED_TEXT, "longest")] == [
        "the</w>",
        "high",
        "est</w>",
        "moun",
        "tain</w>",
    ]
    assert shown_ids(app) == made.encode(WORKED_TEXT, "longest")
    assert any("character for character" in caption.value for caption in app.caption)


def test_a_typed_vocabulary_that_cannot_be_read_is_one_sentence() -> None:
    app = open_page(encode_source="typed", encode_tokens="a </w>", encode_variant="char-eow-attached")
    assert len(app.error) == 1


def test_the_examples_are_words_of_the_corpus_of_now_whatever_the_vocabulary() -> None:
    typed = {
        "encode_source": "typed",
        "encode_tokens": "a ab abc b bc c</w> c d cd abcd bcd",
        "encode_text": "zz",
    }
    app = open_page(encode_view="encoders", corpus_source="paste", corpus_text="abcd abcdab", **typed)

    def examples() -> list[str]:
        return [button.label for button in app.button if (button.key or "").startswith("differing_")]

    assert "ababc" not in examples()
    app.switch_page("app.py")  # AppTest ran the page alone; the sidebar is app.py's
    type_text(run(app), "abc ababc cab")
    app.switch_page("pages/encode.py")
    run(app)
    assert "ababc" in examples()


VIEWS = ("why", "encoders", "decode", "words", "variants")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("sample", ["low-lower-newest-widest", "languages"])
def test_every_view_is_drawn(view: str, sample: str) -> None:
    open_page(encode_view=view, corpus_sample=sample)


@pytest.mark.parametrize("preset", [*bpe.PRESETS])
def test_every_preset_encodes(preset: str) -> None:
    app = open_page(preset=preset, encode_text="low é lowest", merges=20)
    assert not app.error


def test_decoding_names_bad_ids() -> None:
    app = open_page(encode_view="decode", encode_ids="0 99999 x")
    assert "99999 at position 1" in app.warning[0].value
    assert "at position 2" in app.warning[0].value


def test_minus_one_is_said_to_be_no_token() -> None:
    for ids, said in (("0 -1", True), ("0 1", False)):
        app = open_page(encode_view="decode", encode_ids=ids)
        assert any("-1 is no token" in caption.value for caption in app.caption) == said


def test_ids_to_decode_follow_the_text_until_they_are_changed() -> None:
    app = open_page(encode_view="decode", encode_text="low")
    assert app.text_area(key="encode_ids").value == ", ".join(map(str, TRACE.tokenizer().encode("low")))
    app.text_area(key="encode_text").set_value("lower")
    run(app)
    assert app.text_area(key="encode_ids").value == ", ".join(map(str, TRACE.tokenizer().encode("lower")))
    app.text_area(key="encode_ids").set_value("3 4")
    run(app)
    app.text_area(key="encode_text").set_value("low")
    run(app)
    assert app.text_area(key="encode_ids").value == "3 4"


def test_known_words_stand_beside_what_the_encoder_makes_of_them() -> None:
    app = open_page(encode_view="words", encode_text="low lowest")
    table = app.dataframe[-1].value
    assert list(table["in the corpus"]) == [5, 0]
    assert list(table["known: as training cut it"]) == ["low</w>", ""]


def test_what_is_typed_survives_a_page_switch() -> None:
    app = open_page(encode_text="lowest slowest", encode_encoder="longest")
    app.switch_page("pages/bytes.py")
    run(app)
    app.switch_page("pages/encode.py")
    run(app)
    assert app.text_area(key="encode_text").value == "lowest slowest"
    assert app.selectbox(key="encode_encoder").value == "longest"


def test_the_listing_reads_like_printed_sources() -> None:
    """Worked example 4: l o w e r -> lo w e r -> low e r -> lowe r."""
    trace = bpe.train("low lower lowest\nlow me", merges=3, **bpe.PRESETS["lecture-notes"].settings)
    tokenizer = trace.tokenizer()
    lines = list(listing(tokenizer, list(tokenizer.encode_steps("lower"))))
    assert [line.split("  ")[-1].strip() for line in lines] == [
        "l o w e r _",
        "lo w e r _",
        "low e r _",
        "lowe r _",
    ]


def test_the_link_reproduces_the_view() -> None:
    app = open_app()
    app.switch_page("pages/encode.py")
    for name, value in {"text": "lowest", "encoder": "longest", "k": "5", "view": "decode"}.items():
        app.query_params[name] = value
    run(app)
    assert app.text_area(key="encode_text").value == "lowest"
    assert shown_ids(app) == TRACE.tokenizer(5).encode("lowest", "longest")
    assert app.session_state["encode_view"] == "decode"


def test_a_link_that_asks_for_nonsense_says_so() -> None:
    app = open_app()
    app.switch_page("pages/encode.py")
    app.query_params["encoder"] = "nonsense"
    run(app)
    assert any("encoder" in warning.value for warning in app.warning)


def test_no_cell_of_a_file_is_a_formula() -> None:
    assert b"'=1+1" in csv_file(["token"], [["=1+1"]])


def test_a_long_text_is_encoded_whole() -> None:
    text = "low lower newest widest slow " * 6_000
    app = open_page(link={"preset": "hf-bytelevel"}, encode_text=text)
    corpus = from_sample(SAMPLE.slug).training_text
    trace = bpe.train(corpus, merges=SAMPLE.merges, **bpe.PRESETS["hf-bytelevel"].settings)
    metric = next(tile for tile in app.metric if tile.label == "Tokens")
    assert int(metric.value.replace(",", "")) == len(trace.tokenizer().encode(text))


def test_one_word_of_any_length_is_cut_where_the_work_is_bounded_and_refused_where_not() -> None:
    link = {"preset": "minbpe-basic", "merges": "12"}
    text = "low lower newest widest " * 15_000  # one word of 360,000 characters
    app = open_page(link=link, encode_text=text, encode_encoder="prefix")
    assert not app.error
    assert any(tile.label == "Tokens" for tile in app.metric)
    many_lengths = {"preset": "minbpe-basic", "merges": "1000", "corpus_sample": "languages"}
    app = open_page(link=many_lengths, encode_text=text, encode_encoder="prefix")
    assert "tokens of 317 lengths" in app.error[0].value


def test_a_long_word_is_refused_whatever_the_variant_and_each_encoder_for_itself() -> None:
    letters = from_sample("dna").training_text.strip()
    tokenizer = bpe.train(letters, variant="char-eow", merges=600).tokenizer()
    word = (letters * 20)[:100_000]
    said = refusal(tokenizer, "fewest", word * 9)
    assert said
    assert f"{900_000:,} characters" in said
    assert refusal(tokenizer, "rank", word * 9) is None
    assert refusal(tokenizer, "fewest", (word[:1_000] + " ") * 900) is None
    lines = {line[0]: line for line in _counted(tokenizer, tuple(ENCODERS), word)}
    for slug, row in ENCODERS.items():
        _, tokens, _, _, _, why = lines[row.title]
        assert (tokens is None) is (slug in BY_VOCABULARY)
        assert ("tokens of" in why) is (tokens is None)
    app = open_page(
        corpus_sample="dna", merges=600, preset="free", encode_text=word * 9, encode_encoder="longest"
    )
    assert "900,000" in app.error[0].value
    assert not app.metric


def test_each_encoder_counts_what_it_makes_of_the_text() -> None:
    text = "low lowest newer low"
    tokenizer = TRACE.tokenizer()
    counted = {line[0]: line[1:4] for line in _counted(tokenizer, tuple(ENCODERS), text)}
    for slug, row in ENCODERS.items():
        tokens = len(tokenizer.tokens(text, slug))
        assert counted[row.title][:2] == (tokens, round(len(text) / tokens, 3))
    assert counted[ENCODERS["rank"].title][2] == 0


def test_what_was_encoded_before_stop_is_shown_and_gone_on_from() -> None:
    words = " ".join(f"{number * 7_919_777:x}" for number in range(20_000))
    app = open_page(encode_text=words)
    whole = app.session_state["_encoded"]
    name, made = whole
    half = next_safe_cut(words, TRACE.variant, len(words) // 2)
    tokens = TRACE.tokenizer().tokens(words[:half])
    app.session_state["_encode_begun"] = (name, half, tokens)  # as a run leaves it that Stop has ended
    app.session_state["_encode_stopped"] = name
    del app.session_state["_encoded"]
    run(app)
    assert f"the first {half:,} of {len(words):,} characters" in app.warning[0].value
    assert app.metric[0].value == f"{len(tokens):,}"
    app.button(key="encode_go_on").click()
    run(app)
    assert app.session_state["_encoded"][1].tokens == made.tokens
    assert not app.warning


@pytest.mark.parametrize("encoder", ENCODERS)
def test_known_words_are_read_off_the_result(encoder: str) -> None:
    app = open_page(
        encode_view="words", encode_text="low Ωlowest é low " + "newest" * 200, encode_encoder=encoder
    )
    shown = app.dataframe[-1].value
    assert max(map(len, shown["pre-token"])) <= 400  # as long as a cell needs
    rows = app.session_state["_encode_words"][1]
    tokenizer, label = TRACE.tokenizer(), TRACE.variant.label
    assert [row[3] for row in rows] == [
        " ".join(map(label, tokenizer.word_tokens(word, encoder)))
        for word in ("low", "Ωlowest", "é", "newest" * 200)
    ]
