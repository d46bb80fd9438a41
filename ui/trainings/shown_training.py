"""What the page shows: the corpus and its complete trainings, for menus that show what each choice makes of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from bpe import Trace
from ui.trainings.corpus import Corpus
from ui.trainings.recipe import Recipe
from ui.view.visit import Slot, nothing


@dataclass(frozen=True, slots=True)
class ShownTraining:
    """A complete training or replay."""

    name: str  # a hash of corpus and recipe
    recipe: Recipe
    trace: Trace


@dataclass(frozen=True, slots=True)
class _Shown:
    corpus: Corpus
    trainings: tuple[ShownTraining, ...]


_SHOWN: Slot[_Shown | None] = Slot("_shown_training", nothing)


def note(corpus: Corpus, trainings: Iterable[ShownTraining]) -> None:
    """Remember what the page shows."""
    _SHOWN.write(_Shown(corpus, tuple(trainings)))


def shown_corpus() -> Corpus | None:
    """Return the corpus of the page's trainings; None before the first one."""
    shown = _SHOWN.read()
    return shown.corpus if shown else None


def shown_trainings() -> tuple[ShownTraining, ...]:
    """Return the trainings of the page that are complete."""
    shown = _SHOWN.read()
    return shown.trainings if shown else ()
