"""The training of a lesson, and the words in which the tests in `course` assert what its beats say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from re import compile as pattern_of
from re import findall
from typing import Any

import bpe
from bpe import Pair, Symbol, Trace, Variant
from bpe.encoding.tokenizer import Tokenizer
from published.packing import open_published
from tests.material.tie_choices import Choices, merged
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.lesson import Beat, Lesson, parts, read_encoder, read_recipe
from ui.page_parts.lessons.stages import STAGES, BeatContent
from ui.trainings.corpus import from_sample
from ui.trainings.recipe import Recipe


@cache
def trained(slug: str, recipe: Recipe, sample: str = "") -> Trace:
    """Train on a lesson's corpus, or on a sample, under a recipe."""
    corpus = from_sample(sample) if sample else lessons()[slug].corpus
    return bpe.train(corpus.training_text, **recipe.settings)


@cache
def tokenizer_of(slug: str, recipe: Recipe, sample: str, step: int) -> Tokenizer:
    trace = trained(slug, recipe, sample)
    return lessons()[slug].tokenizer(trace, min(step, len(trace.steps)))


def said(pieces: list[list[Any]]) -> str:
    """Return a sentence as text, with the markers of its chips as they are spelled."""
    return "".join(piece[0] for piece in pieces).translate({0xFFFE: "", 0xFFFF: ""})


def kind_of(beat: Beat) -> str:
    """Return what a film calls the kind of a beat's stage: a component, or the name of the stage."""
    return STAGES[beat.stage].part or beat.stage


def subject_of(content: BeatContent) -> dict[str, Any]:
    """Return what fills the stage of a beat with rows of tokens, a pattern, a curve or a word."""
    subject: dict[str, Any] = STAGES[content.beat.stage].shows(content, [])["data"]["subject"]
    return subject


SUBJECTS = [slug for slug, stage in STAGES.items() if stage.part == "subject"]


def sentences(beat: Beat) -> str:
    return " ".join((beat.say, beat.question, beat.answer))


def token_rows(beat: Beat) -> list[tuple[str, ...]]:
    """Return the tokens that stand side by side in a beat's sentences, as in “`lo` `w`”."""
    rows = findall(r"`[^`]*`(?: `[^`]*`)+", sentences(beat))
    return [tuple(part for part, is_token in parts(row) if is_token) for row in rows]


# What a sentence says


def beat(slug: str, number: int) -> "At":
    """Return what to assert of a beat, counted from 1."""
    lesson = lessons()[slug]
    one = lesson.beats[number - 1]
    return At(lesson, one, lesson.recipe, one.step)


def given(source: str, *stated: float | str) -> None:
    """Name the source of figures or tokens that nothing here computes."""


HEX = pattern_of(r"(?:<0x[0-9A-F]{2}>)+")


def spelled(variant: Variant, symbols: Iterable[Symbol]) -> str:
    """Return tokens as sentences write them, with a space between."""
    plain = map(variant.label, symbols)
    return " ".join(HEX.sub(lambda match: " ".join(findall("0x(..)", match[0])), label) for label in plain)


def pieces(variant: Variant, text: str) -> str:
    """Return the words into which a text is cut, in the same spelling."""
    return " ".join(piece.replace(" ", "·").replace("\n", "↵") for piece in variant.split(text))


@dataclass(frozen=True)
class Published:
    """A published tokenizer."""

    tokenizer: Tokenizer

    def ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text))

    def split(self, text: str) -> str:
        """Return the tokens of a text, in the spelling of sentences."""
        return spelled(self.tokenizer.variant, self.tokenizer.tokens(text))

    def pieces(self, text: str) -> str:
        """Return the words into which a text is cut."""
        return pieces(self.tokenizer.variant, text)


@cache
def published(slug: str) -> Published:
    return Published(open_published(slug).tokenizer)


@dataclass(frozen=True)
class At:
    """A training after a step, in the spelling of sentences: tokens with a space between, a pair with “ + ”.

    Each token is written as on the page: a space as “·”, bytes that are no text as hexadecimal digits.
    """

    lesson: Lesson
    beat: Beat
    recipe: Recipe
    step: int
    sample: str = ""  # in place of the lesson's own text

    def after(self, step: int) -> "At":
        """Return the same training after another step."""
        return replace(self, step=step)

    def under(self, *, sample: str = "", **recipe: Any) -> "At":
        """Return another training at the same step: under another recipe, or on another text."""
        return replace(self, sample=sample, recipe=read_recipe(recipe))

    @property
    def trace(self) -> Trace:
        return trained(self.lesson.slug, self.recipe, self.sample)

    @property
    def tokenizer(self) -> Tokenizer:
        return tokenizer_of(self.lesson.slug, self.recipe, self.sample, self.step)

    # The merges

    @property
    def merge(self) -> str:
        """The pair that is merged next."""
        return self._pair(self.trace.steps[self.step].pair)

    @property
    def tied(self) -> str:
        """All pairs with the highest count: one, unless they tie."""
        return ", ".join(map(self._pair, self.trace.tied_pairs(self.step)))

    @property
    def made(self) -> str:
        """Tokens that the merges before the step make."""
        return self.spelled(left + right for left, right in self.trace.merges[: self.step])

    # The tokens

    def count(self, what: str) -> int:
        """Return how often a token or a pair occurs."""
        if " + " not in what:
            return self.trace.token_counts(self.step).get(self.symbol(what), 0)
        left, right = map(self.symbol, what.split(" + "))
        return self.trace.pair_counts(self.step).get((left, right), 0)

    def word(self, word: str) -> str:
        """Return the tokens of a word of the text."""
        return self.spelled(self.trace.words_at(self.step)[self.trace.pre_tokens.index(word)][0])

    # New texts

    def ids(self, text: str, encoder: str | Mapping[str, Any] = "") -> list[int]:
        return self.tokenizer.encode(text, self._encoder(encoder))

    def split(self, text: str, encoder: str | Mapping[str, Any] = "") -> str:
        """Return the tokens of a text."""
        return self.spelled(self.tokenizer.tokens(text, self._encoder(encoder)))

    def encoding(self, text: str, encoder: str | Mapping[str, Any] = "") -> str:
        """Return the tokens that an encoder makes one after the other."""
        steps = self.tokenizer.encode_steps(text, self._encoder(encoder))
        return self.spelled(step.token for step in steps)

    def pieces(self, text: str) -> str:
        """Return the words into which a text is cut before any merge."""
        return pieces(self.trace.variant, text)

    # The text of the lesson

    @property
    def text(self) -> str:
        return self.lesson.corpus.reading_text

    # The spelling

    def symbol(self, token: str) -> Symbol:
        return self.trace.variant.unspelled(token.replace("·", " "))

    def spelled(self, symbols: Iterable[Symbol]) -> str:
        return spelled(self.trace.variant, symbols)

    def _pair(self, pair: Pair) -> str:
        return " + ".join(self.spelled([symbol]) for symbol in pair)

    def _encoder(self, choice: str | Mapping[str, Any]) -> bpe.Encoder:
        return read_encoder(choice) if choice else self.lesson.encoder_of(self.beat)


def choices(at: At, text: str = "") -> Choices:
    """Return every way to break the ties of the training's text, or of another text."""
    corpus = from_sample(at.sample) if at.sample else at.lesson.corpus
    return Choices(text or corpus.training_text, at.trace.variant)


def ways(at: At, splits: list[int]) -> tuple[int, int]:
    """Return how many orders of picks there are and how many vocabularies they end with.

    After each merge they leave so many `splits`. The orders are tried one by one, without the tie graph that draws
    the picture.
    """
    search = choices(at)
    sequences = list(search.sequences(len(splits) - 1))
    found: list[set[Any]] = [set() for _ in splits]
    for sequence in sequences:
        words = search.start
        found[0].add(words)
        for rank, (pair, _) in enumerate(sequence, start=1):
            words = merged(words, pair)
            found[rank].add(words)
    assert list(map(len, found)) == splits
    return len(sequences), len({frozenset(left + right for (left, right), _ in one) for one in sequences})
