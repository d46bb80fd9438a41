"""The parts of Compare that show tokens, as one Components v2 component: divergence, strip, learned tokens, words."""

from pathlib import Path
from typing import Any

from ui.components.component import component

__all__ = ["compare_part"]

_COMPONENT = component("compare_parts", Path(__file__).parent)


def compare_part(part: str, content: dict[str, Any]) -> None:
    """Draw a part from what it needs: see `PartData` in `tokens.js`, and the part's own file."""
    _COMPONENT(key=f"part_{part}", data={"part": part, **content})
