"""Charts of a vocabulary, as plotly figures in plain dicts: lengths, frequencies, growth, compression."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from bpe import Trace
from bpe.analysis.vocabulary import Entry
from ui.show.charts import DARK, LIGHT, Figure, sampled
from ui.show.text import in_chart

MOST_POINTS = 300
LONGEST_BAR = 24  # longer tokens share one bar


def lengths(found: Sequence[Entry], unit: str, *, dark: bool) -> Figure:
    """How many tokens have each length: those in use, and on top of them those that are not."""
    colours = DARK if dark else LIGHT
    used, unused = Counter[int](), Counter[int]()
    for entry in found:
        if entry.state != "special":
            (used if entry.in_use else unused)[min(entry.length, LONGEST_BAR)] += 1
    places = list(range(1, max([*used, *unused, 1]) + 1))
    names = [str(place) if place < LONGEST_BAR else f"{LONGEST_BAR}+" for place in places]
    data = [
        _bars("in use", places, used, colours["accent"], ""),
        _bars("not in use", places, unused, colours["other"], "/"),
    ]
    figure = _figure(data, colours, f"length in {unit}", "tokens", height=300)
    figure["layout"] |= {"barmode": "stack"}
    figure["layout"]["xaxis"] |= {"tickmode": "array", "tickvals": places, "ticktext": names}
    return figure


def _bars(
    name: str, places: Sequence[int], counts: Mapping[int, int], colour: str, shape: str
) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "x": places,
        "y": [counts.get(place, 0) for place in places],
        "marker": {"color": colour, "pattern": {"shape": shape, "fgopacity": 0.5}},
        "hovertemplate": f"%{{y:,}} tokens {name}, length %{{x}}<extra></extra>",
    }


def frequencies(found: Sequence[Entry], *, dark: bool) -> Figure:
    """The tokens in use by rank of their count, both axes logarithmic; a straight line would be Zipf's law."""
    colours = DARK if dark else LIGHT
    used = sorted((entry for entry in found if entry.in_use), key=lambda entry: -entry.count)
    ranks = _log_spaced(len(used))
    line: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "tokens in use",
        "line": {"color": colours["accent"], "width": 2},
        "marker": {"size": 5},
        "x": [rank + 1 for rank in ranks],
        "y": [used[rank].count for rank in ranks],
        "customdata": [in_chart(used[rank].label, 24) for rank in ranks],
        "hovertemplate": "%{customdata}: %{y:,} times, rank %{x:,}<extra></extra>",
    }
    figure = _figure([line], colours, "rank by count", "occurrences in the corpus", height=300)
    for axis in ("xaxis", "yaxis"):
        figure["layout"][axis] |= {"type": "log", "dtick": 1, "tickformat": "~s"}
    return figure


def _log_spaced(size: int) -> list[int]:
    """At most MOST_POINTS of 0 … size − 1, closer together at the start.

    >>> _log_spaced(4)
    [0, 1, 2, 3]
    """
    if size <= MOST_POINTS:
        return list(range(size))
    return sorted({round(size ** (point / (MOST_POINTS - 1))) - 1 for point in range(MOST_POINTS)})


def growth(trace: Trace, step: int, *, dark: bool) -> Figure:
    """Vocabulary and tokens in use by merges, each merge's own change, and the tokens in the corpus."""
    colours = DARK if dark else LIGHT
    steps = sampled(len(trace.steps), step)
    in_use, tokens = trace.in_use_by_step(), trace.tokens_by_step()
    start = len(trace.special_tokens) + len(trace.alphabet)
    changes = [k for k in steps if k]
    line: dict[str, Any] = {"type": "scatter", "mode": "lines"}
    data: list[dict[str, Any]] = [
        line
        | {
            "name": "vocabulary",
            "x": steps,
            "y": [start + k for k in steps],
            "line": {"color": colours["soft"], "width": 2, "dash": "dash"},
            "hovertemplate": "vocabulary %{y:,} after %{x:,} merges<extra></extra>",
        },
        line
        | {
            "name": "tokens in use",
            "x": steps,
            "y": [in_use[k] for k in steps],
            "line": {"color": colours["accent"], "width": 2.5},
            "hovertemplate": "%{y:,} tokens in use after %{x:,} merges<extra></extra>",
        },
        {
            "type": "bar",
            "name": "change by this merge",
            "x": changes,
            "y": [in_use[k] - in_use[k - 1] for k in changes],
            "yaxis": "y2",
            "marker": {"color": colours["tie"]},
            "showlegend": False,
            "hovertemplate": "merge %{x:,} changed the tokens in use by %{y:+d}<extra></extra>",
        },
        line
        | {
            "name": "tokens in the corpus",
            "x": steps,
            "y": [tokens[k] for k in steps],
            "yaxis": "y3",
            "line": {"color": colours["accent"], "width": 2},
            "showlegend": False,
            "hovertemplate": "%{y:,} tokens in the corpus after %{x:,} merges<extra></extra>",
        },
    ]
    figure = _figure(data, colours, "merges done", "", height=520)
    layout = figure["layout"]
    axis = dict(layout["yaxis"])
    layout["yaxis"] = axis | {"domain": [0.56, 0.96], "rangemode": "tozero", "tickformat": ",~d"}
    layout["yaxis2"] = axis | {
        "domain": [0.36, 0.49],
        "tickvals": [-1, 0, 1],
        "ticktext": ["−1", "0", "+1"],
        "range": [-1.4, 1.4],
    }
    layout["yaxis3"] = axis | {"domain": [0, 0.27], "rangemode": "tozero", "tickformat": ",~d"}
    layout["xaxis"] |= {"anchor": "y3"}
    layout["annotations"] = [
        _heading("Tokens: in the vocabulary, in use", 1.0, colours),
        _heading("Tokens in use: each merge's own change", 0.5, colours),
        _heading("Tokens in the corpus", 0.28, colours),
    ]
    layout["shapes"] = [_here(step, colours)]
    layout["legend"] |= {"y": 1.04, "x": 1, "xanchor": "right"}
    return figure


def compression(curves: Mapping[str, Sequence[float]], start: int, step: int, *, dark: bool) -> Figure:
    """UTF-8 bytes per token against vocabulary size, a line for each text; `start` is the size before any merge."""
    colours = DARK if dark else LIGHT
    data = []
    looks = (("accent", "solid"), ("tie", "dash"))
    for (name, ratios), (colour, dash) in zip(curves.items(), looks, strict=False):
        steps = sampled(len(ratios) - 1, step)
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": in_chart(name),
                "x": [start + k for k in steps],
                "y": [ratios[k] for k in steps],
                "line": {"color": colours[colour], "width": 2.5, "dash": dash},
                "hovertemplate": "%{y:.2f} bytes per token at %{x:,} tokens<extra></extra>",
            }
        )
    figure = _figure(data, colours, "vocabulary size", "bytes per token", height=320)
    figure["layout"]["shapes"] = [_here(start + step, colours)]
    figure["layout"]["yaxis"] |= {"tickformat": ".2~f"}
    return figure


def change_counts(trace: Trace) -> tuple[int, int, int]:
    """(merges that added a token in use, that left their number alone, that took one away).

    >>> import bpe
    >>> change_counts(bpe.train("ab ab abc", merges=3))
    (1, 0, 2)
    """
    in_use = trace.in_use_by_step()
    changes = Counter(after - before for before, after in pairwise(in_use))
    return changes[1], changes[0], changes[-1]


def _here(place: int, colours: Mapping[str, str]) -> dict[str, Any]:
    look = {"color": colours["soft"], "width": 1, "dash": "dot"}
    return {"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "paper", "line": look}


def _heading(text: str, top: float, colours: Mapping[str, str]) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": top, "xanchor": "left", "yanchor": "bottom"}
    return {"text": text, "showarrow": False, "font": {"size": 13, "color": colours["soft"]}, **place}


def _figure(
    data: Sequence[dict[str, Any]], colours: Mapping[str, str], across: str, up: str, *, height: int
) -> Figure:
    axis = {
        "gridcolor": colours["line"],
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
        "tickformat": ",~d",
    }
    return {
        "data": list(data),
        "layout": {
            "height": height,
            "showlegend": len(data) > 1,
            "dragmode": False,
            "margin": {"l": 56, "r": 12, "t": 30, "b": 44},
            "bargap": 0.2,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": "Source Sans, sans-serif", "size": 13, "color": colours["soft"]},
            "hoverlabel": {"font": {"family": "Source Code Pro, monospace"}},
            "legend": {
                "orientation": "h",
                "y": 1.02,
                "yanchor": "bottom",
                "x": 0,
                "font": {"color": colours["ink"]},
            },
            "xaxis": axis | {"title": {"text": across}},
            "yaxis": axis | ({"title": {"text": up}} if up else {}),
        },
    }


def ratios(size: int, tokens: Sequence[int]) -> list[float]:
    """Bytes per token for so many bytes, after each merge.

    >>> ratios(6, [6, 3])
    [1.0, 2.0]
    """
    return [size / count if count else 0.0 for count in tokens]


def falls_after(in_use: Sequence[int]) -> int | None:
    """After how many merges the tokens in use were most; None where that is the last.

    >>> falls_after([3, 4, 4, 2])
    2
    """
    most = max(in_use)
    last = len(in_use) - 1 - in_use[::-1].index(most)
    return None if last == len(in_use) - 1 else last
