"""How the vocabulary and the tokens in use grow with the merges: a chart, and a sentence on what to see.

A figure is a plain dict, as in `ui/view/charts.py`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.shown.chart import draw_chart
from ui.view.charts import (
    Colours,
    Figure,
    base_layout,
    colours_of,
    line_label,
    panel_title,
    sampled,
    step_line,
)
from ui.view.origin import words_of

_TITLE_FONT = {"size": 13}  # of an axis, as on Watch


def draw_growth(trace: Trace, step: int) -> None:
    """Draw how the vocabulary and the tokens in use grow with the merges, and a sentence on what to see."""
    st.header("While the vocabulary grows")
    more, same, fewer = _change_counts(trace)
    words = words_of(trace.origin)
    about = (
        f"{words.grows} The number actually in use rises by 1 if both parts are still "
        "in use, stays if one is used up, and falls by 1 if both are."
    )
    peak = _peak_step(trace.in_use_by_step()) if trace.steps else None
    if peak is not None:
        about += (
            f" It is highest after {counted(peak, 'merge')}: from there to the end, merges use up more tokens than "
            "they add."
        )
    rose = f"In this {words.work}, the tokens in use rose in {counted(more, 'merge')}"
    st.caption(f"{rose}, stayed the same in {same:,} and fell in {fewer:,}.", help=about)
    draw_chart(growth(trace, step, dark=st.context.theme.type == "dark"), "growth")


def growth(trace: Trace, step: int, *, dark: bool) -> Figure:
    """Draw three panels over merges: vocabulary and tokens in use, each merge's change, tokens in the text."""
    colours = colours_of(dark=dark)
    layout = _layout(colours, "merges done", "", height=350)
    layout["showlegend"] = False
    axis = layout["yaxis"] | {"nticks": 4}
    layout["yaxis"] = axis | {"domain": [0.6, 1], "rangemode": "tozero"}
    layout["yaxis2"] = axis | {
        "domain": [0.33, 0.48],
        "tickvals": [-1, 0, 1],
        "ticktext": ["−1", "0", "+1"],
        "range": [-1.4, 1.4],
    }
    layout["yaxis3"] = axis | {"domain": [0, 0.22], "rangemode": "tozero"}
    layout["xaxis"] |= {"anchor": "y3"}
    layout["annotations"] = [
        panel_title("Different tokens", 1.0, colours),
        panel_title("Change of the tokens in use, by merge", 0.48, colours),
        panel_title("Tokens in the text", 0.22, colours),
        *_growth_names(trace, colours),
    ]
    layout["shapes"] = [step_line(step, colours)]
    return {"data": _growth_lines(trace, step, colours), "layout": layout}


def _change_counts(trace: Trace) -> tuple[int, int, int]:
    """Count the merges by how they changed the number of tokens in use: (+1, 0, −1).

    >>> import bpe
    >>> _change_counts(bpe.train("ab ab abc", merges=3))
    (1, 0, 2)
    """
    changes = Counter(after - before for before, after in pairwise(trace.in_use_by_step()))
    return changes[1], changes[0], changes[-1]


def _peak_step(in_use: Sequence[int]) -> int | None:
    """Return the last step with the most tokens in use; None if that is the end of training.

    >>> _peak_step([3, 4, 4, 2]), _peak_step([3, 4, 5])
    (2, None)
    """
    step = len(in_use) - 1 - in_use[::-1].index(max(in_use))
    return None if step == len(in_use) - 1 else step


def _growth_names(trace: Trace, colours: Colours) -> list[dict[str, Any]]:
    """Return the names of the two lines of the highest panel. They end apart, unless there is no merge."""
    last = len(trace.steps)
    known, used = trace.vocabulary_size(last), trace.in_use_by_step()[-1]
    return [
        line_label("in the vocabulary", last, known, colours.soft, colours, above=3 * used > 2 * known),
        line_label("in use", last, used, colours.accent, colours, above=3 * used <= 2 * known),
    ]


def _growth_lines(trace: Trace, step: int, colours: Colours) -> list[dict[str, Any]]:
    steps = sampled(len(trace.steps), step)
    in_use, tokens = trace.in_use_by_step(), trace.tokens_by_step()
    changes = [k for k in steps if k]
    line: dict[str, Any] = {"type": "scatter", "mode": "lines", "x": steps}
    return [
        line
        | {
            "name": "vocabulary",
            "y": [trace.vocabulary_size(k) for k in steps],
            "line": {"color": colours.soft, "width": 2, "dash": "dash"},
            "hovertemplate": "vocabulary %{y:,} after %{x:,} merges<extra></extra>",
        },
        line
        | {
            "name": "tokens in use",
            "y": [in_use[k] for k in steps],
            "line": {"color": colours.accent, "width": 2.5},
            "hovertemplate": "%{y:,} tokens in use after %{x:,} merges<extra></extra>",
        },
        {
            "type": "bar",
            "name": "change by this merge",
            "x": changes,
            "y": [in_use[k] - in_use[k - 1] for k in changes],
            "yaxis": "y2",
            "marker": {"color": colours.soft},
            "showlegend": False,
            "hovertemplate": "merge %{x:,} changed the tokens in use by %{y:+d}<extra></extra>",
        },
        line
        | {
            "name": "tokens in the text",
            "y": [tokens[k] for k in steps],
            "yaxis": "y3",
            "line": {"color": colours.accent, "width": 2},
            "showlegend": False,
            "hovertemplate": "%{y:,} tokens in the text after %{x:,} merges<extra></extra>",
        },
    ]


def _layout(colours: Colours, x_title: str, y_title: str, *, height: int) -> Figure:
    """Return the base layout with a legend above the chart and titled axes."""
    layout = base_layout(colours, height)
    layout["showlegend"] = True
    layout["bargap"] = 0.2
    layout["margin"] |= {"t": 30}
    layout["xaxis"] |= {"tickformat": ",~d", "title": {"text": x_title, "font": _TITLE_FONT}}
    layout["yaxis"] |= {"tickformat": ",~d"} | (
        {"title": {"text": y_title, "font": _TITLE_FONT}} if y_title else {}
    )
    return layout
