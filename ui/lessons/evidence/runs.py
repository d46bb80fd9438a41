"""The results of several recipes for one corpus, for the table of a beat: their merges, words or pre-tokens."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpe
from bpe import BPEError, Trace, Variant, Word
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.recipes.settings import FREE
from ui.sidebar.texts.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Runs:
    """The trainings that a beat compares, and what it shows of each."""

    of: str  # one of RESULTS
    under: tuple[Recipe, ...]
    text: str = ""  # what "pieces" splits
    names: tuple[str, ...] = ()  # of the recipes, if their presets, rules or variants do not tell them apart

    def __post_init__(self) -> None:
        if self.of not in RESULTS:
            raise BPEError(f"Runs must be of one of {', '.join(RESULTS)}, got {self.of!r}.")
        if bool(self.text) is not (self.of == "pieces"):
            raise BPEError(f"A text belongs to runs of pieces, got {self.text!r} for {self.of!r}.")
        if self.names and len(self.names) != len(self.under):
            raise BPEError(f"Each of {len(self.under)} runs must have a name, got {len(self.names)} names.")


@dataclass(frozen=True, slots=True)
class Result:
    """One training's name and what it gave: words of symbols, all in one row, or a note."""

    name: str
    variant: Variant
    rows: tuple[Word, ...]
    note: str = ""


def results(runs: Runs, corpus: Corpus) -> Iterator[Result]:
    """Yield the result of every recipe."""
    names = runs.names or tuple(name_of(recipe, runs.of) for recipe in runs.under)
    for name, recipe in zip(names, runs.under, strict=True):
        trace = bpe.train(corpus.training_text, **recipe.settings)
        note = _cost(trace) if runs.of == "costs" else ""
        yield Result(name, trace.variant, RESULTS[runs.of](trace, runs), note)


def name_of(recipe: Recipe, of: str) -> str:
    """Return the name of a recipe: its preset, or the rule that it breaks ties by, or its variant for pieces.

    >>> name_of(
    ...     Recipe.of({"preset": "rustbpe", "variant": "bytes-gpt4", "tie_break": "ids-min", "merges": 1}),
    ...     "words",
    ... )
    'rustbpe'
    """
    if of == "pieces":
        return bpe.VARIANTS[recipe.variant].title
    return (
        bpe.TIE_BREAKS[recipe.tie_break].title if recipe.preset == FREE else bpe.PRESETS[recipe.preset].title
    )


def _merges(trace: Trace, runs: Runs) -> tuple[Word, ...]:
    return (tuple(left + right for left, right in trace.merges),)


def _words(trace: Trace, runs: Runs) -> tuple[Word, ...]:
    return tuple(word for word, _ in trace.words_at(len(trace.steps)))


def _pieces(trace: Trace, runs: Runs) -> tuple[Word, ...]:
    return (tuple(piece.encode() for piece in trace.variant.split(runs.text)),)


def _cost(trace: Trace) -> str:
    pieces, tokens = sum(trace.frequencies), trace.tokens_total(len(trace.steps))
    return f"{pieces:,} pieces, {tokens:,} tokens"


# What to show of a training -> its words or its only row.
RESULTS: Mapping[str, Callable[[Trace, Runs], tuple[Word, ...]]] = {
    "merges": _merges,
    "words": _words,
    "pieces": _pieces,
    "costs": lambda trace, runs: (),
}
TITLES = {
    "merges": "The first tokens that each one makes",
    "words": "How each one splits the text",
    "pieces": "The pieces of this line",
    "costs": "Pieces and tokens of the same text, after the same number of merges",
}


def read_runs(table: Mapping[str, Any], read_recipe: Callable[[Mapping[str, Any]], Recipe]) -> Runs:
    """Return the runs of a table with `of`, `under` and perhaps `text` and `names`."""
    under = tuple(map(read_recipe, table["under"]))
    return Runs(table["of"], under, table.get("text", ""), tuple(table.get("names", ())))
