"""The text that somebody types on stage: T opens one large field over any page in the presenter view.

What is typed trains in the browser. Python gives the settings of what was on the stage and does not get the text.
Python gets it in three cases, and answers: the browser cannot repeat the settings, as with the merges of a well-known
tokenizer; the stage shows how learned merges split a new text; or it shows a text's bytes or how others split it.
It is in no address and in no record.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe import BPEError, Trace
from bpe.encoding.encoders import DEFAULT_ENCODER, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from film.encoding_feed import encoding_feed, encoding_window, staged_rail
from film.live import live_recipe, live_settings
from film.page import style_of
from ui.components import component as message
from ui.components.component import COMPONENTS, browser_component, component
from ui.work.memory_budget import fragment

__all__ = ["OnStage", "Rows", "text_on_stage"]

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
    tokenizer: Tokenizer | None = None  # that splits what is typed; None if what is typed trains
    encoder: Encoder | str = DEFAULT_ENCODER


# Makes of a text the data of aligned rows, and a sentence on them.
Rows = Callable[[str], tuple[Mapping[str, Any], str]]


@fragment
def text_on_stage(lanes: Sequence[OnStage], rows: Rows | None = None) -> None:
    """Let T open the field. Call it before a page may stop: what trains is sent when the field is opened.

    lanes: what is on the stage; empty if `rows` draws the text. It is trained, or encoded, in the same way.
    rows: what draws the text instead, if the page shows the bytes of a text, or its tokens under several tokenizers.
    """
    opened = _FIELD(key=FIELD, data={}, on_wanted_change=lambda: None, height=1)
    if message.read(opened, "wanted", _true) is None:
        return
    question = message.read(st.session_state.get(TRAINER), "text", _question)
    drawn = {"aligned-rows": "aligned_rows"} if rows else {"token-grid": "token_grid"}
    _TRAINER(
        key=TRAINER,
        data={
            "live": live_settings(),
            "styles": {name: style_of(folder) for name, folder in drawn.items()},
            "lanes": [_asked(lane, trains=rows is None and lane.tokenizer is None) for lane in lanes],
            "merges": max((len(lane.trace.steps) for lane in lanes), default=0),
            "answer": question and _answer(lanes, rows, question),
        },
        on_text_change=lambda: None,
        height=1,
    )


def _asked(lane: OnStage, *, trains: bool) -> dict[str, Any]:
    recipe = live_recipe(lane.trace) if trains else None
    return {"recipe": recipe, "title": lane.title, "subtitle": lane.subtitle}


@dataclass(frozen=True, slots=True)
class _Question:
    """A text that the browser cannot draw as the stage was, and the number of the question."""

    number: int
    text: str


def _answer(lanes: Sequence[OnStage], rows: Rows | None, question: _Question) -> dict[str, Any]:
    """Return what is drawn of the text, and a sentence on it; without anything drawn, it says why."""
    shown: list[dict[str, Any]] = []
    try:
        if rows:
            drawn, sentence = rows(question.text)
            shown.append({"rows": drawn})
        else:
            shown, counts = map(list, zip(*(_encoded(lane, question.text) for lane in lanes), strict=True))
            sentence = " · ".join(counts)
    except BPEError as error:
        return {"number": question.number, "lanes": [], "sentence": str(error)}
    return {"number": question.number, "lanes": shown, "sentence": sentence}


def _encoded(lane: OnStage, text: str) -> tuple[dict[str, Any], str]:
    """Return a lane with the text as its tokenizer encodes it, and how many tokens that are."""
    tokenizer = lane.tokenizer or lane.trace.tokenizer(len(lane.trace.steps))
    feed, steps = encoding_feed(tokenizer, encoding_window(text, tokenizer), lane.encoder)
    tokens = counted(len(tokenizer.encode(text, lane.encoder)), "token")
    rail = staged_rail(tokenizer, steps)
    shown = {"feed": feed, "title": lane.title, "subtitle": lane.subtitle, "rail": rail}
    return shown, f"{lane.title}: {tokens}" if lane.title else tokens


def _true(value: object) -> bool | None:
    return True if value is True else None


def _question(value: object) -> _Question | None:
    number = message.read(value, "number", message.whole_number(1, MOST_QUESTIONS))
    text = message.read(value, "text", message.text(MOST))
    return None if number is None or not text else _Question(number, text)
