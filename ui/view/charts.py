"""Charts of a trace at a step, and the parts that all charts share.

A figure is a plain dict as plotly's JSON has it: building a `go.Figure` takes a hundred times longer. It is sent to the
browser by `ui/shown/chart.py`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bpe import Trace
from ui.view.tables import overview_of

_CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
_PALE_ACCENT = 4  # index into chartSequentialColors: far enough from the accent and from the page
_THEMES = tomllib.loads(_CONFIG.read_text("utf-8"))["theme"]
Figure = dict[str, Any]
_MOST_POINTS = 400  # of a curve: more than there are pixels to show

# A lane can be recognised by its colour or by its dash.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "2px,9px", "14px,3px,3px,3px,3px,3px")


def curves(trace: Trace, step: int, *, dark: bool) -> Figure:
    """Draw two panels over merges done: tokens in the text, and different tokens in use.

    A dotted line and dots mark the current step.
    """
    colours = colours_of(dark=dark)
    steps = sampled(len(trace.steps), step)
    overview = overview_of(trace)
    tokens, in_use = overview.tokens, overview.in_use
    after = "%{y:,} after %{x:,} merges"
    panels = (
        _Panel("y2", "Tokens in the text", {k: tokens[k] for k in steps}, [0.59, 1], after),
        _Panel("y", "Different tokens in use", {k: in_use[k] for k in steps}, [0, 0.41], after),
    )
    layout = base_layout(colours, height=250)
    for panel in panels:
        layout[panel.axis.replace("y", "yaxis")] = _panel_axis(panel, colours)
        layout["annotations"].append(panel_title(panel.title, panel.domain[1], colours))
    layout["xaxis"] |= {
        "title": {"text": "merges done", "font": {"size": 13}},
        "range": _range(len(trace.steps)),
        "anchor": "y",
    }
    if len(trace.steps) < 8:
        layout["xaxis"]["dtick"] = 1
    layout["shapes"] = [step_line(step, colours)]
    data = [
        *(_curve(panel, colours) for panel in panels),
        *(_dot(panel, step, colours) for panel in panels),
    ]
    return {"data": data, "layout": layout}


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as `#rrggbb`."""

    accent: str  # the selected or measured thing
    other: str  # the same kind of thing, not selected
    tie: str
    line: str  # grid lines
    soft: str  # axis labels, remarks
    ink: str  # text
    page: str  # background
    lanes: tuple[str, ...]  # one for each lane; distinct under simulated colour blindness


def colours_of(*, dark: bool) -> Colours:
    """Return the colours of the dark or of the light theme."""
    return _DARK if dark else _LIGHT


def sampled(last: int, step: int) -> list[int]:
    """Return at most _MOST_POINTS + 1 steps from 0 to `last`: the first, the last and the current are among them.

    >>> sampled(3, 1)
    [0, 1, 2, 3]
    """
    if last < _MOST_POINTS:
        return list(range(last + 1))
    return sorted({round(last * point / (_MOST_POINTS - 1)) for point in range(_MOST_POINTS)} | {step})


def step_line(x: int, colours: Colours) -> dict[str, Any]:
    """Return the dotted vertical line that marks the current step in all panels."""
    look = {"color": colours.soft, "width": 1, "dash": "dot"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": look}


def panel_title(text: str, top: float, colours: Colours) -> dict[str, Any]:
    """Return the title of a panel whose domain ends at `top`. It is placed just above."""
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": top,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "bgcolor": colours.page,  # covers the line of the current step
        "font": {"size": 13, "color": colours.soft},
    }


def line_label(
    text: str, x: float, y: float, colour: str, colours: Colours, *, above: bool = True
) -> dict[str, Any]:
    """Return the name of a line, which stands at its right end, above or below it: a chart needs no legend then."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xanchor": "right",
        "yanchor": "bottom" if above else "top",
        "yshift": 2 if above else -2,
        "showarrow": False,
        "bgcolor": colours.page,
        "borderpad": 0,
        "font": {"size": 13, "color": colour},
    }


def base_layout(colours: Colours, height: int) -> Figure:
    """Return the layout that every chart starts from: no zoom, no fill, the theme's colours."""
    axis = {"gridcolor": colours.line, "zeroline": False, "automargin": True, "fixedrange": True}
    return {
        "height": height,
        "showlegend": False,
        # Above the chart, if it is shown.
        "legend": {
            "orientation": "h",
            "y": 1.02,
            "yanchor": "bottom",
            "x": 0,
            "font": {"color": colours.ink},
        },
        "dragmode": False,
        "hovermode": "closest",
        "autotypenumbers": "strict",  # a token that reads as a number stays a text
        "margin": {"l": 56, "r": 12, "t": 26, "b": 44},
        "bargap": 0.28,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "Source Sans, sans-serif", "size": 13, "color": colours.soft},
        "hoverlabel": {"font": {"family": "Source Code Pro, monospace"}},
        "xaxis": axis | {"tickformat": ",d"},
        "yaxis": axis | {"rangemode": "tozero"},  # a scale that begins higher makes cliffs of small changes
        "annotations": [],
    }


def _read_colours(theme: Mapping[str, Any]) -> Colours:
    """Return the colours of one `[theme.…]` table of config.toml."""
    return Colours(
        accent=theme["primaryColor"],
        other=theme["chartSequentialColors"][_PALE_ACCENT],
        tie=theme["orangeColor"],
        line=theme["borderColor"],
        soft=theme["grayTextColor"],
        ink=theme["textColor"],
        page=theme["backgroundColor"],
        lanes=tuple(dict.fromkeys(theme["chartCategoricalColors"])),  # the list repeats itself at the end
    )


_LIGHT, _DARK = _read_colours(_THEMES["light"]), _read_colours(_THEMES["dark"])


class _Panel(NamedTuple):
    """One of several charts above each other."""

    axis: str
    title: str
    points: Mapping[int, int]  # step -> number
    domain: list[float]  # from bottom to top of the figure, as shares of its height
    hover: str


def _curve(panel: _Panel, colours: Colours) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "line": {"color": colours.accent, "width": 2},
        "x": list(panel.points),
        "y": list(panel.points.values()),
        "yaxis": panel.axis,
        "hovertemplate": f"{panel.hover}<extra></extra>",
    }


def _dot(panel: _Panel, step: int, colours: Colours) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [step],
        "y": [panel.points[step]],
        "yaxis": panel.axis,
        "marker": {"size": 11, "color": colours.accent, "line": {"width": 2, "color": colours.ink}},
        "hovertemplate": "now: %{y:,}<extra></extra>",
    }


def _panel_axis(panel: _Panel, colours: Colours) -> dict[str, Any]:
    # Else Plotly names 0.5 and 1 with the same rounded number.
    ticks = {"dtick": 1} if max(panel.points.values()) < 4 else {}
    return ticks | {
        "domain": panel.domain,
        "nticks": 4,
        "gridcolor": colours.line,
        "zeroline": False,
        "tickformat": ",~d",
        "fixedrange": True,
        "rangemode": "tozero",
    }


def _range(last: int) -> list[float]:
    margin = max(1, last) * 0.02
    return [-margin, max(1, last) + margin]
