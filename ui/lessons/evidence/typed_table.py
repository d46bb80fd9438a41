"""A table of results of tokenizers that the app does not train, such as Unigram. Tests compute it with the library."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """A title, and rows of (name, the tokens of each word)."""

    title: str
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


def read_table(table: Mapping[str, Any]) -> Table:
    """Return the table with `title` and `rows`, each with a `name` and `words`, which are lists of tokens."""
    return Table(
        table["title"], tuple((row["name"], tuple(map(tuple, row["words"]))) for row in table["rows"])
    )
