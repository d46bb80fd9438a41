"""Colours of charts and tables by role, read once from `.streamlit/config.toml`, which defines the palette."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
PALE_ACCENT = 4  # index into chartSequentialColors: far enough from the accent and from the page


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


def read_colours(theme: Mapping[str, Any]) -> Colours:
    """Return the colours of one `[theme.…]` table of config.toml."""
    return Colours(
        accent=theme["primaryColor"],
        other=theme["chartSequentialColors"][PALE_ACCENT],
        tie=theme["orangeColor"],
        line=theme["borderColor"],
        soft=theme["grayTextColor"],
        ink=theme["textColor"],
        page=theme["backgroundColor"],
        lanes=tuple(dict.fromkeys(theme["chartCategoricalColors"])),  # the list repeats itself at the end
    )


_THEMES = tomllib.loads(CONFIG.read_text("utf-8"))["theme"]
LIGHT, DARK = read_colours(_THEMES["light"]), read_colours(_THEMES["dark"])


def colours_of(*, dark: bool) -> Colours:
    """Return the colours of the dark or of the light theme."""
    return DARK if dark else LIGHT
