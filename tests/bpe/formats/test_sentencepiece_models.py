"""SentencePiece's .model files: opened, they encode and decode as the library does with the same file."""

import pickle
import random
from collections.abc import Callable, Iterator

import pytest
import sentencepiece

import bpe
from bpe import BPEError, Tokenizer
from bpe.analysis.decoding import decode_steps
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from bpe.formats.sentencepiece.model import fields_of
from bpe.formats.sentencepiece.opening import open_model
from published.packing import original
from published.rows import PUBLISHED
from tests.bpe.formats.hugging_face.pipelines import library
from tests.material.many_strings import STRINGS
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


@pytest.mark.parametrize("name", [*OPTIONS, "Mistral 7B"])
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
    with pytest.raises(BPEError, match="written again only for a tokenizer that was opened from one"):
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


@pytest.mark.parametrize("name", ["as Llama 2", "NFKC"])
def test_a_pickle_of_the_tokenizer_encodes_the_same(name: str) -> None:
    tokenizer = opened(trained(name))
    again = pickle.loads(pickle.dumps(tokenizer))  # noqa: S301  # our own pickle of a moment ago
    assert [again.encode(text) for text in TEXTS] == [tokenizer.encode(text) for text in TEXTS]
    assert again.decode(again.encode("low lower")) == "low lower"


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
    wrong = [n for n in range(70) if result.tokenizer.encode("=" * n) != library.encode("=" * n)]
    assert not wrong or any("equal scores" in note for note in result.ignored), wrong
    assert missing in ((11,), (3, 7)) or not wrong


def with_pieces(*pieces: str) -> bytes:
    return with_equal_scores(trained("identity"), list(pieces))


def test_two_pieces_with_equal_scores_are_named() -> None:
    (note,) = open_tokenizer({"a.model": with_pieces("=w", "w=")}).ignored
    assert "Some pieces have equal scores" in note


def test_ids_of_bytes_are_decoded_as_the_library_does() -> None:
    content = trained("as Llama 2")
    tokenizer, library = opened(content), sentencepiece.SentencePieceProcessor(model_proto=content)
    ids = [library.piece_to_id(f"<0x{value:02X}>") for value in (0x41, 0xE2, 0x82, 0x41)]
    assert tokenizer.decode(ids) == library.decode(ids) == "A\ufffd\ufffdA"
    also_a_character = [
        number for number in range(256) if library.piece_to_id(chr(number)) != library.unk_id()
    ]
    assert also_a_character  # such a byte is in no encoding, but somebody may type its id
    for value in range(256):
        number = library.piece_to_id(f"<0x{value:02X}>")
        assert tokenizer.decode([number]) == library.decode([number]), value


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "Unigram": (lambda: trained("identity", "unigram"), "trainer_spec.model_type: expected BPE, got Unigram"),
    "cut": (lambda: trained("identity")[:-7], "does not end within the file"),
    "a piece twice": (lambda: with_pieces("==", "=="), "is '==', as piece"),
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
    assert list(fields_of(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")) == [(1, (1 << 64) - 1)]
    with pytest.raises(BPEError, match="does not end"):
        list(fields_of(b"\x08" + b"\xff" * 40))


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
