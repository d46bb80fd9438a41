"""What fills a lesson's stage in place of a grid: a Components v2 component that joins a grid's presenter view."""

from collections.abc import Mapping
from typing import Any

from film.modules import BROWSER
from ui.components.component import component

_COMPONENT = component("lesson_subject", BROWSER / "subject")


def lesson_subject(subject: Mapping[str, Any], *, key: str, group: str, marker: str) -> None:
    """Draw a subject, as `ui.lessons.stages` makes it. `group` is that of the grid presented with it."""
    _COMPONENT(key=key, data={"subject": dict(subject), "group": group, "marker": marker}, height="content")
