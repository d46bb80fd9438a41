"""The view “All variants”: the text under every variant, each trained on the same corpus, in aligned rows."""

from dataclasses import replace
from typing import cast

import streamlit as st

import bpe
from bpe import Trace
from bpe.analysis.compression import measure
from bpe.analysis.text_rows.alignment import mark_differences, token_row
from bpe.analysis.text_rows.spectrum import tokens_in, unknown_in
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS, Normalization, normalized
from ui.components.aligned_rows import aligned_rows
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, beginning
from ui.show import tables
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.recipes.settings import FREE
from ui.sidebar.sidebar import Choice
from ui.trainings import training

COLUMNS = ("variant", "tokens", "characters per token", "unknown", "what is lost")


def variants_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each variant and a table. Trains every variant with the same merges, rule and normalization."""
    own = choice.recipe
    slugs = [slug for slug, row in bpe.VARIANTS.items() if row.configure is None]
    form = None if own.file else cast(Normalization | None, own.values["normalization"])
    like_own = Recipe(FREE, own.variant, own.tie_break, own.merges, seed=own.seed).changed(normalization=form)
    recipes = [like_own.changed(variant=slug) for slug in slugs]
    first = f" Each begins with {NORMALIZATIONS[form].name}." if form else ""
    st.caption(
        f"Every variant, trained on the same text with {counted(own.merges, 'merge')}. The rule for ties is "
        f"“{bpe.TIE_BREAKS[own.tie_break].title}”.{first}"
    )
    traces = training.required_traces(choice.corpus, [own, *recipes])[1:]
    text = normalized(beginning(setting.text, setting), form)
    rows = []
    for slug, trained in zip(slugs, traces, strict=True):
        tokenizer = trained.tokenizer(min(setting.step, len(trained.steps)))
        row = token_row(text, tokenizer.tokens(text, setting.encoder), trained.variant, tokenizer.ids)
        rows.append(replace(row, slug=slug, title=trained.variant.title))
    marks = mark_differences(rows, text)
    aligned_rows(rows, {}, key="variants_rows", label="The same text under each variant", differs=marks)
    table = [
        (
            row.title,
            tokens_in(row),
            round(measure(text, tokens_in(row)).characters_per_token, 3),
            unknown_in(row),
            bpe.VARIANTS[row.slug].loses or "nothing",
        )
        for row in rows
    ]
    st.dataframe(tables.frame(COLUMNS, table), hide_index=True, key="variants_table")
