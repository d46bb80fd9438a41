"""A lesson's card: the component that goes from beat to beat and moves the grid beside it to each beat's step."""

from pathlib import Path
from typing import Any

from ui.components import message
from ui.components.component import component

CARD = Path(__file__).parent.parent / "components" / "lesson_card"
GROUP = "lesson"  # of the card and its grid

_COMPONENT = component("lesson", CARD)


def card(content: dict[str, Any], start: int) -> tuple[int, str | None]:
    """Draw the card. Return the beat it shows, and the slug of the lesson that the viewer chose at its end, or None.

    The card begins at beat `start`, which must stay the same until the whole
    page is run again, since changed data would be sent again.
    """
    result = _COMPONENT(
        key="lesson_card",
        data={**content, "start": start, "group": GROUP},
        on_beat_change=lambda: None,
        on_lesson_change=lambda: None,
        height="content",
    )
    beats = [f"{content['slug']} {number}" for number in range(len(content["beats"]))]
    beat = message.read(result, "beat", message.one_of(beats))
    return start if beat is None else beats.index(beat), message.read(result, "lesson", message.text(100))
