"""Measuring the texts of the page Languages, once for equal texts and tokenizers."""

from collections.abc import Mapping, Sequence

import streamlit as st

from bpe.analysis.languages import Measured, measured
from ui.languages.own_files import Named
from ui.work.byte_cache import ByteCache, digest_of

# The keys hash texts and names, so only a session that has them can get their figures.
_MEASURED: ByteCache[list[Measured]] = ByteCache(4_000_000)


def measured_texts(tokenizers: Sequence[Named], texts: Mapping[str, str]) -> list[Measured]:
    """Return an entry for each text and tokenizer, text by text."""
    by_tokenizer = [_under(named, texts) for named in tokenizers]
    return [entries[number] for number in range(len(texts)) for entries in by_tokenizer]


def _under(named: Named, texts: Mapping[str, str]) -> list[Measured]:
    key = digest_of(named.key, named.name, *(part for item in texts.items() for part in item))
    known = _MEASURED.find(key)
    if known is not None:
        return known
    with st.spinner(f"Counting the tokens of {named.name} …"):
        return _MEASURED.get(
            key, lambda: [measured(named.tokenizer, named.name, name, text) for name, text in texts.items()]
        )
