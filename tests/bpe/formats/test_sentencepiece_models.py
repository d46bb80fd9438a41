"""SentencePiece's .model files: opened, they encode and decode as the library does with the same file."""

import json
import pickle
import random
import struct
from collections.abc import Callable, Iterator
from math import inf, nan
from typing import Any

import pytest
import sentencepiece
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

import bpe
from bpe import BPEError, Tokenizer
from bpe.analysis.decoding import decode_steps
from bpe.formats import FORMATS
from bpe.formats.charsmap import _first_replacement
from bpe.formats.hugging_face.normalizers import read_normalizers
from bpe.formats.opened import Opened
from bpe.formats.opening import open_tokenizer
from bpe.formats.sentencepiece.model import NORMAL, _fields_of, read_model
from bpe.formats.sentencepiece.opening import open_model
from published.packing import original
from published.rows import PUBLISHED
from tests.bpe.formats.hugging_face_files import library
from tests.material.hostile_texts import STRINGS
from tests.material.spm_models import OPTIONS, trained

SPACES = ["    two  four    ", "x" + " " * 17 + "y", " " * 40, "\u3000\u00a0\t\n", "a\u2581\u2581b", "\u2028"]
ODD = [
    "\ufb01ne \u00bd \u2462 \u2167",
    "\uff76\uff9e \u01c6 \u00c5 e\u0301\u0323",
    "ab ABab<s2>11[INST]",
    "\x00\x1f\x7f\u200b\ufeff",
]
LEARNED = "\n".join(["quizzical quokkas quilt quasars zyx", "zyxzyx quokkas quilt zyxwv"] * 8)
TEXTS = [*STRINGS, *SPACES, *ODD]


def opened(content: bytes) -> Tokenizer:
    return open_tokenizer({"tokenizer.model": content}).tokenizer


@pytest.mark.parametrize("name", OPTIONS)
def test_a_model_encodes_and_decodes_as_the_library_does(name: str) -> None:
    content = trained(name)
    tokenizer, library = opened(content), sentencepiece.SentencePieceProcessor(model_proto=content)
    for text in TEXTS:
        ids = library.encode(text)
        assert tokenizer.encode(text) == ids, (name, text)
        assert tokenizer.decode(ids) == library.decode(ids), (name, text)


@pytest.mark.parametrize("name", [*OPTIONS, pytest.param("Mistral 7B", marks=pytest.mark.weekly)])
def test_a_model_is_written_again_with_the_same_bytes_and_with_what_was_learned_since(name: str) -> None:
    content = original(PUBLISHED["mistral-7b"].path.read_bytes()) if name == "Mistral 7B" else trained(name)
    tokenizer = opened(content)
    assert FORMATS["sentencepiece"].content(tokenizer) == content
    again = pickle.loads(pickle.dumps(tokenizer))  # noqa: S301  # our own pickle
    assert FORMATS["sentencepiece"].content(again) == content
    trace = bpe.continue_training(LEARNED, tokenizer, merges=12)
    longer = trace.tokenizer()
    assert len(longer.merges) > len(tokenizer.merges)
    written = FORMATS["sentencepiece"].content(longer)
    assert written.startswith(content)
    library, back = sentencepiece.SentencePieceProcessor(model_proto=written), opened(written)
    assert len(TEXTS) >= 100
    for text in [*TEXTS, *LEARNED.split("\n")]:
        ids = library.encode(text)
        assert longer.encode(text) == back.encode(text) == ids, text
        assert longer.decode(ids) == back.decode(ids) == library.decode(ids), text
        assert longer.offsets(text) == back.offsets(text)
    with pytest.raises(
        BPEError, match="numbers its pieces one after the other, and this tokenizer leaves ids"
    ):
        FORMATS["sentencepiece"].content(trace.tokenizer(1))


def test_a_tokenizer_of_another_file_is_no_model() -> None:
    other = open_tokenizer({"tokenizer.json": library("llama 2").to_str().encode()}).tokenizer
    with pytest.raises(BPEError, match="can be written only for a tokenizer that was opened from one"):
        FORMATS["sentencepiece"].content(other)


@pytest.mark.parametrize("name", [*OPTIONS, "Mistral 7B"])
def test_any_ids_are_decoded_as_the_library_does(name: str) -> None:
    """Control pieces, such as </s>, are no text."""
    content = original(PUBLISHED["mistral-7b"].path.read_bytes()) if name == "Mistral 7B" else trained(name)
    tokenizer, library = opened(content), sentencepiece.SentencePieceProcessor(model_proto=content)
    every = range(library.vocab_size())
    special = [n for n in every if library.is_control(n) or library.is_unknown(n) or library.is_byte(n)]
    draw = random.Random(11)
    for _ in range(300):
        ids = [draw.choice(draw.choice((special, every))) for _ in range(draw.randint(1, 12))]
        assert tokenizer.decode(ids) == library.decode(ids), ids
    end = library.eos_id()
    assert tokenizer.decode([end]) == library.decode([end]) == ""
    assert [step.text for step in decode_steps(tokenizer, [str(end)])] == [""]


@pytest.mark.parametrize("name", ["as Llama 2", "pieces of one's own"])
def test_a_replay_ends_with_the_tokens_of_the_library(name: str) -> None:
    content, text = trained(name), "low  lower ab newest<s2>\n  the\u00e9 caf\u00e9"
    tokenizer, library = opened(content), sentencepiece.SentencePieceProcessor(model_proto=content)
    trace = bpe.replay(text, tokenizer)
    assert [tokenizer.ids.get(token, 0) for token in trace.segment(text, len(trace.steps))] == library.encode(
        text
    )


def with_equal_scores(content: bytes, pieces: list[str]) -> bytes:
    """Return a model with more pieces, all with one score below every other, as Llama 2 has them for runs of spaces."""
    tail = b"".join(_field(1, _field(1, piece.encode()) + b"\x15" + b"\x28\x6b\x6e\xce") for piece in pieces)
    return content + tail


def _field(number: int, value: bytes) -> bytes:
    assert len(value) < 0x80
    return bytes([number << 3 | 2, len(value)]) + value


@pytest.mark.parametrize("missing", [(), (15,), (11,), (3, 7)])
def test_runs_of_spaces_with_equal_scores_grow_from_the_left(missing: tuple[int, ...]) -> None:
    lengths = [
        length for length in (2, 4, 8, 16, 5, 6, 12, 13, 10, 14, 3, 9, 7, 11, 15) if length not in missing
    ]
    content = with_equal_scores(trained("identity"), ["=" * length for length in lengths])
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    result = open_tokenizer({"a.model": content})
    for n in range(70):
        assert result.tokenizer.encode("=" * n) == library.encode("=" * n), n


def with_pieces(*pieces: str) -> bytes:
    return with_equal_scores(trained("identity"), list(pieces))


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        (_field(1, b""), "got an empty text"),
        (_field(1, b"a") + b"\x15" + struct.pack("<f", nan), "got the score nan"),
        (_field(1, b"a") + b"\x15" + struct.pack("<f", -inf), "got the score -inf"),
        (_field(1, b"a") + b"\x18\x09", "got kind 9"),
    ],
)
def test_a_piece_that_cannot_be_is_named(piece: bytes, message: str) -> None:
    with pytest.raises(BPEError, match=rf"piece \d+: expected a string, .*, {message}\."):
        open_tokenizer({"a.model": trained("identity") + _field(1, piece)})


def test_pieces_with_equal_scores_are_named_and_only_models_hold_them() -> None:
    opened_model = open_tokenizer({"a.model": with_pieces("=w", "w=")})
    assert opened_model.ignored == (
        'Some pieces have equal scores, "=w" among them. As in the library, the leftmost is joined first.',
    )
    with pytest.raises(BPEError, match="cannot hold equal scores"):
        FORMATS["tokenizer-json"].content(opened_model.tokenizer)
    with pytest.raises(BPEError, match="some of this tokenizer have equal ranks"):
        FORMATS["merges-txt"].content(opened_model.tokenizer)
    assert FORMATS["sentencepiece"].content(opened_model.tokenizer) == with_pieces("=w", "w=")


EQUALS = {
    "two that overlap": ["=w", "w="],
    "a run with a hole": ["==", "===", "=====", "======="],
    "longer ones first": ["=w=w=", "=w=", "w=", "=w"],
    "words of a language without spaces": ["xlow", "xl", "wx", "xlowx", "owxl", "owx"],
}


@pytest.mark.parametrize("name", EQUALS)
def test_of_pieces_with_equal_scores_the_leftmost_is_joined_first(name: str) -> None:
    content = with_pieces(*EQUALS[name])
    tokenizer, library = opened(content), sentencepiece.SentencePieceProcessor(model_proto=content)
    letters = sorted(set("".join(EQUALS[name])))
    draw = random.Random(5)
    texts = ["".join(draw.choices(letters, k=draw.randint(1, 30))) for _ in range(600)]
    for text in [*texts, "".join(draw.choices(letters, k=900)), *STRINGS]:
        assert tokenizer.encode(text) == library.encode(text), text
    for text in texts[:20]:
        steps = tokenizer.encode_boundaries(text)[1]
        assert (
            [token for word in steps[-1].segmentation for token in word] == tokenizer.tokens(text)
            if steps
            else True
        )
        trace = bpe.replay(text, tokenizer)
        assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text), text
    again = pickle.loads(pickle.dumps(tokenizer))  # noqa: S301  # just pickled here
    assert all(again.encode(text) == tokenizer.encode(text) for text in texts)


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "Unigram": (
        lambda: trained("identity", "unigram"),
        "trainer_spec.model_type: expected BPE, which is what Merge by Merge shows, got Unigram",
    ),
    "cut": (lambda: trained("identity")[:-7], "does not end within the file"),
    "a piece twice": (lambda: with_pieces("==", "=="), "is '==', and so is piece"),
    "a character without a piece": (lambda: with_pieces("a\U00010348"), "a piece for every character"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_named(name: str) -> None:
    content, sentence = REFUSED[name]
    with pytest.raises(BPEError, match=sentence) as error:
        open_tokenizer({"my.model": content()})
    assert str(error.value).startswith("my.model")


def broken(content: bytes) -> Iterator[bytes]:
    chance = random.Random(7)
    for _ in range(150):
        changed = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        yield bytes(changed[: chance.choice([len(changed), chance.randrange(8, len(changed))])])


@pytest.mark.parametrize("name", ["identity", "NFKC"])
def test_a_damaged_model_is_opened_or_refused_in_one_sentence(name: str) -> None:
    sentences = [sentence_of(content) for content in broken(trained(name))]
    assert any(sentences), "no change made a model unreadable"
    assert not [sentence for sentence in sentences if "\n" in sentence]


def sentence_of(content: bytes) -> str:
    """Return why a model is refused; "" if it can be opened and encodes a text."""
    try:
        opened(content).encode("low lower \ufb01ne e\u0301")
    except BPEError as error:
        return str(error)
    return ""


def test_numbers_of_a_message_are_bounded() -> None:
    assert list(_fields_of(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")) == [(1, (1 << 64) - 1)]
    with pytest.raises(BPEError, match="does not end"):
        list(_fields_of(b"\x08" + b"\xff" * 40))


@pytest.mark.parametrize(
    "name", [name for name, options in OPTIONS.items() if "byte_fallback" not in options]
)
def test_offsets_are_those_of_the_library_in_the_text_that_was_typed(name: str) -> None:
    """Without byte tokens: there the library gives all of a character to the last of its bytes."""
    library = sentencepiece.SentencePieceProcessor(model_proto=trained(name))
    tokenizer = open_model(trained(name)).tokenizer
    for text in STRINGS[::3]:
        content = text.encode()
        pieces = library.encode(text, return_type="proto").pieces
        spans = [[len(content[:at].decode()) for at in (piece.begin, piece.end)] for piece in pieces]
        assert [list(span) for span in tokenizer.offsets(text)] == spans, text


# A table of replacements that points outside itself ends the search or is refused in a sentence.


def charsmap(*units: int) -> bytes:
    """Return a table of these units, without replacements."""
    return (4 * len(units)).to_bytes(4, "little") + b"".join(unit.to_bytes(4, "little") for unit in units)


TO_A = 0x60 << 10  # of the root: 0x60 ^ 0x61 leads from it to unit 1, by an a
A_THEN_PAST = 3 << 10 | 0x100 | 0x61  # an a with a replacement, which 1 ^ 3 leads to


def test_a_character_that_leads_just_past_the_table_has_no_replacement() -> None:
    assert _first_replacement(charsmap(TO_A), ("f", ""))("a") is None


@pytest.mark.parametrize("size", [0, 3, 5, 8, 2**32 - 4])
def test_a_table_of_a_size_that_cannot_be_is_refused(size: int) -> None:
    with pytest.raises(BPEError, match="f: expected a table and replacements, got 10 bytes"):
        _first_replacement(size.to_bytes(4, "little") + bytes(6), ("f", ""))


def test_a_replacement_just_past_the_table_is_refused() -> None:
    with pytest.raises(BPEError, match="f: the table points past its end"):
        _first_replacement(charsmap(TO_A, A_THEN_PAST), ("f", ""))("a")


# Files of WordPiece and Unigram are refused in one sentence.


def word_piece() -> Any:
    library = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=["[UNK]"], show_progress=False)
    library.train_from_iterator(STRINGS, trainer)
    return library


def without_type(library: Any) -> bytes:
    """Return a tokenizer.json that does not name the type of its model, as the published files of BERT and T5."""
    content = json.loads(library.to_str())
    del content["model"]["type"]
    return json.dumps(content).encode()


OF_OTHERS: dict[str, tuple[Callable[[], bytes], str]] = {
    "bert.json": (lambda: word_piece().to_str().encode(), "WordPiece"),
    "old-bert.json": (lambda: without_type(word_piece()), "WordPiece"),
    "vocab.txt": (lambda: b"[PAD]\r\n[UNK]\r\nthe\r\n##ing\r\n", "WordPiece"),
    "t5.json": (lambda: unigram().to_str().encode(), "Unigram"),
    "old-t5.json": (lambda: without_type(unigram()), "Unigram"),
    "t5.model": (lambda: trained("identity", "unigram"), "Unigram"),
}
LIBRARY = "Hugging Face's library “tokenizers”"
READ_BY = {"WordPiece": LIBRARY, "Unigram": f"SentencePiece or {LIBRARY}"}


@pytest.mark.parametrize("name", OF_OTHERS)
def test_a_file_of_another_algorithm_says_what_it_is_and_which_library_reads_it(name: str) -> None:
    content, kind = OF_OTHERS[name]
    with pytest.raises(BPEError) as refusal:
        open_tokenizer({name: content()})
    place, _, what = str(refusal.value).partition(": ")
    assert place.startswith(name)
    shown = "expected BPE, which is what Merge by Merge shows"
    assert what == f"{shown}, got {kind}: {READ_BY[kind]} reads this file."


# name -> (model, its type in the library)
MODELS_WITHOUT_TYPE: dict[str, tuple[dict[str, Any], str]] = {
    "BPE": ({"vocab": {"a": 0}, "merges": [], "unk_token": "a"}, "BPE"),
    "WordLevel": ({"vocab": {"a": 0}, "unk_token": "a"}, "WordLevel"),
    "WordPiece, a field missing": (
        {"vocab": {"a": 0}, "unk_token": "a", "continuing_subword_prefix": "##"},
        "WordLevel",
    ),
}


@pytest.mark.parametrize("name", MODELS_WITHOUT_TYPE)
def test_the_type_of_a_model_is_told_from_its_fields_as_in_the_library(name: str) -> None:
    model, kind = MODELS_WITHOUT_TYPE[name]
    content = json.dumps({"version": "1.0", "added_tokens": [], "model": model})
    assert type(tokenizers.Tokenizer.from_str(content).model).__name__ == kind
    if kind == "BPE":
        assert isinstance(open_tokenizer({"tokenizer.json": content.encode()}), Opened)
        return
    with pytest.raises(BPEError, match=f'expected BPE, got "{kind}"'):
        open_tokenizer({"tokenizer.json": content.encode()})


def unigram(**options: Any) -> Any:
    """Return a small model of the library, with a table of characters as SentencePiece makes it."""
    model = read_model(trained("as the library does by default", "unigram"))
    pieces = [(piece.text, piece.score) for piece in model.pieces if piece.kind == NORMAL]
    pieces = [("<unk>", 0.0), *pieces, *((f"<0x{value:02X}>", -30.0) for value in range(256))]
    library = tokenizers.Tokenizer(models.Unigram(pieces, **{"unk_id": 0, **options}))
    library.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(model.normalizing.charsmap),
            normalizers.Replace(tokenizers.Regex(" {2,}"), " "),
        ]
    )
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    return library


def test_a_table_of_characters_gives_the_offsets_of_the_library() -> None:
    library = unigram()
    (normalizer,) = read_normalizers(json.loads(library.to_str())["normalizer"])[:1]
    theirs = tokenizers.Tokenizer(models.BPE())
    theirs.normalizer = library.normalizer[0]
    for text in STRINGS:
        assert normalizer.apply(text, True) == theirs.normalizer.normalize_str(text), text
        assert normalizer.aligned(text, True)[0] == normalizer.apply(text, True)
