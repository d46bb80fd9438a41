"""Charts of a vocabulary: token lengths, frequencies, growth by step, and compression by size.

A figure is a plain dict, as in `ui/show/charts.py`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from bpe import Trace
from bpe.analysis.vocabulary import Entry
from ui.show.charts import (
    Colours,
    Figure,
    base_layout,
    colours_of,
    line_label,
    panel_title,
    sampled,
    step_line,
)
from ui.show.text import in_chart

MOST_POINTS = 300
SEVERAL_POWERS = 1_000  # an axis that reaches so far has at least four powers of ten
TITLE_FONT = {"size": 13}  # of an axis, as on Watch
LONGEST_BAR = 24  # longer tokens share one bar


def lengths(entries: Sequence[Entry], unit: str, *, dark: bool) -> Figure:
    """Draw the number of tokens of each length: tokens in use, with those not in use stacked on top."""
    colours = colours_of(dark=dark)
    used, unused = Counter[int](), Counter[int]()
    for entry in entries:
        if entry.state != "special":
            (used if entry.in_use else unused)[min(entry.length, LONGEST_BAR)] += 1
    sizes = list(range(1, max([*used, *unused, 1]) + 1))
    names = [str(size) if size < LONGEST_BAR else f"{LONGEST_BAR}+" for size in sizes]
    bars = [
        _bars("in use", sizes, used, colours.accent, ""),
        _bars("not in use", sizes, unused, colours.other, "/"),
    ]
    layout = _layout(colours, f"length in {unit}", "tokens", height=300)
    layout["barmode"] = "stack"
    layout["xaxis"] |= {"tickmode": "array", "tickvals": sizes, "ticktext": names}
    return {"data": bars, "layout": layout}


def frequencies(entries: Sequence[Entry], *, dark: bool) -> Figure:
    """Draw the counts of the tokens in use by rank, both axes logarithmic: Zipf's law is a straight line."""
    colours = colours_of(dark=dark)
    used = sorted((entry for entry in entries if entry.in_use), key=lambda entry: -entry.count)
    ranks = _log_spaced(len(used))
    line: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "tokens in use",
        "line": {"color": colours.accent, "width": 2},
        "marker": {"size": 5},
        "x": [rank + 1 for rank in ranks],
        "y": [used[rank].count for rank in ranks],
        "customdata": [in_chart(used[rank].label, 24) for rank in ranks],
        "hovertemplate": "%{customdata}: %{y:,} times, rank %{x:,}<extra></extra>",
    }
    layout = _layout(colours, "rank by count", "occurrences in the text", height=300)
    layout["showlegend"] = False
    for axis in ("xaxis", "yaxis"):
        reached = max(line["x" if axis == "xaxis" else "y"], default=1)
        # Numbers at 1, 2, 5, 10 where powers of ten would be too few to read.
        layout[axis] |= {"type": "log", "dtick": 1 if reached >= SEVERAL_POWERS else "D2", "tickformat": "~s"}
    return {"data": [line], "layout": layout}


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


def compression(
    ratios_of: Mapping[str, Sequence[float]], sizes: Sequence[int], step: int, *, dark: bool
) -> Figure:
    """Draw UTF-8 bytes per token over vocabulary size, with one line for each text.

    ratios_of: text name -> bytes per token after each merge. `sizes`: size of the vocabulary after each.
    """
    colours = colours_of(dark=dark)
    looks = ((colours.accent, "solid"), (colours.ink, "dash"))
    lines: list[dict[str, Any]] = []
    for (name, by_step), (colour, dash) in zip(ratios_of.items(), looks, strict=False):
        steps = sampled(len(by_step) - 1, step)
        lines.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": in_chart(name),
                "x": [sizes[k] for k in steps],
                "y": [by_step[k] for k in steps],
                "line": {"color": colour, "width": 2.5, "dash": dash},
                "hovertemplate": "%{y:.2f} bytes per token at %{x:,} tokens<extra></extra>",
            }
        )
    layout = _layout(colours, "vocabulary size", "bytes per token", height=320)
    layout["showlegend"] = False
    if len(lines) > 1:
        ends = [line["y"][-1] for line in lines]
        layout["annotations"] = [
            line_label(
                line["name"],
                sizes[-1],
                end,
                line["line"]["color"],
                colours,
                above=end == max(ends) != min(ends),
            )
            for line, end in zip(lines, ends, strict=True)
        ]
    layout["shapes"] = [step_line(sizes[step], colours)]
    layout["yaxis"] |= {"tickformat": ".2~f"}
    return {"data": lines, "layout": layout}


def change_counts(trace: Trace) -> tuple[int, int, int]:
    """Count the merges by how they changed the number of tokens in use: (+1, 0, −1).

    >>> import bpe
    >>> change_counts(bpe.train("ab ab abc", merges=3))
    (1, 0, 2)
    """
    changes = Counter(after - before for before, after in pairwise(trace.in_use_by_step()))
    return changes[1], changes[0], changes[-1]


def ratios(size: int, tokens: Sequence[int]) -> list[float]:
    """Return bytes per token after each merge for a text of `size` bytes.

    >>> ratios(6, [6, 3])
    [1.0, 2.0]
    """
    return [size / count if count else 0.0 for count in tokens]


def peak_step(in_use: Sequence[int]) -> int | None:
    """Return the last step with the most tokens in use; None if that is the end of training.

    >>> peak_step([3, 4, 4, 2]), peak_step([3, 4, 5])
    (2, None)
    """
    step = len(in_use) - 1 - in_use[::-1].index(max(in_use))
    return None if step == len(in_use) - 1 else step


def _bars(name: str, sizes: Sequence[int], counts: Mapping[int, int], colour: str, hatch: str) -> Figure:
    return {
        "type": "bar",
        "name": name,
        "x": sizes,
        "y": [counts.get(size, 0) for size in sizes],
        "marker": {"color": colour, "pattern": {"shape": hatch, "fgopacity": 0.5}},
        "hovertemplate": f"%{{y:,}} tokens {name}, length %{{x}}<extra></extra>",
    }


def _log_spaced(size: int) -> list[int]:
    """Return at most MOST_POINTS of 0 … size − 1, denser at the start.

    >>> _log_spaced(4)
    [0, 1, 2, 3]
    >>> _log_spaced(1_000_000)[:4], _log_spaced(1_000_000)[-1]
    ([0, 1, 2, 3], 999999)
    """
    if size <= MOST_POINTS:
        return list(range(size))
    return sorted({round(size ** (point / (MOST_POINTS - 1))) - 1 for point in range(MOST_POINTS)})


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
    layout["xaxis"] |= {"tickformat": ",~d", "title": {"text": x_title, "font": TITLE_FONT}}
    layout["yaxis"] |= {"tickformat": ",~d"} | (
        {"title": {"text": y_title, "font": TITLE_FONT}} if y_title else {}
    )
    return layout
