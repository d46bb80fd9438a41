"""Charts of a comparison: what sets the lanes apart by step, and what each lane's ties came to."""

from collections.abc import Sequence
from typing import Any

from bpe.analysis.ties import Kind, TieMap
from ui.compare.comparison import Comparison
from ui.show.charts import DARK, LIGHT, Figure, base_layout, panel_title, sampled
from ui.show.text import in_chart

# Line colours by lane, apart for every kind of colour vision (as in .streamlit/config.toml), and a dash each.
LANES_LIGHT = ("#3b5bdb", "#b54708", "#6a9b69", "#0d2769", "#b57596", "#511522")
LANES_DARK = ("#8da2ff", "#ffb566", "#8fc98e", "#c3cffd", "#e3a8c7", "#d9808f")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
KINDS: dict[Kind, tuple[str, str]] = {
    "cascaded": ("cascaded: another choice would have led elsewhere", ""),
    "harmless": ("harmless: the tied pairs were merged all the same", "/"),
    "open": ("open: training ended before the tied pairs were merged", "x"),
}
MOST_BARS = 2_000


def curves(found: Comparison, *, dark: bool) -> Figure:
    """Four panels over merges: tokens shared with the first lane, and what corpus, held-out text and use differ by."""
    colours = DARK if dark else LIGHT
    steps = sampled(found.merges, found.merges)
    first = found.lanes[0].title
    panels: list[tuple[str, list[list[float | None]], list[list[str]], str]] = [
        (
            f"Tokens shared with {in_chart(first, 30)}, of those learned",
            [[None if not k else shared[k] / k for k in steps] for shared in found.shared],
            [[f"{shared[k]:,} of {k:,}" for k in steps] for shared in found.shared],
            ".0%",
        )
    ]
    for title, series in (
        ("More or fewer tokens in the corpus", found.corpus_tokens),
        ("More or fewer tokens in the held-out text", found.test_tokens),
        ("More or fewer different tokens in use", found.in_use),
    ):
        panels.append((title, *_differences(series, steps), "+,d"))
    layout = base_layout(colours, height=560)
    layout["showlegend"] = len(found.lanes) > 2
    layout["legend"] = {"orientation": "h", "y": -0.12, "x": 0, "font": {"color": colours["ink"]}}
    layout["margin"] |= {"b": 60}
    layout["hovermode"] = "x unified" if len(found.lanes) > 2 else "closest"
    data: list[dict[str, Any]] = []
    room, height = 0.09, (1 - 3 * 0.09) / 4
    for number, (title, lines, texts, shown) in enumerate(panels):
        top = 1 - number * (height + room)
        axis = "y" if number == 0 else f"y{number + 1}"
        layout[axis.replace("y", "yaxis")] = {
            "domain": [top - height, top],
            "gridcolor": colours["line"],
            "zeroline": number > 0,
            "zerolinecolor": colours["soft"],
            "tickformat": shown,
            "labelalias": {"+0": "0"},
            "nticks": 4,
            "fixedrange": True,
        }
        if number == 0:
            layout["yaxis"] |= {"range": [0, 1.03]}
        elif max(abs(value) for line in lines for value in line if value is not None) < 4:
            layout[axis.replace("y", "yaxis")] |= {"dtick": 1, "nticks": None}
        layout["annotations"].append(panel_title(title, top, colours))
        for lane, (line, text) in enumerate(zip(lines, texts, strict=True), start=1):
            data.append(_line(found.titles[lane], lane, steps, line, text, axis, number == 0, dark))
    layout["xaxis"] |= {"title": {"text": "merges done", "font": {"size": 13}}, "anchor": f"y{len(panels)}"}
    return {"data": data, "layout": layout}


def _differences(
    series: Sequence[Sequence[int]], steps: Sequence[int]
) -> tuple[list[list[float | None]], list[list[str]]]:
    """(each later lane's numbers less the first's, both numbers in words) at the steps both have."""
    lines: list[list[float | None]] = []
    texts: list[list[str]] = []
    first = series[0]
    for other in series[1:]:
        last = min(len(first), len(other))
        lines.append([other[k] - first[k] if k < last else None for k in steps])
        texts.append([f"{other[k]:,} against {first[k]:,}" if k < last else "" for k in steps])
    return lines, texts


def _line(
    title: str,
    lane: int,
    x: Sequence[int],
    y: Sequence[float | None],
    text: Sequence[str],
    axis: str,
    legend: bool,
    dark: bool,
) -> dict[str, Any]:
    colour = (LANES_DARK if dark else LANES_LIGHT)[lane % len(LANES_LIGHT)]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": in_chart(title, 40),
        "legendgroup": str(lane),
        "showlegend": legend,
        "x": list(x),
        "y": list(y),
        "yaxis": axis,
        "text": list(text),
        "hovertemplate": f"{in_chart(title, 40)}, %{{x:,}} merges: %{{y}} (%{{text}})<extra></extra>",
        "line": {"color": colour, "width": 2, "dash": DASHES[lane % len(DASHES)]},
    }


def ties(found: TieMap, *, dark: bool) -> Figure:
    """How many pairs tied at every merge, by what the tie came to; brushing selects merges."""
    colours = DARK if dark else LIGHT
    fills = {"cascaded": colours["tie"], "harmless": colours["other"], "open": colours["soft"]}
    ranks = list(range(min(len(found.kinds), MOST_BARS)))
    data: list[dict[str, Any]] = []
    for kind, (about, pattern) in KINDS.items():
        here = [rank for rank in ranks if found.kinds[rank] == kind]
        data.append(
            {
                "type": "bar",
                "name": about,
                "x": here,
                "y": [found.tied[rank] for rank in here],
                "width": 0.9,
                "marker": {
                    "color": fills[kind],
                    "pattern": {"shape": pattern, "fillmode": "overlay", "fgopacity": 0.6},
                    "line": {"width": 0},
                },
                "hovertemplate": f"merge %{{x:,}}: %{{y:,}} pairs tied; {kind}<extra></extra>",
            }
        )
    layout = base_layout(colours, height=250)
    layout |= {"showlegend": True, "dragmode": "select", "selectdirection": "h", "barmode": "overlay"}
    layout["legend"] = {
        "orientation": "h",
        "y": 1.02,
        "yanchor": "bottom",
        "x": 0,
        "font": {"color": colours["ink"]},
    }
    layout["xaxis"] |= {"title": {"text": "merge"}, "range": [-0.6, max(1, len(ranks)) - 0.4]}
    layout["yaxis"] |= {
        "title": {"text": "pairs tied"},
        "rangemode": "tozero",
        "tickformat": ",~d",
        "nticks": 5,
    }
    if found.largest is not None and found.tied[found.largest] > 60:
        layout["yaxis"] |= {"type": "log", "dtick": 1, "rangemode": "normal"}
    return {"data": data, "layout": layout}


def spread(totals: Sequence[int], *, dark: bool) -> Figure:
    """One dot a draw: how many tokens the corpus takes."""
    colours = DARK if dark else LIGHT
    seen: dict[int, int] = {}
    heights = []
    for total in totals:
        seen[total] = seen.get(total, 0) + 1
        heights.append(seen[total])
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": list(totals),
        "y": heights,
        "text": [f"seed {seed}" for seed in range(len(totals))],
        "hovertemplate": "%{text}: %{x:,} tokens<extra></extra>",
        "marker": {"size": 11, "color": colours["accent"], "line": {"width": 1.5, "color": colours["ink"]}},
    }
    layout = base_layout(colours, height=170)
    layout["xaxis"] |= {
        "title": {"text": "tokens in the corpus at the end, a dot for each draw"},
        "tickformat": ",d",
    }
    if totals and max(totals) - min(totals) < 6:
        layout["xaxis"] |= {"dtick": 1}  # between two whole numbers there is nothing
    layout["yaxis"] |= {"visible": False, "range": [0.2, max([*heights, 3]) + 0.8]}
    return {"data": [dots], "layout": layout}
