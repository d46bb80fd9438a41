"""Limits of tokens and characters: a training with them learns what the installed library learns with the same ones."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import bpe
from bpe import BPEError
from bpe.analysis.parity_aware import parity_aware
from bpe.encoding.tokenizer import UNKNOWN_ID
from bpe.settings.request import read_request
from command_line.commands import main
from tests.material import texts
from tests.material.libraries import unmapped

TEXT = f"{texts.SENTENCES}\n{texts.source()[:6_000]}\n====== ======== ab======"


def library_merges(variant: str, text: str, merges: int, **limits: Any) -> list[tuple[bytes, bytes]]:
    """Return what Hugging Face's trainer learns."""
    row = bpe.VARIANTS[variant]
    tokenizer = Tokenizer(models.BPE())
    options: dict[str, Any] = {"min_frequency": 2, "show_progress": False, **limits}
    read: Callable[[str], bytes] = row.unspelled
    if row.unit == "bytes":
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
        read = unmapped
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.train_from_iterator([text], trainer=trainers.BpeTrainer(vocab_size=100_000, **options))
    learned = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(read(left), read(right)) for left, right in learned[:merges]]


PRESET = {"bytes-gpt2": "hf-bytelevel", "char-metaspace": "hf-metaspace"}


@pytest.mark.parametrize("length", [2, 3, 5, 9])
@pytest.mark.parametrize("variant", PRESET)
def test_tokens_are_as_short_as_hugging_faces(variant: str, length: int) -> None:
    settings = {**bpe.PRESETS[PRESET[variant]].settings, "normalization": None}
    trace = bpe.train(TEXT, merges=600, max_token_length=length, **settings)
    assert trace.merges == library_merges(variant, TEXT, 600, max_token_length=length)
    longest = max(trace.variant.length(token) for token in trace.tokenizer().ids)
    assert longest == max(2, length - 1)


@pytest.mark.parametrize("limit", [5, 20, 40])
def test_rare_characters_leave_the_words_as_in_hugging_faces_trainer(limit: int) -> None:
    """No two characters here are equally rare: the library chooses at random among those."""
    letters = "▁etaoinshrdlcumwfgypbvkjxqz0123456789ABCDEFG"
    text = (
        " ".join(one * (number + 2) for number, one in enumerate(reversed(letters[1:]))) + " tin net tan" * 9
    )
    settings = {**bpe.PRESETS["hf-metaspace"].settings, "normalization": None}
    trace = bpe.train(text, merges=300, limit_alphabet=limit, **settings)
    assert trace.merges == library_merges("char-metaspace", text, 300, limit_alphabet=limit)
    assert len(trace.alphabet) == limit


def test_neighbours_of_a_character_that_is_left_out_meet() -> None:
    trace = bpe.train("abxc abxc abyc bcbc", "char-eow-attached", limit_alphabet=3)
    assert [b"".join(word) for word, _ in trace.words_at(0)] == [b"abc\xff", b"bcbc\xff"]
    assert (b"b", b"c\xff") in trace.pair_counts(0)


@pytest.mark.parametrize("coverage", [0.98, 0.985, 0.99, 0.999])
def test_the_pieces_are_sentencepieces_at_the_same_coverage(coverage: float) -> None:
    lines = TEXT.split("\n")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        model_type="bpe",
        vocab_size=900,
        hard_vocab_limit=False,
        character_coverage=coverage,
        normalization_rule_name="identity",
        max_sentence_length=10**6,
        minloglevel=2,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [processor.id_to_piece(number) for number in range(3, processor.vocab_size())]
    unspelled = bpe.VARIANTS["char-metaspace"].unspelled
    merged = [unspelled(piece) for piece in pieces if len(piece) > 1]
    trace = bpe.train(
        TEXT, character_coverage=coverage, merges=len(merged), **bpe.PRESETS["sentencepiece"].settings
    )
    learned = [left + right for left, right in trace.merges]
    assert learned == merged[: len(learned)]
    assert len(learned) > 100
    assert set(trace.alphabet) == {unspelled(piece) for piece in pieces if len(piece) == 1}


REFUSED = {
    "length": ({"max_token_length": 0}, "max_token_length must be at least 1"),
    "limit of bytes": ({"variant": "bytes", "limit_alphabet": 5}, "begins with all 256 bytes"),
    "limit": ({"limit_alphabet": 0}, "limit_alphabet must be at least 1"),
    "coverage 0": ({"variant": "char-metaspace", "character_coverage": 0}, "above 0 and at most 1, got 0"),
    "no number": ({"variant": "char-metaspace", "character_coverage": "all"}, "above 0 and at most 1"),
    "coverage of marked words": ({"character_coverage": 0.9}, "'char-eow' cannot show; use 'char-metaspace'"),
    "both": (
        {"variant": "char-metaspace", "character_coverage": 0.9, "limit_alphabet": 9},
        "give one of them",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_limits_that_cannot_be_are_refused(name: str) -> None:
    settings, sentence = REFUSED[name]
    with pytest.raises(BPEError, match=sentence):
        read_request(**settings)  # type: ignore[arg-type]  # wrong on purpose


def test_parity_aware_training_takes_no_limit_of_characters() -> None:
    with pytest.raises(BPEError, match="leave the limit of characters out"):
        parity_aware({"a": "low", "b": "tief"}, merges=1, variant="char-metaspace", limit_alphabet=3)


def test_the_command_line_has_the_limits(tmp_path: Path) -> None:
    text, output = tmp_path / "text.txt", tmp_path / "tokenizer.json"
    text.write_text("low low lot xxxx", "utf-8")
    limits = ["--max-token-length", "4", "--limit-alphabet", "4", "--character-coverage", "1"]
    assert main(["train", str(text), "--preset", "hf-metaspace", *limits, "-o", str(output)]) == 0
    learned = json.loads(output.read_text("utf-8"))["model"]["merges"]
    assert [("".join(pair)) for pair in learned] == ["lo", "xx", "▁lo"]


def test_a_new_text_may_hold_what_the_training_left_out() -> None:
    trace = bpe.train("low low lower x", "char-metaspace", merges=3, limit_alphabet=4)
    assert trace.segment("lowx low", 3)[-1] == b"\xfelow"
    tokenizer = trace.tokenizer()
    assert tokenizer.encode("lowx")[-1] == UNKNOWN_ID
    assert trace.settings["limit_alphabet"] == 4
