"""Every preset learns what the installed library learns from the same text."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from tokenizers import SentencePieceBPETokenizer, models, pre_tokenizers, trainers

import bpe
from bpe import END_OF_WORD, PRESETS, BPEError, Symbol, Trace, train
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.settings.request import read_request
from command_line.commands import main
from tests.material import libraries, texts
from tests.material.libraries import Learned, unmapped

# Each text is made when a test uses it.
TRAINING: dict[str, Callable[[], str]] = {
    **{name: partial(str, text) for name, text in texts.TOYS.items()},
    "line ends": partial(str, "ab cd\rab ce\rab cd\r\nab ce\r"),
    **texts.LONGER,
}


@dataclass(frozen=True)
class Comparison:
    """A library, and how to train it on the same text as its preset."""

    learn: Callable[[str, int], Learned]
    characters: int = 60_000  # of longer texts, so that the library needs less than a second
    extra: Callable[[Learned], dict[str, Any]] = lambda learned: {}


COMPARISONS = {
    "hf-bytelevel": Comparison(libraries.hf_bytelevel),
    "hf-metaspace": Comparison(libraries.hf_metaspace),
    "hf-char": Comparison(libraries.hf_char, extra=lambda learned: {"alphabet": learned.alphabet}),
    "sentencepiece": Comparison(libraries.sentence_piece),
    "subword-nmt": Comparison(libraries.subword_nmt, characters=12_000),
    "tiktoken-educational": Comparison(libraries.tiktoken_educational, characters=1_500),
    "rustbpe": Comparison(libraries.rust_bpe),
}


@cache
def both(preset: str, name: str) -> tuple[Trace, Learned]:
    """Return what the preset and its library learned from the text of this name."""
    comparison = COMPARISONS[preset]
    text = TRAINING[name]()[: comparison.characters]
    merges = 12 if name in texts.TOYS else 2_000
    settings = PRESETS[preset].settings
    # It raises an error if pairs run out, so request no more than there are.
    if preset == "tiktoken-educational":
        merges = len(train(text, merges=merges, **settings).steps)
    learned = comparison.learn(text, merges)
    # It takes a vocabulary size, which depends on what it counts as a character.
    if preset == "sentencepiece":
        merges = len(learned.merged_symbols)
    settings = {**settings, **comparison.extra(learned)}
    return train(text, merges=merges, **settings), learned


def merged_symbols(trace: Trace) -> list[Symbol]:
    return [left + right for left, right in trace.merges]


each = pytest.mark.parametrize("name", TRAINING)


@each
@pytest.mark.parametrize("preset", [preset for preset in COMPARISONS if preset != "sentencepiece"])
def test_the_preset_learns_the_librarys_merges(preset: str, name: str) -> None:
    trace, learned = both(preset, name)
    assert merged_symbols(trace) == learned.merged_symbols
    assert learned.pairs is None or trace.merges == learned.pairs
    assert learned.alphabet is None or list(trace.alphabet) == learned.alphabet


@each
def test_sentencepiece_learns_the_same_pieces_and_goes_on_with_pieces_of_count_0(name: str) -> None:
    trace, learned = both("sentencepiece", name)
    assert merged_symbols(trace) == learned.merged_symbols[: len(trace.steps)]
    if len(learned.merged_symbols) > len(trace.steps):
        assert trace.stopped == "no pairs"


def encodes_alike(tokenizer: Tokenizer, learned: Learned, text: str) -> None:
    if learned.ids is None or learned.decode is None:
        assert tokenizer.tokens(text) == learned.tokens(text)
    else:
        ids = learned.ids(text)
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode(ids) == learned.decode(ids)


LITERAL = "markers"  # the probe that spells out markers and special tokens: see the deviations below


@each
@pytest.mark.parametrize("preset", [preset for preset in COMPARISONS if preset != "sentencepiece"])
def test_new_texts_are_encoded_and_decoded_as_by_the_library(preset: str, name: str) -> None:
    trace, learned = both(preset, name)
    if preset == "subword-nmt" and not learned.merged_symbols:
        with pytest.raises(SystemExit):  # the library cannot read its own file of no merges
            learned.tokens("low")
        return
    for probe, text in texts.PROBES.items():
        if probe != LITERAL or trace.variant.marker is None:
            encodes_alike(trace.tokenizer(), learned, text)


@each
def test_new_texts_are_segmented_as_by_sentencepiece(name: str) -> None:
    """Its ids are in another order, and it drops extra blanks."""
    trace = both("sentencepiece", name)[0]
    learned = libraries.sentence_piece(TRAINING[name](), len(trace.steps))
    # No piece of count 0, which would be used in new texts.
    assert len(learned.merged_symbols) == len(trace.steps)
    tokenizer = trace.tokenizer()
    for probe, text in texts.PROBES.items():
        if probe == LITERAL:
            continue
        text = re.sub(" +", " ", text).strip(" ")
        tokens = learned.tokens(text)
        assert tokenizer.tokens(text) == tokens, probe
        if not {b"?"} & set(tokens) and set(tokens) <= set(tokenizer.vocabulary):
            assert learned.ids
            assert learned.decode
            assert tokenizer.decode(tokenizer.encode(text)) == learned.decode(learned.ids(text))


# Where a preset differs from its library, and why. Each is named in the row's `deviations`.


def test_sentencepieces_pieces_of_count_0_are_no_pairs_of_the_corpus() -> None:
    trace, learned = both("sentencepiece", "hug")
    assert len(learned.merged_symbols) > len(trace.steps)
    assert trace.pair_counts(len(trace.steps)) == {} or not trace.tied_pairs(len(trace.steps))


def test_tiktokens_educational_trainer_raises_where_pairs_run_out_and_we_stop() -> None:
    with pytest.raises(ValueError, match="empty"):
        libraries.tiktoken_educational("ab", 2)
    assert train("ab", merges=2, **PRESETS["tiktoken-educational"].settings).stopped == "no pairs"


def test_hugging_face_numbers_marked_characters_at_random_and_we_by_code_point() -> None:
    learned = both("hf-char", "languages")[1]
    ours = train(TRAINING["languages"](), merges=0, **PRESETS["hf-char"].settings)
    unmarked = [symbol for symbol in ours.alphabet if not symbol.endswith(END_OF_WORD)]
    assert learned.alphabet is not None
    assert learned.alphabet[: len(unmarked)] == unmarked
    assert sorted(learned.alphabet[len(unmarked) :]) == list(ours.alphabet[len(unmarked) :])


def test_hugging_face_reads_a_typed_special_token_and_we_only_when_asked_to() -> None:
    trace, learned = both("hf-char", "newest")
    tokenizer = trace.tokenizer()
    assert learned.ids is not None
    assert tokenizer.encode("low <unk> low", allow_special=True) == learned.ids("low <unk> low")
    assert tokenizer.encode("low <unk> low") != learned.ids("low <unk> low")


@pytest.mark.parametrize("preset", ["hf-metaspace", "sentencepiece"])
def test_a_typed_underline_is_the_librarys_marker_and_our_character(preset: str) -> None:
    text = "x▁y x▁y"
    settings = PRESETS[preset].settings
    assert b"\xfey" in COMPARISONS[preset].learn(text, 4).merged_symbols
    assert b"\xfey" not in merged_symbols(train(text, merges=4, **settings))
    assert (
        train(text, merges=4, **settings).tokenizer().decode(train(text, **settings).tokenizer().encode(text))
        == text
    )


def test_a_typed_end_of_word_is_the_librarys_marker_and_our_characters() -> None:
    """In the text, `t</w>` is five characters; the library reads it as a t at the end of a word."""
    text = "at</w>1 bt</w>2 ct</w>3 ct</w>4 dt</w>5 ct ct"
    ours = merged_symbols(train(text, merges=12, **PRESETS["subword-nmt"].settings))
    assert b"ct</w>" in ours
    assert b"ct" + END_OF_WORD in ours
    assert len(libraries.subword_nmt(text, 12).merged_symbols) == len(ours) - 1


def test_hugging_face_keeps_a_thousand_characters_unless_told_otherwise() -> None:
    text = " ".join(chr(number) for number in range(0x4E00, 0x4E00 + 1200))
    tokenizer = SentencePieceBPETokenizer()
    tokenizer.train_from_iterator([text], vocab_size=3000, show_progress=False)
    assert tokenizer.get_vocab_size() == 1 + 1000
    assert len(train(text, merges=0, **PRESETS["hf-metaspace"].settings).alphabet) == 1201


# Limits of tokens and characters: a training with them learns what the installed library learns with the same
# ones.

TEXT = f"{texts.SENTENCES}\n{texts.source()[:6_000]}\n====== ======== ab======"


def library_merges(variant: str, text: str, merges: int, **limits: Any) -> list[tuple[bytes, bytes]]:
    """Return what Hugging Face's trainer learns."""
    row = bpe.VARIANTS[variant]
    tokenizer = tokenizers.Tokenizer(models.BPE())
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
