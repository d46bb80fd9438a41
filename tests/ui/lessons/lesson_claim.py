"""A fact of a lesson with the training that it is about."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import bpe
from bpe import Encoder, Pair, Symbol, Trace
from bpe.encoding.tokenizer import Tokenizer
from ui import lessons
from ui.lessons import Beat, Fact, Lesson
from ui.sidebar.corpus import from_sample
from ui.sidebar.recipe import Recipe


@cache
def trained(slug: str, recipe: Recipe, sample: str = "") -> Trace:
    """Train on a lesson's corpus, or on a sample, under a recipe."""
    corpus = from_sample(sample) if sample else lessons.lessons()[slug].corpus
    return bpe.train(corpus.training_text, **recipe.settings)


@dataclass(frozen=True)
class Claim:
    """A fact with the training that it is about. Its fields are read as attributes: `claim.text` is `fact["text"]`."""

    lesson: Lesson
    beat: Beat
    trace: Trace  # under the recipe that the fact names
    own: Trace  # under the lesson's own recipe
    step: int
    fact: Fact

    def __getattr__(self, name: str) -> Any:
        return self.fact[name]

    def symbol(self, spelled: lessons.Spelled) -> Symbol:
        return lessons.read_symbol(spelled, self.trace.variant)

    def symbols(self, spelled: list[lessons.Spelled]) -> list[Symbol]:
        return [self.symbol(symbol) for symbol in spelled]

    def pair_of(self, spelled: list[lessons.Spelled]) -> Pair:
        left, right = spelled
        return self.symbol(left), self.symbol(right)

    @property
    def encoder(self) -> Encoder:
        """The encoder that the fact names, or else that of the beat."""
        if "encoder" in self.fact:
            return lessons.read_encoder(self.fact["encoder"])
        return self.lesson.encoder_of(self.beat)

    @property
    def counted_words(self) -> dict[str, int]:
        """The words of the corpus with their frequencies."""
        return dict(zip(self.trace.pre_tokens, self.trace.frequencies, strict=True))

    @property
    def tokenizer(self) -> Tokenizer:
        return self.lesson.tokenizer(self.trace, min(self.step, len(self.trace.steps)))

    def line(self, number: int) -> str:
        """Return a line of the lesson's corpus, from 1."""
        return self.lesson.corpus.reading_text.splitlines()[number - 1]

    def line_tokens(self, number: int) -> int:
        return len(self.tokenizer.encode(self.line(number)))

    @property
    def merged(self) -> list[Symbol]:
        """Tokens that the merges make, in their order."""
        return [left + right for left, right in self.trace.merges]

    @property
    def word(self) -> list[Symbol]:
        """The tokens of the corpus's word `fact["word"]` after the step."""
        number = self.trace.pre_tokens.index(self.fact["word"])
        return list(self.trace.words_at(self.step)[number][0])
