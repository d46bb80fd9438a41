"""The details of a comparison in tabs, from the evidence to the words. Only the open tab is computed."""

from collections.abc import Callable, Sequence

import streamlit as st

from bpe.comparison.tables import (
    COMPRESSION,
    Table,
    lanes_table,
    pairs_table,
    tokens_table,
    words_table,
)
from bpe.comparison.verdict import ANSWERS
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import counted
from ui.choices.choices import Choice
from ui.page_parts.compare import answer, parts, verdict
from ui.page_parts.compare.comparison import PageComparison, evidence_of
from ui.page_parts.compare.held_out_text import draw_controls, split_corpus
from ui.page_parts.compare.parts import learned_table, word_table
from ui.page_parts.compare.stage import ways_tab
from ui.trainings.corpus import Corpus
from ui.trainings.memory_budget import fragment
from ui.view.chip_result_table import chip_result_table, file_button
from ui.view.chip_table import plain_table
from ui.view.tables import distinct_names
from ui.view.text import in_markdown

_MOST_FIGURE_COLUMNS = 3
_ALL_MEASURES = 400  # pixels, the height of their table

# Figures that the page has beside the grids, or as a share
_LEFT_OUT = {"merges", "tokens in the training text", "tokens that both learned"}
_OF_HELD_OUT = " in the held-out text"  # said above the tables


@fragment
def details(comparison: PageComparison, choice: Choice) -> None:
    """Draw the tabs."""
    tabs: dict[str, Callable[[], None]] = {
        "Evidence": lambda: _evidence_tab(comparison),
        "Every way": lambda: ways_tab(comparison),
        "Vocabularies": lambda: _vocabularies(comparison),
        "Encode under each": lambda: _words_tab(comparison, choice.corpus),
    }
    for tab, draw_tab in zip(
        st.tabs(list(tabs), key="compare_details", on_change="rerun"), tabs.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw_tab()


def _evidence_tab(comparison: PageComparison) -> None:
    """Draw a table of lanes, one of pairs, and the sentences that are not under the answer."""
    evidence = evidence_of(comparison)
    if evidence is None:
        st.caption("The held-out text has not been measured yet.")
        return
    held_out = comparison.held_out
    why = f"It is not part of the training text, because {held_out.reason}. " if held_out.reason else ""
    size = counted(evidence.characters, "character")
    about = in_markdown(f"The held-out text has {size}. {why}{verdict.CHANGE}", 900)
    st.caption(
        in_markdown(verdict.tested_on(comparison, None), 300),
        help=f"{about}\n\n{COMPRESSION}\n\n{in_markdown(ANSWERS, most=1500)}",
    )
    lanes, pairs = lanes_table(comparison, evidence), pairs_table(comparison, evidence)
    # The table of one pair is narrow and high: it stands beside the sentences.
    with st.container(key="evidence"):
        left, right = (
            st.columns([21, 20], gap="small") if len(pairs.rows) == 1 else (st.container(), st.container())
        )
    with left:
        _measures_table("held-out text", lanes, 1, comparison.titles, "lanes")
        sentences = verdict.rest(comparison, evidence)
        with st.container(key="evidence_sentences"):
            st.markdown("\n".join(f"- {in_markdown(sentence, most=1500)}" for sentence in sentences))
    with right:
        of_pairs = [f"{one} and {other}" for one, other, *_ in pairs.rows]
        titles = ["the two lanes"] if len(of_pairs) == 1 else of_pairs
        _measures_table("pairs of lanes", pairs, 2, titles, "pairs of lanes")


def _measures_table(name: str, table: Table, named: int, titles: Sequence[str], plural: str) -> None:
    """Draw a row for each measure and a column for each lane or pair, if they are few: the page is wide enough then.

    named: how many columns name a row.
    titles: of the rows, as columns. The file has all columns.
    """
    measures, rows = _measures_of(table)
    key, label = f"table_{name.replace(' ', '_')}", f"Table of {plural}"
    if len(rows) > _MOST_FIGURE_COLUMNS:
        plain_table(
            (*table.names[:named], *measures),
            [(*row[:named], *cells) for row, cells in zip(table.rows, rows, strict=True)],
            key=key,
            label=label,
            figures=measures,
        )
    else:
        titles = distinct_names(titles)
        plain_table(
            ("measure", *titles),
            list(zip(measures, *rows, strict=True)),
            key=key,
            label=label,
            figures=titles,
            prose=("measure",),
            height=_ALL_MEASURES,
        )
    file_button(name, table.names, table.rows)


def _measures_of(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return the names of a table's figures, and the figures of each row as texts; a share is in percent."""
    names: list[str] = []
    rows: list[list[str]] = [[] for _ in table.rows]
    for at, column in enumerate(table.columns):
        if column.kind == "text" or column.name in _LEFT_OUT:
            continue
        name = column.name.removesuffix(_OF_HELD_OUT)
        names.append(f"{name}, %" if column.kind == "share" else name)
        for texts, cells in zip(rows, table.rows, strict=True):
            texts.append(_figure(cells[at], 100 if column.kind == "share" else 1))
    return names, rows


def _figure(cell: object, scale: int) -> str:
    """Return a figure; "" if there is none."""
    if not isinstance(cell, int | float):
        return ""
    return f"{cell:,}" if isinstance(cell, int) and scale == 1 else f"{cell * scale:.2f}".replace("-", "−")


def _words_tab(comparison: PageComparison, corpus: Corpus) -> None:
    """Draw the controls of the held-out text, its words, and a table of words for it and for the text trained on.

    `corpus` is the chosen text; a part of it may be set aside.
    """
    draw_controls(corpus, comparison.held_out)
    if split_corpus(corpus, comparison.lanes)[1] != comparison.held_out:
        st.rerun()  # rerun the whole page: the verdict counts the text's words
    st.caption("The held-out text after the last merge. A frame marks words that are split differently.")
    words = comparison.test_words
    parts.words_under_lanes(comparison, words)
    if len(words) > parts.MOST_WORDS:
        st.caption(f"The picture shows the first {parts.MOST_WORDS:,} of {len(words):,} distinct words.")
    _word_table(comparison, "test", words)
    _word_table(comparison, "corpus", comparison.corpus_words)


def _word_table(comparison: PageComparison, source: str, words: Sequence[WordUnderTraces]) -> None:
    text = {"test": "held-out text", "corpus": "training text"}[source]
    differing = verdict.frequency(word for word in words if word.differs)
    of = f"{differing:,} of {verdict.frequency(words):,}"
    st.markdown(f"**Words of the {text}: {of} {'is' if differing == 1 else 'are'} split differently.**")
    ordered = sorted(words, key=lambda word: not word.differs)
    table = words_table(comparison, ordered)
    chip_result_table(
        f"{source} words",
        word_table(comparison, ordered),
        table.names,
        table.rows,
        "word",
        "distinct words, those split differently first",
    )


def _vocabularies(comparison: PageComparison) -> None:
    answer.learned_tokens(comparison)
    note = "“moved”: both learned it, but in a different order." if len(comparison.lanes) == 2 else None
    st.caption("Every token that at least one lane learned, and at which merge.", help=note)
    table = tokens_table(comparison)
    chip_result_table("tokens", learned_table(comparison), table.names, table.rows, "token", "tokens")
