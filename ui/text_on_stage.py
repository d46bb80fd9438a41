"""The text that somebody types on stage: T opens one large field over any page in the presenter view.

What is typed trains in the browser. Python gives the settings of what was on the stage and does not get the text.
Where the browser cannot repeat the settings, as with the merges of a well-known tokenizer, Python encodes the text.
It is in no address and in no record.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe import BPEError, Trace
from bpe.encoding.encoders import DEFAULT_ENCODER
from bpe.text.display import counted
from film.encoding_feed import encoding_feed, encoding_window
from film.live import live_recipe, live_settings
from film.page import style_of
from ui.components import component as message
from ui.components.component import COMPONENTS, browser_component, component
from ui.work.memory_budget import fragment

__all__ = ["OnStage", "text_on_stage"]

MOST = 2_000  # characters, as in the field
MOST_QUESTIONS = 1_000_000_000
FIELD, TRAINER = "stage_field", "stage_trainer"  # keys
_FIELD = browser_component("text_on_stage")
_TRAINER = component("stage_trainer", COMPONENTS / "text_on_stage")


@dataclass(frozen=True, slots=True)
class OnStage:
    """A training on the stage, with its title beside others."""

    trace: Trace
    title: str = ""
    subtitle: str = ""


@fragment
def text_on_stage(lanes: Sequence[OnStage]) -> None:
    """Let T open the field. Call it at the end of a page: what trains is sent when the field is opened.

    lanes: what is on the stage. The text is trained, or encoded, in the same way.
    """
    opened = _FIELD(key=FIELD, data={}, on_wanted_change=lambda: None, height=1)
    if message.read(opened, "wanted", _true) is None:
        return
    question = message.read(st.session_state.get(TRAINER), "text", _question)
    _TRAINER(
        key=TRAINER,
        data={
            "live": live_settings(),
            "style": style_of("token_grid"),
            "lanes": [
                {"recipe": live_recipe(lane.trace), "title": lane.title, "subtitle": lane.subtitle}
                for lane in lanes
            ],
            "merges": max(len(lane.trace.steps) for lane in lanes),
            "answer": question and _answer(lanes, question),
        },
        on_text_change=lambda: None,
        height=1,
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """A text that the browser cannot train on as the stage was, and the number of the question."""

    number: int
    text: str


def _answer(lanes: Sequence[OnStage], question: _Question) -> dict[str, Any]:
    """Return the text as the tokenizers of the stage encode it, and how many tokens it has."""
    shown: list[dict[str, Any]] = []
    counts: list[str] = []
    try:
        for lane in lanes:
            tokenizer = lane.trace.tokenizer(len(lane.trace.steps))
            feed, _ = encoding_feed(tokenizer, encoding_window(question.text, tokenizer), DEFAULT_ENCODER)
            shown.append({"feed": feed, "title": lane.title, "subtitle": lane.subtitle})
            tokens = counted(len(tokenizer.encode(question.text)), "token")
            counts.append(f"{lane.title}: {tokens}" if lane.title else tokens)
    except BPEError as error:
        return {"number": question.number, "lanes": [], "sentence": str(error)}
    return {"number": question.number, "lanes": shown, "sentence": " · ".join(counts)}


def _true(value: object) -> bool | None:
    return True if value is True else None


def _question(value: object) -> _Question | None:
    number = message.read(value, "number", message.whole_number(1, MOST_QUESTIONS))
    text = message.read(value, "text", message.text(MOST))
    return None if number is None or not text else _Question(number, text)
