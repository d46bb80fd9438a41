"""Encoders: the ways to encode new text with a learned vocabulary. To add one, add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bpe.encoding.by_merges import by_rank, by_rules
from bpe.encoding.by_vocabulary import by_length, by_prefix, fewest_tokens
from bpe.encoding.encoder_input import EncoderInput, WordEncoder, WordStep

# (number of a word in the text, its next step) -> sort key. The least comes first; steps with equal keys are one step.
OrderKey = Callable[[int, WordStep], tuple[int, ...]]


def _all_words_at_once(word: int, step: WordStep) -> tuple[int, ...]:
    return step.order_key


def _word_after_word(word: int, step: WordStep) -> tuple[int, ...]:
    return word, *step.order_key


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder."""

    slug: str
    title: str
    about: str  # one sentence: what it does
    who: str  # who uses it
    prepare: Callable[[EncoderInput], WordEncoder]  # the vocabulary -> the encoder of words under it
    needs_merges: bool  # False: looks the vocabulary up, in the worst case for every length at every position
    repeats_training: bool  # with learned merges, gives words of the corpus the tokens of training
    order_key: OrderKey  # orders the steps of a text's words


_ROWS = (
    Encoder(
        slug="rank",
        title="Lowest rank first",
        about="Finds the earliest-learned merge that fits, applies it everywhere, and repeats until none fits.",
        who="subword-nmt, Hugging Face tokenizers, minbpe, tiktoken, SentencePiece",
        prepare=by_rank,
        needs_merges=True,
        repeats_training=True,
        order_key=_all_words_at_once,
    ),
    Encoder(
        slug="rules",
        title="Rules in order",
        about="Goes through all merges once, in the order they were learned, and applies each.",
        who="the listings of “BPE Tokenization Demystified” and of the CS336 study notes",
        prepare=by_rules,
        needs_merges=True,
        repeats_training=True,
        order_key=_all_words_at_once,
    ),
    Encoder(
        slug="longest",
        title="Longest token first",
        about="Finds the longest known token in the word, then does the same to the left and to the right of it.",
        who="LBPE, and Lei Mao's article, which uses only the tokens that are left at the end of training",
        prepare=by_length,
        needs_merges=False,
        repeats_training=False,
        order_key=_all_words_at_once,
    ),
    Encoder(
        slug="prefix",
        title="Longest prefix",
        about="Goes from left to right and always chooses the longest known token that starts here.",
        who="WordPiece, which marks inner pieces with ## and gives up a whole word if it cannot spell it",
        prepare=by_prefix,
        needs_merges=False,
        repeats_training=False,
        order_key=_word_after_word,
    ),
    Encoder(
        slug="fewest",
        title="Fewest tokens",
        about="Splits the word into as few known tokens as possible; among equals, longer ones come first.",
        who="PathPiece (2024)",
        prepare=fewest_tokens,
        needs_merges=False,
        repeats_training=False,
        order_key=_word_after_word,
    ),
)

ENCODERS: Mapping[str, Encoder] = MappingProxyType({row.slug: row for row in _ROWS})
DEFAULT_ENCODER = "rank"  # the standard for learned merges; `Tokenizer.explain` explains its result
