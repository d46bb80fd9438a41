"""Encoders: the ways to cut new text with a learned vocabulary. To add one, add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bpe.encoding.by_merges import by_rank, by_rules
from bpe.encoding.by_vocabulary import by_length, by_prefix, fewest_tokens
from bpe.encoding.encoder_input import EncoderInput, WordEncoder, WordStep

Turn = Callable[[int, WordStep], tuple[int, ...]]


def _all_words_at_once(word: int, take: WordStep) -> tuple[int, ...]:
    return take.turn


def _word_after_word(word: int, take: WordStep) -> tuple[int, ...]:
    return word, *take.turn


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder: `prepare` makes it ready for a lexicon, `turn` orders the steps of a text's words."""

    slug: str
    title: str
    about: str  # one sentence: what it does
    who: str
    prepare: Callable[[EncoderInput], WordEncoder]
    needs_merges: bool  # False: looks the vocabulary up, in the worst case for every length at every position
    repeats_training: bool  # merges in training order cut a word of the corpus as training cut it
    turn: Turn  # (number of the word, take) -> key; least first, equal ones are one step


_ROWS = (
    Encoder(
        slug="rank",
        title="Lowest rank first",
        about="Of the merges that apply, the one learned first is made everywhere; again, until none applies.",
        who="subword-nmt, Hugging Face tokenizers, minbpe, tiktoken, SentencePiece",
        prepare=by_rank,
        needs_merges=True,
        repeats_training=True,
        turn=_all_words_at_once,
    ),
    Encoder(
        slug="rules",
        title="Rules in order",
        about="Every merge is made once over the word, in the order they were learned.",
        who="textbook listings",
        prepare=by_rules,
        needs_merges=True,
        repeats_training=True,
        turn=_all_words_at_once,
    ),
    Encoder(
        slug="longest",
        title="Longest token first",
        about="The longest known token is taken out of the word, then the same is done left and right of it.",
        who="Lei Mao's article on byte pair encoding (its prose; the listing drops most unknown text); LBPE",
        prepare=by_length,
        needs_merges=False,
        repeats_training=False,
        turn=_all_words_at_once,
    ),
    Encoder(
        slug="prefix",
        title="Longest prefix",
        about="From left to right, the longest known token that starts here is taken.",
        who="WordPiece, which calls it MaxMatch",
        prepare=by_prefix,
        needs_merges=False,
        repeats_training=False,
        turn=_word_after_word,
    ),
    Encoder(
        slug="fewest",
        title="Fewest tokens",
        about="The word is cut into as few known tokens as possible; among equals, longer ones come first.",
        who="shortest-path inference",
        prepare=fewest_tokens,
        needs_merges=False,
        repeats_training=False,
        turn=_word_after_word,
    ),
)

ENCODERS: Mapping[str, Encoder] = MappingProxyType({row.slug: row for row in _ROWS})
DEFAULT_ENCODER = "rank"  # what learned merges are made for; `Tokenizer.explain` answers for it
