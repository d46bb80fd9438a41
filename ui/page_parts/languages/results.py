"""What the languages on Tokenizers cost: a sentence, the chart of a measure, a table, and files with all of them."""

from collections.abc import Mapping, Sequence
from math import ceil

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe.analysis.languages import METRICS, Measured, Metric, measured, metric_csv, metric_json, values_of
from bpe.text.display import counted
from ui.page_parts.languages.choices import Choices, Named
from ui.shown.chart import draw_chart
from ui.trainings.byte_cache import ByteCache, digest_of
from ui.view.charts import Figure, base_layout, colours_of
from ui.view.chip_table import NO_CHIPS, Column, chip_table
from ui.view.downloads import download_button
from ui.view.text import in_chart, in_markdown

# A figure is a plain dict, as in `ui/view/charts.py`.
_ROW, _BELOW = 24, 46  # pixels: a row, and what is below all rows
_MARK = 10  # pixels across
_NO_MARK = 0.0, float(_MARK)  # where a text has no value
_LEGEND = 40  # pixels above the rows

# The names of the marks stand above the first row, those that would meet on lines above each other.
_LETTER, _LINE, _PLOT = (
    7,
    15,
    280,
)  # pixels: a letter's width, a line's height, and the plot's width on a phone
_LABEL = 16  # characters of a text's name
_WHOLE = ",.0~f"  # Plotly's format for whole numbers

# A tokenizer can be recognised by its colour or by its shape.
_SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "triangle-down")

# {name of a text: {name of a tokenizer: its value}}
_Values = Mapping[str, Mapping[str, float | None]]
ALL = "all texts"  # the name of the one row of a measure of all texts together


# The keys hash texts and names, so only a session that has them can get their figures.
_MEASURED: ByteCache[list[Measured]] = ByteCache(4_000_000)


def draw(
    choices: Choices, tokenizers: Sequence[Named], table: Sequence[Measured], above: DeltaGenerator
) -> None:
    """Draw the sentence that answers `above` the controls, and everything else below them."""
    row = choices.measure
    values = _pivot(table, choices.base, row)
    names = [named.name for named in tokenizers]
    sentence = _sentence(values, names, row, choices.base)
    above.header(in_markdown(sentence, 400), anchor=False)
    title = f"{row.title}, {choices.base} = 1" if row.takes_base else row.title
    dark = st.context.theme.type == "dark"
    decimals = f",.{min(row.decimals, 2)}~f"
    number_format = ".0%" if row.is_share else _WHOLE if row.slug == "tokens" else decimals
    figure = _dot_rows(
        values, names, title=title, number_format=number_format, dark=dark, times=row.takes_base
    )
    draw_chart(figure, "measures_chart")
    _explain(row, choices, table)
    chip_table(
        [Column("text"), *(_column(name, row) for name in names)],
        [(name, *(_cell(values[name][one], row) for one in names)) for name in _in_order(values)],
        NO_CHIPS,
        key="measures_table",
        label=f"{row.title} of each text",
        height=762,  # pixels: a head and twenty rows
    )
    _draw_files(choices, tokenizers, table)


def _sentence(values: _Values, tokenizers: Sequence[str], row: Metric, base: str) -> str:
    """Return the largest and the smallest largest value, in words: whose text pays most, under which tokenizer.

    >>> rows = {"en": {"A": 1.0, "B": 1.0}, "hi": {"A": 4.0, "B": 1.5}}
    >>> _sentence(rows, ["A", "B"], METRICS["premium"], "en")
    'Under A, hi needs 4.0 times as many tokens as en; under B, no text needs more than 1.5 times as many.'
    >>> _sentence({"mine": {"A": 9, "B": 20}}, ["A", "B"], METRICS["tokens"], "mine")
    'Tokens: from 9 (A) to 20 (B).'
    """
    known = [
        (value, name, tokenizer)
        for name, of_text in values.items()
        for tokenizer, value in of_text.items()
        if value is not None and not (row.takes_base and name == base)
    ]
    if not known:
        return f"None of these texts has a value for “{row.title}”."
    if not row.takes_base:
        least, most = min(known), max(known)
        number = "{:.1%}" if row.is_share else f"{{:,.{row.decimals}f}}"
        if len(values) == 1 and least[0] == most[0]:
            whose = "each tokenizer" if len(tokenizers) > 1 else tokenizers[0]
            return f"{row.title}: {number.format(least[0])} under {whose}."
        ends = [
            f"{number.format(value)} ({tokenizer if len(values) == 1 else f'{name}, {tokenizer}'})"
            for value, name, tokenizer in (least, most)
        ]
        return f"{row.title}: from {ends[0]} to {ends[1]}."
    worst = {tokenizer: max(one for one in known if one[2] == tokenizer) for tokenizer in tokenizers}
    value, name, tokenizer = max(worst.values())
    text = f"Under {tokenizer}, {name} needs {value:.1f} times as many tokens as {base}"
    fairest = min(worst.values())
    if fairest[2] == tokenizer:
        return f"{text}."
    highest = ceil(round(fairest[0] * 10, 6)) / 10
    return f"{text}; under {fairest[2]}, no text needs more than {highest:.1f} times as many."


def _beside(values: Mapping[str, float | None], largest: float) -> dict[str, tuple[float, float]]:
    """Return how far below the middle of its row each mark is, in rows, and its size in pixels.

    Marks that would meet on a phone are above each other and, if they are many, smaller, so that none hides another.

    largest: value of the chart.

    >>> _beside({"A": 1.0, "B": 3.0, "C": 1.0, "D": None}, 6)
    {'A': (-0.21, 10), 'C': (0.21, 10), 'B': (0.0, 10)}
    """
    known = sorted((value, name) for name, value in values.items() if value is not None)
    groups: list[list[str]] = []
    last = float("-inf")
    for value, name in known:
        if groups and value - last < largest * _MARK / _PLOT:
            groups[-1].append(name)
        else:
            groups.append([name])
        last = value
    placed = {}
    for group in groups:
        size = min(_MARK, _ROW / len(group))
        for at, name in enumerate(group):
            placed[name] = round((at - (len(group) - 1) / 2) * size / _ROW, 2), size
    return placed


def measured_texts(tokenizers: Sequence[Named], texts: Mapping[str, str]) -> list[Measured]:
    """Return an entry for each text and tokenizer, text by text."""
    by_tokenizer = [_under(named, texts) for named in tokenizers]
    return [entries[number] for number in range(len(texts)) for entries in by_tokenizer]


def _dot_rows(
    values: _Values,
    tokenizers: Sequence[str],
    *,
    title: str,
    number_format: str,
    dark: bool,
    times: bool = False,
) -> Figure:
    """Draw the values, the largest at the top. `times`: they are multiples of a base text's, whose line is strong."""
    colours = colours_of(dark=dark)
    marks = [colour for colour in colours.lanes if colour != colours.tie]  # orange means a tie
    names = _in_order(values)
    largest = max(
        (value for row in values.values() for value in row.values() if value is not None), default=0
    )
    placed = [_beside(values[name], largest) for name in names]
    suffix = "×" if times else ""
    hovered = f"%{{x:{number_format}}}{suffix}"
    named = _mark_names(values, tokenizers)
    above = _LEGEND if named is None else 4 + _LINE * (1 + max(line for _, _, line in named))
    layout = base_layout(colours, above + _BELOW + _ROW * max(2, len(names)))
    layout["showlegend"] = named is None
    layout["legend"] |= {"itemclick": False, "itemdoubleclick": False}
    layout["margin"] |= {"t": above, "l": 8, "b": _BELOW}
    layout["annotations"] = [
        {
            "text": in_chart(name, 30),
            "x": x,
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "yshift": _LINE * line - 2,
            "showarrow": False,
            "font": {"size": 13, "color": colours.ink},
        }
        for name, x, line in named or ()
    ]
    layout["xaxis"] |= {
        "title": {"text": in_chart(title, 60), "font": {"size": 13}},
        "tickformat": number_format,
        "rangemode": "tozero",
        "ticksuffix": suffix,
    }
    if number_format == _WHOLE and largest < 8:
        layout["xaxis"]["dtick"] = 1  # else Plotly names 0.5 and 1 with the same rounded number
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": [in_chart(name, _LABEL) for name in names],
        "showgrid": False,
        "tickfont": {"color": colours.ink},
        # Plotly chooses a range that begins at 0, half a mark too low, unless it has measured the names above before.
        "autorange": False,
        "range": [max(2, len(names)) - 0.4, -0.6],
    }
    layout["shapes"] = [
        {
            "type": "line",
            "x0": min(known),
            "x1": max(known),
            "y0": row,
            "y1": row,
            "line": {"color": colours.line, "width": 3},
            "layer": "below",
        }
        for row, name in enumerate(names)
        if (known := [value for value in values[name].values() if value is not None])
    ]
    if times:
        strong = {"color": colours.ink, "width": 2}
        line = {"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1, "line": strong}
        layout["shapes"].append(line | {"layer": "below"})
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "name": in_chart(tokenizer, 30),
                "x": [values[name].get(tokenizer) for name in names],
                "y": [row + places.get(tokenizer, _NO_MARK)[0] for row, places in enumerate(placed)],
                "customdata": [in_chart(name, 60) for name in names],
                "hovertemplate": f"%{{customdata}}, {in_chart(tokenizer, 30)}: {hovered}<extra></extra>",
                "marker": {
                    "color": marks[number % len(marks)],
                    "symbol": _SHAPES[number % len(_SHAPES)],
                    "size": [places.get(tokenizer, _NO_MARK)[1] for places in placed],
                    "line": {"color": colours.page, "width": 1},
                },
            }
            for number, tokenizer in enumerate(tokenizers)
        ],
        "layout": layout,
    }


def _mark_names(values: _Values, tokenizers: Sequence[str]) -> list[tuple[str, float, int]] | None:
    """Return the name of each mark of the first row, its value, and its line above the row, from 0.

    Returns None if the row lacks a mark, or if the names need too many lines: a legend has the names then.

    >>> rows = {"en": {"A": 1.0, "B": 1.0}, "hi": {"A": 4.0, "B": 3.9}}
    >>> _mark_names(rows, ["A", "B"])
    [('B', 3.9, 0), ('A', 4.0, 1)]
    """
    row = values[_in_order(values)[0]]
    known = sorted((value, name) for name in tokenizers if (value := row.get(name)) is not None)
    if len(known) < len(tokenizers) or not known or not known[-1][0]:
        return None
    scale = _PLOT / known[-1][0]
    ends: list[float] = []  # of the names on each line, in pixels
    names = []
    for value, name in known:
        half = _LETTER * len(name) / 2
        line = next((at for at, end in enumerate(ends) if end < scale * value - half), len(ends))
        ends[line : line + 1] = [scale * value + half + _LETTER]
        names.append((name, value, line))
    return names if len(ends) <= 3 else None  # more names need a legend


def _in_order(values: _Values) -> list[str]:
    """Return the names of the texts, the one with the largest value first; those without a value last.

    >>> _in_order({"en": {"a": 1.0}, "hi": {"a": 3.0}, "no": {"a": None}})
    ['hi', 'en', 'no']
    """
    largest = {
        name: max((value for value in row.values() if value is not None), default=float("-inf"))
        for name, row in values.items()
    }
    return sorted(values, key=lambda name: -largest[name])


def _column(name: str, row: Metric) -> Column:
    if row.is_share:
        return Column(name, "number", decimals=1, unit="%")
    return Column(name, "number", decimals=row.decimals, unit="×" if row.takes_base else "")


def _cell(value: float | None, row: Metric) -> float | None:
    return value * 100 if row.is_share and value is not None else value


def _pivot(table: Sequence[Measured], base: str, row: Metric) -> _Values:
    """Return the measure's values by text and tokenizer; a measure of all texts has one row for them."""
    values: dict[str, dict[str, float | None]] = {}
    for one, measures in zip(table, values_of(table, base), strict=True):
        values.setdefault(ALL if row.of_all else one.text, {})[one.tokenizer] = measures[row.slug]
    return values


def _explain(row: Metric, choices: Choices, table: Sequence[Measured]) -> None:
    content = " Compare only texts that say the same thing, such as translations." if row.same_content else ""
    st.caption(
        f"{row.title}: {row.formula}.",
        help=f"{content.strip()} **{row.does_not_predict}** ({row.source}.)".strip(),
    )
    notes = []
    if choices.left_out:
        notes.append(f"The last {counted(choices.left_out, 'character')} of the texts are left out.")
    unknown = [one for one in table if one.unknown]
    if unknown:
        worst = max(unknown, key=lambda one: one.unknown)
        notes.append(
            f"{worst.tokenizer} has no token for {counted(worst.unknown, 'part')} of {worst.text}, so its numbers "
            "for that text say little."
        )
    if notes:
        st.caption(in_markdown(" ".join(notes), 600))


def _draw_files(choices: Choices, tokenizers: Sequence[Named], table: Sequence[Measured]) -> None:
    sources = {named.name: named.about for named in tokenizers}
    with st.container(horizontal=True):
        download_button(
            "Download all measures (CSV)",
            lambda: metric_csv(table, choices.base),
            "measures.csv",
            mime="text/csv",
            key="measures_csv",
        )
        download_button(
            "Download all measures (JSON)",
            lambda: metric_json(table, choices.base, choices.texts, sources).encode("utf-8", "replace"),
            "measures.json",
            mime="application/json",
            key="measures_json",
        )
    with st.expander("What these figures do not tell you"):
        st.markdown(
            "\n".join(
                f"- **{one.title}** ({one.formula}). {one.does_not_predict} *{one.source}.*"
                for one in METRICS.values()
            )
        )


def _under(named: Named, texts: Mapping[str, str]) -> list[Measured]:
    key = digest_of(named.key, named.name, *(part for item in texts.items() for part in item))
    known = _MEASURED.find(key)
    if known is not None:
        return known
    with st.spinner(f"Counting the tokens of {named.name} …"):
        return _MEASURED.get(
            key, lambda: [measured(named.tokenizer, named.name, name, text) for name, text in texts.items()]
        )
