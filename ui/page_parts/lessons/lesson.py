"""A lesson: a worked example with a corpus, a recipe and beats, each of which is one screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpe
from bpe import BPEError, Pair, Symbol, Trace, Variant
from bpe.checks import look_up
from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from ui.page_parts.lessons.exercises import Exercise, Question, Situation, question_of
from ui.trainings.corpus import Corpus
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE, decided_by

CURIOUS = "For the curious"

Spelled = str | Sequence[int]  # a symbol in the file: text with its marker spelled, or bytes


@dataclass(frozen=True, slots=True)
class Beat:
    """One screen of a lesson: the grid's step, a text, and what the text points at."""

    step: int  # merges applied; merge `step` is the next one
    show: str  # what the text points at: one of EVIDENCE of `ui.page_parts.lessons.stages`
    say: str  # the text, with tokens in backticks
    question: str = ""
    answer: str = ""  # hidden until the next key; of an exercise, the engine's own if it is empty
    exercise: Exercise | None = None  # checks an answer to the question
    pair: Pair | None = None
    tokens: tuple[Symbol, ...] = ()
    encode: str = ""  # a new text to encode
    encoder: Encoder | None = None  # if it is another one than the lesson's
    stage: str = "grid"  # one of STAGES of `ui.page_parts.lessons.stages`
    # What stage and evidence show, by the names of their fields, as their rows of STAGES read it
    shown: Mapping[str, Any] = field(default_factory=dict)
    waits: int = 0  # rows of a stage that stay hidden until the answer, the last ones


@dataclass(frozen=True, slots=True)
class Lesson:
    """One worked example."""

    slug: str
    title: str
    part: str  # the chapter, in which lessons are grouped
    number: int  # in the way through the course, from 1; 0 for a lesson that is for the curious
    learn: str  # what a learner will know afterwards, to follow “You will learn”
    about: str  # one sentence
    source: str  # where the example was published
    corpus: Corpus
    recipe: Recipe
    beats: tuple[Beat, ...]
    try_it: str  # something to do next, on another page
    sample: str = ""  # slug of a sample corpus; empty if the lesson has its own text
    vocabulary: str = ""  # tokens separated by spaces, in place of a training
    encoder: Encoder = ENCODERS[DEFAULT_ENCODER]

    def encoder_of(self, beat: Beat) -> Encoder:
        """Return the encoder of a beat: its own, or the lesson's."""
        return beat.encoder or self.encoder

    def tokenizer(self, trace: Trace, step: int) -> Tokenizer:
        """Return the tokenizer after `step` merges, or that of the vocabulary given in place of a training."""
        if self.vocabulary:
            return Tokenizer.from_vocabulary(self.vocabulary, trace.variant)
        return trace.tokenizer(step)

    @property
    def training_title(self) -> str:
        """The title of the recipe. “Your own” would mean the viewer's, but a lesson has its own pattern."""
        own = bpe.VARIANTS[self.recipe.variant].configure is not None
        return self.recipe.titled("A pattern of the lesson’s own") if own else self.recipe.title

    @property
    def sources(self) -> str:
        """What the lesson trains with, and where its example was published."""
        return f"This lesson trains with: {self.training_title}. Source: {self.source}."

    def question(self, trace: Trace, beat: Beat) -> Question:
        """Return the question of a beat with an exercise."""
        assert beat.exercise is not None
        tokenizer = self.tokenizer(trace, beat.step)
        text = self.corpus.training_text
        encoder = self.encoder_of(beat).slug
        situation = Situation(trace, text, beat.step, tokenizer, encoder, beat.encode)
        return question_of(beat.exercise, situation)


def read_recipe(table: Mapping[str, Any]) -> Recipe:
    """Return the recipe of a table with a preset, or a variant and a rule, and further settings.

    >>> read_recipe({"preset": "paper", "merges": 12}).variant
    'char-eow'
    """
    preset = table.get("preset", FREE)
    decided = {"variant": None, "tie_break": None} if preset == FREE else decided_by(preset)
    return Recipe.of({"preset": preset, **decided, **table})


def read_encoder(choice: str | Mapping[str, Any]) -> Encoder:
    """Return the encoder of a slug, or of a table with the slug and values of its settings.

    >>> read_encoder({"slug": "dropout", "p": 0.5}).value_of["p"]
    0.5
    """
    if isinstance(choice, str):
        return look_up("encoder", ENCODERS, choice)
    encoder: Encoder = look_up("encoder", ENCODERS, choice["slug"])
    return encoder.using(**{name: value for name, value in choice.items() if name != "slug"})


def read_symbol(spelled: Spelled, variant: Variant) -> Symbol:
    r"""Return the symbol of a spelling.

    >>> read_symbol("est</w>", bpe.VARIANTS["char-eow"]), read_symbol([240, 159], bpe.VARIANTS["bytes"])
    (b'est\xff', b'\xf0\x9f')
    """
    return variant.unspelled(spelled) if isinstance(spelled, str) else bytes(spelled)


def parts(sentence: str) -> list[tuple[str, bool]]:
    """Split a sentence at its backticks into (text, whether it is a token). Raises BPEError for a lone backtick.

    >>> parts("Now `es` + `t`.")
    [('Now ', False), ('es', True), (' + ', False), ('t', True), ('.', False)]
    """
    pieces = sentence.split("`")
    if len(pieces) % 2 == 0:
        raise BPEError(f"A token must be between two backticks, got {sentence!r}.")
    return [(piece, number % 2 == 1) for number, piece in enumerate(pieces) if piece]


def named_pairs(sentence: str) -> list[tuple[str, str]]:
    """Return the pairs that a sentence names: tokens with a plus sign between them.

    >>> named_pairs("Now `es` + `t` and `t` tie.")
    [('es', 't')]
    """
    pieces = parts(sentence)
    return [
        (left, right)
        for (left, one), (sign, other), (right, two) in zip(pieces, pieces[1:], pieces[2:], strict=False)
        if one and two and not other and sign.strip() == "+"
    ]
