"""The curves of a beat: how many tokens the lesson's text needs after every merge, and another text beside it.

Or, in place of the whole text, some of its lines: the same content in several languages, for example.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bpe import BPEError, Trace
from bpe.analysis.compression import tokens_needed
from bpe.text.display import counted
from ui.sidebar.texts.corpus import from_sample, samples

MOST_POINTS = 90
OWN = "the text of this lesson"


@dataclass(frozen=True, slots=True)
class Curve:
    """What a beat draws over the merges."""

    at: tuple[int, ...]  # the merges that the table below the curve lists, in their order
    held_out: str = ""  # slug of the sample that is encoded beside the lesson's text; "" for none
    lines: Mapping[str, int] = field(default_factory=dict)  # {name: line of the lesson's text, from 1}

    def __post_init__(self) -> None:
        if list(self.at) != sorted(set(self.at)) or len(self.at) < 2 or self.at[0] < 0:
            raise BPEError(f"A curve must list two or more numbers of merges in order, got {list(self.at)}.")
        if self.held_out not in ("", *samples()):
            raise BPEError(f"The held-out text must be a sample, got {self.held_out!r}.")


def read_curve(table: Mapping[str, Any]) -> Curve:
    """Return the curve of a table with `at` and perhaps `held_out` or `lines`."""
    return Curve(tuple(table["at"]), table.get("held_out", ""), table.get("lines", {}))


def curve_box(curve: Curve, trace: Trace, step: int, text: str) -> dict[str, Any]:
    """Return the card's data: curves in percent, and a table of tokens below them. `text` is the lesson's.

    100 percent are the bytes or characters of each text; of several lines, those of the longest.
    """
    last = len(trace.steps)
    at = [number for number in curve.at if number <= last]
    needed = _needed(curve, trace, text)
    longest = max(tokens[0] for tokens in needed.values()) if curve.lines else 0
    points = sorted({round(last * number / MOST_POINTS) for number in range(MOST_POINTS + 1)} | {*at, step})
    lines = [
        {"name": name, "values": [round(100 * tokens[point] / (longest or tokens[0]), 2) for point in points]}
        for name, tokens in needed.items()
    ]
    return {
        "title": f"Tokens after 0 to {last:,} merges, in percent of the {trace.variant.unit}"
        + (" of the longest line" if curve.lines else ""),
        "rows": [row for name, tokens in needed.items() for row in _rows(name, tokens, at)],
        "more": "",
        "chart": {"points": points, "lines": lines, "at": step or at[1]},  # a dot at 0 would say nothing
    }


def _needed(curve: Curve, trace: Trace, text: str) -> dict[str, list[int]]:
    """Return {name: tokens after 0, 1, 2, … merges} of the texts that the curve compares."""
    if curve.lines:
        lines = text.split("\n")
        return {name: tokens_needed(trace, lines[number - 1]) for name, number in curve.lines.items()}
    needed = {OWN: [trace.tokens_total(number) for number in range(len(trace.steps) + 1)]}
    if curve.held_out:
        title = samples()[curve.held_out].title
        needed[title] = tokens_needed(trace, from_sample(curve.held_out).reading_text)
    return needed


def _rows(name: str, tokens: list[int], at: list[int]) -> list[dict[str, Any]]:
    first = {
        "items": [f"{name[0].upper()}{name[1:]}: {counted(tokens[at[0]], 'token')} after {at[0]:,} merges"]
    }
    saved = [
        {"items": [f"merges {before + 1:,} to {after:,} save {tokens[before] - tokens[after]:,}"]}
        for before, after in pairwise(at)
    ]
    return [first, *saved]
