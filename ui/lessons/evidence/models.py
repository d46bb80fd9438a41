"""The table of models: which one uses which tokenizer, and who says so. `models.toml` holds the rows."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import bpe
from bpe import BPEError

FILE = Path(__file__).parent / "models.toml"


@dataclass(frozen=True, slots=True)
class Model:
    """One model, or several with the same tokenizer."""

    slug: str
    name: str
    year: int
    algorithm: str
    library: str
    size: int  # ids in the vocabulary
    unknown: str  # what becomes of a character that the vocabulary lacks
    source: str
    about: bool = False  # `size` is a round number
    note: str = ""  # a correction of what can be read elsewhere
    preset: str = ""  # slug of the preset that trains in this way
    differs: str = ""  # what that preset leaves out

    def __post_init__(self) -> None:
        if self.preset not in ("", *bpe.PRESETS):
            raise BPEError(f"The preset of a model must be one of PRESETS, got {self.preset!r}.")
        if bool(self.preset) is not bool(self.differs):
            raise BPEError(f"A preset must come with what differs, got {self.differs!r} for {self.name}.")

    @property
    def size_text(self) -> str:
        """The size as people read it."""
        return f"{'about ' * self.about}{self.size:,}"


@cache
def models() -> Mapping[str, Model]:
    """Return the models by slug, in the order of their years."""
    rows = (Model(**row) for row in tomllib.loads(FILE.read_text("utf-8"))["models"])
    return {model.slug: model for model in sorted(rows, key=lambda model: model.year)}


def read_slugs(slugs: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of models. Raises BPEError for an unknown one."""
    unknown = [slug for slug in slugs if slug not in models()]
    if unknown:
        raise BPEError(f"There must be a row for each model, got {', '.join(unknown)}.")
    return tuple(slugs)


def models_box(slugs: Sequence[str]) -> dict[str, Any]:
    """Return the card's data: a row for each of these models, and its correction below it."""
    rows = []
    for model in (models()[slug] for slug in slugs):
        rows.append({"items": [f"{model.name}: {model.algorithm}, {model.library}, {model.size_text}"]})
        rows += [{"items": [f"↳ {model.note}"]}] * bool(model.note)
    return {"title": "Model: algorithm, library, size of the vocabulary", "rows": rows, "more": ""}


def models_table(slugs: Sequence[str]) -> dict[str, Any]:
    """Return the table's data: all models, those with these slugs marked, each with the link to its preset."""
    return {
        "label": "Which model uses which tokenizer",
        "rows": [
            {
                "cells": [model.name, model.algorithm, model.library, model.size_text, model.unknown],
                "note": model.note,
                "source": model.source,
                "preset": bpe.PRESETS[model.preset].title if model.preset else "",
                "link": f"./?preset={model.preset}" if model.preset else "",
                "differs": model.differs,
                "marked": model.slug in slugs,
            }
            for model in models().values()
        ],
    }
