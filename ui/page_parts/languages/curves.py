"""What each text costs after every merge of the viewer's training: a chart of the chosen measure, and a file.

The chart has a line for each text with its name at the end, the highlighted ones coloured. A figure is a plain dict, as
in `ui/view/charts.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from bpe import Trace
from bpe.analysis.languages import METRICS, DocumentCurves, Metric, document_curves
from ui.choices.choices import Choice
from ui.page_parts.languages.choices import TRAINED, Choices, own_training
from ui.page_parts.languages.results import ALL
from ui.shown.chart import draw_chart
from ui.trainings.byte_cache import ByteCache, digest_of
from ui.view.charts import DASHES, Colours, Figure, base_layout, colours_of, sampled
from ui.view.downloads import csv_button
from ui.view.text import in_chart, shortened

_HEIGHT, _TOP, _BOTTOM = 440, 30, 44  # of the chart and its margins
_MOST_LABELS = 20  # of more lines, only the highlighted ones have their names beside them
_LABEL = 14  # characters of a label: a phone has room for no more
_LABEL_HEIGHT = 17  # pixels

# The keys hash texts and names, so only a session that has them can get their curves.
_CURVES: ByteCache[list[DocumentCurves]] = ByteCache(16_000_000)


def draw(choices: Choices, choice: Choice | None) -> None:
    """Draw the chosen measure over the merges of the viewer's training, if that is one of the chosen tokenizers."""
    if choice is None or TRAINED not in choices.tokenizers:
        return
    st.header("Merge by merge", anchor=False)
    trace, name = own_training(choice)
    curves = _curves(trace, name, choices.texts)
    base = list(choices.texts).index(choices.base)
    metric = choices.measure
    steps = sampled(len(trace.steps), 0)
    lines = _lines_of(metric, curves, base, steps)
    if not metric.each_merge:
        st.caption(
            f"“{metric.title}” is not counted after every merge. Choose another measure to see its curve."
        )
    else:
        highlighted = [*lines] if metric.of_all else _choose_highlighted(curves, base)
        title = f"{metric.title}, {in_chart(choices.base, 20)} = 1" if metric.takes_base else metric.title
        draw_chart(
            _metric_curves(
                [_Line(text, values, text in highlighted) for text, values in lines.items()],
                steps,
                title=title,
                decimals=metric.decimals,
                dark=st.context.theme.type == "dark",
            ),
            "languages_curves",
        )
    csv_button(
        "Download the curves (CSV)",
        _columns(),
        lambda: _rows(curves, base, steps),
        name="languages",
        key="download_languages",
    )


def _curves(trace: Trace, name: str, documents: Mapping[str, str]) -> list[DocumentCurves]:
    """Return the curves of the documents. `name` is that of the training."""
    key = digest_of(name, len(trace.steps), *(part for item in documents.items() for part in item))
    known = _CURVES.find(key)
    if known is not None:
        return known
    with st.spinner("Counting the tokens of each text …"):
        return _CURVES.get(key, lambda: document_curves(trace, documents))


def _lines_of(
    metric: Metric, curves: Sequence[DocumentCurves], base: int, steps: Sequence[int]
) -> dict[str, list[float | None]]:
    """Return the values of a metric at these steps: of each text, or one line for all of them."""
    at_steps = [[document.after(k) for document in curves] for k in steps]
    if metric.of_all:
        return {ALL: [metric.value(texts, 0, base) for texts in at_steps]}
    return {
        document.name: [metric.value(texts, number, base) for texts in at_steps]
        for number, document in enumerate(curves)
    }


def _of_curves() -> list[Metric]:
    """Return the metrics that have a value after every merge."""
    return [metric for metric in METRICS.values() if metric.each_merge]


def _columns() -> tuple[str, ...]:
    """Return the titles of the cells of `_rows`."""
    return ("merges done", "text", *(metric.title for metric in _of_curves()))


def _rows(
    curves: Sequence[DocumentCurves], base: int, steps: Sequence[int]
) -> Iterator[tuple[int | str | float | None, ...]]:
    """Yield (merges done, name, the value of each metric) of every document, step by step."""
    for k in steps:
        texts = [document.after(k) for document in curves]
        for number, document in enumerate(curves):
            yield k, document.name, *(metric.value(texts, number, base) for metric in _of_curves())


def _choose_highlighted(curves: Sequence[DocumentCurves], base: int) -> list[str]:
    """Draw the choice of coloured lines, and return it: at first the base, the shortest and the longest.

    Two texts are both coloured at first: one of them may be the base, and both the shortest and the longest.
    """
    names = [document.name for document in curves]
    final = [document.tokens[-1] for document in curves]
    extremes = (names[base], names[final.index(min(final))], names[final.index(max(final))])
    usual = names if len(names) == 2 else dict.fromkeys(extremes)
    return st.multiselect(
        "Highlight",
        names,
        default=list(usual),
        max_selections=6,
        key=f"languages_highlight_{digest_of(*names)[:8]}",  # other names get another widget
        persist_state="session",
    )


class _Line(NamedTuple):
    """The values of one document, or of all documents under one training."""

    name: str
    values: Sequence[float | None]  # at the steps of the chart; None where there is none
    highlighted: bool


def _metric_curves(
    lines: Sequence[_Line], steps: Sequence[int], *, title: str, decimals: int, dark: bool
) -> Figure:
    """Draw the lines over merges. Those that are not highlighted are thin and grey; their names show on hover."""
    colours = colours_of(dark=dark)
    layout = base_layout(colours, _HEIGHT)
    number_format = f",.{decimals}f"
    low, high = _range(lines)
    looks = _looks(lines, colours)
    labelled = [number for number in looks if lines[number].highlighted or len(lines) <= _MOST_LABELS]
    width = max((len(_label(lines[number].name)) for number in labelled), default=0)
    layout["margin"] |= {"t": _TOP, "b": _BOTTOM, "r": 14 + 8 * width}
    layout["xaxis"] |= {
        "title": {"text": "merges done", "font": {"size": 13}},
        "tickformat": ",~d",
        "range": _x_range(steps),
    }
    layout["yaxis"] |= {"tickformat": number_format if high - low < 10 else ",~d", "range": [low, high]}
    layout["yaxis"]["nticks"] = 6
    ends = [
        (lines[number].name, value, looks[number][0])
        for number in labelled
        if (value := _last(lines[number])) is not None
    ]
    layout["annotations"] = [_title(title, colours), *_labels(ends, steps[-1], (low, high))]
    return {
        "data": [_line(lines[number], steps, number_format, *look) for number, look in looks.items()],
        "layout": layout,
    }


def _looks(lines: Sequence[_Line], colours: Colours) -> dict[int, tuple[str, str]]:
    """Return {number of a line: (colour, dash)}. The highlighted ones come last, so that they are drawn above."""
    grey = {number: (colours.soft, "solid") for number, line in enumerate(lines) if not line.highlighted}
    highlighted = [number for number, line in enumerate(lines) if line.highlighted]
    return grey | {
        number: (colours.lanes[rank % len(colours.lanes)], DASHES[rank % len(DASHES)])
        for rank, number in enumerate(highlighted)
    }


def _line(line: _Line, steps: Sequence[int], number_format: str, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(steps),
        "y": list(line.values),
        "line": {"color": colour, "width": 2.5 if line.highlighted else 1, "dash": dash},
        "opacity": 1 if line.highlighted else 0.6,
        "hovertemplate": f"{in_chart(line.name)}: %{{y:{number_format}}} after %{{x:,}} merges<extra></extra>",
    }


def _range(lines: Sequence[_Line]) -> tuple[float, float]:
    values = [value for line in lines for value in line.values if value is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = 0.06 * (high - low) or 0.5
    return max(0.0, low - margin), high + margin


def _x_range(steps: Sequence[int]) -> list[float]:
    last = max(1, steps[-1])
    return [-0.02 * last, last]


def _last(line: _Line) -> float | None:
    return next((value for value in reversed(line.values) if value is not None), None)


def _title(text: str, colours: Colours) -> dict[str, Any]:
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": colours.soft},
    }


def _labels(
    ends: Sequence[tuple[str, float, str]], last: int, y_range: tuple[float, float]
) -> list[dict[str, Any]]:
    """Return the names at the ends of their lines, moved so that none overlap. An end is (name, value, colour)."""
    low, high = y_range
    room = _HEIGHT - _TOP - _BOTTOM
    pixels = [(value - low) / (high - low) * room for _, value, _ in ends]
    least = min(_LABEL_HEIGHT, room / max(1, len(ends)))
    return [
        {
            "text": _label(name),
            "x": last,
            "y": value,
            "xanchor": "left",
            "xshift": 6,
            "yshift": round(pixel - own),
            "showarrow": False,
            "font": {"size": 12, "color": colour},
        }
        for (name, value, colour), own, pixel in zip(ends, pixels, _apart(pixels, least, room), strict=True)
    ]


def _label(name: str) -> str:
    """Return the beginning of the name."""
    line = shortened(name, 200)
    return in_chart(line if len(line) <= _LABEL else f"{line[: _LABEL - 1]}…")


def _apart(positions: Sequence[float], least: float, room: float) -> list[float]:
    """Return the positions moved so that any two are `least` apart or more, in the same order, from 0 to `room`.

    >>> _apart([20, 22, 50], 10, room=60), _apart([0, 1], 10, room=60)
    ([16.0, 26.0, 50.0], [5.0, 15.0])
    """
    groups: list[tuple[float, list[int]]] = []  # (middle, numbers of the positions, from low to high)
    for number in sorted(range(len(positions)), key=positions.__getitem__):
        group = _within(float(positions[number]), [number], least, room)
        while groups and group[0] - groups[-1][0] < least * (len(groups[-1][1]) + len(group[1])) / 2:
            before, earlier = groups.pop()
            members = [*earlier, *group[1]]
            middle = (before * len(earlier) + group[0] * len(group[1])) / len(members)
            group = _within(middle, members, least, room)
        groups.append(group)
    moved = [0.0] * len(positions)
    for middle, members in groups:
        for rank, number in enumerate(members):
            moved[number] = middle + (rank - (len(members) - 1) / 2) * least
    return moved


def _within(middle: float, members: list[int], least: float, room: float) -> tuple[float, list[int]]:
    half = len(members) * least / 2
    return min(max(middle, half), room - half), members
