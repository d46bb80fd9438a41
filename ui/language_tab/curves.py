"""The curves of the named documents under one training, cached; and the rows of tables and files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe import Trace
from bpe.analysis.language_metrics import METRICS, Metric
from bpe.analysis.languages import DocumentCurves, document_curves
from ui.language_tab.digest import digest_of
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.texts.corpus import Corpus
from ui.work.byte_cache import ByteCache

MOST_DOCUMENTS = 40
MOST_CHARACTERS = 4_000_000  # of all documents: some 8 s of work for the first draw


@dataclass(frozen=True, slots=True)
class Lane:
    """One training to draw. Its key identifies corpus and recipe."""

    title: str
    trace: Trace
    key: str
    # of `bpe.train`, without picks by hand; None for any other training
    settings: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, title: str, trace: Trace, key: str, recipe: Recipe) -> "Lane":
        """Return the lane of a recipe."""
        return cls(title, trace, key, None if recipe.file else recipe.changed(picks=()).settings)


def compared(corpus: Corpus) -> dict[str, str]:
    """Return the first documents, by name, each cut so that all together are not too long."""
    names = list(corpus.named)[:MOST_DOCUMENTS]
    most = MOST_CHARACTERS // max(1, len(names))
    return {name: corpus.named[name][:most] for name in names}


# The keys hash texts and names, so only a session that has them can get their curves.
_CURVES: ByteCache[list[DocumentCurves]] = ByteCache(16_000_000)


def curves_of(lane: Lane, documents: Mapping[str, str]) -> list[DocumentCurves]:
    """Return the curves of the documents under a lane."""
    key = digest_of(lane.key, len(lane.trace.steps), *documents)
    known = _CURVES.find(key)
    if known is not None:
        return known
    with st.spinner("Counting the tokens of each text …"):
        return _CURVES.get(key, lambda: document_curves(lane.trace, documents))


def of_one() -> list[Metric]:
    """Return the metrics that each document has for itself."""
    return [metric for metric in METRICS.values() if not metric.of_all]


def rows(
    curves: Sequence[DocumentCurves], base: int, steps: Sequence[int]
) -> Iterator[tuple[int | str | float | None, ...]]:
    """Yield (merges done, name, the value of each metric of one document, Gini of all), step by step."""
    every = [*of_one(), *(metric for metric in METRICS.values() if metric.of_all)]
    for k in steps:
        for number, document in enumerate(curves):
            yield k, document.name, *(metric.value(curves, number, base, k) for metric in every)


def columns() -> tuple[str, ...]:
    """Return the titles of the cells of `rows`."""
    every = [*of_one(), *(metric for metric in METRICS.values() if metric.of_all)]
    return ("merges done", "text", *(metric.title for metric in every))
