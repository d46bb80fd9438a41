"""What the menu Merges shows: tokens, vocabulary and ties of the text after some numbers of merges."""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.choices.settings import MOST_MERGES
from ui.choices.shown_training import shown_trainings
from ui.components.choice_list import Contents, ListRow
from ui.work.byte_cache import ByteCache

FEWER, MORE = 20, 3  # the rows are from a 20th of the chosen number up to three times as many

_CONTENTS: ByteCache[Contents] = ByteCache(500_000)


def numbers(chosen: int) -> list[int]:
    """Return the numbers of merges that the menu offers: 1, 2, 5, 10, 20, 50, … around the chosen one, and that one.

    >>> numbers(12)
    [1, 2, 5, 10, 12, 20]
    >>> numbers(400)
    [20, 50, 100, 200, 400, 500, 1000]
    """
    ladder = [digit * 10**zeros for zeros in range(len(str(MOST_MERGES))) for digit in (1, 2, 5)]
    near = {
        number for number in ladder if chosen <= FEWER * number and number <= min(MORE * chosen, MOST_MERGES)
    }
    return sorted(near | {chosen})


def rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return a row for each number of merges."""
    return [ListRow(slug, counted(int(slug), "merge")) for slug in slugs]


def contents(step: int) -> Contents | None:
    """Return what the rows show of the page's training under the chosen settings; its rows alone without one."""
    rule, variant, chosen = (st.session_state.get(key) for key in ("tie_break", "variant", "merges"))
    for one in shown_trainings():
        if (one.recipe.tie_break, one.recipe.variant) == (rule, variant) and not one.trace.replayed:
            name = f"{one.name} {len(one.trace.steps)} {chosen}"
            return _CONTENTS.get(name, partial(contents_of, one.trace, numbers(int(chosen or 0))))
    return Contents()


def contents_of(trace: Trace, offered: Iterable[int]) -> Contents:
    """Return what a training shows of these numbers of merges, as far as it has learned them."""
    last = len(trace.steps)
    figures: dict[str, str] = {}
    for number in offered:
        if number <= last:
            ties = sum(tied > 1 for tied in trace.log.tied[:number])
            figures[str(number)] = " · ".join(
                [
                    counted(trace.tokens_total(number), "token"),
                    f"vocabulary {trace.vocabulary_size(number):,}",
                    counted(ties, "tie"),
                ]
            )
        elif trace.stopped not in ("merges", "cancelled"):
            figures[str(number)] = f"ends after {last:,}"
    return Contents(
        headline=(counted(trace.tokens_total(0), "token"), "in the text before any merge."),
        figures=figures,
    )
