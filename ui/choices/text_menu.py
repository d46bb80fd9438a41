"""What the list of samples shows: the first words of each, as its training spells them at the start."""

from collections.abc import Iterable
from functools import cache

import bpe
from ui.choices.tokenizer_menu import spelled
from ui.trainings.corpus import from_sample, samples
from ui.view.choice_list import Contents, ListRow

_FIRST, _MORE = "No text in mind? Start with one of these", "More samples"


def rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return the rows of these samples, each with what it shows. Those for somebody without an idea stand together."""
    shown, part = list[ListRow](), ""
    for row in map(samples().__getitem__, slugs):
        before, part = part, _FIRST if row.first else _MORE if part else ""
        section = part if part != before else ""
        shown.append(ListRow(row.slug, row.title, row.about, row.shows, section))
    return shown


def contents(step: int) -> Contents | None:
    """Return what the list of samples shows."""
    return _contents()


@cache
def _contents() -> Contents:
    spellings = {
        slug: (from_sample(slug), bpe.PRESETS[row.preset].settings) for slug, row in samples().items()
    }
    words, tokens = spelled(spellings)
    return Contents(headline=("Samples", "Each begins like this:"), words=words, tokens=tokens)
