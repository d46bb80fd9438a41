"""What the page's worker asks of Python: the list of presets, and a film of a training."""

import json
import time
from collections.abc import Callable

import regex

import bpe
from bpe import BPEError, Preset
from film.page import film_page

MOST_CHARACTERS = 1_000_000
MOST_MERGES = 10_000
TELL = 0.1  # seconds between two reports of progress


def presets() -> str:
    """Return [slug, title] of every preset that works here as JSON. Some need what only the real `regex` can do."""
    return json.dumps([(preset.slug, preset.title) for preset in bpe.PRESETS.values() if _works(preset)])


def film(text: str, preset: str, merges: int, tell: Callable[[int], None]) -> str:
    """Return {"page": the film of a training} as JSON, or {"problem": one sentence}. `tell` gets the merges so far."""
    try:
        return json.dumps({"page": _film(text, preset, merges, tell)})
    except BPEError as error:
        return json.dumps({"problem": str(error)})
    except (MemoryError, RecursionError):
        return json.dumps(
            {"problem": "This training does not fit into the browser's memory: use a shorter text."}
        )


def _works(preset: Preset) -> bool:
    try:
        bpe.train("ab ab 1", **{**preset.settings, "vocab_size": None, "merges": 2})
    except regex.error:
        return False
    return True


def _film(text: str, preset: str, merges: int, tell: Callable[[int], None]) -> str:
    if not text.strip():
        raise BPEError("Type or paste a text first.")
    if len(text) > MOST_CHARACTERS:
        raise BPEError(
            f"At most {MOST_CHARACTERS:,} characters are allowed, and this text has {len(text):,}."
        )
    if preset not in bpe.PRESETS or not 1 <= merges <= MOST_MERGES:
        raise BPEError(f"Choose a trainer from the list and 1 to {MOST_MERGES:,} merges.")
    row = bpe.PRESETS[preset]
    training = bpe.train_steps(text, **{**row.settings, "vocab_size": None, "merges": merges})
    latest = time.monotonic()
    for step in training:
        if time.monotonic() - latest > TELL:
            latest = time.monotonic()
            tell(step.rank + 1)
    return film_page(training.trace(), text, title=f"{row.title}, in the browser alone")
