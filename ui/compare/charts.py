"""Charts of a comparison: differences between lanes by step, and outcomes of ties."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bpe.analysis.tie_drawing import Kind
from bpe.analysis.ties import TieMap
from ui.compare.comparison import PageComparison
from ui.show.charts import DASHES, Colours, Figure, base_layout, colours_of, panel_title, sampled
from ui.show.text import in_chart

# outcome of a tie -> its entry in the legend; the first two as those of the bars over the player's slider.
KINDS: dict[Kind, str] = {
    "choice": "a tie, and a real choice",
    "order only": "a tie that decided the order only",
    "open": "open: the training ended first",
}
MOST_BARS = 2_000
PANEL_GAP = 0.09  # between two panels, as a share of the figure's height
Line = list[float | None]  # None where the lane has ended


def curves(comparison: PageComparison, *, dark: bool) -> Figure:
    """Draw four panels over merges: tokens shared with the first lane, and the differences from it.

    The differences are in tokens of the corpus, tokens of the held-out text and different tokens in use.
    """
    colours = colours_of(dark=dark)
    steps = sampled(comparison.merges, comparison.merges)
    panels = _panels(comparison, steps)
    several = len(comparison.lanes) > 2
    layout = base_layout(colours, height=560)
    layout["showlegend"] = several
    layout["legend"] = {"orientation": "h", "y": -0.12, "x": 0, "font": {"color": colours.ink}}
    layout["margin"] |= {"b": 60}
    layout["hovermode"] = "x unified" if several else "closest"
    data: list[dict[str, Any]] = []
    height = (1 - (len(panels) - 1) * PANEL_GAP) / len(panels)
    for number, panel in enumerate(panels):
        top = 1 - number * (height + PANEL_GAP)
        axis = "y" if number == 0 else f"y{number + 1}"
        layout[axis.replace("y", "yaxis")] = _panel_axis(panel, [top - height, top], colours)
        layout["annotations"].append(panel_title(panel.title, top, colours))
        if number == 0 and not several:
            name = panel_title(in_chart(comparison.titles[1], 40), top, colours)
            layout["annotations"].append(
                name | {"x": 1, "xanchor": "right", "font": {"color": colours.accent}}
            )
        for lane in range(1, len(comparison.lanes)):
            title = in_chart(comparison.titles[lane], 40)
            data.append(
                _line(panel, lane, title, steps, colours) | {"yaxis": axis, "showlegend": number == 0}
            )
            if (
                not several
            ):  # the only line needs neither a dash nor a legend: its name is at the end of the first panel
                data[-1]["line"] |= {"color": colours.accent, "dash": "solid"}
    layout["xaxis"] |= {"title": {"text": "merges done", "font": {"size": 13}}, "anchor": f"y{len(panels)}"}
    return {"data": data, "layout": layout}


def ties(tie_map: TieMap, *, dark: bool) -> Figure:
    """Draw the number of tied pairs at every merge, by the outcome of the tie. A box drawn over it selects merges."""
    colours = colours_of(dark=dark)
    looks: dict[Kind, dict[str, Any]] = {
        "choice": {"color": colours.tie},
        "order only": {"color": colours.soft, "opacity": 0.5},
        "open": {
            "color": colours.soft,
            "opacity": 0.5,
            "pattern": {"shape": "/", "fillmode": "replace", "fgcolor": colours.soft, "size": 6},
        },
    }
    merges = min(len(tie_map.kinds), MOST_BARS)
    data = []
    for kind, about in KINDS.items():
        ranks = [rank for rank in range(merges) if tie_map.kinds[rank] == kind]
        data.append(
            {
                "type": "bar",
                "name": about,
                "x": [rank + 1 for rank in ranks],
                "y": [tie_map.tied[rank] for rank in ranks],
                "width": 1 if merges > 100 else 0.9,
                "marker": looks[kind] | {"line": {"width": 0}},
                "hovertemplate": f"merge %{{x:,}}: %{{y:,}} pairs tied; {kind}<extra></extra>",
            }
        )
    layout = base_layout(colours, height=250)
    layout |= {"showlegend": True, "dragmode": "select", "selectdirection": "h", "barmode": "overlay"}
    layout["xaxis"] |= {
        "title": {"text": "merge", "font": {"size": 13}},
        "range": [0.4, max(1, merges) + 0.6],
    }
    layout["yaxis"] |= {
        "title": {"text": "pairs tied", "font": {"size": 13}},
        "rangemode": "tozero",
        "tickformat": ",~d",
        "nticks": 5,
    }
    if tie_map.largest is not None and tie_map.tied[tie_map.largest] > 60:
        layout["yaxis"] |= {"type": "log", "dtick": 1, "rangemode": "normal"}
        layout["yaxis"]["title"] |= {"text": "pairs tied (logarithmic)"}
    return {"data": data, "layout": layout}


class _Panel(NamedTuple):
    """One of several charts above each other: a line for each lane but the first."""

    title: str
    lines: list[Line]
    texts: list[list[str]]  # hover text of each point
    number_format: str


def _panels(comparison: PageComparison, steps: Sequence[int]) -> list[_Panel]:
    first = in_chart(comparison.lanes[0].title, 30)
    return [
        _Panel(
            f"Tokens shared with {first}, as a share of those learned",
            [[shared[k] / k if 0 < k < len(shared) else None for k in steps] for shared in comparison.shared],
            [
                [f"{shared[k]:,} of {k:,}" if k < len(shared) else "" for k in steps]
                for shared in comparison.shared
            ],
            ".0%",
        ),
        _differences("More or fewer tokens in the text", comparison.corpus_tokens, steps),
        _differences("More or fewer tokens in the held-out text", comparison.test_tokens, steps),
        _differences("More or fewer different tokens in use", comparison.in_use, steps),
    ]


def _differences(title: str, series: Sequence[Sequence[int]], steps: Sequence[int]) -> _Panel:
    """Return a panel of each later lane's numbers minus the first lane's, at the steps that both have."""
    lines: list[Line] = []
    texts: list[list[str]] = []
    first = series[0]
    for other in series[1:]:
        end = min(len(first), len(other))
        lines.append([other[k] - first[k] if k < end else None for k in steps])
        texts.append([f"{other[k]:,} against {first[k]:,}" if k < end else "" for k in steps])
    return _Panel(title, lines, texts, "+,d")


def _panel_axis(panel: _Panel, domain: list[float], colours: Colours) -> dict[str, Any]:
    is_share = panel.number_format.endswith("%")
    axis: dict[str, Any] = {
        "domain": domain,
        "gridcolor": colours.line,
        "zeroline": not is_share,
        "zerolinecolor": colours.soft,
        "tickformat": panel.number_format,
        "labelalias": {"+0": "0"},
        "nticks": 4,
        "fixedrange": True,
    }
    if is_share:
        return axis | {"range": [0, 1.03]}
    if max(abs(value) for line in panel.lines for value in line if value is not None) < 4:
        return axis | {"dtick": 1, "nticks": None}
    return axis


def _line(panel: _Panel, lane: int, title: str, steps: Sequence[int], colours: Colours) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": title,
        "legendgroup": str(lane),
        "x": list(steps),
        "y": panel.lines[lane - 1],
        "text": panel.texts[lane - 1],
        "hovertemplate": f"{title}, %{{x:,}} merges: %{{y}} (%{{text}})<extra></extra>",
        "line": {
            "color": colours.lanes[lane % len(colours.lanes)],
            "width": 2,
            "dash": DASHES[lane % len(DASHES)],
        },
    }
