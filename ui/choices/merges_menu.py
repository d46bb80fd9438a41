"""What the menu Merges shows: tokens, vocabulary and ties of the text along a slider of numbers of merges."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.trainings.byte_cache import ByteCache
from ui.trainings.settings import MOST_MERGES
from ui.trainings.shown_training import shown_trainings
from ui.view.choice_list import Contents, Curve, ListRow

_FEWER, _MORE = 20, 3  # the rows are from a 20th of the chosen number up to three times as many

_LADDER = [digit * 10**zeros for zeros in range(len(str(MOST_MERGES))) for digit in (1, 2, 5)]
_LEAST = 10  # merges at the end of the slider of a training that can go on
_MOST_POINTS = 400  # of a curve

_CONTENTS: ByteCache[Contents] = ByteCache(500_000)


def numbers(chosen: int) -> list[int]:
    """Return the numbers of merges that the menu offers: 1, 2, 5, 10, 20, 50, … around the chosen one, and that one.

    >>> numbers(12)
    [1, 2, 5, 10, 12, 20]
    >>> numbers(400)
    [20, 50, 100, 200, 400, 500, 1000]
    """
    near = {
        number
        for number in _LADDER
        if chosen <= _FEWER * number and number <= min(_MORE * chosen, MOST_MERGES)
    }
    return sorted(near | {chosen})


def rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return a row for each number of merges."""
    return [ListRow(slug, counted(int(slug), "merge")) for slug in slugs]


def contents(step: int) -> Contents | None:
    """Return what the page's training shows under the chosen settings; nothing without one."""
    rule, variant, chosen = (st.session_state.get(key) for key in ("tie_break", "variant", "merges"))
    for one in shown_trainings():
        if (one.recipe.tie_break, one.recipe.variant) == (rule, variant) and one.trace.origin.is_own:
            name = f"{one.name} {len(one.trace.steps)} {chosen}"
            return _CONTENTS.get(name, partial(_contents_of, one.trace, int(chosen or 0)))
    return Contents()


def _contents_of(trace: Trace, chosen: int) -> Contents:
    """Return the curves of a training along a slider: beyond what it has learned if it can go on."""
    last = len(trace.steps)
    can_go_on = trace.stopped in ("merges", "cancelled")
    top = max(_LEAST, last, numbers(chosen)[-1]) if can_go_on else last
    stride = next(stride for stride in _LADDER if top <= _MOST_POINTS * stride)
    top = -(-top // stride) * stride
    figures = _figures_of(trace)
    known = [min(at, last) for at in range(0, top + 1, stride) if at <= last or not can_go_on]
    at = chosen if chosen <= last else None if can_go_on else last
    curve = Curve(
        stride,
        top,
        chosen,
        {name: [values[k] for k in known] for name, values in figures.items()},
        {} if at is None else {name: values[at] for name, values in figures.items()},
        None if can_go_on else last,
    )
    return Contents(curve=curve)


def is_number(slug: str) -> bool:
    """Return whether this is a number of merges that can be chosen.

    >>> is_number("7"), is_number("-1"), is_number("9" * 30)
    (True, False, False)
    """
    return (
        slug.isascii()
        and slug.isdecimal()
        and len(slug) <= len(str(MOST_MERGES))
        and int(slug) <= MOST_MERGES
    )


def _figures_of(trace: Trace) -> dict[str, Sequence[int]]:
    """Return the tokens in the text, the size of the vocabulary and the ties so far after 0, 1, 2, … merges."""
    first = trace.vocabulary_size(0)
    return {
        "tokens": trace.tokens_by_step(),
        "vocabulary": range(first, first + len(trace.steps) + 1),
        "ties": list(accumulate((int(tied > 1) for tied in trace.log.tied), initial=0)),
    }
