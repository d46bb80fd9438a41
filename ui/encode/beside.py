"""Encoders side by side: the same text cut by each, differences marked."""

from dataclasses import replace

import streamlit as st

from bpe import Trace
from bpe.alignment import mark_differences, token_row
from bpe.encoders import ENCODERS
from bpe.metrics import measure
from bpe.parts import next_cut
from ui import tables
from ui.aligned_rows import aligned_rows
from ui.encode.controls import BY_VOCABULARY, Setting
from ui.encode.encoded import Encoded
from ui.state import Choice

MOST_SHOWN = 240  # characters drawn in rows
MOST_COUNTED = 50_000  # characters counted for the table
COLUMNS = ("encoder", "tokens", "characters per token", "words cut differently", "who does so")


def shown_part(text: str, setting: Setting) -> str:
    """The beginning of the text that is drawn in rows, cut where no pre-token is."""
    end = next_cut(text, setting.tokenizer.variant, MOST_SHOWN)
    return text[: end if end <= 2 * MOST_SHOWN else MOST_SHOWN]


def draw(trace: Trace, choice: Choice, setting: Setting, made: Encoded) -> None:
    """A row for each encoder, and what each costs."""
    tokenizer = setting.tokenizer
    slugs = BY_VOCABULARY if setting.typed else tuple(ENCODERS)
    text = shown_part(made.text, setting)
    rows = [
        replace(
            token_row(text, tokenizer.tokens(text, slug), tokenizer.variant, tokenizer.ids),
            slug=slug,
            title=ENCODERS[slug].title,
        )
        for slug in slugs
    ]
    marks = mark_differences(rows)
    aligned_rows(
        rows, tokenizer.ids, key="encoders_rows", label="The same text under each encoder", differs=marks
    )
    counted = made.text[: next_cut(made.text, tokenizer.variant, MOST_COUNTED)][: 2 * MOST_COUNTED]
    words = list(dict.fromkeys(tokenizer.variant.split(counted)))
    cuts = {slug: [tuple(tokenizer.word_tokens(word, slug)) for word in words] for slug in slugs}
    lines = []
    for slug in slugs:
        tokens = len(tokenizer.tokens(counted, slug))
        other = sum(cut != first for cut, first in zip(cuts[slug], cuts[slugs[0]], strict=True))
        ratio = round(measure(counted, tokens).characters_per_token, 3)
        lines.append((ENCODERS[slug].title, tokens, ratio, other, ENCODERS[slug].who))
    st.dataframe(
        tables.frame(COLUMNS, lines),
        hide_index=True,
        key="encoders_table",
        column_config={
            "words cut differently": st.column_config.NumberColumn(
                help=f"Of {len(words):,} different pre-tokens, those cut otherwise than in the first row"
            )
        },
    )
    if not any(map(any, marks)):
        st.caption(
            "Here all of them agree. Merges in the order they were learned leave rank and rules no choice to differ."
        )
    if len(text) < len(made.text):
        st.caption(
            f"The rows show the first {len(text):,} of {len(made.text):,} characters, "
            f"the table counts {len(counted):,}."
        )
