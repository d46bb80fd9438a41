"""What the lessons say about libraries agrees with the libraries."""

import io
import json
from collections.abc import Callable
from inspect import signature

import pytest
import rustbpe
from sentencepiece.sentencepiece_model_pb2 import TrainerSpec  # type: ignore[attr-defined]  # made on import
from subword_nmt.learn_bpe import learn_bpe
from tiktoken import _educational
from tokenizers import ByteLevelBPETokenizer, CharBPETokenizer, SentencePieceBPETokenizer, Tokenizer
from tokenizers.models import BPE, WordPiece
from tokenizers.trainers import BpeTrainer

from bpe.settings.pieces import _SENTENCEPIECE_MOST_CHARACTERS

SKY = "the sky is blue"
TEXTBOOK = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"
ENDINGS = "highest higher lower lowest cooler coolest"


def merges_of(tokenizer: Tokenizer | ByteLevelBPETokenizer | CharBPETokenizer) -> list[list[str]]:
    """Return the merges of one of Hugging Face's tokenizers."""
    merges: list[list[str]] = json.loads(tokenizer.to_str())["model"]["merges"]
    return merges


def learned_by_subword_nmt(text: str, merges: int) -> list[str]:
    """Return the tokens that subword-nmt learns with its defaults."""
    codes = io.StringIO()
    learn_bpe(io.StringIO(text), codes, merges)
    return [line.replace(" ", "") for line in codes.getvalue().splitlines()[1:]]


def bpe_trainer(text: str) -> int:
    tokenizer = Tokenizer(BPE())
    tokenizer.train_from_iterator([text], BpeTrainer(show_progress=False))
    return len(merges_of(tokenizer))


def ready_made(text: str) -> int:
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator([text], show_progress=False)
    return len(merges_of(tokenizer))


def rust(text: str) -> int:
    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator([text], 256 + 9)
    return len(tokenizer.get_mergeable_ranks()) - 256


GOES_ON: dict[str, tuple[Callable[[str], int], bool]] = {
    "subword-nmt": (lambda text: len(learned_by_subword_nmt(text, 9)), False),
    "ByteLevelBPETokenizer": (ready_made, False),
    "BpeTrainer": (bpe_trainer, True),
    "tiktoken": (lambda text: len(_educational.bpe_train(text, 256 + 9, ".+", visualise=None)) - 256, True),
    "rustbpe": (rust, True),
}


@pytest.mark.parametrize(("count", "goes_on"), GOES_ON.values(), ids=GOES_ON)
def test_who_merges_pairs_that_occur_once_by_default(count: Callable[[str], int], goes_on: bool) -> None:
    assert (count(SKY) > 0) is goes_on


def test_ready_made_tokenizers_ask_for_two_occurrences_and_the_trainer_does_not() -> None:
    for ready in (ByteLevelBPETokenizer, CharBPETokenizer):
        assert signature(ready.train_from_iterator).parameters["min_frequency"].default == 2
    assert BpeTrainer().min_frequency == 0


def test_subword_nmt_begins_with_the_marker_glued_to_the_last_letter() -> None:
    assert learned_by_subword_nmt(TEXTBOOK, 12)[:3] == ["st</w>", "est</w>", "lo"]


def test_hugging_face_numbers_bytes_in_another_order() -> None:
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator([SKY], show_progress=False)
    assert tokenizer.token_to_id("t") == 83 != ord("t")


def test_the_defaults_for_bert_split_punctuation_off_and_change_nothing_in_six_plain_words() -> None:
    def merges(text: str, **settings: bool) -> list[list[str]]:
        tokenizer = CharBPETokenizer(**settings)
        tokenizer.train_from_iterator([text], vocab_size=40, min_frequency=2, show_progress=False)
        return sorted(merges_of(tokenizer))

    plain = {"bert_normalizer": False, "split_on_whitespace_only": True}
    assert merges(ENDINGS) == merges(ENDINGS, **plain)
    punctuation = "Hello, world! Hello, world!"
    assert merges(punctuation) != merges(punctuation, **plain)
    # It is the splitter that makes a word of each punctuation mark, and not the cleaning.
    assert merges(punctuation) == merges(punctuation, bert_normalizer=False)
    assert merges(punctuation, split_on_whitespace_only=True) == merges(punctuation, **plain)


@pytest.mark.parametrize(("fuse", "unknown"), [(False, 3), (True, 1)], ids=["one by one", "fused"])
def test_an_unknown_token_stands_for_a_character_or_for_a_run_of_them(fuse: bool, unknown: int) -> None:
    tokenizer = Tokenizer(BPE(unk_token="<unk>", fuse_unk=fuse))
    trainer = BpeTrainer(special_tokens=["<unk>"], show_progress=False)
    tokenizer.train_from_iterator(["abc"], trainer)
    assert tokenizer.encode("aXYZb").tokens == ["a", *["<unk>"] * unknown, "b"]


def test_sentencepiece_trains_unigram_and_splits_no_digits_unless_it_is_told_to() -> None:
    """The lessons say so of T5 and XLNet, and that Llama, Mistral and Gemma asked for digits and bytes."""
    defaults = TrainerSpec()
    assert TrainerSpec.ModelType.Name(defaults.model_type) == "UNIGRAM"
    assert not defaults.split_digits
    assert not defaults.byte_fallback
    assert defaults.max_sentencepiece_length == _SENTENCEPIECE_MOST_CHARACTERS


def test_wordpiece_of_hugging_face_picks_the_longest_piece_and_gives_up_the_whole_word() -> None:
    pieces = {piece: number for number, piece in enumerate(["[UNK]", "b", "h", "##u", "##g", "##gs", "hugs"])}
    tokenizer = Tokenizer(WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100))
    assert tokenizer.encode("bugs").tokens == ["b", "##u", "##gs"]
    assert tokenizer.encode("mug").tokens == ["[UNK]"]


def test_hugging_face_s_sentencepiece_trainer_normalizes_and_limits_its_alphabet() -> None:
    trained = SentencePieceBPETokenizer()
    assert json.loads(trained.to_str())["normalizer"] == {"type": "NFKC"}
    assert signature(trained.train_from_iterator).parameters["limit_alphabet"].default == 1_000
