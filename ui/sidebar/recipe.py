"""Recipes: all that decides a training besides the corpus, in slugs and bounded numbers, as a link carries it."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpe
from bpe import BPEError, Pair
from ui.show.text import in_markdown
from ui.sidebar.corpus import Corpus, samples

FREE = "none"  # the preset that leaves variant and tie-breaking rule open
OWN_MERGES = 200  # merges to begin with for a text of the viewer's own
MOST_PICKS = 50
MOST_PATTERN = 500  # characters
PATTERN = r"\p{L}+|\p{N}+|\s+|[^\s\p{L}\p{N}]+"  # to begin with: letters, digits, white space, the rest
SOURCES = {"sample": "Sample", "paste": "Paste", "upload": "Upload", "words": "Words"}
BOUNDS = {
    "merges": (0, 50_000),
    "vocab_size": (1, 200_000),
    "min_count": (1, 1_000_000),
    "seed": (0, 999_999),
    "step": (0, 50_000),
}
PICKS = re.compile(r"\d{1,5}\.\d{1,5}(-\d{1,5}\.\d{1,5})*")

Picks = tuple[tuple[int, int], ...]  # (rank, number among the pairs tied there, in order of first occurrence)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. `None`: no such stop rule for `vocab_size`, the preset's own for `min_count`."""

    preset: str
    variant: str
    tie_break: str
    merges: int
    vocab_size: int | None = None
    min_count: int | None = None
    seed: int = 0
    pattern: str = ""
    unit: str = "bytes"
    picks: Picks = ()

    @property
    def settings(self) -> dict[str, Any]:
        """The keyword arguments for `bpe.train`, but for the picks, which need a text."""
        free = {"variant": self.variant, "tie_break": self.tie_break}
        settings: dict[str, Any] = free if self.preset == FREE else dict(bpe.PRESETS[self.preset].settings)
        settings["merges"] = self.merges
        if self.vocab_size is not None:
            settings["vocab_size"] = self.vocab_size
        if self.min_count is not None:
            settings["min_count"] = self.min_count
        if bpe.TIE_BREAKS[self.tie_break].seeded:
            settings["seed"] = self.seed
        if bpe.VARIANTS[self.variant].configure:
            settings |= {"pattern": self.pattern, "unit": self.unit}
        return settings

    @property
    def without_end(self) -> "Recipe":
        """The same without stop rules and picks."""
        return replace(self, merges=0, vocab_size=None, min_count=None, picks=())

    @property
    def title(self) -> str:
        """The preset's label, or the variant's and the rule's."""
        if self.preset != FREE:
            return bpe.PRESETS[self.preset].title
        return f"{bpe.VARIANTS[self.variant].title}, {bpe.TIE_BREAKS[self.tie_break].title.lower()}"


def signature(corpus: Corpus, recipe: Recipe) -> str:
    """One name for this training: equal for equal text and recipe only; nothing can be read back from it."""
    return hashlib.sha256(f"{corpus.digest} {recipe}".encode()).hexdigest()[:32]


def resolved_picks(corpus: Corpus, recipe: Recipe) -> dict[int, Pair]:
    """{rank: pair} for the recipe's picks, each found in the training that the picks before it lead to."""
    picks: dict[int, Pair] = {}
    for rank, number in sorted(recipe.picks):
        trace = bpe.train(corpus.training_text, **(recipe.settings | {"merges": rank}), picks=picks)
        if len(trace.steps) < rank:
            raise BPEError(
                f"Merge {rank} was taken by hand, but this training ends after {len(trace.steps)} merges: undo it."
            )
        tied = trace.tied_pairs(rank)
        if number >= len(tied):
            raise BPEError(
                f"The pick for merge {rank} is number {number + 1} of the tied pairs, but {len(tied)} tie: undo it."
            )
        picks[rank] = tied[number]
    return picks


def written_picks(picks: Picks) -> str:
    """The picks as a link holds them.

    >>> written_picks(((0, 2), (4, 1)))
    '0.2-4.1'
    """
    return "-".join(f"{rank}.{number}" for rank, number in picks)


def read_picks(text: str) -> Picks:
    """The picks of a link.

    >>> read_picks("0.2-4.1")
    ((0, 2), (4, 1))
    """
    if not PICKS.fullmatch(text) or text.count("-") >= MOST_PICKS:
        raise BPEError("picks must be rank.number, at most 50 of them joined by “-”")
    numbers = [pick.partition(".") for pick in text.split("-")]
    return tuple(sorted({int(rank): int(number) for rank, _, number in numbers}.items()))


def choices(key: str) -> tuple[str, ...]:
    """The slugs a shared control takes, in menu order; () where it takes something else."""
    rules = (slug for slug, rule in bpe.TIE_BREAKS.items() if rule.menu)
    return {
        "corpus_source": tuple(SOURCES),
        "corpus_sample": tuple(samples()),
        "preset": (*bpe.PRESETS, FREE),
        "variant": tuple(bpe.VARIANTS),
        "tie_break": tuple(rules),
        "unit": ("bytes", "characters"),
    }.get(key, ())


def read_link(parameters: Mapping[str, str]) -> tuple[dict[str, str | int | Picks], list[str]]:
    """(values by key, Markdown sentences on what was ignored and why); foreign parameters are left alone."""
    values: dict[str, str | int | Picks] = {}
    ignored: list[str] = []
    for key, text in parameters.items():
        slugs = choices(key)
        shown = f"The link asks for {key} “{in_markdown(text, 40)}”, but"
        if slugs and text in slugs:
            values[key] = text
        elif slugs:
            ignored.append(f"{shown} there is no such choice; it was ignored.")
        elif key in BOUNDS:
            low, high = BOUNDS[key]
            if re.fullmatch(r"[0-9]{1,9}", text) and low <= int(text) <= high:
                values[key] = int(text)
            else:
                ignored.append(f"{shown} it must be a whole number from {low:,} to {high:,}; it was ignored.")
        elif key == "pattern":
            if 0 < len(text) <= MOST_PATTERN and text.isprintable():
                values[key] = text
            else:
                ignored.append(
                    f"{shown} it must be one line of at most {MOST_PATTERN} characters; it was ignored."
                )
        elif key == "picks":
            try:
                values[key] = read_picks(text)
            except BPEError as error:
                ignored.append(f"{shown} {error}; it was ignored.")
    return values, ignored
