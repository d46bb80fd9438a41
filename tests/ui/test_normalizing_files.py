"""Every view of every page under tokenizers that change a text before splitting it, which may be done only once."""

import json
from collections.abc import Callable
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import Trace
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opening import open_tokenizer
from tests.app import chip_rows, run, sent, text_in, type_into
from tests.bpe.formats.hugging_face_files import library
from tests.material import spm_models
from tests.ui.choices.tokenizer_uploads import opened
from tests.ui.encode_page import encode_with, open_encode
from ui.page_parts.encode.comparisons import _differing_words, _encoder_rows
from ui.page_parts.encode.encoded_text import origins, typed_part
from ui.page_parts.encode.result_tables import _token_rows
from ui.page_parts.encode.views import VIEWS
from ui.page_parts.languages.choices import TOKENIZERS
from ui.view.boundary_picker import boundaries_of

PREPENDED: dict[str, object] = {
    "version": "1.0",
    "added_tokens": [],
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ],
    },
    "pre_tokenizer": None,
    "decoder": None,
    "model": {
        "type": "BPE",
        "vocab": {"▁": 0, "l": 1, "o": 2, "w": 3, "lo": 4, "low": 5, "▁low": 6},
        "merges": [["l", "o"], ["lo", "w"], ["▁", "low"]],
    },
}
FILES: dict[str, Callable[[], tuple[str, bytes]]] = {
    "▁ in front, by hand": lambda: ("prepend.json", json.dumps(PREPENDED).encode()),
    "as Llama 2": lambda: ("llama.json", library("llama 2").to_str().encode()),
    "SentencePiece, a space in front": lambda: ("spm.model", spm_models.trained("as Llama 2")),
    "bytes, splits after them": lambda: ("falcon.json", library("falcon").to_str().encode()),
    "a space in front of bytes": lambda: ("roberta.json", library("gpt2, space in front").to_str().encode()),
}
QUICK = "as Llama 2"  # it makes a text longer
TEXTS = ("low low", "Hello world", "Привет мир", "the ﬁle ① e\u0301", " two  spaces ", "\n", "x")


@cache
def tokenizer_of(name: str) -> Tokenizer:
    file, content = FILES[name]()
    return open_tokenizer({file: content}).tokenizer


@cache
def replayed(name: str) -> Trace:
    return bpe.replay("\n".join(TEXTS), tokenizer_of(name))


def tabs_of(page: AppTest, key: str, labels: tuple[str, ...]) -> None:
    for label in labels:
        page.session_state[key] = label
        run(page)
        assert not page.error, (key, label)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == QUICK else pytest.mark.weekly) for name in FILES]
)
def test_every_view_of_every_page_is_drawn(name: str) -> None:
    file, content = FILES[name]()
    app = opened(content, file)
    # Beside the file, one published tokenizer of those that these pages would open.
    app.session_state[TOKENIZERS] = ["gpt-2"]
    tabs_of(app, "details", ("Merges", "Pairs", "Step log"))
    app.session_state["tokenizers_text"] = ""  # for which the page opens no tokenizer
    for page in ("bytes", "tokenizers", "encode", "vocabulary", "compare"):
        app.switch_page(f"pages/{page}.py")
        run(app)
        assert not app.error, page
        if page == "bytes":
            text = str(text_in(app, "bytes_text"))
            is_changed = tokenizer_of(name).normalise(text).text != text
            said = str(sent(app, "bytes_rows")["about"])
            assert ("changes a text before it splits it" in said) == is_changed
        if page == "encode":
            text = "Hello world é"
            type_into(app, "encode_text", text)
            for view in VIEWS:
                app.session_state["encode_view"] = view
                run(app)
                assert not app.error, view
            rows = chip_rows(app, "encode_tokens_table")
            assert [(row["start"], row["end"]) for row in rows] == tokenizer_of(name).offsets(text)
    tabs_of(app, "compare_details", ("Vocabularies", "Encode under each"))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("text", TEXTS)
def test_tables_count_what_was_typed(name: str, text: str) -> None:
    trace = replayed(name)
    setting, encoded = encode_with(trace, text, "rank")
    tokenizer = setting.tokenizer
    assert encoded.ids == tokenizer.encode(text)
    assert [row[-2:] for row in _token_rows(tokenizer, encoded)] == tokenizer.offsets(text)
    assert [row[-2:] for row in _token_rows(tokenizer, encoded, 2)] == tokenizer.offsets(text)[:2]
    assert (encoded.measure.characters, encoded.measure.bytes) == (len(text), len(text.encode()))
    (row,) = _encoder_rows(tokenizer, [setting.encoder], encoded.normalised, text)
    assert row[1:3] == (len(encoded.ids), round(len(text) / len(encoded.ids), 3))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("text", TEXTS)
def test_boundaries_and_explanations_are_those_of_the_typed_text(name: str, text: str) -> None:
    tokenizer = tokenizer_of(name)
    words = tokenizer.words(tokenizer.normalise(text))
    boundaries = boundaries_of(tokenizer, words)
    closing, _ = tokenizer.encode_boundaries(text)
    merged = [kind == "merged" for kind in boundaries.kinds]
    assert merged == [step >= 0 for step in closing]
    for at, is_merged in enumerate(merged):
        explanation = tokenizer.explain(text, at)
        assert explanation == tokenizer.explain_words(words, at)
        assert (explanation.kind == "merged") == is_merged


@pytest.mark.parametrize("name", FILES)
def test_a_word_of_the_vocabulary_s_table_is_split_as_in_the_trace(name: str) -> None:
    """A pre-token is normalized already: `segment` would put another ▁ in front."""
    trace = replayed(name)
    steps = len(trace.steps)
    for pre_token, (word, _) in zip(trace.pre_tokens, trace.words_at(steps), strict=True):
        assert trace.segment_word(pre_token, steps) == list(word)


@pytest.mark.parametrize("name", FILES)
def test_examples_and_suggestions_are_words_as_they_are_typed(name: str) -> None:
    trace = bpe.replay("low lower мир", tokenizer_of(name))
    encoders = list(ENCODERS.values())
    setting, _ = encode_with(trace, "x", "rank")
    assert not {"▁", "\ufffd", "\U0010ffbc"} & set("".join(_differing_words(trace, setting, encoders)))


def test_each_word_is_merged_once_its_space_is_in_front() -> None:
    tokenizer = tokenizer_of("▁ in front, by hand")
    boundaries = boundaries_of(tokenizer, tokenizer.words(tokenizer.normalise("low low")))
    assert boundaries.kinds == ["merged"] * 3 + ["open"] + ["merged"] * 3
    assert ["".join(label) for label, _ in boundaries.symbols] == [*"▁low▁low"]
    assert tokenizer.offsets("low low") == [(0, 3), (3, 7)]


def test_a_training_with_nfkc_counts_what_was_typed() -> None:
    text = "the ﬁle ①"
    link = {"preset": "free", "variant": "bytes", "normalization": "NFKC", "merges": "0"}
    app = open_encode(link, encode_text=text, encode_view="encoders")
    rows = chip_rows(app, "encode_tokens_table")
    assert [row["end"] for row in rows] == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9]


def test_the_beginning_of_a_long_text_is_aligned_by_itself() -> None:
    """Only if the beginning alone is normalized in the same way."""
    tokenizer = tokenizer_of("▁ in front, by hand")
    text = "low  low " * 1_000
    normalised = tokenizer.normalise(text)
    short = origins(tokenizer, text, normalised, 40)
    assert short is not None
    whole = tokenizer.aligned(text)[1]
    assert short[:40] == whole[:40]
    assert len(short) < len(whole)
    assert [typed_part(tokenizer, text, normalised, end) for end in (0, 1, 4, 8, len(normalised))] == [
        "",
        "l",
        "low",
        "low  lo",
        text,
    ]
