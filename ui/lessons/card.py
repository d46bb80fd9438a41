"""A lesson's card: the component that goes from beat to beat and moves the grid beside it to each beat's step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components import component as message
from ui.components.component import component

CARD = Path(__file__).parents[1] / "components" / "lesson_card"
GROUP = "lesson"  # of the card and its grid
KEY = "lesson_card"

_COMPONENT = component("lesson", CARD)


@dataclass(frozen=True, slots=True)
class CardState:
    """The beat that the card shows, and the slugs of the lesson and of the term that the viewer chose, or None."""

    beat: int
    lesson: str | None
    term: str | None


def card(
    content: dict[str, Any], start: int, verdicts: Mapping[str, Any], receive: Callable[[int, object], None]
) -> CardState:
    """Draw the card and return its state.

    The card begins at beat `start`, which must stay the same until the whole
    page is run again, since changed data would be sent again.

    verdicts: {beat: the verdict on the last answer}, as `ui.lessons.choosing` draws them.
    receive: called with (beat, answer) for every answer to an exercise, and with None if the viewer opens the answer.
    """
    slug, beats = content["slug"], len(content["beats"])

    def answered() -> None:
        sent = st.session_state.get(KEY)
        reply = sent.get("answer") if isinstance(sent, Mapping) else None
        beat = message.read(reply, "beat", message.whole_number(0, beats - 1))
        if message.read(reply, "lesson", message.one_of([slug])) and beat is not None:
            receive(beat, reply.get("answer") if isinstance(reply, Mapping) else None)

    result = _COMPONENT(
        key=KEY,
        data={**content, "start": start, "group": GROUP, "verdicts": dict(verdicts)},
        on_beat_change=lambda: None,
        on_lesson_change=lambda: None,
        on_term_change=lambda: None,
        on_answer_change=answered,
        height="content",
    )
    names = [f"{slug} {number}" for number in range(beats)]
    beat = message.read(result, "beat", message.one_of(names))
    lesson, term = (message.read(result, name, message.text(100)) for name in ("lesson", "term"))
    return CardState(start if beat is None else names.index(beat), lesson, term)
