"""Normalizations: how a training can change its text before the text is split. To add one, add a row."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

from bpe.text.before_splitting.alignment import Aligned, each
from bpe.text.before_splitting.alignment import form as aligned_form

Normalization = Literal["NFC", "NFD", "NFKC", "NFKD", "lower"]


@dataclass(frozen=True, slots=True)
class NormalizationRow:
    """One change of a text. Applying it twice changes nothing more, so words may be counted before or after it."""

    slug: Normalization
    title: str
    name: str  # within a sentence
    about: str  # one sentence
    apply: Callable[[str], str]
    align: Callable[[str], Aligned]  # the same, and where each character comes from
    hugging_face: str  # its type in a tokenizer.json


def lower_case(text: str) -> str:
    """Return the text in lower case, each letter by itself.

    `str.lower()` knows that a sigma ends a word, and Hugging Face's Lowercase does not.

    >>> lower_case("ΟΔΟΣ, Main STREET")
    'οδοσ, main street'
    """
    return "".join(map(str.lower, text))


def _form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], about: str) -> NormalizationRow:
    change = partial(unicodedata.normalize, form)
    return NormalizationRow(form, form, form, about, change, partial(aligned_form, change=change), form)


_ROWS = (
    _form("NFC", "Composes: e and a combining accent become one code point, é."),
    _form("NFD", "Decomposes: é becomes e and a combining accent."),
    _form("NFKC", "Composes, and replaces look-alikes by plain characters: the ligature ﬁ becomes f and i."),
    _form("NFKD", "Decomposes, and replaces look-alikes by plain characters."),
    NormalizationRow(
        slug="lower",
        title="Lower case",
        name="lower-casing",
        about="Writes everything in lower case, so The and the are one word. Decoding gives lower case only.",
        apply=lower_case,
        align=partial(each, change=str.lower),
        hugging_face="Lowercase",
    ),
)

NORMALIZATIONS: Mapping[str, NormalizationRow] = MappingProxyType({row.slug: row for row in _ROWS})


def normalized(text: str, normalization: Normalization | None) -> str:
    """Return the text after a normalization; unchanged for None."""
    return NORMALIZATIONS[normalization].apply(text) if normalization else text
