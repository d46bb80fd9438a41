"""The page Lessons: guided worked examples. A lesson has a corpus, a recipe and beats; this module reads them.

The content is in the folder `course`, whose README explains the fields; `contents.toml` puts it in order.
`tests/ui/lessons/test_lessons.py` compares every figure that a beat quotes with `bpe.train`.

In the order of the page: `choosing`, the `beats` with their `evidence`, and below them `to_watch` (with
`own_settings`), `lesson_film` and the `overview` of the course. `kept_progress` survives a reload. `glossary` has the
terms, and `glossary_page` their page.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import bpe
from bpe import BPEError, Pair, Symbol, Trace, Variant
from bpe.checks import look_up
from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from ui.exercises import KINDS, Exercise, Question, Situation, question_of
from ui.lessons.evidence import (
    Curve,
    PatternView,
    Runs,
    Table,
    Ways,
    read_curve,
    read_pattern_view,
    read_runs,
    read_slugs,
    read_table,
    read_ways,
)
from ui.sidebar import corpus as corpora
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE, decided_by

COURSE = Path(__file__).parent / "course"
CONTENTS = Path(__file__).with_name("contents.toml")
CURIOUS = "For the curious"
# Evidence that fills the space beside the card.
SHOWN_ON_STAGE = ("bytes", "pattern", "curve", "table", "runs", "models", "every-way")
SPELLED = SHOWN_ON_STAGE[0]  # the rows from characters to tokens
STAGES = ("grid", "encoding", "compare", "word", "whole words", *SHOWN_ON_STAGE)
KINDS_OF_EVIDENCE = (
    "pair",
    "token",
    "tie",
    "words",
    "vocabulary",
    "encoding",
    "bytes",
    "runs",
    "curve",
    "pattern",
    "models",
    "table",
    "every-way",
)

Spelled = str | Sequence[int]  # a symbol in the file: text with its marker spelled, or bytes
Fact = Mapping[str, Any]  # a fact in the file: `kind` and the fields of that kind


@dataclass(frozen=True, slots=True)
class Beat:
    """One screen of a lesson: the grid's step, a text, and what the text points at."""

    step: int  # merges applied; merge `step` is the next one
    show: str  # one of KINDS_OF_EVIDENCE
    say: str  # the text, with tokens in backticks
    question: str = ""
    answer: str = ""  # hidden until the next key; of an exercise, the engine's own if it is empty
    exercise: Exercise | None = None  # checks an answer to the question
    pair: Pair | None = None
    tokens: tuple[Symbol, ...] = ()
    encode: str = ""  # a new text to encode
    word: str = ""  # a word of the text that fills the stage
    spells: str = ""  # words of the text that the stage “bytes” shows; by default the text's beginning
    encoder: Encoder | None = None  # if it is another one than the lesson's
    runs: Runs | None = None  # trainings to compare in a table
    curve: Curve | None = None  # tokens after every merge
    pattern: PatternView | None = None  # a text in the pieces of a pattern
    models: tuple[str, ...] = ()  # slugs of the models that the text is about
    table: Table | None = None
    ways: Ways | None = None  # to break the ties, for the stage "every-way"
    waits: int = 0  # rows of `runs` or `table` that stay hidden until the answer, the last ones
    stage: str = "grid"  # one of STAGES
    beside: Recipe | None = None  # recipe of the second grid, for the stage "compare"
    beside_step: int | None = None  # merges applied in the second grid, if not `step`
    facts: tuple[Fact, ...] = ()


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
        situation = Situation(trace, text, beat.step, tokenizer, self.encoder_of(beat).slug, beat.encode)
        return question_of(beat.exercise, situation)


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by slug: part by part, first those of the way, then those for the curious."""
    files = [tomllib.loads(file.read_text("utf-8")) for file in sorted(COURSE.glob("*.toml"))]
    rows = {row["slug"]: row for file in files for row in file["lessons"]}
    contents = tomllib.loads(CONTENTS.read_text("utf-8"))["parts"]
    way = [slug for part in contents for slug in part["way"]]
    numbers = {slug: number for number, slug in enumerate(way, start=1)}
    return {
        slug: _lesson({**rows[slug], "part": part["title"], "number": numbers.get(slug, 0)})
        for part in contents
        for slug in (*part["way"], *part["curious"])
    }


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


def _lesson(row: Mapping[str, Any]) -> Lesson:
    recipe = read_recipe(row["recipe"])
    variant = bpe.VARIANTS[recipe.variant]
    fields = {name: row[name] for name in row.keys() - {"text", "words", "recipe", "beats", "encoder"}}
    beats = tuple(read_beat(beat, variant) for beat in row["beats"])
    encoder = read_encoder(row.get("encoder", DEFAULT_ENCODER))
    return Lesson(corpus=_corpus(row), recipe=recipe, beats=beats, encoder=encoder, **fields)


def read_beat(row: Mapping[str, Any], variant: Variant) -> Beat:
    """Return the beat of a table. Raises BPEError for a stage that is unknown or lacks what it shows.

    >>> read_beat(
    ...     {"step": 3, "show": "encoding", "encode": "bug", "say": "`bug` is new."}, bpe.VARIANTS["bytes"]
    ... ).stage
    'encoding'
    """
    pair, beside = row.get("pair"), row.get("beside")
    spelled = row.get("tokens", [row["token"]] if "token" in row else [])
    tables = {name: read(row[name]) for name, read in READERS.items() if name in row}
    exercise = row.get("exercise")
    beat = Beat(
        **{
            **{name: value for name, value in row.items() if name != "token"},
            "pair": None if pair is None else _read_pair(pair, variant),
            "tokens": tuple(read_symbol(token, variant) for token in spelled),
            "facts": tuple(row.get("facts", ())),
            "stage": row.get("stage", _usual_stage(row)),
            "beside": None if beside is None else read_recipe(beside),
            **tables,
            "exercise": None if exercise is None else _read_exercise(exercise, variant),
        }
    )
    if beat.stage not in STAGES:
        raise BPEError(f"The stage of a beat must be one of {', '.join(STAGES)}, got {beat.stage!r}.")
    if beat.stage == "encoding" and not beat.encode:
        raise BPEError(f"A beat on the stage “encoding” must have a text to encode, got {beat.say!r}.")
    if (beat.stage == "word") is not bool(beat.word):
        raise BPEError(f"`word` belongs to the stage “word”, got {beat.stage!r} in {beat.say!r}.")
    if (beat.stage == "every-way") is not (beat.ways is not None):
        raise BPEError(f"`ways` belong to the stage “every-way”, got {beat.stage!r} in {beat.say!r}.")
    if beat.stage in SHOWN_ON_STAGE and beat.stage != beat.show:
        raise BPEError(f"The stage “{beat.stage}” must show the same, got {beat.show!r} in {beat.say!r}.")
    if beat.spells and beat.stage != SPELLED:
        raise BPEError(f"`spells` belongs to the stage “bytes”, got {beat.stage!r} in {beat.say!r}.")
    if (beat.stage == "compare") is not (beat.beside is not None):
        raise BPEError(f"`beside` belongs to the stage “compare”, got {beat.stage!r} in {beat.say!r}.")
    if beat.beside_step is not None and beat.beside is None:
        raise BPEError(f"`beside_step` is that of a second grid, got none in {beat.say!r}.")
    return beat


# A field of a beat that is a table or a list of its own -> what reads it.
READERS: Mapping[str, Callable[[Any], Any]] = {
    "runs": lambda table: read_runs(table, read_recipe),
    "curve": read_curve,
    "pattern": read_pattern_view,
    "models": read_slugs,
    "table": read_table,
    "ways": lambda table: read_ways(table, read_recipe),
    "encoder": read_encoder,
}


def _read_pair(pair: Sequence[Spelled], variant: Variant) -> Pair:
    left, right = pair
    return read_symbol(left, variant), read_symbol(right, variant)


def _read_exercise(table: Mapping[str, Any], variant: Variant) -> Exercise:
    if table.get("kind") not in KINDS:
        raise BPEError(f"An exercise must have a kind, one of {', '.join(KINDS)}, got {dict(table)}.")
    pair = table.get("pair")
    read = {
        "pair": None if pair is None else _read_pair(pair, variant),
        "words": tuple(table.get("words", ())),
    }
    return Exercise(**{**table, **read})


def _usual_stage(row: Mapping[str, Any]) -> str:
    if row.get("encode"):
        return "encoding"
    if row.get("word"):
        return "word"
    return row["show"] if row["show"] in SHOWN_ON_STAGE else "grid"


def _corpus(row: Mapping[str, Any]) -> Corpus:
    if "sample" in row:
        return corpora.from_sample(row["sample"])
    if "words" in row:
        return Corpus(row["title"], frequencies=row["words"])
    return corpora.from_text(row["text"], row["title"])
