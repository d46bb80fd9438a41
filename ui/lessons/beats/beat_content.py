"""One beat of a lesson with the trace that it is about: its tokens, their ids, and how a token is drawn."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bpe import Step, Symbol, Trace
from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import Tokenizer
from film.labels import chip_label
from ui.exercises import Question
from ui.lessons import Beat, Lesson

PLAIN = -1  # instead of an id, if the chip is a word or a token of another recipe, and no token of the grid


@dataclass(frozen=True)
class BeatContent:
    """One beat with the trace that it is about."""

    lesson: Lesson
    trace: Trace
    beat: Beat

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer at the beat's step."""
        return self.lesson.tokenizer(self.trace, self.beat.step)

    @property
    def encoder(self) -> Encoder:
        """Encoder of the beat."""
        return self.lesson.encoder_of(self.beat)

    @cached_property
    def ids(self) -> dict[Symbol, int]:
        """Ids of the tokens up to the next merge; the grid colours tokens by them."""
        if self.lesson.vocabulary:
            return dict(self.tokenizer.ids)
        merged = (b"".join(step.pair) for step in self.trace.steps[: self.beat.step + 1])
        return {symbol: self.trace.id_of(symbol) for symbol in (*self.trace.alphabet, *merged)}

    @property
    def next_merge(self) -> Step | None:
        """Merge that follows the beat's step; None at the end of the training."""
        return self.trace.steps[self.beat.step] if self.beat.step < len(self.trace.steps) else None

    @cached_property
    def question(self) -> Question | None:
        """Question of the beat's exercise, if it has one."""
        return self.lesson.question(self.trace, self.beat) if self.beat.exercise else None

    def id_of_text(self, spelled: str) -> int:
        """Return the id of a spelled token; PLAIN if the grid has no such token."""
        return self.ids.get(self.trace.variant.unspelled(spelled.replace("·", " ")), PLAIN)

    def chip(self, symbol: Symbol, kind: str = "") -> list[Any]:
        """Return a symbol as an item of a row."""
        return [chip_label(self.trace.variant, symbol), self.ids.get(symbol, PLAIN), kind]
