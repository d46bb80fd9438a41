"""Charts of a trace at a step: plotly figures as plain dicts, since a `go.Figure` takes a hundred times longer."""

from collections.abc import Sequence
from typing import Any

from bpe import Trace
from ui.show.tables import PairRow, pair_text
from ui.show.text import in_chart

Figure = dict[str, Any]

MOST_POINTS = 400  # of a curve: more than there are pixels to show
MOST_BARS = 15
# Roles and their colours, as in .streamlit/config.toml.
LIGHT = {
    "accent": "#3b5bdb",
    "other": "#a9b6ee",
    "tie": "#b54708",
    "line": "#d9dce5",
    "soft": "#5b6172",
    "ink": "#14161c",
    "page": "#fbfbfd",
}
DARK = {
    "accent": "#8da2ff",
    "other": "#4a5896",
    "tie": "#ffb566",
    "line": "#333947",
    "soft": "#a5acbf",
    "ink": "#eef0f6",
    "page": "#12141a",
}


def pair_bars(trace: Trace, rows: Sequence[PairRow], *, dark: bool) -> Figure:
    """Counts of the most frequent pairs; the next merge filled, tied pairs hatched and marked ◆."""
    colours = DARK if dark else LIGHT
    rows = rows[:MOST_BARS]
    names = [f"{'◆ ' if row.tied else ''}{in_chart(pair_text(trace, row.pair), 24)}" for row in rows]
    fills = [
        colours["accent"] if row.chosen else colours["tie"] if row.tied else colours["other"] for row in rows
    ]
    bar = {
        "type": "bar",
        "orientation": "h",
        "x": [row.count for row in rows],
        "y": list(range(len(rows))),  # places, not names: two pairs may read alike
        "text": [f"{row.count:,}" for row in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "customdata": [[name, _role(row)] for name, row in zip(names, rows, strict=True)],
        "hovertemplate": "%{customdata[0]}: %{x:,}<br>%{customdata[1]}<extra></extra>",
        "marker": {
            "color": fills,
            "pattern": {
                "shape": ["/" if row.tied and not row.chosen else "" for row in rows],
                "fgopacity": 0.5,
            },
        },
    }
    layout = base_layout(colours, height=12 + 27 * max(4, len(rows)))
    layout["xaxis"] |= {"visible": False, "rangemode": "tozero"}
    layout["yaxis"] |= {
        "autorange": "reversed",
        "tickmode": "array",
        "tickvals": bar["y"],
        "ticktext": names,
        "showgrid": False,
        "tickfont": {"family": "Source Code Pro, monospace", "color": colours["ink"]},
    }
    layout["margin"] |= {"l": 8, "r": 48, "t": 4, "b": 4}
    return {"data": [bar], "layout": layout}


def _role(row: PairRow) -> str:
    if row.chosen:
        return "merged next, decided by the rule" if row.tied else "merged next"
    return (
        "tied with the pair that is merged next"
        if row.tied
        else f"{row.share:.1%} of all pairs in the corpus"
    )


def curves(trace: Trace, step: int, *, dark: bool) -> Figure:
    """Tokens in the corpus, tokens in use and the merged pair's count by merges done; a line where we are."""
    colours = DARK if dark else LIGHT
    steps = sampled(len(trace.steps), step)
    tokens, in_use = trace.tokens_by_step(), trace.in_use_by_step()
    merges = [k for k in steps if k < len(trace.steps)]
    counts = [trace.steps[k].count for k in merges]
    tied = [k for k in merges if trace.steps[k].tied > 1]
    line = {"type": "scatter", "mode": "lines", "line": {"color": colours["accent"], "width": 2}}
    hover = "%{y:,} after %{x:,} merges<extra></extra>"
    data: list[dict[str, Any]] = [
        line | {"x": steps, "y": [tokens[k] for k in steps], "yaxis": "y3", "hovertemplate": hover},
        line | {"x": steps, "y": [in_use[k] for k in steps], "yaxis": "y2", "hovertemplate": hover},
        line
        | {
            "x": merges,
            "y": counts,
            "yaxis": "y",
            "hovertemplate": "merge %{x:,} has count %{y:,}<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "marker": {"symbol": "diamond", "size": 7 if len(tied) < 60 else 4, "color": colours["tie"]},
            "x": tied,
            "y": [trace.steps[k].count for k in tied],
            "yaxis": "y",
            "hovertemplate": "merge %{x:,}: a tie at %{y:,}<extra></extra>",
        },
    ]
    for axis, values in (("y3", tokens), ("y2", in_use)):
        data.append(_dot(step, values[step], axis, colours))
    if step < len(trace.steps):
        data.append(_dot(step, trace.steps[step].count, "y", colours))
    layout = base_layout(colours, height=450)
    layout["xaxis"] |= {
        "title": {"text": "merges done", "font": {"size": 13}},
        "range": _range(len(trace.steps)),
        "anchor": "y",
    }
    if len(trace.steps) < 8:
        layout["xaxis"]["dtick"] = 1
    titles = {
        "y": "Count of the pair merged next (◆ a tie)",
        "y2": "Different tokens in use",
        "y3": "Tokens in the corpus",
    }
    for (axis, title), domain in zip(titles.items(), ([0, 0.25], [0.375, 0.62], [0.75, 1]), strict=True):
        name = axis.replace("y", "yaxis")
        layout[name] = {
            "domain": domain,
            "nticks": 4,
            "gridcolor": colours["line"],
            "zeroline": False,
            "tickformat": ",~d",
            "fixedrange": True,
        }
        layout["annotations"].append(panel_title(title, domain[1], colours))
    if counts and max(counts) > 50 * max(1, min(counts)):
        layout["yaxis"] |= {"type": "log", "tickformat": "~s", "nticks": None, "dtick": 1}
    layout["shapes"] = [
        {
            "type": "line",
            "x0": step,
            "x1": step,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": colours["soft"], "width": 1, "dash": "dot"},
        }
    ]
    return {"data": data, "layout": layout}


def sampled(last: int, step: int) -> list[int]:
    """At most MOST_POINTS + 1 steps from 0 to `last`, the first, the last and the current among them.

    >>> sampled(3, 1)
    [0, 1, 2, 3]
    """
    if last < MOST_POINTS:
        return list(range(last + 1))
    return sorted({round(last * point / (MOST_POINTS - 1)) for point in range(MOST_POINTS)} | {step})


def _range(last: int) -> list[float]:
    room = max(1, last) * 0.02
    return [-room, max(1, last) + room]


def _dot(x: int, y: int, axis: str, colours: dict[str, str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [y],
        "yaxis": axis,
        "marker": {"size": 11, "color": colours["accent"], "line": {"width": 2, "color": colours["ink"]}},
        "hovertemplate": "now: %{y:,}<extra></extra>",
    }


def panel_title(text: str, top: float, colours: dict[str, str]) -> dict[str, Any]:
    """The title of one of several panels, above its domain's upper end."""
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": top,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "bgcolor": colours["page"],  # the line of the current step passes behind it
        "font": {"size": 13, "color": colours["soft"]},
    }


def base_layout(colours: dict[str, str], height: int) -> Figure:
    """What all charts look like."""
    return {
        "height": height,
        "showlegend": False,
        "dragmode": False,
        "margin": {"l": 56, "r": 12, "t": 26, "b": 44},
        "bargap": 0.28,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "Source Sans, sans-serif", "size": 13, "color": colours["soft"]},
        "hoverlabel": {"font": {"family": "Source Code Pro, monospace"}},
        "xaxis": {
            "gridcolor": colours["line"],
            "zeroline": False,
            "tickformat": ",d",
            "automargin": True,
            "fixedrange": True,
        },
        "yaxis": {"gridcolor": colours["line"], "zeroline": False, "automargin": True, "fixedrange": True},
        "annotations": [],
    }
