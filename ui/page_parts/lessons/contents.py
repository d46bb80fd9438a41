"""The contents of the course: its lessons in order, read from the files in `course`, whose README explains the fields.

`contents.toml` puts the lessons in order. `tests/ui/lessons/course` compares what a beat says with `bpe.train`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import bpe
from bpe import BPEError, Pair, Variant
from bpe.encoding.encoders import DEFAULT_ENCODER
from ui.page_parts.lessons.exercises import KINDS, Exercise
from ui.page_parts.lessons.lesson import Beat, Lesson, Spelled, read_encoder, read_recipe, read_symbol
from ui.page_parts.lessons.moving_numbers import has_numbers
from ui.page_parts.lessons.stages import EVIDENCE, STAGES
from ui.trainings import corpus as corpora
from ui.trainings.corpus import Corpus

_COURSE = Path(__file__).parent / "course"
_CONTENTS = Path(__file__).with_name("contents.toml")


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by slug: part by part, first those of the way, then those for the curious."""
    files = [tomllib.loads(file.read_text("utf-8")) for file in sorted(_COURSE.glob("*.toml"))]
    rows = {row["slug"]: row for file in files for row in file["lessons"]}
    contents = tomllib.loads(_CONTENTS.read_text("utf-8"))["parts"]
    way = [slug for part in contents for slug in part["way"]]
    numbers = {slug: number for number, slug in enumerate(way, start=1)}
    return {
        slug: _lesson({**rows[slug], "part": part["title"], "number": numbers.get(slug, 0)})
        for part in contents
        for slug in (*part["way"], *part["curious"])
    }


def _lesson(row: Mapping[str, Any]) -> Lesson:
    recipe = read_recipe(row["recipe"])
    variant = bpe.VARIANTS[recipe.variant]
    fields = {name: row[name] for name in row.keys() - {"text", "words", "recipe", "beats", "encoder"}}
    beats = tuple(_read_beat(beat, variant) for beat in row["beats"])
    encoder = read_encoder(row.get("encoder", DEFAULT_ENCODER))
    return Lesson(corpus=_corpus(row), recipe=recipe, beats=beats, encoder=encoder, **fields)


def _read_beat(row: Mapping[str, Any], variant: Variant) -> Beat:
    """Return the beat of a table. Raises BPEError for a stage that is unknown or lacks what it shows.

    >>> _read_beat(
    ...     {"step": 3, "show": "encoding", "encode": "bug", "say": "`bug` is new."}, bpe.VARIANTS["bytes"]
    ... ).stage
    'encoding'
    """
    slug = row.get("stage", _usual_stage(row))
    fields = _fields_of(slug, row)
    _check_numbers(slug, row)
    pair, exercise = row.get("pair"), row.get("exercise")
    spelled = row.get("tokens", [row["token"]] if "token" in row else [])
    own = {name: value for name, value in row.items() if name not in fields and name != "token"}
    return Beat(
        **{
            **own,
            "pair": None if pair is None else _read_pair(pair, variant),
            "tokens": tuple(read_symbol(token, variant) for token in spelled),
            "stage": slug,
            "shown": {name: read(row[name]) for name, read in fields.items() if name in row},
            "encoder": read_encoder(row["encoder"]) if "encoder" in row else None,
            "exercise": None if exercise is None else _read_exercise(exercise),
        }
    )


def _check_numbers(stage: str, row: Mapping[str, Any]) -> None:
    """Raise BPEError for a number to drag where no training's grid goes along, or where it would tell an answer."""
    if has_numbers(row.get("question", "")):
        raise BPEError(f"A question must not have a number to drag, got {row['question']!r}.")
    if has_numbers(row["say"] + row.get("answer", "")) and stage != "grid":
        raise BPEError(
            f"A number can be dragged beside the stage “grid” only, got {stage!r} in {row['say']!r}."
        )


def _usual_stage(row: Mapping[str, Any]) -> str:
    """Return the stage whose field the table has; else the one that shows the evidence, or the training's grid."""
    named = (slug for slug, stage in STAGES.items() if stage.needs and stage.needs in row)
    return next(named, row["show"] if row["show"] in STAGES else "grid")


def _fields_of(slug: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what reads the fields of the stage and of the evidence. Raises BPEError if one is missing or too many."""
    if slug not in STAGES:
        raise BPEError(f"The stage of a beat must be one of {', '.join(STAGES)}, got {slug!r}.")
    if row["show"] not in EVIDENCE:
        raise BPEError(f"A beat must show one of {', '.join(EVIDENCE)}, got {row['show']!r}.")
    say = row["say"]
    if STAGES[slug].is_evidence and slug != row["show"]:
        raise BPEError(f"The stage “{slug}” must show the same, got {row['show']!r} in {say!r}.")
    used = {name: STAGES[name] for name in (slug, row["show"]) if name in STAGES}
    for name, stage in used.items():
        if stage.needs and not row.get(stage.needs):
            raise BPEError(f"“{name}” needs `{stage.needs}`, got none in {say!r}.")
    for name, stage in STAGES.items():
        if name not in used and (strange := stage.fields.keys() & row.keys()):
            raise BPEError(f"`{min(strange)}` belongs to “{name}”, got {slug!r} in {say!r}.")
    return {name: read for stage in used.values() for name, read in stage.fields.items()}


def _read_pair(pair: Sequence[Spelled], variant: Variant) -> Pair:
    left, right = pair
    return read_symbol(left, variant), read_symbol(right, variant)


def _read_exercise(table: Mapping[str, Any]) -> Exercise:
    if table.get("kind") not in KINDS:
        raise BPEError(f"An exercise must have a kind, one of {', '.join(KINDS)}, got {dict(table)}.")
    return Exercise(**table)


def _corpus(row: Mapping[str, Any]) -> Corpus:
    if "sample" in row:
        return corpora.from_sample(row["sample"])
    if "words" in row:
        return Corpus(row["title"], frequencies=row["words"])
    return corpora.from_text(row["text"], row["title"])
