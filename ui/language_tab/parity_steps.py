"""What a parity-aware training did: a summary, its merges with both ties, and its film."""

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from bpe.analysis.languages import DocumentCurves, gini
from bpe.analysis.parity_aware import ParityResult, ParityStep
from bpe.analysis.sentences.percentages import percent
from bpe.text.display import counted
from film.labels import short_chip_label
from film.training_feed import training_feed, with_choosers
from ui.components.chip_result_table import Drawn, chip_result_table
from ui.components.chip_table import Chips, Column
from ui.components.token_grid import token_grid
from ui.language_tab.curves import Lane
from ui.language_tab.parity import ParityRun
from ui.show.tables import MOST_ROWS, pair_text
from ui.show.text import in_markdown
from ui.work.memory_budget import fragment

WINDOW = 2_000  # characters of the texts in the grid
NO_PAIR = " Training ended early: the text that had to choose next had no pair left."
# why a training stopped -> the sentence that says so, if the number of merges did not end it
ENDS = {"no pairs": NO_PAIR, "min_count": NO_PAIR, "cancelled": " Training was stopped before its end."}
COLUMNS = ("rank", "chosen by", "pair", "count there", "pairs tied there", "texts tied")
DRAWN = (
    Column("merge", "number"),
    Column("chosen by"),
    Column("pair", "tokens"),
    Column("count there", "number"),
    Column("pairs tied there", "number"),
    Column("texts tied", "number"),
)


def parity_section(
    run: ParityRun,
    result: ParityResult,
    like: Lane,
    plain: Sequence[DocumentCurves],
    fair: Sequence[DocumentCurves],
) -> None:
    """Draw how the training differs from the lane with the same settings, and its merges."""
    st.markdown(f"**{summary(in_markdown(like.title), plain, fair)}**")
    st.caption(ties(result))
    if st.toggle("Show its merges as a film", key="parity_film", persist_state="session"):
        _draw_film(run, result)
    trace = result.trace
    chips = Chips(partial(short_chip_label, trace.variant), trace.id_of)
    cells = [
        (step.rank + 1, step.document, chips(*step.pair), step.count, step.tied, step.tied_documents)
        for step in result.steps[:MOST_ROWS]
    ]
    drawn = Drawn(DRAWN, cells, chips)
    chip_result_table(
        "parity merges", drawn, COLUMNS, rows(result), "merge", "merges, with the text that chose"
    )


def summary(title: str, plain: Sequence[DocumentCurves], fair: Sequence[DocumentCurves]) -> str:
    """Return how both trainings compare after the same number of merges."""
    k = min(len(plain[0].tokens), len(fair[0].tokens)) - 1
    before, after = ([document.tokens[k] for document in curves] for curves in (plain, fair))
    more = sum(after) / sum(before) - 1 if sum(before) else 0.0
    change = "the same number of" if not more else f"{percent(abs(more))} {'more' if more > 0 else 'fewer'}"
    return (
        f"After {counted(k, 'merge')}, the Gini coefficient of the texts is {gini(after):.3f}; under {title} it is "
        f"{gini(before):.3f}. All texts together need {change} tokens."
    )


def ties(result: ParityResult) -> str:
    """Return how often each of the two choices was a tie."""
    number = len(result.steps)
    pairs = sum(step.tied > 1 for step in result.steps)
    texts = sum(step.tied_documents > 1 for step in result.steps)
    end = ENDS.get(result.trace.stopped, "")
    return (
        f"There are two kinds of ties. At {texts:,} of {counted(number, 'merge')}, several texts were compressed "
        f"equally badly, and the first of them chose. At {pairs:,}, several pairs were equally frequent in the text "
        f"that chose, and the tie-breaking rule decided.{end}"
    )


def chooser(step: ParityStep) -> str:
    """Return the text that chose a merge, with the ties, as the film's headline says it.

    >>> chooser(ParityStep(0, (b"a", b"b"), "Hindi", count=4, tied=3, tied_documents=1))
    'Hindi (one of 3 pairs tied there)'
    """
    notes = []
    if step.tied_documents > 1:
        notes.append(f"first of {step.tied_documents} tied texts")
    if step.tied > 1:
        notes.append(f"one of {step.tied} pairs tied there")
    return f"{step.document} ({', '.join(notes)})" if notes else step.document


def rows(result: ParityResult) -> Iterator[tuple[object, ...]]:
    """Yield one row of COLUMNS for each merge."""
    for step in result.steps:
        pair = pair_text(result.trace, step.pair)
        yield step.rank, step.document, pair, step.count, step.tied, step.tied_documents


@fragment
def _draw_film(run: ParityRun, result: ParityResult) -> None:
    feed = training_feed(result.trace, list(run.documents.values()), size=WINDOW, picks=False)
    token_grid(
        with_choosers(feed, list(map(chooser, result.steps))),
        key="parity-grid",
        options={"view": "text"},
        trace=result.trace,
    )
