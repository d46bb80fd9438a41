"""The curve of a beat: how many tokens the lesson's text needs after every merge, and another text beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bpe import BPEError, Trace
from bpe.analysis.compression import tokens_needed
from bpe.text.display import counted
from ui.sidebar.corpus import from_sample, samples

MOST_POINTS = 90
OWN = "the text of this lesson"


@dataclass(frozen=True, slots=True)
class Curve:
    """What a beat draws over the merges."""

    at: tuple[int, ...]  # the merges that the table below the curve lists, in their order
    held_out: str = ""  # slug of the sample that is encoded beside the lesson's text; "" for none

    def __post_init__(self) -> None:
        if list(self.at) != sorted(set(self.at)) or len(self.at) < 2 or self.at[0] < 0:
            raise BPEError(f"A curve must list two or more numbers of merges in order, got {list(self.at)}.")
        if self.held_out not in ("", *samples()):
            raise BPEError(f"The held-out text must be a sample, got {self.held_out!r}.")


def read_curve(table: Mapping[str, Any]) -> Curve:
    """Return the curve of a table with `at` and perhaps `held_out`."""
    return Curve(tuple(table["at"]), table.get("held_out", ""))


def curve_box(curve: Curve, trace: Trace, step: int) -> dict[str, Any]:
    """Return the card's data: lines in percent of the bytes or characters, and a table of tokens below them."""
    last = len(trace.steps)
    at = [number for number in curve.at if number <= last]
    needed = {OWN: [trace.tokens_total(number) for number in range(last + 1)]}
    if curve.held_out:
        title = samples()[curve.held_out].title
        needed[title] = tokens_needed(trace, from_sample(curve.held_out).reading_text)
    points = sorted({round(last * number / MOST_POINTS) for number in range(MOST_POINTS + 1)} | {*at, step})
    lines = [
        {"name": name, "values": [round(100 * tokens[point] / tokens[0], 2) for point in points]}
        for name, tokens in needed.items()
    ]
    return {
        "title": f"Tokens after 0 to {last:,} merges, in percent of the {trace.variant.unit}",
        "rows": [row for name, tokens in needed.items() for row in _rows(name, tokens, at)],
        "more": "",
        "chart": {"points": points, "lines": lines, "at": step},
    }


def _rows(name: str, tokens: list[int], at: list[int]) -> list[dict[str, Any]]:
    first = {
        "items": [f"{name[0].upper()}{name[1:]}: {counted(tokens[at[0]], 'token')} after {at[0]:,} merges"]
    }
    saved = [
        {"items": [f"merges {before + 1:,} to {after:,} save {tokens[before] - tokens[after]:,}"]}
        for before, after in pairwise(at)
    ]
    return [first, *saved]
