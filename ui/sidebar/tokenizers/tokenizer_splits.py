"""Splits: how a tokenizer's file that does not say so may split text. Rows for a menu."""

from collections.abc import Mapping
from dataclasses import dataclass

from bpe import VARIANTS, Variant
from bpe.formats.tiktoken.published import ENCODINGS


@dataclass(frozen=True, slots=True)
class Split:
    """One way to split text. Without a variant it is guessed from the tokens."""

    title: str
    variant: Variant | None = None


def _splits() -> dict[str, Split]:
    known = {slug: row for slug, row in VARIANTS.items() if row.configure is None}
    published = {row.name: row for row in ENCODINGS if row.variant not in known.values()}
    return {
        "guess": Split("Guess from the tokens"),
        **{slug: Split(row.title, row) for slug, row in known.items()},
        **{name: Split(f"Bytes, pattern of {name}", row.variant) for name, row in published.items()},
    }


SPLITS: Mapping[str, Split] = _splits()
