"""The chart of one measure: a row for each text, and a dot in it for each tokenizer, joined by a line.

A figure is a plain dict, as in `ui/show/charts.py`.
"""

from collections.abc import Mapping, Sequence

from ui.show.charts import Figure, base_layout, colours_of
from ui.show.text import in_chart

ROW, ENDS = 30, 92  # pixels: a row, and what is above and below all rows
LABEL = 16  # characters of a text's name
# A tokenizer can be recognised by its colour or by its shape.
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "triangle-down")

# {name of a text: {name of a tokenizer: its value}}
Values = Mapping[str, Mapping[str, float | None]]


def dot_rows(
    values: Values, tokenizers: Sequence[str], *, title: str, number_format: str, dark: bool
) -> Figure:
    """Draw the values, the largest at the top."""
    colours = colours_of(dark=dark)
    names = in_order(values)
    layout = base_layout(colours, ENDS + ROW * max(2, len(names)))
    layout["showlegend"] = True
    layout["legend"] |= {"itemclick": False, "itemdoubleclick": False}
    layout["margin"] |= {"t": 40, "l": 8, "b": 46}
    layout["xaxis"] |= {
        "title": {"text": in_chart(title, 60)},
        "tickformat": number_format,
        "rangemode": "tozero",
    }
    layout["yaxis"] |= {
        "autorange": "reversed",
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": [in_chart(name, LABEL) for name in names],
        "showgrid": False,
        "tickfont": {"color": colours.ink},
        "range": [-0.6, len(names) - 0.4],
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
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "name": in_chart(tokenizer, 30),
                "x": [values[name].get(tokenizer) for name in names],
                "y": list(range(len(names))),
                "customdata": [in_chart(name, 60) for name in names],
                "hovertemplate": f"%{{customdata}}, {in_chart(tokenizer, 30)}: %{{x:{number_format}}}<extra></extra>",
                "marker": {
                    "color": colours.lanes[number % len(colours.lanes)],
                    "symbol": SHAPES[number % len(SHAPES)],
                    "size": 12,
                    "line": {"color": colours.page, "width": 1},
                },
            }
            for number, tokenizer in enumerate(tokenizers)
        ],
        "layout": layout,
    }


def in_order(values: Values) -> list[str]:
    """Return the names of the texts, the one with the largest value first; those without a value last.

    >>> in_order({"en": {"a": 1.0}, "hi": {"a": 3.0}, "no": {"a": None}})
    ['hi', 'en', 'no']
    """
    largest = {
        name: max((value for value in row.values() if value is not None), default=float("-inf"))
        for name, row in values.items()
    }
    return sorted(values, key=lambda name: -largest[name])
