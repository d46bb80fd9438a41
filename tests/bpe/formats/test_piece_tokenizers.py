"""WordPiece and Unigram files: opened as encoders, they give the ids of their libraries."""

import json
from math import inf
from typing import Any

import pytest
import sentencepiece
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

from bpe import BPEError
from bpe.analysis.languages import measured
from bpe.encoding.tokenizer import UNKNOWN_ID
from bpe.encoding.word_piece import add_single
from bpe.formats.hugging_face.normalizers import read_normalizers
from bpe.formats.opened import Opened
from bpe.formats.opening import open_any
from bpe.formats.piece_tokenizers import PieceTokenizer
from bpe.formats.sentencepiece.model import NORMAL, read_model
from tests.material.many_strings import STRINGS
from tests.material.spm_models import OPTIONS, trained

SPECIALS = ["[UNK]", "[CLS]", "[SEP]"]


def opened(name: str, content: bytes) -> PieceTokenizer:
    pieces = open_any({name: content})
    assert isinstance(pieces, PieceTokenizer)
    return pieces


def word_piece(lowercase: bool) -> Any:
    library = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    library.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.train_from_iterator(
        STRINGS, trainers.WordPieceTrainer(vocab_size=400, special_tokens=SPECIALS, show_progress=False)
    )
    return library


def plain_texts() -> list[str]:
    """Return the strings without those in which the library reads a special token."""
    return [text for text in STRINGS if not any(token in text for token in SPECIALS)]


@pytest.mark.parametrize("lowercase", [True, False])
def test_word_piece_encodes_as_its_library_does(lowercase: bool) -> None:
    library = word_piece(lowercase)
    from_json = opened("tokenizer.json", library.to_str().encode())
    listed = sorted(library.get_vocab().items(), key=lambda item: item[1])
    from_list = opened("vocab.txt", "".join(f"{token}\n" for token, _ in listed).encode())
    assert ("in lower case" in from_list.notes[0]) == lowercase
    for text in plain_texts():
        ids = library.encode(text, add_special_tokens=False).ids
        assert from_json.encode(text) == ids, text
        assert from_list.encode(text) == ids, text


@pytest.mark.parametrize("name", OPTIONS)
def test_a_unigram_model_encodes_as_sentencepiece_does(name: str) -> None:
    content = trained(name, "unigram")
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    pieces = opened("unigram.model", content)
    for text in STRINGS:
        assert pieces.encode(text) == library.encode(text), (name, text)


def test_a_unigram_json_encodes_as_its_library_does() -> None:
    library = tokenizers.Tokenizer(models.Unigram())
    library.normalizer = normalizers.NFKC()
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    library.train_from_iterator(
        STRINGS,
        trainers.UnigramTrainer(
            vocab_size=1500, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False
        ),
    )
    pieces = opened("tokenizer.json", library.to_str().encode())
    for text in STRINGS:
        if "<unk>" not in text:
            assert pieces.encode(text) == library.encode(text).ids, text


def test_an_encoder_can_be_measured() -> None:
    one = measured(
        opened("vocab.json", word_piece(True).to_str().encode()), "bert", "a text", "The quick 42 \u2603"
    )
    assert one.unknown == 1
    assert one.digits is None  # its tokens do not spell the text


def test_a_file_with_merges_is_opened_as_usual() -> None:
    assert isinstance(open_any({"my.model": trained("identity")}), Opened)


def changed(**model: object) -> bytes:
    whole = json.loads(word_piece(True).to_str())
    whole["model"] |= model
    return json.dumps(whole).encode()


REFUSED = {
    "prefix": (changed(continuing_subword_prefix="@@"), "my.json.*expected ##"),
    "unknown": (changed(unk_token="<unk>"), "expected the unknown token"),
    "scores": (changed(type="Unigram", vocab=[["a"]]), r"model.vocab\[0\]"),
    "id": (changed(type="Unigram", vocab=[["a", -1]], unk_id=4), "model.unk_id"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_named(name: str) -> None:
    content, sentence = REFUSED[name]
    with pytest.raises(BPEError, match=sentence):
        open_any({"my.json": content})


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


@pytest.mark.parametrize("in_bytes", [False, True])
def test_a_unigram_file_with_a_table_of_characters_and_byte_tokens_encodes_as_its_library_does(
    in_bytes: bool,
) -> None:
    library = unigram(byte_fallback=in_bytes)
    pieces = opened("tokenizer.json", library.to_str().encode())
    for text in STRINGS:
        assert pieces.encode(text) == library.encode(text).ids, text


def test_a_unigram_file_without_an_unknown_token_gives_minus_one() -> None:
    pieces = opened("tokenizer.json", unigram(unk_id=None).to_str().encode())
    assert pieces.unknown is None
    assert pieces.encode("\U00013000")[-1] == UNKNOWN_ID


def test_a_table_of_characters_gives_the_offsets_of_the_library() -> None:
    library = unigram()
    (normalizer,) = read_normalizers(json.loads(library.to_str())["normalizer"])[:1]
    theirs = tokenizers.Tokenizer(models.BPE())
    theirs.normalizer = library.normalizer[0]
    for text in STRINGS:
        assert normalizer.apply(text, True) == theirs.normalizer.normalize_str(text), text
        assert normalizer.aligned(text, True)[0] == normalizer.apply(text, True)


UNREADABLE: dict[str, tuple[dict[str, Any], str]] = {
    "no pieces": ({"type": "Unigram", "vocab": []}, "model.vocab: expected at least one piece, got none"),
    "half a character in a piece": ({"type": "Unigram", "vocab": [["\ud800", 0]]}, "lone surrogates, got U\\+D800"),
    "a score that no float can hold": ({"type": "Unigram", "vocab": [["a", 10**400]]}, "a new piece and its score"),
    "half a character in a token": (
        {"type": "WordPiece", "vocab": {"[UNK]": 0, "\ud800": 1}},
        "lone surrogates, got U\\+D800",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_no_text_can_be_encoded_with_is_refused(name: str) -> None:
    model, sentence = UNREADABLE[name]
    with pytest.raises(BPEError, match=rf"^my\.json.*{sentence}"):
        open_any({"my.json": json.dumps({"model": model}).encode()})


def test_sums_of_scores_beyond_single_precision_are_infinite() -> None:
    assert add_single(-3e38, -3e38) == -inf
    assert add_single(3e38, 3e38) == inf
