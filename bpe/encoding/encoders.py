"""Encoders: the ways to encode new text with a learned vocabulary. To add one, add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

from bpe.checks import shortened_repr
from bpe.encoding.algorithms.by_dropout import by_dropout
from bpe.encoding.algorithms.by_merges import by_rank, by_rules
from bpe.encoding.algorithms.by_trimming import by_trimming
from bpe.encoding.algorithms.by_vocabulary import by_length, by_length_in_use, by_prefix, fewest_tokens
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep
from bpe.symbols import BPEError

# (number of a word in the text, its next step) -> sort key. The least comes first; steps with equal keys are one step.
OrderKey = Callable[[int, WordStep], tuple[int, ...]]


def _all_words_at_once(word: int, step: WordStep) -> tuple[int, ...]:
    return step.order_key


def _word_after_word(word: int, step: WordStep) -> tuple[int, ...]:
    return word, *step.order_key


@dataclass(frozen=True, slots=True)
class EncoderSetting:
    """One number that an encoder needs."""

    name: str
    title: str
    about: str  # one sentence
    default: float  # a whole number if `step` is one
    least: float
    most: float
    step: float

    def checked(self, value: object) -> float:
        """Return the value. Raises BPEError unless it is a number within the bounds, whole if `step` is whole."""
        kinds = (int,) if isinstance(self.step, int) else (int, float)
        if isinstance(value, kinds) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        kind = "whole number" if isinstance(self.step, int) else "number"
        raise BPEError(
            f"{self.name} must be a {kind} from {self.least:g} to {self.most:,g}; got {shortened_repr(value)}."
        )


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder."""

    slug: str
    title: str
    about: str  # one sentence: what it does
    who: str  # who uses it
    # (the vocabulary, a value for each setting) -> the encoder of words under it.
    prepare: Callable[..., WordEncoder]
    needs_merges: bool  # False: looks the vocabulary up, in the worst case for every length at every position
    repeats_training: bool  # with learned merges, gives words of the corpus the tokens of training
    order_key: OrderKey  # orders the steps of a text's words
    needs_counts: bool = False  # leaves out rare tokens; of a tokenizer without counts in a corpus, none
    settings: tuple[EncoderSetting, ...] = ()
    values: tuple[tuple[str, float], ...] = ()  # (name, value) of each setting that `using` changed

    def using(self, **values: float) -> Self:
        """Return this encoder with other values of its settings. Raises BPEError for unknown names and bad values.

        >>> ENCODERS["dropout"].using(p=0.5, seed=3).value_of["p"]
        0.5
        """
        known = {setting.name: setting for setting in self.settings}
        for name in values.keys() - known.keys():
            raise BPEError(f"The encoder {self.slug} has no setting {shortened_repr(name)}.")
        checked = {name: known[name].checked(value) for name, value in values.items()}
        return replace(self, values=tuple(sorted({**dict(self.values), **checked}.items())))

    @property
    def value_of(self) -> dict[str, float]:
        """Setting -> its value."""
        return {setting.name: setting.default for setting in self.settings} | dict(self.values)

    def prepared(self, known: EncoderInput) -> WordEncoder:
        """Return the encoder of words under a vocabulary."""
        return self.prepare(known, **self.value_of)


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
        who="LBPE",
        prepare=by_length,
        needs_merges=False,
        repeats_training=False,
        order_key=_all_words_at_once,
    ),
    Encoder(
        slug="longest-in-use",
        title="Longest token first, tokens in use",
        about="Works like “Longest token first”, but looks only for tokens that are in use in the training text.",
        who="Lei Mao's article, which collects its tokens at the end of training",
        prepare=by_length_in_use,
        needs_merges=False,
        repeats_training=False,
        order_key=_all_words_at_once,
        needs_counts=True,
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
    Encoder(
        slug="dropout",
        title="Lowest rank first, with dropout",
        about="Works like “Lowest rank first”, but every step drops some of the merges that fit, at random.",
        who="subword-nmt, Hugging Face tokenizers and SentencePiece, while a model is trained",
        prepare=by_dropout,
        needs_merges=True,
        repeats_training=False,
        order_key=_all_words_at_once,
        settings=(
            EncoderSetting(
                name="p",
                title="Dropout",
                about="Probability of a drop: 0 drops nothing, which is “Lowest rank first”; 1 drops every merge.",
                default=0.1,
                least=0.0,
                most=1.0,
                step=0.05,
            ),
            EncoderSetting(
                name="seed",
                title="Seed",
                about="The same seed always gives the same tokens, so try several.",
                default=0,
                least=0,
                most=999_999,
                step=1,
            ),
        ),
    ),
    Encoder(
        slug="trimmed",
        title="Lowest rank first, rare tokens undone",
        about="Works like “Lowest rank first”, and then splits every rare token into the tokens it was merged from.",
        who="subword-nmt with a vocabulary threshold",
        prepare=by_trimming,
        needs_merges=True,
        repeats_training=False,
        order_key=_all_words_at_once,
        needs_counts=True,
        settings=(
            EncoderSetting(
                name="threshold",
                title="Minimum count",
                about="Tokens that occur fewer times in the training text are split. 0 splits none.",
                default=2,
                least=0,
                most=1_000_000,
                step=1,
            ),
        ),
    ),
)

ENCODERS: Mapping[str, Encoder] = MappingProxyType({row.slug: row for row in _ROWS})
DEFAULT_ENCODER = "rank"  # the standard for learned merges; `Tokenizer.explain` explains its result
